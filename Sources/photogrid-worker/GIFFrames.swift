import PhotoGridCore
import CVips
import WorkerProtocol

/// The frames of a GIF, composed by libvips.
///
/// libvips presents them as one tall image, in which the frames are below each other and each row
/// is decoded when it is read. The image can be read only once, from top to bottom, so a single
/// `VipsRegion` is used for all frames: if a new operation read each of them, rows between them
/// would be lost.
final class GIFFrames: FrameSource {
  let loopCount: Int?
  private let header: Image
  private let pages: Image
  private let region: UnsafeMutablePointer<VipsRegion>
  private let delays: [Int]
  /// The index of the first frame in `pages`.
  private let first: Int
  /// The index of the frame that `next()` returns.
  private var upcoming: Int

  /// The greatest height of an image in libvips, in rows.
  private static let maxRows = Int(VIPS_MAX_COORD)

  /// Opens the frames of a file from an index on.
  ///
  /// - Throws: `FailureReason` if the frames together are too tall for libvips, or cannot be
  ///   opened.
  init(
    _ file: borrowing PhotoFile, _ header: Image, from first: Int, of count: Int
  ) throws(FailureReason) {
    guard header.height * count <= Self.maxRows else {
      throw .tooManyFrames(count, width: header.width, height: header.height)
    }
    self.header = header
    self.first = first
    upcoming = first
    delays = header.numbers("delay")
    loopCount = header.number("loop").flatMap { $0 > 0 ? $0 : nil }
    pages = try VipsDecoder.load(file, pages: first..<count)
    guard let region = vips_region_new(pages.pointer) else { throw Image.lastError }
    self.region = region
  }

  deinit { g_object_unref(region) }

  func next() throws(FailureReason) -> (image: Image, milliseconds: Int) {
    let top = (upcoming - first) * header.height
    guard top + header.height <= pages.height else { throw .truncated }
    var byteCount = 0
    let pixels = vips_region_fetch(
      region, 0, Int32(top), Int32(header.width), Int32(header.height), &byteCount)
    guard let pixels else { throw Image.lastError }
    defer { g_free(pixels) }
    let image = try Image.of(
      UnsafeRawBufferPointer(start: pixels, count: byteCount), width: header.width,
      height: header.height, bands: pages.bands, like: header)
    defer { upcoming += 1 }
    return (image, delays.indices.contains(upcoming) ? delays[upcoming] : 0)
  }
}
