import Glibc
import WorkerProtocol

/// Why a worker can no longer be used.
enum WorkerEnding: Error, Equatable {
  /// The process crashed, was killed, or exited.
  case stopped
  /// The process used up its processor time, or the deadline of its request passed.
  case timedOut
  /// The process sent bytes that are not a message, or a message that answers no request.
  case protocolViolation
  /// The process is of another version of the program.
  case otherVersion(String)
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

/// The receiver's verdict on a message.
enum Verdict {
  /// The next message may be read.
  case valid
  /// Nothing more is read from this worker.
  case violation
}

extension WorkerProcess {
  /// Whether requests are waiting for room in the socket.
  var wantsWrite: Bool { sentCount < outgoing.count }

  /// Sends a request, or queues it until the socket has room.
  func send(_ request: Messages.Request) {
    enqueue(request)
    flush()
  }

  /// Queues a request, which `flush()` sends together with others.
  func enqueue(_ request: Messages.Request) { outgoing += request.encoded() }

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
  /// - Parameters:
  ///   - limits: How much is read in this turn.
  ///   - payloadLimit: The longest payload that may come next, in bytes.
  ///   - handle: Checks and uses a message before the next one is parsed.
  /// - Returns: Why the worker has to be discarded; nil while it can be used.
  func receive(
    _ limits: ReadLimits, payloadLimit: () -> Int, handle: (Messages.Response) -> Verdict
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

  /// Reads once from the socket into the reader.
  private func readPiece() -> Piece {
    while true {
      let count = withUnsafeTemporaryAllocation(
        byteCount: Self.pieceLength, alignment: 16
      ) { piece in
        let count = read(descriptor, piece.baseAddress, piece.count)
        if count > 0 { reader.append(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
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
