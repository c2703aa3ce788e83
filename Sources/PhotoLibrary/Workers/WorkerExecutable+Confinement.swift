import Glibc
import WorkerProtocol

extension WorkerExecutable {
  /// The same program with a sandbox mode.
  package func confined(_ mode: SandboxMode) -> WorkerExecutable {
    mode == .auto
      ? self
      : WorkerExecutable(path: path, arguments: arguments.dropFirst() + [mode.argument])
  }

  /// The layers by which a process of this program is confined on this system, as reported by one
  /// that is started, confines itself, and exits.
  ///
  /// - Parameter details: Arguments that say which process of the program is meant.
  /// - Returns: The layers; none if that fails.
  package func confinement(_ details: String...) -> [ConfinementLayer] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return [] }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var files = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&files) == 0 else {
      close(ends[1])
      return []
    }
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO)
    var words = (arguments + [ConfinementLayer.argument] + details).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &files, nil, &words, environ)
    close(ends[1])
    guard code == 0 else { return [] }
    let text = Self.contents(of: ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return text.split(separator: "\n").compactMap { ConfinementLayer(line: $0) }
  }

  /// Everything that can be read until the other end is closed.
  private static func contents(of descriptor: Int32) -> String {
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
