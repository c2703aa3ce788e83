import Glibc

/// The signals that end a command, which are blocked so that the command can check for them between
/// its steps.
struct PendingSignals {
  private var set = sigset_t()
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  init() {
    sigemptyset(&set)
    for number in Self.numbers { sigaddset(&set, number) }
    sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// Returns the next signal that has arrived; nil if none has.
  mutating func next() -> Int32? {
    var none = timespec()
    let number = sigtimedwait(&set, nil, &none)
    return number > 0 ? number : nil
  }
}
