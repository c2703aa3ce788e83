import PhotoGridCore

extension Configuration {
  /// The options for the browser's behavior.
  struct Session {
    /// Whether the last row is the bar.
    var showsBar = true
    /// The time for which a slideshow at the start shows each photo, in seconds; nil for none.
    var slideSeconds: Double?
    /// The animations to show.
    var motion = MotionSetting.full
    /// Whether the mouse is used; nil leaves it to the terminal.
    var mouse: Bool?
    /// Whether a panel shows the keys that can follow the first key of a sequence.
    var showsHints = true
    /// The shell command that opens a photo; nil for the desktop's program.
    var openWith: String?
    /// Whether changing files and starting other programs is disabled.
    var isReadOnly = false
    /// Whether ratings are written into photos rather than sidecars, where the format allows that.
    var embedsRatings = false

    /// Returns whether the mouse is used in a terminal.
    ///
    /// By default it is not used in GNU screen, which delays a lone Esc while the mouse is
    /// reported.
    func usesMouse(in environment: TerminalEnvironment) -> Bool {
      mouse ?? (environment.multiplexer != .screen)
    }

    /// Applies an option of this group.
    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .noBar: showsBar = false
      case .slideshow:
        guard let seconds = Double(option.text), (0.1...86_400).contains(seconds) else {
          throw option.fault("is not a number of seconds from 0.1 to 86400")
        }
        slideSeconds = seconds
      case .motion: motion = try option.choice(MotionSetting.allCases.map { ($0.rawValue, $0) })
      case .mouse: mouse = try option.choice(SwitchWord.all.map { ($0.word, $0.isOn) })
      case .hints: showsHints = try option.choice(SwitchWord.all.map { ($0.word, $0.isOn) })
      case .openWith:
        // The shell gets the bytes, not their printable form.
        let line = String(decoding: option.bytes, as: UTF8.self)
        guard line.contains(where: { $0 != " " }) else { throw option.fault("names no program") }
        openWith = line
      case .readOnly: isReadOnly = true
      case .ratings: embedsRatings = try option.choice([("sidecar", false), ("embedded", true)])
      default: break  // options of other groups
      }
    }
  }
}
