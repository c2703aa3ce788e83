import FileWorker
import Glibc
import ImageFormats
import PhotoGridCore
import TerminalIO
import WorkerProtocol

@testable import FileWorker
@testable import TerminalIO

/// The parsers that libFuzzer feeds, by the names that the script `Tests/fuzz` uses.
private let targets: [String: ([UInt8]) -> Void] = [
  "headers": headers, "coefficients": coefficients, "metadata": metadata, "requests": requests,
  "responses": responses, "input": input, "filter": filter, "journal": journal, "qoi": qoi,
  "scans": scans,
]

private let target: ([UInt8]) -> Void = {
  let name = getenv("PHOTOGRID_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    print("PHOTOGRID_FUZZ names none of: \(targets.keys.sorted().joined(separator: " "))")
    exit(2)
  }
  return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

/// Whatever is looked at before a decoder is.
private func headers(_ bytes: [UInt8]) {
  let format = ImageFormat(firstBytes: bytes, name: Array("x.tga".utf8))
  _ = ImageFormat(firstBytes: bytes, name: Array("x.svg".utf8))
  if let format, let size = HeaderSize(of: format, firstBytes: bytes) {
    try? DeclaredLengths.check(ByteSource(bytes), format: format, size: size)
  }
  if let format { _ = UncompressedLength.ofFile(format, bytes) }
  if let header = JPEGHeader(bytes) {
    if let exif = header.exif { _ = ExifThumbnail.range(in: bytes, exif: exif) }
    _ = try? PixelLimits.eighths(of: header, target: (64, 64))
  }
  if let embedded = EmbeddedPictures(ByteSource(bytes)) {
    for picture in embedded.pictures where picture.bytes.upperBound > bytes.count { abort() }
  }
  if var chunks = PNGChunks(bytes) { while chunks.next() != nil {} }
}

private func coefficients(_ bytes: [UInt8]) {
  _ = JPEGDCDecoder.colorSize(of: bytes)
  // A header may ask for 32 MB, which would make each input slow.
  guard let header = JPEGHeader(bytes), header.width * header.height < 4_000_000 else { return }
  _ = JPEGDCDecoder(bytes)
}

private func scans(_ bytes: [UInt8]) {
  if let reduced = ProgressiveScans.reduced(bytes), reduced.count > 2 * bytes.count + 64 { abort() }
}

private func metadata(_ bytes: [UInt8]) {
  let metadata = PhotoMetadata(exif: bytes)
  _ = PhotoMetadata(TIFFStructure(ByteSource(bytes)))
  _ = metadata == PhotoMetadata(exif: bytes)
}

/// Reads messages until there are no more; each is the same once it was encoded and read again.
private func read<Message: WireMessage & Equatable>(_ type: Message.Type, _ bytes: [UInt8]) {
  var reader = MessageReader<Message>()
  bytes.withUnsafeBytes { reader.append($0) }
  while let message = try? reader.next(payloadLimit: 1 << 20) {
    var again = MessageReader<Message>()
    message.encoded().withUnsafeBytes { again.append($0) }
    // A number that is no number differs from itself.
    guard let second = try? again.next() else { abort() }
    if second != message, message == message { abort() }
  }
}

private func requests(_ bytes: [UInt8]) {
  read(DecodeProtocol.Request.self, bytes)
  read(ListProtocol.Request.self, bytes)
  read(FileProtocol.Request.self, bytes)
}

private func responses(_ bytes: [UInt8]) {
  read(DecodeProtocol.Response.self, bytes)
  read(ListProtocol.Response.self, bytes)
  read(FileProtocol.Response.self, bytes)
}

private func input(_ bytes: [UInt8]) {
  let viewport = Viewport(cells: CellSize(columns: 80, rows: 24), metrics: .standard)
  var decoder = InputDecoder(viewport: viewport)
  var time = 0.0
  for (index, byte) in bytes.enumerated() {
    decoder.feed(.byte(byte), at: Instant(nanoseconds: 0).advanced(bySeconds: time))
    if byte & 7 == 0 { time += Double(index % 5) / 4 }
    if byte & 31 == 0 { _ = decoder.pause() }
    if decoder.heldByteCount > 64 << 10 { abort() }
  }
  _ = decoder.pause()
}

private func filter(_ bytes: [UInt8]) {
  guard let filter = try? Filter(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
  guard let again = try? Filter(parsing: filter.text), again.text == filter.text else { abort() }
}

private func journal(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = TrashInfo.decoded(text)
  if let path = TrashInfo.decoded(TrashInfo.encoded(bytes)), path != bytes { abort() }
  for number in [0, 1, 999_999] where TrashInfo.entry(for: bytes, number).count > 245 { abort() }
  if let entry = JournalEntry(line: text), JournalEntry(line: entry.line) != entry { abort() }
}

private func qoi(_ bytes: [UInt8]) {
  if let picture = QOIPicture(bytes, mostPixels: 1 << 16),
    picture.pixels.count != picture.width * picture.height * 4
  {
    abort()
  }
}
