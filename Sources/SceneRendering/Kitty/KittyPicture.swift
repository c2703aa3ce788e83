import Geometry
import Photos
import SceneModel

enum KittySubject: Hashable {
  /// A photo, or a region of it that was decoded separately, in an orientation.
  case photo(
    Photo.ID, frameIndex: Int?, region: PhotoRegion? = nil, orientation: Orientation = .upright)
  /// A tile without a picture, in one color.
  case flat(RGB)
  /// A ring around a tile, whose size is in pixels; the tile itself is a hole, except for strips along
  /// its edges if there are any.
  indirect case ring(Scene.Ring.Meaning, width: Int, height: Int, strips: KittyStrips?)
  /// A translucent sheet in the background's color, by its alpha.
  case veil(UInt8)

  /// Returns the photo, or its region, that a placement shows.
  static func photo(of placement: Placement) -> KittySubject {
    .photo(
      placement.photo, frameIndex: placement.frameIndex, region: placement.region,
      orientation: placement.orientation)
  }

  /// Whether it is the same photo as another, or the same region of it, perhaps in another frame.
  func isSamePhoto(as other: KittySubject) -> Bool {
    guard case .photo(let photo, _, let region, let orientation) = self,
      case .photo(let otherPhoto, _, let otherRegion, let otherOrientation) = other
    else { return false }
    return photo == otherPhoto && region == otherRegion && orientation == otherOrientation
  }

  /// Whether it is a photo, which can be scaled to any size.
  var isPhoto: Bool { if case .photo = self { true } else { false } }

  /// Whether it is a frame of a video, which is soon followed by another.
  var isFrame: Bool { if case .photo(_, _?, _, _) = self { true } else { false } }
}

/// The specification of an image: a region of a subject, in a size in pixels.
struct KittySpec: Equatable {
  var subject: KittySubject
  /// The region, in fractions of the subject.
  var region: PixelRect
  var width: Int
  var height: Int
  /// The transparent border around the region, so that its edges can lie inside of cells.
  var border: Insets

  var pixelCount: Int {
    let size = border.outset(width: width, height: height)
    return size.width * size.height
  }

  /// The number of pixels that the whole width of the subject would have at the image's scale.
  var density: Double { Double(width) / max(region.width, .ulpOfOne) }

  /// Whether another image shows the same part of the same photo, perhaps of another frame.
  func showsSamePart(as other: KittySpec) -> Bool {
    subject.isSamePhoto(as: other.subject) && region == other.region && width == other.width
      && height == other.height && border == other.border
  }

  /// Whether an image with another specification shows the same pixels, possibly with a larger
  /// border.
  func isSatisfied(by other: KittySpec) -> Bool {
    guard other.width == width, other.height == height, other.subject == subject,
      other.border.left >= border.left, other.border.right >= border.right,
      other.border.top >= border.top, other.border.bottom >= border.bottom
    else { return false }
    // A quarter of a pixel is invisible.
    let across = region.width / Double(width) / 4
    let down = region.height / Double(height) / 4
    return abs(other.region.minX - region.minX) <= across
      && abs(other.region.maxX - region.maxX) <= across
      && abs(other.region.minY - region.minY) <= down
      && abs(other.region.maxY - region.maxY) <= down
  }
}

struct KittyPicture: Equatable {
  let id: UInt32
  let spec: KittySpec
  /// The stamp of the picture that it was made from; nil if it is no photo.
  let source: PictureStamp?
  /// The number of the frame that showed it last.
  var lastFrame: Int
}

/// A fingerprint of a picture, to distinguish pictures of a photo without keeping them.
struct PictureStamp: Equatable {
  let width: Int
  let height: Int
  private let hash: UInt64

  /// Creates the stamp of a picture: its size, and a hash of its largest level of up to 64 pixels.
  init(_ picture: Mipmap) {
    width = picture.full.width
    height = picture.full.height
    let small = picture.levels.first { $0.width * $0.height <= 64 } ?? picture.levels.last
    // FNV-1a.
    hash = (small?.pixels.prefix(1024) ?? []).reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }

  /// Whether an image made from this picture should be made again from another picture of the
  /// photo.
  ///
  /// It should if the other one differs at the same size, or is larger and this one was too coarse.
  func isOutdated(by other: PictureStamp, for spec: KittySpec) -> Bool {
    if width == other.width, height == other.height { return hash != other.hash }
    return other.width > width && isCoarse(for: spec)
  }

  /// Whether the picture has fewer pixels than an image of it would show.
  func isCoarse(for spec: KittySpec) -> Bool { Double(width) < 0.9 * spec.density }
}

/// A rectangle of an image, in its pixels, from the upper left corner.
struct KittySource: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

/// A placement of an image on the screen, as it is sent to the terminal.
struct KittyPlacement: Equatable {
  var image: UInt32
  var cells: CellRect
  /// The part of the image that is shown.
  var source: KittySource
  /// The z-index; placements with larger ones are in front.
  var depth: Int
}

/// Limits of the work and the bytes of a frame, so that keys are answered quickly.
enum KittyLimits {
  /// The work for images in a frame, in scaled pixels: about three milliseconds.
  static let workPerFrame = 240_000
  /// The work for the most urgent image, if its subject has no image yet, nothing moves and the
  /// terminal is local.
  ///
  /// This is for a photo on the whole screen, which would otherwise take a dozen frames, and
  /// drawing it by cells in the meantime would take as long.
  static let workOfUrgentImage = 4_000_000
  /// The size in pixels above which images that are not urgent wait even if the terminal is local.
  ///
  /// This is for a photo on the whole screen whose picture is still too small: scaling it up would
  /// be in vain if the next photo or the sharp picture comes first.
  static let spareWithoutRest = 500_000
  /// The work of packing a pixel into a PNG.
  static let workOfPackedPixel = 5
  /// The work of an image without a photo.
  static let workOfFlat = 8_000
  /// The number of bytes in a frame after which no further image is sent: less than a tenth of a
  /// second on a line of 1 MB/s.
  static let bytesPerFrame = 64 << 10
  /// `bytesPerFrame` while something moves.
  static let bytesPerMovingFrame = 16 << 10
  /// The most placements of a scene; others are drawn by cells, since such small tiles take no
  /// fewer bytes as images.
  static let placements = 1000
  /// The size in pixels above which images are cut into pieces if they are sent in the stream,
  /// since nothing can be shown while an image is being sent.
  static let pixelsPerPiece = 60_000

  /// Returns how many pixels of images a line can take in half of a flight (of an opening photo).
  static func pixelsInFlight(byteBudget: Int) -> Double {
    // A frame has 40 ms of the line, a flight is 0.35 s long, and a pixel takes 1.3 bytes.
    Double(byteBudget) * (0.35 / 2 / 0.04) / 1.3
  }
}
