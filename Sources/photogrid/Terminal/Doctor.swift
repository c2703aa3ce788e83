import FileWorker
import Geometry
import Glibc
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerProtocol
import WorkerRuntime

/// `--doctor`: says how pictures are drawn, whether the sandbox is complete and what could be better;
/// then all that was found, with the reason for each choice.
struct Doctor {
  private let examination: TerminalExamination
  private let traits: TerminalTraits
  private let environment: TerminalEnvironment
  private let responses: TerminalResponses
  private let configuration: Configuration

  init(_ examination: TerminalExamination, configuration: Configuration) {
    self.examination = examination
    self.configuration = configuration
    environment = examination.capabilities.environment
    responses = examination.capabilities.responses
    traits = TerminalTraits(examination.capabilities, configuration: configuration)
  }

  var report: String {
    let processes = configuration.sandbox == .off ? [] : ConfinedProcess.all(configuration)
    return Self.text(summary(processes)) + "\n"
      + Self.text(facts + reports + choices + hints + confinement(of: processes) + program)
  }

  private static func text(_ rows: [Row]) -> String {
    rows.map { name, fact in
      name + String(repeating: " ", count: max(14 - name.count, 1))
        + PrintableText.from(fact.utf8) + "\n"
    }.joined()
  }

  private typealias Row = (name: String, fact: String)

  /// The answers to what a person asks first.
  private func summary(_ processes: [ConfinedProcess]) -> [Row] {
    let how =
      switch traits.pictures.value {
      case .kitty: "real pixels (kitty's protocol)"
      case .sixel: "real pixels (sixel)"
      case .iterm: "real pixels (iTerm2's protocol)"
      case .cells: "characters (\(traits.glyphs.value.rawValue)), not pixels"
      }
    let wishes = traits.hints(examination.capabilities)
    return [
      ("Pictures", "\(how): \(traits.pictures.reason)"),
      ("Sandbox", sandboxSummary(processes)),
      ("Better", wishes.isEmpty ? "no suggestions" : wishes.joined(separator: "; ")),
    ]
  }

  private func sandboxSummary(_ processes: [ConfinedProcess]) -> String {
    guard configuration.sandbox != .off else { return "off because of --sandbox off" }
    let missing = processes.flatMap { process -> [String] in
      guard !process.layers.isEmpty else { return ["\(process.name): no report"] }
      return process.layers.filter { !$0.isOn }.map { "\($0.name.rawValue) (\(process.name))" }
    }
    guard !missing.isEmpty else {
      return "complete: \(processes.count) of \(processes.count) processes"
    }
    let more = missing.count > 3 ? ", and \(missing.count - 3) more" : ""
    return "incomplete; off: \(missing.prefix(3).joined(separator: ", "))\(more)"
  }

  private var facts: [Row] {
    [
      ("version", ProgramVersion.current),
      ("TERM", variable("TERM")),
      ("COLORTERM", variable("COLORTERM")),
      ("program", variable("TERM_PROGRAM") + " " + variable("TERM_PROGRAM_VERSION")),
      ("multiplexer", traits.multiplexer?.rawValue ?? "none"),
      ("locale", String(cString: nl_langinfo(nl_item(CODESET)))),
      ("queries", examination.outcome),
    ]
  }

  private var reports: [Row] {
    guard examination.hasSentQueries else { return [] }
    var rows: [Row] = [("name", responses.version ?? "not reported")]
    if traits.multiplexer == .tmux {
      rows.append(
        ("outer name", responses.outerVersion ?? "not reported, or not passed on by tmux"))
    }
    rows.append(("attributes", responses.attributes.map(Self.list) ?? "not reported"))
    if let kind = responses.secondaryAttributes { rows.append(("kind", Self.list(kind))) }
    if let outer = responses.outerAttributes { rows.append(("outside", Self.list(outer))) }
    if !environment.queries.policy.isMinimal {
      let media: [(String, TerminalQuery)] = [
        ("shared memory", .kittySharedMemory), ("file", .kittyFile), ("direct", .kittyDirect),
        ("placeholders", .kittyPlaceholders),
      ]
      let graphics = media.compactMap { name, query in
        responses.graphicsResponse(query).map { "\(name) \($0)" }
      }
      rows.append(("kitty", graphics.isEmpty ? "no response" : graphics.joined(separator: ", ")))
    }
    if responses.sixelRegisters != nil || responses.sixelLimit != nil {
      let colors = responses.sixelRegisters.map { "\($0) colors" }
      let limit = responses.sixelLimit.map { "at most \(Self.size($0)) pixels" }
      rows.append(("sixel", [colors, limit].compactMap { $0 }.joined(separator: ", ")))
    }
    if let isKept = responses.keepsDirectColor {
      rows.append(
        (
          "24-bit test",
          isKept ? "the color was kept" : "the color was replaced with a palette color"
        )
      )
    }
    return rows
  }

  private var choices: [Row] {
    var rows: [Row] = [
      ("terminal", traits.identity.description ?? "unknown"),
      ("size", examination.cells.map { "\($0.columns)x\($0.rows) text cells" } ?? "no terminal"),
      ("cell", "\(Self.size(traits.cell.value)) pixels: \(traits.cell.reason)"),
      ("pictures", "\(traits.pictures.value.rawValue): \(traits.pictures.reason)"),
    ]
    if traits.pictures.value == .kitty {
      rows.append(("sent via", "\(Self.name(traits.medium.value)): \(traits.medium.reason)"))
    }
    let updates = traits.synchronizesUpdates.value.map {
      $0 ? "shown all at once" : "shown as they arrive"
    }
    let background = traits.background.value.map { "\($0.red), \($0.green), \($0.blue)" }
    return rows + [
      ("symbols", "\(traits.glyphs.value.rawValue): \(traits.glyphs.reason)"),
      ("colors", "\(traits.colors.value.rawValue): \(traits.colors.reason)"),
      ("background", "\(background ?? "unknown"): \(traits.background.reason)"),
      ("frames", "\(updates ?? "unknown"): \(traits.synchronizesUpdates.reason)"),
      (
        "mouse",
        "\(traits.hasPixelMouse.value ? "in pixels" : "in cells"): \(traits.hasPixelMouse.reason)"
      ),
      (
        "keys",
        responses.supportsMode(.keyboard) == true
          ? "kitty's keyboard protocol: the terminal supports it"
          : "by terminfo: the terminal does not report kitty's keyboard protocol"
      ),
      ("also", also.isEmpty ? "nothing else" : also.joined(separator: ", ")),
    ]
  }

  /// What else the terminal is told, as it knows it.
  private var also: [String] {
    let known: [(String, Bool?)] = [
      ("size reports", responses.supportsMode(.sizeReports)),
      ("visibility reports", responses.supportsMode(.visibility)),
      ("pointer shapes", responses.supportsMode(.pointerShapes)),
      ("progress", traits.showsProgress), ("notifications", responses.supportsMode(.notifications)),
    ]
    return known.filter { $0.1 == true }.map(\.0)
  }

  /// Settings that would improve pictures.
  private var hints: [Row] { traits.hints(examination.capabilities).map { ("hint", $0) } }

  private var program: [Row] {
    [
      ("worker", worker),
      (
        "formats",
        "JPEG via libjpeg-turbo, raw photos via their previews; PNG, WebP, GIF, TIFF, HEIC and AVIF "
          + "via libvips"
      ),
      (
        "videos",
        access(Confinement.filmCommand, X_OK) == 0
          ? "via \(Confinement.filmCommand)"
          : "no pictures: \(Confinement.filmCommand) is missing; install the ffmpeg package"
      ),
      (
        "thumbnails",
        ThumbnailAccess.own(mayWrite: true).map { PrintableText.from($0.folder) }
          ?? "none: neither XDG_CACHE_HOME nor HOME is set"
      ),
      ("undo history", history),
      ("index", BaseDirectory.index.isEmpty ? "none" : PrintableText.from(BaseDirectory.index)),
    ]
  }

  /// The journals by which operations on files can be undone after a restart.
  private var history: String {
    let journal = BaseDirectory.newJournal
    guard !journal.isEmpty else { return "none: neither XDG_STATE_HOME nor HOME is set" }
    let examination = JournalFolder.examine(journal: journal)
    let folder = PrintableText.from(journal.dropLast(journal.lastPathComponent.count + 1))
    let sessions = examination.count == 1 ? "1 session" : "\(examination.count) sessions"
    guard let first = examination.ignored.first else { return "\(folder): \(sessions)" }
    let others = examination.ignored.count - 1
    return "\(folder): \(sessions); ignored: \(first)" + (others > 0 ? " and \(others) more" : "")
  }

  /// The layers of the sandbox of each process.
  private func confinement(of processes: [ConfinedProcess]) -> [Row] {
    guard configuration.sandbox != .off else {
      return [("sandbox", "off because of --sandbox off")]
    }
    return processes.flatMap { process -> [Row] in
      guard !process.layers.isEmpty else { return [("sandbox", "\(process.name): not reported")] }
      return process.layers.map { layer in
        let state = layer.isOn ? "" : "OFF: "
        return ("sandbox", "\(process.name), \(layer.name.rawValue): \(state)\(layer.message)")
      }
    }
  }

  private var worker: String {
    do throws(LibraryError) {
      return try WorkerExecutable.find().path
    } catch {
      return error.message
    }
  }

  private func variable(_ name: String) -> String { environment.variables[name] ?? "-" }

  private static func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: " ")
  }

  private static func size(_ size: PixelSize) -> String {
    func side(_ length: Double) -> String {
      length == length.rounded() ? "\(Int(length))" : "\((length * 100).rounded() / 100)"
    }
    return side(size.width) + "x" + side(size.height)
  }

  private static func name(_ medium: KittyMedium) -> String {
    switch medium {
    case .direct: "escape sequences"
    case .temporaryFile: "files"
    case .sharedMemory: "shared memory"
    }
  }
}

extension TerminalTraits {
  /// Whether the terminal around tmux is a kitty that cannot show pictures there.
  var needsNewerKitty: Bool {
    multiplexer == .tmux && identity.program == .kitty && !identity.isAtLeast([0, 28])
  }

  /// Returns sentences about settings that would improve pictures.
  func hints(_ capabilities: TerminalCapabilities) -> [String] {
    var hints: [String] = []
    let responses = capabilities.responses
    if multiplexer == .tmux, responses.isComplete, !responses.isOuterComplete {
      hints.append(
        "if the outer terminal is kitty or Ghostty, run: tmux set -g allow-passthrough on")
    }
    if multiplexer == .tmux, colors.value != .full, responses.isOuterComplete {
      hints.append("set COLORTERM=truecolor if the outer terminal has 24-bit color")
    }
    if needsNewerKitty {
      hints.append("kitty 0.28 and later show pictures through tmux")
    }
    if identity.program == .xterm, pictures.value == .cells, multiplexer == nil {
      hints.append("xterm -ti vt340 shows sixel pictures")
    }
    if identity.program == .xterm, pictures.value == .sixel, let limit = responses.sixelLimit,
      limit.width <= 1000
    {
      hints.append("xterm -xrm 'XTerm*maxGraphicSize: 4096x4096' shows larger sixel pictures")
    }
    if !capabilities.environment.isUTF8 {
      hints.append("use a UTF-8 locale, such as LC_ALL=C.UTF-8")
    }
    return hints
  }
}
