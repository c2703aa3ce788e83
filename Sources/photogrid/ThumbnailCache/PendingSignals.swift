import Glibc

/// The signals that end a command without a terminal of its own, taken when it suits it.
struct PendingSignals {
  private var set = sigset_t()
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// From now on these signals wait to be taken.
  init() {
    sigemptyset(&set)
    for number in Self.numbers { sigaddset(&set, number) }
    sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// The next one that has come; nil where none has.
  mutating func next() -> Int32? {
    var none = timespec()
    let number = sigtimedwait(&set, nil, &none)
    return number > 0 ? number : nil
  }
}
