import PhotoGridCore
import WorkerProtocol

/// What stays known of a photo when its picture is gone: some forty bytes, in a folder of any size.
struct PhotoFacts {
  /// The picture's mean colour.
  var average: RGB?
  private var packed: Packed?

  /// What a worker told of the file.
  var info: PhotoInfo? {
    get { packed?.unpacked }
    set { packed = newValue.map(Packed.init) }
  }

  /// The photo's size in pixels, after orientation.
  var size: PixelSize? {
    packed.map { PixelSize(width: Double($0.width), height: Double($0.height)) }
  }

  /// `PhotoInfo` without strings.
  private struct Packed {
    var byteCount: Int64
    var modified: Int64
    /// 0 where it is unknown.
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

/// The facts of all photos; where nothing is known of some hundred in a row, they take no room.
struct FactsTable {
  private static let pageLength = 256
  private var pages: [[PhotoFacts]] = []

  /// What is known of a photo, which may be nothing.
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
  /// The mean colour of the picture, over black where it is transparent.
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

  /// All levels together, in bytes.
  var byteCount: Int { levels.reduce(0) { $0 + $1.pixels.count } }
}
