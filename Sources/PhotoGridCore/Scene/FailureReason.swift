import Glibc

/// The reason that a photo cannot be shown, or a path cannot be listed.
package enum FailureReason: Error, Hashable, Sendable {
  /// The first bytes are those of no format in `ImageFormat`.
  case notAnImage
  case noPermission
  /// There is no file of that name, or it was removed.
  case vanished
  case isFolder
  case isNamedPipe
  case isSocket
  case isDevice
  case emptyFile
  /// The file ends before its picture does.
  case truncated
  /// The photo has more pixels than a decoder may hold.
  case tooLarge(width: Int, height: Int)
  /// All frames of an animation together have more pixels than a decoder may produce.
  case tooManyFrames(Int, width: Int, height: Int)
  /// The file has more bytes than a worker reads into memory.
  case fileTooLong
  /// The picture takes so many bytes of memory to decode that it has to wait for its turn.
  case needsMemory(Int)
  /// Another error of the system, by its `errno`.
  case unreadable(Int32)
  /// An error message of the decoder: printable ASCII, at most `longestDecoderMessage` bytes.
  case decoder(String)

  /// The longest decoder message that is passed on, in bytes.
  package static let longestDecoderMessage = 80

  /// A decoder's error message made printable.
  ///
  /// - Parameter message: Any bytes; the first line of them is used.
  /// - Returns: At most `longestDecoderMessage` characters of ASCII; unprintable bytes become "?".
  package static func decoder(message: some Sequence<UInt8>) -> FailureReason {
    var kept: [UInt8] = []
    for byte in message {
      if kept.count == longestDecoderMessage || byte == 0x0a { break }
      kept.append((0x20...0x7e).contains(byte) ? byte : 0x3f)
    }
    while kept.last == 0x20 { kept.removeLast() }
    return .decoder(kept.isEmpty ? "failed" : String(decoding: kept, as: UTF8.self))
  }

  /// The reason for a failed system call on a path.
  ///
  /// - Parameter code: The `errno` that the call left.
  package init(errno code: Int32) {
    switch code {
    case EACCES, EPERM: self = .noPermission
    case ENOENT, ENOTDIR: self = .vanished
    // open(2) fails with this on a socket, and on a device without a driver.
    case ENXIO: self = .isSocket
    case EISDIR: self = .isFolder
    default: self = .unreadable(code)
    }
  }

  /// The message for the user: printable ASCII without a period.
  package var message: String {
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
    case .needsMemory: "too large to be decoded"
    case .unreadable(let code): "cannot be read: \(Self.systemMessage(code))"
    case .decoder(let message): Self.plainMessage(ofDecoder: message)
    }
  }

  /// The phrases by which decoders report failures that have a plain name.
  private static let plainMessages: [(message: String, phrases: [String])] = [
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

  private static let unsupportedPhrases = [
    "unsupported", "not supported", "unimplemented", "no decoding", "without a",
  ]

  /// A decoder's error message in plain words.
  private static func plainMessage(ofDecoder message: String) -> String {
    let folded = message.lowercased()
    for plain in plainMessages where plain.phrases.contains(where: { folded.contains($0) }) {
      return plain.message
    }
    // "heifload_source: ..." begins with the name of a function inside the library.
    let parts = message.split(separator: ":").map { $0.drop { $0 == " " } }
    let detail = withoutNumber(parts.last { !$0.isEmpty }.map(String.init) ?? message)
    let isUnsupported = unsupportedPhrases.contains { folded.contains($0) }
    let kind = isUnsupported ? "unsupported" : "damaged"
    return isInternal(detail) ? kind : "\(kind): \(detail)"
  }

  /// Whether a detail is about the decoder rather than the photo: it has the names of variables,
  /// boxes or files in it, or says nothing.
  private static func isInternal(_ detail: String) -> Bool {
    let phrases = ["broken file", "unable to open", "unable to parse"]
    return detail.isEmpty || detail.contains { "/'_\"".contains($0) }
      || phrases.contains { detail.contains($0) }
  }

  /// A detail without the number that libheif gives its errors: "(4.3000)".
  private static func withoutNumber(_ detail: String) -> String {
    guard detail.last == ")", let start = detail.lastIndex(of: "("),
      detail[start...].dropFirst().dropLast().allSatisfy({ $0.isNumber || $0 == "." })
    else { return detail }
    var rest = detail[..<start]
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }

  private static func systemMessage(_ code: Int32) -> String {
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
