/// The result of the program, which determines its exit status.
enum ExitStatus: Equatable {
  case done
  /// No photo was shown or chosen, or a command could not do its work.
  case nothingShown
  /// An option or its value was invalid.
  case badOption
  /// There is no usable terminal.
  case noTerminal
  /// A signal ended the program.
  case signal(Int32)

  var code: Int32 {
    switch self {
    case .done: 0
    case .nothingShown: 1
    case .badOption: 2
    case .noTerminal: 3
    case .signal(let number): 128 + number
    }
  }
}

/// An error that ends the program with a message.
struct CommandFailure: Error {
  let message: String
  let status: ExitStatus

  init(_ message: String, status: ExitStatus) {
    self.message = message
    self.status = status
  }
}
