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
      return describe(file, header, withMetadata: head)
    }
    let all = try file.contents()
    return describe(file, try header(of: all), withMetadata: all)
  }

  private func describe(
    _ file: borrowing PhotoFile, _ header: JPEGHeader, withMetadata bytes: [UInt8]
  ) -> PhotoInfo {
    var info = describe(file, header, bytes)
    info.metadata = MetadataReader.metadata(of: bytes, header)
    return info
  }

  /// The facts of a file whose segments were walked.
  func describe(
    _ file: borrowing PhotoFile, _ header: JPEGHeader, _ bytes: [UInt8]
  ) -> PhotoInfo {
    let facts = header.exif.map { ExifFacts(bytes[$0]) } ?? ExifFacts()
    return PhotoInfo(
      file, width: header.width, height: header.height, orientation: facts.orientation,
      taken: facts.taken, isIncomplete: false)
  }

  /// The whole photo, scaled for a frame and turned upright.
  func decode(
    _ file: borrowing PhotoFile, _ frame: Frame
  ) throws(FailureReason) -> DecodedPhoto {
    let bytes = try file.contents()
    let header = try header(of: bytes)
    return try decode(bytes, header, describe(file, header, bytes), frame)
  }

  /// A JPEG file in memory whose facts are known, scaled for a frame and turned by them.
  func decode(
    _ bytes: [UInt8], _ header: JPEGHeader, _ info: PhotoInfo, _ frame: Frame
  ) throws(FailureReason) -> DecodedPhoto {
    let (target, thumbnail) = frame.targets(for: info.size)
    // Mostly one that is larger, sometimes the same.
    let other = thumbnail.flatMap { $0.target == target ? nil : $0.target }
    let pictures = try pictures(
      bytes, header, Orientation(number: info.orientation),
      uprightSizes: [target] + (other.map { [$0] } ?? []))
    var info = info
    info.isIncomplete = pictures.isIncomplete
    return DecodedPhoto(
      info: info, picture: pictures.bitmaps[0],
      thumbnail: thumbnail.map { ($0.size, pictures.bitmaps.last ?? pictures.bitmaps[0]) })
  }

  /// The facts of a photo whose picture is a JPEG file in memory.
  func facts(
    of bytes: [UInt8]
  ) throws(FailureReason) -> (header: JPEGHeader, exif: ExifFacts) {
    let header = try header(of: bytes)
    return (header, header.exif.map { ExifFacts(bytes[$0]) } ?? ExifFacts())
  }

  /// Decodes a file in memory once, and scales it to each of some sizes, turned upright.
  ///
  /// The sizes are what is wanted after turning; none of the pictures is scaled up. Where the file
  /// has no profile its colours are taken to be those of `profile`.
  func pictures(
    _ file: [UInt8], _ header: JPEGHeader, _ orientation: Orientation,
    uprightSizes: [(width: Int, height: Int)], profile: [UInt8] = []
  ) throws(FailureReason) -> (bitmaps: [Bitmap], isIncomplete: Bool) {
    guard let scanStart = header.scanStart, scanStart < file.count else { throw .truncated }
    let wanted = uprightSizes.map { orientation.turned(width: $0.width, height: $0.height) }
    let largest = (
      width: wanted.map(\.width).max() ?? 1, height: wanted.map(\.height).max() ?? 1
    )
    let eighths = try PixelLimits.eighths(of: header, target: largest)
    let size = (
      width: (header.width * eighths + 7) / 8, height: (header.height * eighths + 7) / 8
    )
    let own = header.profileParts.reduce(into: []) { $0 += file[$1] }
    let targets = wanted.map { (min($0.width, size.width), min($0.height, size.height)) }

    var pixels: [[UInt8]] = []
    let isIncomplete: Bool
    if eighths == 1, let means = Self.means(of: file, fineEnoughFor: largest) {
      guard let buffer = scratch.buffer(byteCount: size.width * size.height * 4) else {
        throw .decoder("out of memory")
      }
      defer { scratch.trim() }
      means.draw(into: buffer)
      isIncomplete = false
      pixels = targets.map {
        LanczosReduction.reduce(
          buffer, size: size, to: $0, orientation: orientation, isBoxed: true)
      }
    } else if targets.count == 1, size == targets[0], orientation == .upright {
      let bytes = Self.needed(file, header, eighths)
      let byteCount = size.width * size.height * 4
      var outcome = Result<Bool, FailureReason>.success(false)
      pixels = [
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
          outcome = decompress(bytes, header, size, into: buffer.baseAddress)
          count = byteCount
        }
      ]
      isIncomplete = try outcome.get()
    } else {
      guard let buffer = scratch.buffer(byteCount: size.width * size.height * 4) else {
        throw .decoder("out of memory")
      }
      defer { scratch.trim() }
      let bytes = Self.needed(file, header, eighths)
      isIncomplete = try decompress(bytes, header, size, into: buffer).get()
      pixels = targets.map {
        LanczosReduction.reduce(
          buffer, size: size, to: $0, orientation: orientation, isBoxed: eighths < 8)
      }
    }
    let bitmaps = zip(pixels, targets).map { pixels, target in
      var pixels = pixels
      convert(&pixels, header, own.isEmpty ? profile : own)
      let (width, height) = orientation.turned(width: target.0, height: target.1)
      return Bitmap(width: width, height: height, pixels: pixels, isOpaque: true)
    }
    return (bitmaps, isIncomplete)
  }

  /// The means of a file's blocks, where they are all that a picture of a size needs: also the
  /// colours, which are stored coarser, have to be nearly as fine.
  private static func means(
    of file: [UInt8], fineEnoughFor target: (width: Int, height: Int)
  ) -> JPEGMeans? {
    guard let colors = JPEGMeans.colorSize(of: file), colors.width * 4 >= target.width * 3,
      colors.height * 4 >= target.height * 3
    else { return nil }
    return JPEGMeans(file)
  }

  /// A file without what a picture of so many eighths does not need.
  private static func needed(
    _ file: [UInt8], _ header: JPEGHeader, _ eighths: Int
  ) -> [UInt8] {
    guard header.isProgressive, eighths == 1 else { return file }
    return ProgressiveScans.reduced(file) ?? file
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
