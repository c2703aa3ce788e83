import TerminalIO

/// The terminal program that draws the pictures, as far as it is known.
///
/// What a terminal says of itself counts more than the environment, which programs started from
/// another terminal have inherited.
struct TerminalIdentity: Equatable {
  /// Programs that something depends upon; the raw value is the name for people.
  enum Program: String, CaseIterable {
    case kitty, foot, xterm, mlterm, contour, mintty, st
    case urxvt = "rxvt-unicode"
    case ghostty = "Ghostty"
    case wezterm = "WezTerm"
    case konsole = "Konsole"
    case iterm = "iTerm2"
    case alacritty = "Alacritty"
    case vte = "VTE"
    case rio = "Rio"
    case windowsTerminal = "Windows Terminal"
    case vscode = "VS Code"
    case tabby = "Tabby"
    case hyper = "Hyper"
    case appleTerminal = "Terminal.app"
  }

  /// Nil if it is not known.
  private(set) var program: Program?
  /// The version's numbers, the most significant first; empty if unknown.
  private(set) var version: [Int] = []
  /// Whether the terminal itself said so.
  private(set) var isConfirmed = false

  /// Identifies the terminal by its answers, or else by the environment.
  init(_ environment: TerminalEnvironment, _ answers: TerminalAnswers) {
    let isInTmux = environment.multiplexer == .tmux
    if let told = isInTmux ? answers.outerVersion : answers.version {
      let name = told.prefix { $0 != "(" && $0 != " " }
      if let program = Self.programs[name.lowercased()] {
        self.program = program
        version = Self.version(told.dropFirst(name.count), of: program)
        isConfirmed = true
        return
      }
    }
    switch environment.multiplexer {
    // Inside the variables are those of the terminal that it was once started in.
    case .tmux, .screen: break
    case .zellij, nil: (program, version) = Self.guess(environment)
    }
  }

  /// Name and version, for people.
  var description: String? {
    program.map { program in
      let numbers = version.map(String.init).joined(separator: ".")
      return numbers.isEmpty ? program.rawValue : "\(program.rawValue) \(numbers)"
    }
  }

  /// Whether the version is known and not before the given one.
  func isAtLeast(_ wanted: [Int]) -> Bool {
    !version.isEmpty && !version.lexicographicallyPrecedes(wanted)
  }

  /// By what XTVERSION begins with.
  private static let programs: [String: Program] = [
    "kitty": .kitty, "foot": .foot, "xterm": .xterm, "mlterm": .mlterm, "contour": .contour,
    "mintty": .mintty, "ghostty": .ghostty, "wezterm": .wezterm, "konsole": .konsole,
    "iterm2": .iterm, "alacritty": .alacritty, "vte": .vte, "rio": .rio,
  ]

  private static func guess(_ environment: TerminalEnvironment) -> (Program?, [Int]) {
    // What a terminal names its own type by it has not inherited.
    let types: [(String, Program)] = [
      ("xterm-kitty", .kitty), ("xterm-ghostty", .ghostty), ("foot", .foot),
      ("alacritty", .alacritty), ("mlterm", .mlterm), ("contour", .contour),
      ("wezterm", .wezterm), ("rio", .rio), ("konsole", .konsole),
      ("st", .st), ("rxvt-unicode", .urxvt),
    ]
    let type = environment.type
    let named = types.first { type == $0.0 || type.hasPrefix($0.0 + "-") }?.1
    let names: [String: Program] = [
      "kitty": .kitty, "ghostty": .ghostty, "WezTerm": .wezterm, "iTerm.app": .iterm,
      "mintty": .mintty, "vscode": .vscode, "Tabby": .tabby, "Hyper": .hyper, "rio": .rio,
      "Apple_Terminal": .appleTerminal,
    ]
    let claimed = names[environment["TERM_PROGRAM"]]
    if let program = named ?? claimed {
      let text = program == claimed ? environment["TERM_PROGRAM_VERSION"] : ""
      return (program, version(text, of: program))
    }
    if environment["LC_TERMINAL"] == "iTerm2" {
      return (.iterm, version(environment["LC_TERMINAL_VERSION"], of: .iterm))
    }
    let vte = environment["VTE_VERSION"]
    if !vte.isEmpty { return (.vte, version(vte, of: .vte)) }
    if !environment["KONSOLE_VERSION"].isEmpty { return (.konsole, []) }
    if !environment["WT_SESSION"].isEmpty { return (.windowsTerminal, []) }
    return (nil, [])
  }

  private static func version(_ text: some StringProtocol, of program: Program) -> [Int] {
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(4).compactMap { Int($0) }
    // VTE counts in one number: 7803 is 0.78.3.
    guard program == .vte, let number = numbers.first else { return numbers }
    return [number / 10_000, number / 100 % 100, number % 100]
  }
}
