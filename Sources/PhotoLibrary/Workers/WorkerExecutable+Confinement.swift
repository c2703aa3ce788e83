import Glibc
import WorkerProtocol

extension WorkerExecutable {
  /// Returns the same program with an argument for the sandbox mode; `auto` needs none.
  package func confined(_ mode: SandboxMode) -> WorkerExecutable {
    mode == .auto
      ? self
      : WorkerExecutable(path: path, arguments: arguments.dropFirst() + [mode.argument])
  }
}

/// A process that confines itself as a worker does on this system, reports the layers, and exits.
package struct ConfinementInquiry: ~Copyable {
  /// The end of the pipe with the report; -1 if the process did not start.
  private let descriptor: Int32
  private let process: pid_t

  /// Starts a process, without waiting for it.
  ///
  /// - Parameters:
  ///   - executable: The program of the worker.
  ///   - details: Arguments that say which of the program's processes to report on.
  package init(_ executable: WorkerExecutable, _ details: [String] = []) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      (descriptor, process) = (-1, 0)
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let arguments = executable.arguments + [ConfinementLayer.argument] + details
    let started = Self.start(executable.path, arguments, output: ends[1])
    close(ends[1])
    if started == nil { close(ends[0]) }
    (descriptor, process) = started.map { (ends[0], $0) } ?? (-1, 0)
  }

  private static func start(_ path: String, _ arguments: [String], output: Int32) -> pid_t? {
    var files = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&files) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
    var words = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    return posix_spawn(&process, path, &files, nil, &words, environ) == 0 ? process : nil
  }

  /// Waits for the report.
  ///
  /// - Returns: The layers; none if the process failed.
  package consuming func layers() -> [ConfinementLayer] {
    guard descriptor >= 0 else { return [] }
    let text = contents()
    close(descriptor)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return text.split(separator: "\n").compactMap { ConfinementLayer(line: $0) }
  }

  /// Reads everything until the other end is closed.
  private borrowing func contents() -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count > 0 {
        bytes += piece[..<count]
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
