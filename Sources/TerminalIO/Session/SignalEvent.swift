/// A signal that the program must react to.
package enum SignalEvent: Equatable, Sendable {
  /// The window has a new size; `viewport` is up to date, and the next frame clears the screen.
  case resized
  /// The signal with this number asked the program to terminate.
  case terminate(Int32)
  /// A signal asked the program to stop: call `suspend`.
  case suspend
  /// The program was stopped from outside and continued: paint the whole screen again.
  case continued
}
