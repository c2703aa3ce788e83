import CLinux
import Glibc
import WorkerProtocol

/// A child process at the other end of a socket pair, which answers requests.
///
/// No call blocks. The process is killed when the last reference to this object is released.
final class WorkerProcess<Messages: MessageSet> {
  /// The program's end of the socket pair, to be polled.
  let descriptor: Int32
  /// Whether the worker has greeted, and is of this version.
  var hasGreeted = false
  /// The number of the process, and of the process group that it leads.
  let process: pid_t
  /// The bytes that have arrived and were not parsed yet.
  var reader = MessageReader<Messages.Response>()
  /// Whether complete messages may be left in the reader, which no poll reports.
  var hasUnreadMessages = false
  /// How much the last call of `receive(_:payloadLimit:handle:)` has read.
  var lastRead = ReadLimits(byteCount: 0, messageCount: 0)
  /// Encoded requests that the socket has not taken yet, from `sentCount` on.
  var outgoing: [UInt8] = []
  /// The number of bytes of `outgoing` that were sent.
  var sentCount = 0
  /// Whether the process was killed or detached, and must not be killed again.
  private var hasEnded = false
  /// The in-memory file from which the process reads requests once the connection is closed; -1 for
  /// none.
  let rest: Int32
  /// Whether requests go into that file, because the connection is about to be closed.
  private(set) var isLeavingRest = false

  /// Starts a process with the other end of the socket pair as its standard input.
  ///
  /// - Parameters:
  ///   - executable: The program to run.
  ///   - takesRest: Whether requests can be left to the process in an in-memory file, which is its
  ///     standard output.
  /// - Throws: `LibraryError.workerMissing` or `LibraryError.cannotStart`.
  init(_ executable: WorkerExecutable, takesRest: Bool = false) throws(LibraryError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw .cannotStart(errno) }
    defer { close(ends[1]) }
    // Room for a tile's picture, so that the worker can start on the next request.
    var room: Int32 = 1 << 20
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    rest = takesRest ? file_in_memory("requests") : -1
    do throws(LibraryError) {
      guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { throw .cannotStart(errno) }
      process = try Self.spawn(executable, socket: ends[1], rest: rest)
    } catch {
      close(ends[0])
      if rest >= 0 { close(rest) }
      throw error
    }
    descriptor = ends[0]
  }

  deinit {
    close(descriptor)
    if rest >= 0 { close(rest) }
    guard !hasEnded else { return }
    killAll()
    waitpid(process, nil, WNOHANG)
  }

  /// Kills the process, and the processes that it may have started in its group.
  private func killAll() {
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
  }

  /// Kills the process, unless that was done already.
  ///
  /// - Parameter zombies: The list from which the process is reaped once it is dead.
  func end(into zombies: inout ZombieProcesses) {
    guard !hasEnded else { return }
    hasEnded = true
    killAll()
    zombies.add(process)
  }

  /// Leaves the requests that do not fit into the socket, and all later ones, in the in-memory
  /// file.
  ///
  /// The process reads that file once the connection is closed, so the program can end without
  /// waiting for the process to work through its earlier requests.
  func leaveRest() {
    flush()
    isLeavingRest = rest >= 0
    flush()
  }

  /// Closes the socket without killing the process, which finishes its requests and ends.
  func detach() {
    flush()
    if isLeavingRest { lseek(rest, 0, SEEK_SET) }
    hasEnded = true
  }

  private static func spawn(
    _ executable: WorkerExecutable, socket: Int32, rest: Int32
  ) throws(LibraryError) -> pid_t {
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    guard posix_spawn_file_actions_init(&files) == 0 else { throw .cannotStart(ENOMEM) }
    defer { posix_spawn_file_actions_destroy(&files) }
    guard posix_spawnattr_init(&attributes) == 0 else { throw .cannotStart(ENOMEM) }
    defer { posix_spawnattr_destroy(&attributes) }

    posix_spawn_file_actions_adddup2(&files, socket, 0)
    if rest >= 0 {
      posix_spawn_file_actions_adddup2(&files, rest, 1)
    } else {
      posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    }
    if getenv("PHOTOGRID_WORKER_STDERR") == nil {
      posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
    }

    detachFromTerminal(&attributes)
    // Settings for other programs are not passed on. The loader may need the first two; TZ gives
    // the local time.
    let environment = ["PATH", "LD_LIBRARY_PATH", "TZ"].compactMap { (name: String) in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    var process: pid_t = 0
    let code = withCStrings(executable.arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawn(&process, executable.path, &files, &attributes, arguments, environment)
      }
    }
    guard code == 0 else {
      throw code == ENOENT ? .workerMissing(searched: [executable.path]) : .cannotStart(code)
    }
    return process
  }

  /// Makes the process start in its own session, with no signal blocked or ignored.
  ///
  /// A separate session has no terminal: neither the signals of keys nor a hangup arrive.
  private static func detachFromTerminal(_ attributes: inout posix_spawnattr_t) {
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
  }

  /// glibc's POSIX_SPAWN_SETSID, which Swift's Glibc leaves out.
  private static var newSession: Int16 { 0x80 }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return body(&pointers)
  }
}
