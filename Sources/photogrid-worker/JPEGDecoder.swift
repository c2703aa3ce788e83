import CJPEGRegion
import CTurboJPEG
import Geometry
import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// Decodes JPEG by libjpeg-turbo, at the smallest scale that is large enough.
final class JPEGDecoder {
  private var handle = tjInitDecompress()
  private let converter = ProfileConverter()
  private var scratch = Scratch()

  deinit {
    if let handle { tjDestroy(handle) }
  }

  func describe(_ file: borrowing PhotoFile) throws(FailureReason) -> PhotoInfo {
    let bytes = try Self.head(of: file)
    return describe(file, try header(of: bytes), withMetadata: bytes)
  }

  /// The bytes before the first scan, or more: few of most files, and all of one without a scan.
  static func head(of file: borrowing PhotoFile) throws(FailureReason) -> [UInt8] {
    var bytes = file.firstBytes
    for count in JPEGFacts.headLengths.dropFirst() {
      if JPEGHeader(bytes)?.scanStart != nil || bytes.count == file.byteCount { return bytes }
      bytes = try PhotoFile.read(file.descriptor, count: count, from: 0)
    }
    if JPEGHeader(bytes)?.scanStart == nil { bytes = try file.contents() }
    return bytes
  }

  private func describe(
    _ file: borrowing PhotoFile, _ header: JPEGHeader, withMetadata bytes: [UInt8]
  ) -> PhotoInfo {
    let facts = facts(file, header, bytes)
    var info = describe(file, header, facts, bytes)
    info.metadata = MetadataReader.metadata(of: bytes, facts)
    return info
  }

  func describe(
    _ file: borrowing PhotoFile, _ header: JPEGHeader, _ bytes: [UInt8]
  ) -> PhotoInfo {
    describe(file, header, facts(file, header, bytes), bytes)
  }

  private func facts(
    _ file: borrowing PhotoFile, _ header: JPEGHeader, _ bytes: [UInt8]
  ) -> JPEGFacts {
    JPEGFacts(header, in: bytes, sidecar: file.sidecar, latest: PhotoFile.latestDay)
  }

  private func describe(
    _ file: borrowing PhotoFile, _ header: JPEGHeader, _ facts: JPEGFacts, _ bytes: [UInt8]
  ) -> PhotoInfo {
    var info = PhotoInfo(
      file, width: header.width, height: header.height, orientation: facts.exif.orientation,
      taken: facts.taken, isIncomplete: false)
    info.holdsFilm = EmbeddedFilm.range(in: MetadataReader.source(of: file), facts, bytes) != nil
    return info
  }

  /// Decodes the whole photo, scaled for a frame and turned upright.
  func decode(
    _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> DecodedPhoto {
    let bytes = try file.contents()
    let header = try header(of: bytes)
    return try decode(bytes, header, describe(file, header, bytes), frame)
  }

  /// Decodes a JPEG file in memory, scaled for a frame and turned by the orientation in `info`.
  ///
  /// The color profile is used if the file has none; empty is sRGB.
  func decode(
    _ bytes: [UInt8], _ header: JPEGHeader, _ info: PhotoInfo, _ frame: DecodeTarget,
    profile: [UInt8] = []
  ) throws(FailureReason) -> DecodedPhoto {
    try MemoryEstimate.ofDecoding(header, fileLength: bytes.count).check(frame.memory)
    let (target, thumbnail) = frame.targets(for: info.size)
    // The thumbnail is usually larger than the picture, sometimes of the same size.
    let other = thumbnail.flatMap { $0.target == target ? nil : $0.target }
    let pictures = try pictures(
      bytes, header, Orientation(number: info.orientation),
      uprightSizes: [target] + (other.map { [$0] } ?? []), profile: profile)
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

  /// Decodes a JPEG file in memory once, and scales it to each of several sizes, turned upright.
  ///
  /// `uprightSizes` are in pixels, after turning; no picture is scaled up to reach them. The color
  /// profile is used if the file has none; empty is sRGB.
  ///
  /// - Returns: The pictures in the order of the sizes, and whether the file ends early.
  /// - Throws: `FailureReason` if nothing of the picture can be decoded.
  func pictures(
    _ file: [UInt8], _ header: JPEGHeader, _ orientation: Orientation,
    uprightSizes: [(width: Int, height: Int)], profile: [UInt8] = []
  ) throws(FailureReason) -> (bitmaps: [Bitmap], isIncomplete: Bool) {
    guard let scanStart = header.scanStart, scanStart < file.count else { throw .truncated }
    let stored = uprightSizes.map { orientation.turned(width: $0.width, height: $0.height) }
    let largest = (
      width: stored.map(\.width).max() ?? 1, height: stored.map(\.height).max() ?? 1
    )
    let eighths = try PixelLimits.eighths(of: header, target: largest)
    let size = (
      width: (header.width * eighths + 7) / 8, height: (header.height * eighths + 7) / 8
    )
    let targets = stored.map { (min($0.width, size.width), min($0.height, size.height)) }

    let dc = eighths == 1 ? Self.dcDecoder(of: file, sufficientFor: largest) : nil
    let (pixels, isIncomplete) = try pixels(
      size, to: targets, orientation, dc, Self.reduced(file, header, eighths), header)
    let own = Self.profile(of: header, in: file, else: profile)
    let bitmaps = zip(pixels, targets).map { pixels, target in
      var pixels = pixels
      convert(&pixels, header, own)
      let (width, height) = orientation.turned(width: target.0, height: target.1)
      return Bitmap(width: width, height: height, pixels: pixels, isOpaque: true)
    }
    return (bitmaps, isIncomplete)
  }

  /// Decodes at `size`, and scales to each target.
  ///
  /// - Returns: RGBA, or CMYK for four components, and whether the file ends early.
  private func pixels(
    _ size: (width: Int, height: Int), to targets: [(Int, Int)], _ orientation: Orientation,
    _ dc: JPEGDCDecoder?, _ bytes: [UInt8], _ header: JPEGHeader
  ) throws(FailureReason) -> (pixels: [[UInt8]], isIncomplete: Bool) {
    let byteCount = size.width * size.height * 4
    if dc == nil, targets.count == 1, size == targets[0], orientation == .upright {
      // Nothing is left to scale or turn, so the pixels need no second buffer.
      var outcome = Result<Bool, FailureReason>.success(false)
      let pixels = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
        outcome = decompress(bytes, header, size, into: buffer.baseAddress)
        count = byteCount
      }
      return ([pixels], try outcome.get())
    }
    guard let buffer = scratch.buffer(byteCount: byteCount) else { throw .decoder("out of memory") }
    defer { scratch.trim() }
    var isIncomplete = false
    if let dc {
      dc.draw(into: buffer)
    } else {
      isIncomplete = try decompress(bytes, header, size, into: buffer).get()
    }
    let isReduced = size.width < header.width
    let eighths = Double(isReduced ? (size.width * 8) / header.width : 8)
    let extent = (
      width: min(Double(header.width) * eighths / 8, Double(size.width)),
      height: min(Double(header.height) * eighths / 8, Double(size.height))
    )
    let pixels = targets.map {
      LanczosReduction.reduce(
        buffer, size: size, to: $0, orientation: orientation, extent: extent, isBoxed: isReduced,
        channels: header.components == 4 ? .inks : .premultiplied)
    }
    return (pixels, isIncomplete)
  }

  /// The DC coefficients of a file, if they suffice for a picture of a size.
  ///
  /// Colors are often stored at half the size; they have to be nearly as fine as the picture.
  private static func dcDecoder(
    of file: [UInt8], sufficientFor target: (width: Int, height: Int)
  ) -> JPEGDCDecoder? {
    guard let colors = JPEGDCDecoder.colorSize(of: file), colors.width * 4 >= target.width * 3,
      colors.height * 4 >= target.height * 3
    else { return nil }
    return JPEGDCDecoder(file)
  }

  private static func reduced(
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

  /// The header of a file; if there is none, the decoder's error message is thrown.
  func header(of bytes: [UInt8]) throws(FailureReason) -> JPEGHeader {
    if let header = JPEGHeader(bytes), header.width > 0, header.height > 0 { return header }
    var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    tjDecompressHeader3(
      handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorspace)
    throw failure()
  }

  /// Decodes at a scale.
  ///
  /// The buffer receives `size.width * size.height * 4` bytes: RGBA, or CMYK for four components, 8
  /// bits each, rows top to bottom, no padding.
  ///
  /// - Returns: Whether a part of the picture is missing.
  private func decompress(
    _ bytes: [UInt8], _ header: JPEGHeader, _ size: (width: Int, height: Int),
    into buffer: UnsafeMutablePointer<UInt8>?
  ) -> Result<Bool, FailureReason> {
    let format = header.components == 4 ? TJPF_CMYK : TJPF_RGBA
    let result = tjDecompress2(
      handle, bytes, UInt(bytes.count), buffer, Int32(size.width), Int32(size.width * 4),
      Int32(size.height), format.rawValue, TJFLAG_LIMITSCANS)
    guard result != 0 else { return .success(false) }
    guard tjGetErrorCode(handle) == TJERR_WARNING.rawValue else { return .failure(failure()) }
    return .success(errorMessage.lowercased().containsText("premature end"))
  }

  private var errorMessage: String { tjGetErrorStr2(handle).map { String(cString: $0) } ?? "" }

  /// The reason of a failure.
  ///
  /// Makes a new decoder, since libjpeg-turbo 2.1.5 mistakes parts of a broken header for parts of
  /// the next one.
  private func failure() -> FailureReason {
    let message = errorMessage
    if let handle { tjDestroy(handle) }
    handle = tjInitDecompress()
    return message.lowercased().containsText("premature end")
      ? .truncated : .decoder(message: message.utf8)
  }
}

/// Memory that is reused from photo to photo, since fresh pages cost a tenth of the decoding.
private struct Scratch: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>?
  private var byteCount = 0

  /// A larger buffer is freed after each photo, in bytes.
  private static let keptByteCount = 16 << 20

  deinit { free(memory) }

  /// A buffer of at least so many uninitialized bytes; nil if there is no memory for it.
  mutating func buffer(byteCount: Int) -> UnsafeMutablePointer<UInt8>? {
    if byteCount > self.byteCount {
      free(memory)
      memory = malloc(byteCount)?.bindMemory(to: UInt8.self, capacity: byteCount)
      self.byteCount = memory == nil ? 0 : byteCount
    }
    return memory
  }

  mutating func trim() {
    guard byteCount > Self.keptByteCount else { return }
    free(memory)
    memory = nil
    byteCount = 0
  }
}

/// Regions of JPEGs: rows above a region are read but not computed, and rows below are not read.
extension JPEGDecoder {
  /// The most coefficients of a picture in several scans, which are all held in memory, in bytes:
  /// enough for 100 megapixels with 4:2:0 chroma.
  private static let maxCoefficientBytes = 320 << 20

  /// Decodes a region of the photo.
  ///
  /// - Returns: The region that the picture covers, and the picture.
  func decode(
    _ file: borrowing PhotoFile, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    let bytes = try file.contents()
    let header = try header(of: bytes)
    return try decode(bytes, header, describe(file, header, bytes), region)
  }

  /// Decodes a region of a JPEG file in memory, whose facts and perhaps colors are known.
  ///
  /// - Returns: The region that the picture covers, and the picture.
  func decode(
    _ bytes: [UInt8], _ header: JPEGHeader, _ info: PhotoInfo, _ region: PhotoRegion,
    profile: [UInt8] = []
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    guard let scanStart = header.scanStart, scanStart < bytes.count else { throw .truncated }
    var stored = try region.stored(in: info)

    // The decoder scales down to an eighth at most; the rest is reduced afterwards.
    let shrink = min(stored.reduction, 8)
    let part = JPEGRegion(
      left: Int32(stored.x / shrink), top: Int32(stored.y / shrink),
      width: Int32(min(stored.width, Self.up(header.width, shrink) - stored.x) / shrink),
      height: Int32(min(stored.height, Self.up(header.height, shrink) - stored.y) / shrink),
      eighths: Int32(8 / shrink))
    (stored.width, stored.height) = (Int(part.width) * shrink, Int(part.height) * shrink)

    let orientation = Orientation(number: info.orientation)
    var pixels = try Self.pixels(of: part, bytes, isCMYK: header.components == 4)
    let size = (width: Int(part.width), height: Int(part.height))
    if size != stored.sampleSize || orientation != .upright {
      pixels = AreaReduction.reduce(
        pixels, size: size, to: stored.sampleSize, orientation: orientation)
    }
    convert(&pixels, header, Self.profile(of: header, in: bytes, else: profile))
    let covered = stored.turned(orientation, in: (header.width, header.height))
    let (width, height) = covered.sampleSize
    return (covered, Bitmap(width: width, height: height, pixels: pixels, isOpaque: true))
  }

  private static func up(_ side: Int, _ step: Int) -> Int { (side + step - 1) / step * step }

  private static func pixels(
    of part: JPEGRegion, _ bytes: [UInt8], isCMYK: Bool
  ) throws(FailureReason) -> [UInt8] {
    let byteCount = Int(part.width) * Int(part.height) * 4
    var words = [UInt8](repeating: 0, count: 200)
    var isDecoded = false
    let pixels = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      isDecoded = words.withUnsafeMutableBytes { words in
        jpeg_region_decode(
          bytes, bytes.count, part, isCMYK ? 1 : 0, maxCoefficientBytes, buffer.baseAddress,
          words.baseAddress?.assumingMemoryBound(to: CChar.self)) == 0
      }
      count = byteCount
    }
    guard isDecoded else { throw .decoder(message: words.prefix { $0 != 0 }) }
    return pixels
  }
}

/// Previews that are embedded in files.
extension JPEGDecoder {
  /// The numbers of bytes to read from the start of a file, the second if the first is too small:
  /// the facts and the EXIF thumbnail precede the photo itself.
  private static let headByteCounts = [64 << 10, 256 << 10]
  /// The most pixels of a preview with black bars, which is decoded as a whole to check them.
  private static let maxPixelsWithBars = 1 << 20

  /// Returns the EXIF thumbnail of a JPEG file, scaled for a frame; nil if it has none that shows
  /// the photo.
  func preview(
    _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    for count in Self.headByteCounts {
      let head = try PhotoFile.read(file.descriptor, count: count, from: 0)
      guard let header = JPEGHeader(head) else { continue }
      guard let exif = header.exif, let range = ExifThumbnail.range(in: head, exif: exif) else {
        return nil
      }
      let info = describe(file, header, head)
      let profile = Self.profile(of: header, in: head)
      let photo = (width: header.width, height: header.height)
      return fitted(Array(head[range]), to: photo, info, frame, profile).map { (info, $0) }
    }
    return nil
  }

  /// Returns the smallest picture embedded in a file that is as large as a frame needs, or else the
  /// largest; nil if no embedded picture shows the photo.
  func preview(
    _ file: borrowing PhotoFile, of info: PhotoInfo, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    try preview(file, of: info, frame, among: file.embedded?.previews ?? [])
  }

  private func preview(
    _ file: borrowing PhotoFile, of info: PhotoInfo, _ frame: DecodeTarget,
    among pictures: some Sequence<EmbeddedPreviews.Preview>
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    let orientation = Orientation(number: info.orientation)
    let photo = orientation.turned(width: Int(info.size.width), height: Int(info.size.height))
    let target = frame.targets(for: info.size).picture
    let wanted = orientation.turned(width: target.width, height: target.height)
    let fitting = pictures.filter {
      PreviewFit.crop(of: ($0.width, $0.height), photo: photo) != nil
    }
    let chosen = fitting.first { $0.width >= wanted.width && $0.height >= wanted.height }
    guard let picture = chosen ?? fitting.last else { return nil }
    let bytes = try PhotoFile.read(
      file.descriptor, count: picture.bytes.count, from: picture.bytes.lowerBound)
    let profile = file.format == .raw ? Self.profile(raw: file) : []
    return fitted(bytes, to: photo, info, frame, profile).map { (info, $0) }
  }

  /// Returns the picture of a JPEG file in memory, without black bars, scaled for a frame and
  /// turned upright; nil if it does not show the photo or is damaged.
  ///
  /// The sides of the photo are those before orientation.
  private func fitted(
    _ bytes: [UInt8], to photo: (width: Int, height: Int), _ info: PhotoInfo, _ frame: DecodeTarget,
    _ profile: [UInt8]
  ) -> Bitmap? {
    guard let header = JPEGHeader(bytes), !header.isLossless,
      let part = PreviewFit.crop(of: (header.width, header.height), photo: photo)
    else { return nil }
    let orientation = Orientation(number: info.orientation)
    let target = frame.targets(for: info.size).picture
    if part.width == header.width, part.height == header.height {
      let pictures = try? pictures(
        bytes, header, orientation, uprightSizes: [target], profile: profile)
      return pictures.flatMap { $0.isIncomplete ? nil : $0.bitmaps[0] }
    }
    let whole = (width: header.width, height: header.height)
    guard whole.width * whole.height <= Self.maxPixelsWithBars,
      let pictures = try? pictures(
        bytes, header, .upright, uprightSizes: [whole], profile: profile),
      !pictures.isIncomplete
    else { return nil }
    let pixels = pictures.bitmaps[0].pixels
    guard
      PreviewFit.areBarsBlack(around: part, of: pixels, width: whole.width, height: whole.height)
    else { return nil }
    let rows = (part.y..<(part.y + part.height)).flatMap { y in
      let start = (y * whole.width + part.x) * 4
      return pixels[start..<(start + part.width * 4)]
    }
    let wanted = orientation.turned(width: target.width, height: target.height)
    let size = (width: min(wanted.width, part.width), height: min(wanted.height, part.height))
    let upright = orientation.turned(width: size.width, height: size.height)
    return Bitmap(
      width: upright.width, height: upright.height,
      pixels: LanczosReduction.reduce(
        rows, size: (part.width, part.height), to: size, orientation: orientation),
      isOpaque: true)
  }
}

/// Raw photos, which are shown by the largest picture embedded in them.
extension JPEGDecoder {
  /// Returns the facts of a raw photo, from its largest picture and from the file around it.
  func describe(raw file: borrowing PhotoFile) throws(FailureReason) -> PhotoInfo {
    var info = try largestPicture(of: file).info
    info.metadata = (try? MetadataReader.read(raw: file)) ?? PhotoMetadata()
    return info
  }

  /// Decodes the largest picture, scaled for a frame and turned upright.
  func decode(
    raw file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> DecodedPhoto {
    let (bytes, header, info) = try largestPicture(of: file)
    return try decode(bytes, header, info, frame, profile: Self.profile(raw: file))
  }

  /// Decodes a region of the largest picture.
  ///
  /// - Returns: The region that the picture covers, and the picture.
  func decode(
    raw file: borrowing PhotoFile, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    let (bytes, header, info) = try largestPicture(of: file)
    return try decode(bytes, header, info, region, profile: Self.profile(raw: file))
  }

  /// Returns a preview that is smaller than the picture by which the photo is shown; nil if no
  /// preview is.
  func preview(
    raw file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    guard let smaller = file.embedded?.previews.dropLast(), !smaller.isEmpty else { return nil }
    return try preview(file, of: try describe(raw: file), frame, among: smaller)
  }

  private func largestPicture(
    of file: borrowing PhotoFile
  ) throws(FailureReason) -> (bytes: [UInt8], header: JPEGHeader, info: PhotoInfo) {
    guard let embedded = file.embedded, let largest = embedded.previews.last else {
      throw .decoder("raw photo without a preview")
    }
    let bytes = try PhotoFile.read(
      file.descriptor, count: largest.bytes.count, from: largest.bytes.lowerBound)
    let (header, exif) = try facts(of: bytes)
    let info = PhotoInfo(
      file, width: header.width, height: header.height,
      orientation: embedded.orientation ?? exif.orientation,
      taken: MetadataReader.written(raw: file).taken(
        embedded.takenTime ?? exif.taken, latest: PhotoFile.latestDay), isIncomplete: false)
    return (bytes, header, info)
  }
}
