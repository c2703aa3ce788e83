import PhotoGridCore
import WorkerProtocol

/// The facts of a photo that are kept when its picture is evicted, in 48 bytes.
struct PhotoFacts {
  /// The mean colour of the picture; nil until a picture has been decoded.
  var average: RGB?
  private var packed: Packed?

  /// The facts of the file, without metadata; nil until a worker has read it.
  var info: PhotoInfo? {
    get { packed?.unpacked }
    set { packed = newValue.map(Packed.init) }
  }

  /// The size of the upright photo in pixels.
  var size: PixelSize? {
    packed.map { PixelSize(width: Double($0.width), height: Double($0.height)) }
  }

  /// `PhotoInfo` without strings.
  private struct Packed {
    var byteCount: Int64
    var modified: Int64
    /// `TakenTime.digits`; 0 if unknown.
    var taken: Int64
    var width: UInt32
    var height: UInt32
    var frameCount: UInt32
    var orientation: UInt8
    var format: ImageFormat
    var isIncomplete: Bool

    init(_ info: PhotoInfo) {
      byteCount = Int64(info.byteCount)
      modified = Int64(info.modified)
      taken = info.taken.flatMap { TakenTime(iso8601: $0) }?.digits ?? 0
      width = UInt32(max(0, min(info.size.width, 4e9)))
      height = UInt32(max(0, min(info.size.height, 4e9)))
      frameCount = UInt32(clamping: info.frameCount)
      orientation = UInt8(clamping: info.orientation)
      format = info.format
      isIncomplete = info.isIncomplete
    }

    var unpacked: PhotoInfo {
      PhotoInfo(
        size: PixelSize(width: Double(width), height: Double(height)),
        orientation: Int(orientation), format: format, byteCount: Int(byteCount),
        modified: Int(modified), taken: taken == 0 ? nil : TakenTime(digits: taken).iso8601,
        isIncomplete: isIncomplete, frameCount: Int(frameCount))
    }
  }
}

/// The facts of all photos by their IDs.
///
/// Memory is allocated in pages of 256 photos, once a fact of one of them is stored.
struct FactsTable {
  private static let pageLength = 256
  private var pages: [[PhotoFacts]] = []

  /// The facts of a photo; all of them nil if none were stored.
  subscript(photo: Photo.ID) -> PhotoFacts {
    get {
      let (page, place) = photo.index.quotientAndRemainder(dividingBy: Self.pageLength)
      guard pages.indices.contains(page), !pages[page].isEmpty else { return PhotoFacts() }
      return pages[page][place]
    }
    set {
      let (page, place) = photo.index.quotientAndRemainder(dividingBy: Self.pageLength)
      if page >= pages.count {
        pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count))
      }
      if pages[page].isEmpty {
        pages[page] = Array(repeating: PhotoFacts(), count: Self.pageLength)
      }
      pages[page][place] = newValue
    }
  }
}

extension Mipmap {
  /// The mean colour of the picture, in sRGB; transparent pixels count as black.
  var averageColor: RGB {
    let pixels = (levels.last ?? full).pixels
    var sums = [0, 0, 0]
    for place in stride(from: 0, to: pixels.count - 3, by: 4) {
      for channel in 0..<3 { sums[channel] += Int(pixels[place + channel]) }
    }
    let count = max(1, pixels.count / 4)
    let means = sums.map { UInt8(clamping: ($0 + count / 2) / count) }
    return RGB(means[0], means[1], means[2])
  }

  /// The memory of all levels, in bytes.
  var byteCount: Int { levels.reduce(0) { $0 + $1.pixels.count } }
}
