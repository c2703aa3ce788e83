import Geometry
import Photos
import SceneModel

/// The facts of a photo that are kept when its picture is evicted.
struct PhotoFacts {
  /// The mean color of the picture; nil until a picture has been decoded.
  var meanColor: RGB?
  private var packed = PackedInfo()

  /// The facts of the file, without metadata; nil until a worker has read it.
  var info: PhotoInfo? {
    get { packed.unpacked(texts: TextPools()) }
    set {
      var (info, pools) = (newValue, TextPools())
      info?.metadata = nil
      packed = info.map { PackedInfo($0, &pools) } ?? PackedInfo()
    }
  }

  var size: PixelSize? {
    packed.isReadable
      ? PixelSize(width: Double(packed.width), height: Double(packed.height)) : nil
  }
}

/// The facts of all photos by their IDs.
///
/// Memory is allocated in pages of 256 photos, once a fact of one of them is stored.
struct RetainedFacts {
  private static let pageLength = 256
  private var pages: [[PhotoFacts]] = []

  /// All nil if none were stored.
  subscript(photo: Photo.ID) -> PhotoFacts {
    get {
      let (page, index) = photo.index.quotientAndRemainder(dividingBy: Self.pageLength)
      guard pages.indices.contains(page), !pages[page].isEmpty else { return PhotoFacts() }
      return pages[page][index]
    }
    set {
      let (page, index) = photo.index.quotientAndRemainder(dividingBy: Self.pageLength)
      if page >= pages.count {
        pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count))
      }
      if pages[page].isEmpty {
        pages[page] = Array(repeating: PhotoFacts(), count: Self.pageLength)
      }
      pages[page][index] = newValue
    }
  }
}

extension Mipmap {
  /// The mean color of the picture, in sRGB; transparent pixels count as black.
  var averageColor: RGB {
    let pixels = (levels.last ?? full).pixels
    var sums = [0, 0, 0]
    for index in stride(from: 0, to: pixels.count - 3, by: 4) {
      for channel in 0..<3 { sums[channel] += Int(pixels[index + channel]) }
    }
    let count = max(1, pixels.count / 4)
    let means = sums.map { UInt8(clamping: ($0 + count / 2) / count) }
    return RGB(means[0], means[1], means[2])
  }

  /// The memory of all levels, in bytes.
  package var byteCount: Int { levels.reduce(0) { $0 + $1.pixels.count } }
}
