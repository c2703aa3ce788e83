/// An error that ends the program with a message.
struct CommandFailure: Error {
  /// The message, which says what failed and why; printable, without the program's name.
  let message: String
  /// The exit status of the program.
  let status: ExitStatus

  /// Creates a failure with a message and an exit status.
  init(_ message: String, status: ExitStatus) {
    self.message = message
    self.status = status
  }
}
