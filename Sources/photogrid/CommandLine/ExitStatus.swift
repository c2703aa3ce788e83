/// How the program ends.
enum ExitStatus: Equatable {
  case done
  case nothingShown
  case badOption
  case noTerminal
  case signal(Int32)

  /// The number that the shell sees.
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
