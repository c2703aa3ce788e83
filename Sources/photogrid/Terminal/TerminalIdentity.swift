import TerminalIO

/// The terminal program that draws the pictures, if it is known.
///
/// The terminal's response takes precedence over the environment, which may be inherited from
/// another terminal.
struct TerminalIdentity: Equatable {
  /// Terminal programs that need special treatment; the raw value is the name for users.
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

  /// The program; nil if it is unknown.
  private(set) var program: Program?
  /// The numbers of the version, the most significant first; empty if unknown.
  private(set) var version: [Int] = []
  /// Whether the terminal itself reported its name.
  private(set) var isConfirmed = false

  /// Identifies the terminal by its responses, or by the environment if it has not responded.
  init(_ environment: TerminalEnvironment, _ responses: TerminalResponses) {
    let isInTmux = environment.multiplexer == .tmux
    if let reported = isInTmux ? responses.outerVersion : responses.version {
      let name = reported.prefix { $0 != "(" && $0 != " " }
      if let program = Self.programs[name.lowercased()] {
        self.program = program
        version = Self.version(reported.dropFirst(name.count), of: program)
        isConfirmed = true
        return
      }
    }
    // DA2 begins with 85, a U, in urxvt, which does not report its name. It answers 95 for any
    // version.
    if !isInTmux, responses.secondaryAttributes?.first == 85 {
      (program, isConfirmed) = (.urxvt, true)
      return
    }
    switch environment.multiplexer {
    // Inside a multiplexer, the variables describe the terminal in which that was started.
    case .tmux, .screen: break
    case .zellij, nil: (program, version) = Self.guess(environment)
    }
  }

  /// Name and version for users; nil if the program is unknown.
  var description: String? {
    program.map { program in
      let numbers = version.map(String.init).joined(separator: ".")
      return numbers.isEmpty ? program.rawValue : "\(program.rawValue) \(numbers)"
    }
  }

  /// Whether the version is known and at least the given one.
  func isAtLeast(_ wanted: [Int]) -> Bool {
    !version.isEmpty && !version.lexicographicallyPrecedes(wanted)
  }

  /// The programs, by the lowercase names at the beginning of their XTVERSION responses.
  private static let programs: [String: Program] = [
    "kitty": .kitty, "foot": .foot, "xterm": .xterm, "mlterm": .mlterm, "contour": .contour,
    "mintty": .mintty, "ghostty": .ghostty, "wezterm": .wezterm, "konsole": .konsole,
    "iterm2": .iterm, "alacritty": .alacritty, "vte": .vte, "rio": .rio,
  ]

  /// Returns the program and its version according to the environment.
  private static func guess(_ environment: TerminalEnvironment) -> (Program?, [Int]) {
    // The terminal type is set by the terminal itself, and not inherited from another one.
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

  /// Parses the numbers of a version.
  private static func version(_ text: some StringProtocol, of program: Program) -> [Int] {
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.prefix(4).compactMap { Int($0) }
    // VTE writes the version as one number: 7803 is 0.78.3.
    guard program == .vte, let number = numbers.first else { return numbers }
    return [number / 10_000, number / 100 % 100, number % 100]
  }
}
