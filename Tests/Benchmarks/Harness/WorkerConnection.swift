import Foundation
import Geometry
import Photos
import PseudoTerminal
import WorkerProtocol

/// A decoding worker that is started without the program and answers one request after the other.
final class WorkerConnection {
  /// The program that decodes, which is built in the same folder as this one.
  static let program = Session.photogrid + "-worker"

  private let socket: Int32
  private let process: pid_t
  private var isGreeted = false
  private var reader = MessageReader<DecodeProtocol.Response>()

  /// Starts the worker, confined or not.
  init(_ mode: SandboxMode = .auto) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw UsageError("no socket") }
    defer { close(ends[1]) }
    socket = ends[0]
    process = try ChildProcess.start(
      [Self.program] + (mode == .auto ? [] : [mode.argument]),
      .descriptors(input: ends[1], output: STDOUT_FILENO, error: STDERR_FILENO))
  }

  deinit {
    close(socket)
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Reads and writes thumbnails below a folder from now on.
  func useThumbnails(in folder: String) throws {
    for size in ["normal", "large", "x-large", "xx-large"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(size)", withIntermediateDirectories: true)
    }
    send(.useThumbnails(ThumbnailAccess(folder: Array(folder.utf8), mayWrite: true)))
  }

  private func send(_ request: DecodeProtocol.Request) {
    let bytes = request.encoded(token: 1)
    write(socket, bytes, bytes.count)
  }

  /// The first response about a photo that some kinds of responses are.
  func response(
    _ path: String, _ work: DecodeProtocol.Request.Work,
    where isWanted: (DecodeProtocol.Response) -> Bool
  ) throws -> DecodeProtocol.Response {
    send(.photo(path: Array(URL(fileURLWithPath: path).path.utf8), work))
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if !isGreeted { isGreeted = try reader.next(as: Hello.self) != nil }
      while isGreeted, let response = try reader.next() {
        if isWanted(response) { return response }
      }
      let count = read(socket, &piece, piece.count)
      guard count > 0 else { throw UsageError("\(path): the worker ends without a response") }
      piece[..<count].withUnsafeBytes { reader.feed($0) }
    }
  }

  /// The picture that the worker makes of a photo; nil without one.
  func picture(_ path: String, _ work: DecodeProtocol.Request.Work) throws -> Bitmap? {
    let last = try response(path, work) {
      switch $0 {
      case .decoded, .previewed, .failed, .noPreview, .thumbnailCached: true
      default: false
      }
    }
    switch last {
    case .decoded(_, let bitmap), .previewed(_, let bitmap): return bitmap
    default: return nil
    }
  }
}
