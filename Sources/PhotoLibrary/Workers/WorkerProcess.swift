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
    zombies.insert(process)
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
  ///
  /// - Parameter zombies: The list from which the process is reaped once it has ended.
  func detach(into zombies: inout ZombieProcesses) {
    flush()
    if isLeavingRest { lseek(rest, 0, SEEK_SET) }
    hasEnded = true
    zombies.insert(process)
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

/// Why a worker can no longer be used.
enum WorkerEnding: Error, Equatable {
  /// The process crashed, was killed, or exited.
  case stopped
  /// The process used up its processor time.
  case timedOut
  /// The deadline of its request passed.
  case overdue
  /// The process sent bytes that are not a message, or a message that answers no request.
  case protocolViolation
  /// The process is of another version of the program.
  case otherVersion(String)
}

extension WorkerEnding {
  /// Returns the message for the user about the loss of a process that is not a decoder.
  ///
  /// - Returns: Printable ASCII without a period.
  func message(about name: String) -> String {
    switch self {
    case .stopped: "\(name) stopped"
    case .timedOut, .overdue: "\(name) took too long"
    case .protocolViolation: "\(name) sent an invalid response"
    case .otherVersion(let version):
      LibraryError.otherVersion(worker: version, program: ProgramVersion.current).message
    }
  }
}

/// How much is read from a worker in one turn of the loop.
struct ReadLimits: Equatable {
  /// The number of bytes after which reading stops; a large picture takes several turns, so that no
  /// frame is late.
  var byteCount = 4 << 20
  /// The most messages that are handled; others stay in the buffer until the next turn.
  var messageCount = 512

  /// Returns the smaller of two numbers of bytes, and of two numbers of messages.
  func lesser(than other: ReadLimits) -> ReadLimits {
    ReadLimits(
      byteCount: min(byteCount, other.byteCount),
      messageCount: min(messageCount, other.messageCount))
  }
}

/// Whether a message is one that the receiver expects; after a violation the process is ended.
enum MessageOutcome {
  case valid
  case violation
}

extension WorkerProcess {
  /// Whether requests are waiting for room in the socket.
  var wantsWrite: Bool { sentCount < outgoing.count }

  func send(_ request: Messages.Request) {
    enqueue(request)
    flush()
  }

  /// Queues a request, which `flush()` sends together with others.
  func enqueue(_ request: Messages.Request, token: UInt32 = 0) {
    outgoing += request.encoded(token: token)
  }

  /// The token of the message that is handled; 0 for a report without a request.
  var token: UInt32 { reader.token }

  /// Sends as many queued bytes as the socket has room for.
  ///
  /// Errors are ignored: that the process has ended is noticed when its answers are read.
  func flush() {
    while wantsWrite {
      let count = outgoing.withUnsafeBytes {
        let (bytes, length) = ($0.baseAddress?.advanced(by: sentCount), $0.count - sentCount)
        return isLeavingRest
          ? write(rest, bytes, length)
          : Glibc.send(descriptor, bytes, length, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sentCount += count
      } else if errno != EINTR {
        return
      }
    }
    outgoing.removeAll(keepingCapacity: outgoing.count <= 1 << 16)
    sentCount = 0
  }

  /// Reads what has arrived, and passes on each complete message.
  ///
  /// - Returns: Why the worker has to be discarded; nil while it can be used.
  func receive(
    _ limits: ReadLimits, payloadLimit: () -> Int, handle: (Messages.Response) -> MessageOutcome
  ) -> WorkerEnding? {
    var (byteCount, messageCount) = (0, 0)
    defer { lastRead = ReadLimits(byteCount: byteCount, messageCount: messageCount) }
    while true {
      do throws(WorkerEnding) {
        while messageCount < limits.messageCount, let message = try nextMessage(payloadLimit()) {
          messageCount += 1
          if case .violation = handle(message) { return .protocolViolation }
        }
      } catch {
        return error
      }
      hasUnreadMessages = messageCount == limits.messageCount
      guard !hasUnreadMessages, byteCount < limits.byteCount else { return nil }
      switch readPiece() {
      case .bytes(let count): byteCount += count
      case .nothing: return nil
      case .end: return endingOfProcess
      }
    }
  }

  /// Parses the next message; the greeting is checked here and not passed on.
  ///
  /// - Returns: Nil until more bytes arrive.
  private func nextMessage(
    _ payloadLimit: Int
  ) throws(WorkerEnding) -> Messages.Response? {
    if !hasGreeted {
      let hello: Hello?
      do throws(ProtocolError) {
        hello = try reader.next(as: Hello.self)
      } catch {
        throw .protocolViolation
      }
      guard let hello else { return nil }
      guard hello == .current else { throw .otherVersion(hello.programVersion) }
      hasGreeted = true
    }
    do throws(ProtocolError) {
      return try reader.next(payloadLimit: payloadLimit)
    } catch {
      throw .protocolViolation
    }
  }

  private enum Piece {
    case bytes(Int)
    case nothing
    case end
  }

  /// The most bytes per read; for larger buffers the C library would map and unmap memory each
  /// time.
  private static var pieceLength: Int { 64 << 10 }

  private func readPiece() -> Piece {
    while true {
      let count = withUnsafeTemporaryAllocation(
        byteCount: Self.pieceLength, alignment: 16
      ) { piece in
        let count = read(descriptor, piece.baseAddress, piece.count)
        if count > 0 { reader.feed(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
        return count
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EAGAIN { return .nothing }
      if errno != EINTR { return .end }
    }
  }

  /// How the process ended, as far as the system knows already.
  private var endingOfProcess: WorkerEnding {
    var information = siginfo_t()
    // WNOWAIT does not reap, so the process number stays taken until the process is released.
    let code = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    guard code == 0, information.si_code == CLD_KILLED,
      information._sifields._sigchld.si_status == SIGXCPU
    else { return .stopped }
    return .timedOut
  }
}

/// Processes that were killed or left to end, and that the kernel has not released yet.
struct ZombieProcesses {
  private var processes: [pid_t] = []

  var isEmpty: Bool { processes.isEmpty }

  /// The number of processes that have not ended yet, for example in a read from a dead disk.
  var count: Int { processes.count }

  mutating func insert(_ process: pid_t) {
    processes.append(process)
    reap()
  }

  /// Reaps the processes that are dead, without waiting for the others.
  mutating func reap() {
    processes.removeAll { waitpid($0, nil, WNOHANG) != 0 }
  }
}
