import Glibc

/// Why a photo cannot be shown, or a path not listed.
package enum FailureReason: Error, Hashable, Sendable {
  case notAnImage
  case noPermission
  case vanished
  case isFolder
  case isNamedPipe
  case isSocket
  case isDevice
  case emptyFile
  case truncated
  /// More pixels than are decoded.
  case tooLarge(width: Int, height: Int)
  /// More pixels in all frames together than are decoded.
  case tooManyFrames(Int, width: Int, height: Int)
  /// More bytes than are read.
  case fileTooLong
  /// The system's refusal, as an `errno`.
  case unreadable(Int32)
  /// The decoder's own words, printable ASCII, at most `longestWords` bytes.
  case decoder(String)

  /// The longest words of a decoder that are passed on, in bytes.
  package static let longestWords = 80

  /// A decoder's complaint made printable: one line of ASCII, cut; other bytes become "?".
  package static func decoder(message: some Sequence<UInt8>) -> FailureReason {
    var kept: [UInt8] = []
    for byte in message {
      if kept.count == longestWords || byte == 0x0a { break }
      kept.append((0x20...0x7e).contains(byte) ? byte : 0x3f)
    }
    while kept.last == 0x20 { kept.removeLast() }
    return .decoder(kept.isEmpty ? "failed" : String(decoding: kept, as: UTF8.self))
  }

  /// The reason for a failed system call on a path.
  package init(errno code: Int32) {
    switch code {
    case EACCES, EPERM: self = .noPermission
    case ENOENT, ENOTDIR: self = .vanished
    // What open(2) says of a socket, and of a device that has no driver.
    case ENXIO: self = .isSocket
    case EISDIR: self = .isFolder
    default: self = .unreadable(code)
    }
  }

  /// Words for a person, printable ASCII, without a period.
  package var words: String {
    switch self {
    case .notAnImage: "not an image"
    case .noPermission: "no permission"
    case .vanished: "no such file"
    case .isFolder: "a folder, not a file"
    case .isNamedPipe: "a named pipe, not a file"
    case .isSocket: "a socket, not a file"
    case .isDevice: "a device, not a file"
    case .emptyFile: "empty file"
    case .truncated: "truncated"
    case .tooLarge(let width, let height): "too large: \(width)x\(height)"
    case .tooManyFrames(let count, let width, let height):
      "too large: \(count) frames of \(width)x\(height)"
    case .fileTooLong: "file too large"
    case .unreadable(let code): "cannot be read: \(Self.systemWords(code))"
    case .decoder(let words): Self.plainWords(ofDecoder: words)
    }
  }

  /// What a decoder's complaint comes down to for who looks at photos.
  private static func plainWords(ofDecoder words: String) -> String {
    let small = words.lowercased()
    let meanings: [(words: String, signs: [String])] = [
      (
        "truncated",
        [
          "truncated", "premature", "end of file", "end of stream", "unexpected end", "eof",
          "no frames", "not enough data", "out of data", "read error", "too short", "out of order",
        ]
      ),
      ("out of memory", ["memory", "malloc"]),
      (
        "not an image",
        ["not a known", "unknown format", "bad magic", "not a jpeg", "not a png", "not a gif"]
      ),
    ]
    for meaning in meanings where meaning.signs.contains(where: { small.contains($0) }) {
      return meaning.words
    }
    let isUnsupported = [
      "unsupported", "not supported", "unimplemented", "no decoding", "without a",
    ]
    .contains { small.contains($0) }
    // "heifload_source: ..." begins with what only its author knows.
    let parts = words.split(separator: ":").map { $0.drop { $0 == " " } }
    let told = parts.last { !$0.isEmpty }.map(String.init) ?? words
    return isUnsupported ? "unsupported: \(told)" : "damaged: \(told)"
  }

  private static func systemWords(_ code: Int32) -> String {
    switch code {
    case ELOOP: "too many links"
    case ENAMETOOLONG: "name too long"
    case EIO: "input/output error"
    case EMFILE, ENFILE: "too many open files"
    case ENOMEM: "out of memory"
    default: "error \(code)"
    }
  }
}

extension FailureReason {
  /// The reason as bytes, to be kept in a file.
  package var encoded: [UInt8] {
    var payload = PayloadWriter()
    write(to: &payload)
    return payload.bytes
  }

  /// The reason of bytes that `encoded` gave; nil for others.
  package init?(encoded bytes: [UInt8]) {
    var reader = PayloadReader(bytes[...])
    do throws(ProtocolError) {
      self = try FailureReason(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  func write(to payload: inout PayloadWriter) {
    let plain = Self.plainReasons
    switch self {
    case .tooLarge(let width, let height):
      payload.write(UInt8(100))
      payload.write(UInt64(clamping: width))
      payload.write(UInt64(clamping: height))
    case .unreadable(let code):
      payload.write(UInt8(101))
      payload.write(code)
    case .decoder(let words):
      payload.write(UInt8(102))
      payload.write(string: words.utf8)
    case .tooManyFrames(let count, let width, let height):
      payload.write(UInt8(103))
      for number in [count, width, height] { payload.write(UInt32(clamping: number)) }
    case .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
      .emptyFile, .truncated, .fileTooLong:
      payload.write(UInt8(plain.firstIndex(of: self) ?? 0))
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let code: UInt8 = try reader.read()
    switch code {
    case 100:
      let width: UInt64 = try reader.read()
      let height: UInt64 = try reader.read()
      self = .tooLarge(width: Int(clamping: width), height: Int(clamping: height))
    case 101:
      self = .unreadable(try reader.read())
    case 102:
      self = .decoder(try reader.readText(limit: Self.longestWords))
    case 103:
      let count: UInt32 = try reader.read()
      let width: UInt32 = try reader.read()
      let height: UInt32 = try reader.read()
      self = .tooManyFrames(Int(count), width: Int(width), height: Int(height))
    default:
      guard Self.plainReasons.indices.contains(Int(code)) else { throw .malformed }
      self = Self.plainReasons[Int(code)]
    }
  }

  /// The reasons without values; a reason's place here is its code on the wire.
  private static let plainReasons: [FailureReason] = [
    .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
    .emptyFile, .truncated, .fileTooLong,
  ]
}
