import PhotoGridCore
import PhotoLibrary

/// What there is to show of a scene's placements, turned as the person has turned the photos.
///
/// The store holds photos as their files have them. Each turned picture is made once and kept as
/// long as it is seen.
final class TurnedPictures {
  private let store: PhotoStore
  private var turned: [Key: Turned] = [:]

  private struct Key: Hashable {
    var photo: Photo.ID
    var page: Int
    var region: PhotoRegion?
    var orientation: Orientation
  }

  private struct Turned {
    /// What it was made of.
    var source: Bitmap
    var picture: Mipmap
    var isSeen = true
  }

  /// The pictures of a store.
  init(_ store: PhotoStore) { self.store = store }

  /// What there is to show of a placement at the moment.
  func content(of placement: Placement) -> TileContent {
    guard placement.photo != .unlisted else { return .waiting(nil) }
    let content =
      placement.region.map { store.content(of: $0, of: placement.photo) }
      ?? store.content(of: placement.photo, page: placement.page)
    let orientation = placement.orientation
    guard orientation != .upright, case .picture(let picture) = content else { return content }

    let key = Key(
      photo: placement.photo, page: placement.page, region: placement.region,
      orientation: orientation)
    // The same pixels are the same piece of memory, so that comparing them costs nothing.
    if let known = turned[key], known.source == picture.full {
      turned[key]?.isSeen = true
      return .picture(known.picture)
    }
    let made = Mipmap(picture.full.turned(orientation))
    turned[key] = Turned(source: picture.full, picture: made)
    return .picture(made)
  }

  /// Lets go of what was not asked for since the last time.
  func forgetUnseen() {
    guard !turned.isEmpty else { return }
    turned = turned.filter { $0.value.isSeen }
    for key in turned.keys { turned[key]?.isSeen = false }
  }
}
