import PhotoGridCore

/// What an image shows that is sent to the terminal.
enum KittySubject: Hashable {
  /// A picture of a photo or of a part of it, in the way that it is turned.
  case photo(
    Photo.ID, frameIndex: Int, region: PhotoRegion? = nil, orientation: Orientation = .upright)
  /// A tile without a picture.
  case flat(RGB)
  /// The frame around a tile of a size in pixels; the tile's place is a hole.
  case ring(Scene.Ring.Meaning, width: Int, height: Int)
  /// A translucent sheet in the background's colour; its alpha.
  case veil(UInt8)

  /// What a placement shows of its photo.
  static func photo(of placement: Placement) -> KittySubject {
    .photo(
      placement.photo, frameIndex: placement.frameIndex, region: placement.region,
      orientation: placement.orientation)
  }

  /// Whether it is scaled to any size, rather than cut to one.
  var isPhoto: Bool { if case .photo = self { true } else { false } }
}

/// The specification of an image: a region of a subject, in a size in pixels.
struct KittySpec: Equatable {
  var subject: KittySubject
  /// In fractions of the subject.
  var region: PixelRect
  /// The region's size in pixels.
  var width: Int
  var height: Int
  /// Transparent pixels around it, so that it can be put with edges between cells.
  var border: Insets

  /// The pixels that the terminal stores.
  var pixelCount: Int {
    let size = border.outset(width: width, height: height)
    return size.width * size.height
  }

  /// Pixels of the image for the whole width of the subject.
  var density: Double { Double(width) / max(region.width, .ulpOfOne) }

  /// Whether an image of this kind shows the same pixels, perhaps with more border around them.
  func isSatisfied(by other: KittySpec) -> Bool {
    guard other.width == width, other.height == height, other.subject == subject,
      other.border.left >= border.left, other.border.right >= border.right,
      other.border.top >= border.top, other.border.bottom >= border.bottom
    else { return false }
    // A quarter of a pixel cannot be seen.
    let across = region.width / Double(width) / 4
    let down = region.height / Double(height) / 4
    return abs(other.region.minX - region.minX) <= across
      && abs(other.region.maxX - region.maxX) <= across
      && abs(other.region.minY - region.minY) <= down
      && abs(other.region.maxY - region.maxY) <= down
  }
}

/// An image that the terminal holds.
struct KittyPicture: Equatable {
  let id: UInt32
  let spec: KittySpec
  /// What it was made from; nil for what is no photo.
  let source: PictureStamp?
  /// The number of the frame that showed it last.
  var lastFrame: Int
}

/// Tells pictures of one photo apart without keeping them.
struct PictureStamp: Equatable {
  let width: Int
  let height: Int
  private let hash: UInt64

  /// The stamp of a picture: its size, and a hash of it at a few pixels.
  init(_ picture: Mipmap) {
    width = picture.full.width
    height = picture.full.height
    let small = picture.levels.first { $0.width * $0.height <= 64 } ?? picture.levels.last
    // FNV-1a.
    hash = (small?.pixels.prefix(1024) ?? []).reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }

  /// Whether an image made from this is worth making again from another picture of the photo:
  /// that is another one, or finer where this was too coarse.
  func isOutdated(by other: PictureStamp, for spec: KittySpec) -> Bool {
    if width == other.width, height == other.height { return hash != other.hash }
    return other.width > width && isCoarse(for: spec)
  }

  /// Whether the picture has fewer pixels than an image of it.
  func isCoarse(for spec: KittySpec) -> Bool { Double(width) < 0.9 * spec.density }
}

/// A rectangle in an image's pixels.
struct KittySource: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

/// A placement of an image on the screen, as it is sent to the terminal.
struct KittyPut: Equatable {
  var image: UInt32
  var cells: CellRect
  var source: KittySource
  /// The z-index: larger ones are in front.
  var depth: Int
}
