import PhotoGridCore
import PhotoLibrary

/// The pictures of a scene's placements, rotated as the user has rotated the photos.
///
/// The store has pictures without the user's rotations. A rotated picture is cached while it is on
/// the screen.
final class RotatedPictures {
  private let store: PhotoStore
  private var cache: [Key: Rotated] = [:]

  private struct Key: Hashable {
    var photo: Photo.ID
    var frameIndex: Int
    var region: PhotoRegion?
    var orientation: Orientation
  }

  private struct Rotated {
    /// The picture before rotation.
    var source: Bitmap
    var picture: Mipmap
    var isSeen = true
  }

  init(_ store: PhotoStore) { self.store = store }

  /// Returns the picture for a placement; without a picture, a message or the mean color.
  ///
  /// If the store has the picture in several sizes, the size that the placement needs is returned,
  /// so that a tile looks the same before and after its photo was opened.
  func content(of placement: Placement, samplesPerPixel: Double) -> TileContent {
    guard placement.photo != .unlisted else { return .waiting(nil) }
    let content =
      placement.region.map { store.content(of: $0, of: placement.photo) }
      ?? store.content(
        of: placement.photo, frameIndex: placement.frameIndex,
        covering: placement.wholeSize(samplesPerPixel: samplesPerPixel))
    let orientation = placement.orientation
    guard orientation != .upright, case .picture(let picture) = content else { return content }

    let key = Key(
      photo: placement.photo, frameIndex: placement.frameIndex, region: placement.region,
      orientation: orientation)
    // Equal pixels share their memory, so comparing them costs nothing.
    if let known = cache[key], known.source == picture.full {
      cache[key]?.isSeen = true
      return .picture(known.picture)
    }
    let made = Mipmap(picture.full.turned(orientation))
    cache[key] = Rotated(source: picture.full, picture: made)
    return .picture(made)
  }

  /// Evicts pictures that `content(of:samplesPerPixel:)` has not returned since the last call.
  func evictUnseen() {
    guard !cache.isEmpty else { return }
    cache = cache.filter { $0.value.isSeen }
    for key in cache.keys { cache[key]?.isSeen = false }
    store.derivedByteCount = cache.values.reduce(0) { $0 + $1.picture.byteCount }
  }
}

extension Placement {
  /// Returns the size in samples of the whole photo at the placement's scale, before rotation.
  fileprivate func wholeSize(samplesPerPixel: Double) -> PixelSize {
    let size = PixelSize(
      width: frame.width / crop.width * samplesPerPixel,
      height: frame.height / crop.height * samplesPerPixel)
    return orientation.turned(size)
  }
}
