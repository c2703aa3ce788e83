import CTurboJPEG
import Glibc
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Decodes JPEG by libjpeg-turbo, at the smallest scale that is large enough.
final class JPEGDecoder {
  private var handle = tjInitDecompress()
  private let converter = ProfileConverter()
  private var scratch = Scratch()

  deinit {
    if let handle { tjDestroy(handle) }
  }

  /// What the segments before the first scan tell.
  func describe(_ file: borrowing PhotoFile) throws(FailureReason) -> PhotoInfo {
    // Segments of metadata come first; a picture's size is rarely further in than this.
    let head = try PhotoFile.read(file.descriptor, count: 256 << 10, from: 0)
    if let header = JPEGHeader(head), header.scanStart != nil {
      return try describe(file, header, head)
    }
    let all = try file.contents()
    return try describe(file, try header(of: all), all)
  }

  func describe(
    _ file: borrowing PhotoFile, _ header: JPEGHeader, _ bytes: [UInt8]
  ) throws(FailureReason) -> PhotoInfo {
    let facts = header.exif.map { ExifFacts(bytes[$0]) } ?? ExifFacts()
    return PhotoInfo(
      file, width: header.width, height: header.height, orientation: facts.orientation,
      taken: facts.taken, isIncomplete: false)
  }

  /// The whole photo, scaled for a frame and turned upright.
  func decode(
    _ file: borrowing PhotoFile, _ frame: Frame
  ) throws(FailureReason) -> (PhotoInfo, Bitmap) {
    var bytes = try file.contents()
    let header = try header(of: bytes)
    guard let scanStart = header.scanStart, scanStart < bytes.count else { throw .truncated }
    var info = try describe(file, header, bytes)

    let orientation = Orientation(number: info.orientation)
    let upright = targetSize(of: info.size, in: frame.size, mode: frame.mode)
    let wanted = orientation.turned(width: upright.width, height: upright.height)
    let eighths = try PixelLimits.eighths(of: header, target: wanted)
    let size = (
      width: (header.width * eighths + 7) / 8, height: (header.height * eighths + 7) / 8
    )
    let profile = header.profileParts.reduce(into: []) { $0 += bytes[$1] }
    if header.isProgressive, eighths == 1, let reduced = ProgressiveScans.reduced(bytes) {
      bytes = reduced
    }
    let target = (width: min(wanted.width, size.width), height: min(wanted.height, size.height))

    var pixels: [UInt8]
    if size == target, orientation == .upright {
      let byteCount = size.width * size.height * 4
      var outcome = Result<Bool, FailureReason>.success(false)
      pixels = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
        outcome = decompress(bytes, header, size, into: buffer.baseAddress)
        count = byteCount
      }
      info.isIncomplete = try outcome.get()
    } else {
      guard let buffer = scratch.buffer(byteCount: size.width * size.height * 4) else {
        throw .decoder("out of memory")
      }
      defer { scratch.trim() }
      info.isIncomplete = try decompress(bytes, header, size, into: buffer).get()
      pixels = AreaReduction.reduce(buffer, size: size, to: target, orientation: orientation)
    }
    convert(&pixels, header, profile)
    let (width, height) = orientation.turned(width: target.width, height: target.height)
    return (info, Bitmap(width: width, height: height, pixels: pixels, isOpaque: true))
  }

  /// Converts the decoder's pixels to sRGB by the profile, which may be empty.
  func convert(_ pixels: inout [UInt8], _ header: JPEGHeader, _ profile: [UInt8]) {
    let source: ProfileConverter.Source =
      switch header.components {
      case 1: .gray
      case 4: .cmyk
      default: .rgb
      }
    if !profile.isEmpty || source == .cmyk {
      converter.convert(&pixels, from: source, profile: profile)
    }
  }

  /// The header, with the decoder's own words where there is none.
  func header(of bytes: [UInt8]) throws(FailureReason) -> JPEGHeader {
    if let header = JPEGHeader(bytes), header.width > 0, header.height > 0 { return header }
    var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    tjDecompressHeader3(
      handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorspace)
    throw complain()
  }

  /// Decodes at a scale into `size.width * size.height * 4` bytes: RGBA, or CMYK for four
  /// components.
  ///
  /// - Returns: whether a part of the picture is missing.
  private func decompress(
    _ bytes: [UInt8], _ header: JPEGHeader, _ size: (width: Int, height: Int),
    into buffer: UnsafeMutablePointer<UInt8>?
  ) -> Result<Bool, FailureReason> {
    let format = header.components == 4 ? TJPF_CMYK : TJPF_RGBA
    let result = tjDecompress2(
      handle, bytes, UInt(bytes.count), buffer, Int32(size.width), Int32(size.width * 4),
      Int32(size.height), format.rawValue, TJFLAG_LIMITSCANS)
    guard result != 0 else { return .success(false) }
    guard tjGetErrorCode(handle) == TJERR_WARNING.rawValue else { return .failure(complain()) }
    return .success(words.lowercased().contains("premature end"))
  }

  private var words: String { tjGetErrorStr2(handle).map { String(cString: $0) } ?? "" }

  /// The reason of a failure, after which the decoder starts anew: it keeps parts of a broken
  /// header and mistakes them for parts of the next one (libjpeg-turbo 2.1.5).
  private func complain() -> FailureReason {
    let words = words
    if let handle { tjDestroy(handle) }
    handle = tjInitDecompress()
    return words.lowercased().contains("premature end") ? .truncated : .decoder(message: words.utf8)
  }
}

/// Memory that is kept from photo to photo, since fresh pages cost a tenth of the decoding.
private struct Scratch: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>?
  private var byteCount = 0

  /// Above this it is given back after each photo, in bytes.
  private static let keptByteCount = 16 << 20

  deinit { free(memory) }

  /// At least that many bytes of any contents; nil where the system has not got them.
  mutating func buffer(byteCount: Int) -> UnsafeMutablePointer<UInt8>? {
    if byteCount > self.byteCount {
      free(memory)
      memory = malloc(byteCount)?.bindMemory(to: UInt8.self, capacity: byteCount)
      self.byteCount = memory == nil ? 0 : byteCount
    }
    return memory
  }

  /// Gives back what is too much to keep.
  mutating func trim() {
    guard byteCount > Self.keptByteCount else { return }
    free(memory)
    memory = nil
    byteCount = 0
  }
}
