import Glibc

/// The reason why a photo cannot be shown, or a path cannot be listed.
package enum FailureReason: Error, Hashable, Sendable {
  /// The first bytes match no format in `ImageFormat`.
  case notAnImage
  /// The first bytes are those of a video.
  case isVideo
  /// The film has no pictures.
  case soundOnly
  /// Pictures of films are made by the system's `ffmpeg` command, which is not installed.
  case needsFFmpeg
  case noPermission
  /// No file has this name, or it was removed.
  case vanished
  case isFolder
  case isNamedPipe
  case isSocket
  case isDevice
  case emptyFile
  /// The file ends before the picture is complete.
  case truncated
  /// The photo has more pixels than a decoder may allocate.
  case tooLarge(width: Int, height: Int)
  /// The frames of an animation have more pixels in total than a decoder may produce.
  case tooManyFrames(Int, width: Int, height: Int)
  /// The file has more bytes than a worker may read into memory.
  case fileTooLong
  /// Decoding takes this many bytes of memory, more than the request allows; the request can be
  /// repeated with a higher limit.
  case needsMemory(Int)
  /// Another system error, by its `errno`.
  case unreadable(Int32)
  /// An error message of the decoder: printable ASCII, at most `maxDecoderMessageLength` bytes.
  case decoder(String)

  package static let maxDecoderMessageLength = 80

  package static func decoder(message: some Sequence<UInt8>) -> FailureReason {
    var kept: [UInt8] = []
    for byte in message {
      if kept.count == maxDecoderMessageLength || byte == 0x0a { break }
      kept.append((0x20...0x7e).contains(byte) ? byte : 0x3f)
    }
    while kept.last == 0x20 { kept.removeLast() }
    return .decoder(kept.isEmpty ? "failed" : String(decoding: kept, as: UTF8.self))
  }

  package init(errno code: Int32) {
    switch code {
    case EACCES, EPERM: self = .noPermission
    case ENOENT, ENOTDIR: self = .vanished
    // open(2) fails with ENXIO on a socket, and on a device without a driver.
    case ENXIO: self = .isSocket
    case EISDIR: self = .isFolder
    default: self = .unreadable(code)
    }
  }

  package var message: String {
    switch self {
    case .notAnImage: "not an image"
    case .isVideo: "a video: press o to open it"
    case .soundOnly: "audio only"
    case .needsFFmpeg: "ffmpeg is not installed"
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
    case .needsMemory: "too large to decode"
    case .unreadable(let code): "cannot be read: \(Self.systemMessage(code))"
    case .decoder(let message): Self.plainMessage(ofDecoder: message)
    }
  }

  /// The plain messages that replace decoder messages with certain phrases.
  private static let plainMessages: [(message: String, phrases: [String])] = [
    (
      "truncated",
      [
        "truncated", "premature", "end of file", "end of stream", "unexpected end", "eof",
        "no frames", "not enough data", "out of data", "read error", "too short", "too small",
        "out of order",
      ]
    ),
    ("out of memory", ["memory", "malloc"]),
    (
      "not an image",
      ["not a known", "unknown format", "bad magic", "not a jpeg", "not a png", "not a gif"]
    ),
  ]

  /// The phrases in decoder messages that indicate an unsupported feature of the format.
  private static let unsupportedPhrases = [
    "unsupported", "not supported", "unimplemented", "no decoding", "without a",
    "not a whole number",
  ]

  /// Whether the decoder does not support a feature of the file, which may be undamaged.
  package var isUnsupported: Bool {
    guard case .decoder(let message) = self else { return false }
    return Self.isUnsupported(message.lowercased())
  }

  private static func isUnsupported(_ folded: String) -> Bool {
    unsupportedPhrases.contains { folded.containsText($0) }
  }

  /// Converts a decoder's error message to plain words.
  private static func plainMessage(ofDecoder message: String) -> String {
    let folded = message.lowercased()
    for plain in plainMessages where plain.phrases.contains(where: { folded.containsText($0) }) {
      return plain.message
    }
    // In "heifload_source: ...", the first part is the name of a function inside the library.
    let parts = message.split(separator: ":").map { $0.drop { $0 == " " } }
    let detail = withoutNumber(parts.last { !$0.isEmpty }.map(String.init) ?? message)
    let kind = isUnsupported(folded) ? "unsupported" : "damaged"
    return isInternal(detail) ? kind : "\(kind): \(detail)"
  }

  /// Whether a detail is empty or about the decoder rather than the photo, with names of variables,
  /// boxes or files.
  private static func isInternal(_ detail: String) -> Bool {
    let phrases = ["broken file", "unable to open", "unable to parse"]
    return detail.isEmpty || detail.contains { "/'_\"".contains($0) }
      || phrases.contains { detail.containsText($0) }
  }

  /// Removes the number that libheif adds to its errors, such as "(4.3000)".
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
    case ELOOP: "too many symbolic links"
    case ENAMETOOLONG: "name too long"
    case ETIMEDOUT: "took too long"
    case EIO: "input/output error"
    case ESTALE: "the network folder is stale; open it again"
    case ENODEV, ENXIO, ENOTCONN, ESHUTDOWN: "the disk was disconnected"
    case EMFILE, ENFILE: "too many open files"
    case ENOMEM: "out of memory"
    case EAGAIN: "too many processes"
    default: "error \(code)"
    }
  }
}
