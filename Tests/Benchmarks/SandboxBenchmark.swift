import Foundation
import Geometry
import WorkerProtocol

/// How long a worker takes from its start to its first answer about a photo, with the sandbox and
/// without.
enum SandboxBenchmark {
  private static let runs = 100

  /// Prints the times in both modes for a format of each kind of decoder, and the differences.
  static func run(_ arguments: [String]) throws {
    let folder = arguments.first ?? "Tests/TestSupport/Fixtures/Images"
    print("ms from the start of a worker to its first answer, \(runs) runs each in turn")
    print("photo       sandbox    median     p25      min")
    for name in ["card.jpg", "alpha.png", "card.heic"] {
      let path = "\(folder)/\(name)"
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw UsageError(message: "needs the folder with \(name)")
      }
      var times: [SandboxMode: [Double]] = [:]
      // In turn, so that what else the machine does affects both.
      for _ in 0..<runs {
        for mode in [SandboxMode.off, .auto] {
          times[mode, default: []].append(try millisecondsToAnswer(path, mode))
        }
      }
      for mode in [SandboxMode.off, .auto] {
        let values = times[mode] ?? []
        print(
          "\(name.padding(toLength: 11, withPad: " ", startingAt: 0))",
          mode.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0),
          String(
            format: "%7.2f %7.2f %8.2f", values.median, values.percentile(25), values.min() ?? 0))
      }
      let difference = (times[.auto] ?? []).median - (times[.off] ?? []).median
      print(String(format: "%@: %+.2f ms with the sandbox", name, difference))
    }
  }

  /// Starts a worker with one request waiting for it.
  private static func millisecondsToAnswer(_ path: String, _ mode: SandboxMode) throws -> Double {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw UsageError(message: String(cString: strerror(errno)))
    }
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, ends[1], 0)
    let worker = ProgramRun.photogrid + "-worker"
    let words = mode == .auto ? [worker] : [worker, mode.argument]
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    let request =
      DecodeProtocol.Request.photo(path: Array(path.utf8), .describe).encoded(token: 1)
    var process: pid_t = 0
    let start = ProcessInfo.processInfo.systemUptime
    guard posix_spawn(&process, worker, &files, nil, &arguments, environ) == 0 else {
      throw UsageError(message: "\(worker) cannot be run")
    }
    close(ends[1])
    _ = write(ends[0], request, request.count)
    let answer = try firstAnswer(from: ends[0])
    let time = ProcessInfo.processInfo.systemUptime - start
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    guard case .described = answer else {
      throw UsageError(message: "\(path): the worker does not read it")
    }
    return time * 1000
  }

  /// What follows the greeting.
  private static func firstAnswer(from socket: Int32) throws -> DecodeProtocol.Response {
    var reader = MessageReader<DecodeProtocol.Response>()
    var hasGreeted = false
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = read(socket, &piece, piece.count), count > 0 {
      piece.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      if !hasGreeted { hasGreeted = try reader.next(as: Hello.self) != nil }
      if hasGreeted, let answer = try reader.next() { return answer }
    }
    throw UsageError(message: "the worker ends without an answer")
  }
}
