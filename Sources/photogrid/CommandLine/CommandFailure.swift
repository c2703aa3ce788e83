/// Why the program cannot do what it was asked for.
struct CommandFailure: Error {
  /// What and why, printable, without the program's name.
  let message: String
  /// The exit status of the program.
  let status: ExitStatus

  /// A failure with its message and the status to end with.
  init(_ message: String, status: ExitStatus) {
    self.message = message
    self.status = status
  }
}
