import Glibc
import WorkerProtocol

/// Killed processes that the system has not let go of yet.
struct EndedProcesses {
  private var processes: [pid_t] = []

  var isEmpty: Bool { processes.isEmpty }

  /// How many hang so that not even killing them helps.
  var count: Int { processes.count }

  mutating func add(_ process: pid_t) {
    processes.append(process)
    reap()
  }

  /// Reaps those that are dead by now; one that hangs in a read of a dead disk is not waited for.
  mutating func reap() {
    processes.removeAll { waitpid($0, nil, WNOHANG) != 0 }
  }
}

/// A worker as the program sees it: a child process at the other end of a socket pair.
///
/// Nothing here ever waits. It is killed when it is let go of.
final class WorkerProcess {
  /// The program's end of the socket pair, to be polled.
  let descriptor: Int32
  private let process: pid_t
  private var reader = MessageReader<Response>()
  /// Whether it has said that it is a worker of this version.
  private(set) var hasGreeted = false
  private var hasEnded = false
  private var outgoing: [UInt8] = []
  private var sentCount = 0

  /// Why a worker is of no use any more.
  enum Ending: Equatable {
    /// It crashed, was killed, or ended by itself.
    case stopped
    /// It used up the processor time of a request.
    case usedUpTime
    /// What it sent is no message.
    case nonsense
    case otherVersion(String)
  }

  /// Starts a worker.
  init(_ executable: WorkerExecutable) throws(LibraryError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw .cannotStart(errno) }
    defer { close(ends[1]) }
    // Room for a tile's picture, so that the worker can go on to the next.
    var room: Int32 = 1 << 20
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    do throws(LibraryError) {
      guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { throw .cannotStart(errno) }
      process = try Self.spawn(executable, socket: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    descriptor = ends[0]
  }

  deinit {
    close(descriptor)
    guard !hasEnded else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, WNOHANG)
  }

  /// Kills the worker, unless it is dead already.
  ///
  /// - Parameter remains: who sees to it that the process leaves the system's table.
  func end(into remains: inout EndedProcesses) {
    guard !hasEnded else { return }
    hasEnded = true
    kill(process, SIGKILL)
    remains.add(process)
  }

  /// Lets the worker go on alone with what it was sent.
  func leave() {
    flush()
    hasEnded = true
  }

  private static func spawn(
    _ executable: WorkerExecutable, socket: Int32
  ) throws(LibraryError) -> pid_t {
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    guard posix_spawn_file_actions_init(&files) == 0 else { throw .cannotStart(ENOMEM) }
    defer { posix_spawn_file_actions_destroy(&files) }
    guard posix_spawnattr_init(&attributes) == 0 else { throw .cannotStart(ENOMEM) }
    defer { posix_spawnattr_destroy(&attributes) }

    posix_spawn_file_actions_adddup2(&files, socket, 0)
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    if getenv("PHOTOGRID_WORKER_STDERR") == nil {
      posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
    }

    // A session of its own has no terminal: neither its keys' signals nor its hangup arrive.
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    // Settings made for other programs stay outside; two it may need to be loaded at all, and one
    // says which time it is here.
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

  /// glibc's POSIX_SPAWN_SETSID, which Swift's Glibc leaves out.
  private static let newSession: Int16 = 0x80

  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return body(&pointers)
  }
}

extension WorkerProcess {
  /// Whether a request is waiting for room in the socket.
  var wantsWrite: Bool { sentCount < outgoing.count }

  /// Sends a request, now or when there is room.
  func send(_ request: Request) {
    outgoing += request.encoded()
    flush()
  }

  /// Sends as much as there is room for.
  ///
  /// A worker that is gone shows when it is read from.
  func flush() {
    while wantsWrite {
      let count = outgoing.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress?.advanced(by: sentCount), $0.count - sentCount,
          Int32(MSG_NOSIGNAL))
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

  /// No more bytes than these are taken at once, so that a large picture does not hold up a frame.
  private static let mostBytesAtOnce = 4 << 20

  /// Reads what has arrived, up to a number of bytes.
  ///
  /// - Returns: the messages, and the worker's end if it came after them.
  func receive(atMost limit: Int = mostBytesAtOnce) -> (messages: [Response], ending: Ending?) {
    var messages: [Response] = []
    var received = 0
    while received < limit {
      let count = withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { piece in
        let count = read(descriptor, piece.baseAddress, piece.count)
        if count > 0 {
          reader.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        }
        return count
      }
      if count > 0 {
        received += count
        if let ending = takeMessages(into: &messages) { return (messages, ending) }
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        return (messages, wayOfEnding)
      } else if errno == EAGAIN {
        break
      }
    }
    return (messages, nil)
  }

  /// Moves whole messages out of the reader, the worker's greeting excepted.
  private func takeMessages(into messages: inout [Response]) -> Ending? {
    do throws(ProtocolError) {
      while let message = try reader.next() {
        switch message {
        case .hello(let hello):
          guard !hasGreeted else { return .nonsense }
          guard hello == .current else { return .otherVersion(hello.programVersion) }
          hasGreeted = true
        case .folder, .described, .decoded, .decodedRegion, .frames, .encoded, .failed, .previewed,
          .noPreview, .kept, .cleaned, .inspected, .changed:
          guard hasGreeted else { return .nonsense }
          messages.append(message)
        }
      }
      return nil
    } catch {
      return .nonsense
    }
  }

  /// How the process ended, as far as the system knows already.
  private var wayOfEnding: Ending {
    var information = siginfo_t()
    // Looked at without reaping, so that the process's number stays taken until it is let go.
    let code = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    guard code == 0, information.si_code == CLD_KILLED,
      information._sifields._sigchld.si_status == SIGXCPU
    else { return .stopped }
    return .usedUpTime
  }
}
