/// How fast a film or an animation plays.
enum PlaybackSpeed: Double, CaseIterable, Sendable {
  case quarter = 0.25
  case half = 0.5
  case normal = 1
  case double = 2

  /// Creates the speed that is typed as "1/4", "¼", or "0.25"; nil for any other text.
  init?(_ text: String) {
    let found = Self.allCases.first { speed in
      [speed.symbol, speed.fraction].contains(text) || Double(text) == speed.rawValue
    }
    guard let found else { return nil }
    self = found
  }

  private var symbol: String {
    switch self {
    case .quarter: "¼"
    case .half: "½"
    case .normal: "1"
    case .double: "2"
    }
  }

  private var fraction: String {
    switch self {
    case .quarter: "1/4"
    case .half: "1/2"
    case .normal, .double: symbol
    }
  }

  var label: String { symbol + "×" }

  /// The speed that a key chooses next: slower, then twice as fast, then the usual one.
  var next: PlaybackSpeed {
    switch self {
    case .normal: .half
    case .half: .quarter
    case .quarter: .double
    case .double: .normal
    }
  }
}
