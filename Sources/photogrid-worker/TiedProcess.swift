import CLinux
import Glibc

/// A process that lives only as long as the thread that has started it.
///
/// The sandbox forbids this process to send signals, and a process that is stopped notices neither a
/// closed pipe nor an alarm. But the kernel kills a process when the thread that has forked it ends
/// (`PR_SET_PDEATHSIG`), whatever either of them is doing.
final class TiedProcess {
  let number: pid_t
  private let thread: pthread_t
  /// The end of a pipe whose other end the thread reads.
  private let rope: Int32
  private var isTied = true

  /// The work of the thread, and its result.
  ///
  /// The other thread waits for a byte in `begun` before it reads what this one has written.
  private final class Start {
    let body: () -> Never
    let rope: Int32
    let begun: Int32
    var process: pid_t = -1
    var failure: Int32 = 0

    init(_ body: @escaping () -> Never, rope: Int32, begun: Int32) {
      (self.body, self.rope, self.begun) = (body, rope, begun)
    }

    func run() {
      process = process_fork()
      failure = errno
      if process == 0 {
        _ = process_dies_with_parent()
        body()
      }
      var byte: UInt8 = 0
      while write(begun, &byte, 1) < 0, errno == EINTR {}
      close(begun)
      while read(rope, &byte, 1) < 0, errno == EINTR {}
      close(rope)
    }
  }

  /// Starts a process that runs `body`; nil, with `errno`, if it cannot be started.
  init?(_ body: @escaping () -> Never) {
    var (rope, begun): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&rope) == 0 else { return nil }
    guard pipe(&begun) == 0 else {
      let failure = errno
      for end in rope { close(end) }
      errno = failure
      return nil
    }
    let start = Start(body, rope: rope[0], begun: begun[1])
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { start in
        if let start { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(start).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(start).release()
      for end in rope + begun { close(end) }
      errno = result
      return nil
    }
    var byte: UInt8 = 0
    while read(begun[0], &byte, 1) < 0, errno == EINTR {}
    close(begun[0])
    (self.number, self.thread, self.rope) = (start.process, thread, rope[1])
    guard start.process > 0 else {
      kill()
      errno = start.failure
      return nil
    }
  }

  deinit { kill() }

  /// Ends the thread, and so the process; it remains to be waited for.
  func kill() {
    guard isTied else { return }
    isTied = false
    // Closing it would not do: a process that another thread has started may have the other end too.
    var byte: UInt8 = 0
    while write(rope, &byte, 1) < 0, errno == EINTR {}
    close(rope)
    pthread_join(thread, nil)
  }
}
