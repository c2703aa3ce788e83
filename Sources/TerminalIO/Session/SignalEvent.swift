/// A signal that the program has to act upon.
package enum SignalEvent: Equatable, Sendable {
  /// The terminal has another size: `viewport` is up to date, and the screen is blank but for bar
  /// and panel once the next frame is sent.
  case resized
  /// The program was asked to end, by this signal.
  case terminate(Int32)
  /// The program was asked to stop: `suspend` does it.
  case suspend
  /// The program goes on after it was stopped from outside: the screen has to be painted anew.
  case continued
}
