import Geometry
import Glibc
import PhotoGridCore
import Photos
import SceneRendering
import WorkerProtocol

/// The checked options from the command line, the environment and the configuration file.
struct Configuration {
  enum Mode: Equatable {
    /// Browses photos, or prints them if standard output is not a terminal.
    case browse
    /// `--print`: prints the pictures as text.
    case printPictures
    case printFacts
    case printNames
    case rate(AnnotationEdit)
    case updateCache
    case listKeys
    case doctor
    case version
    case help
    case manual
    /// `--completions`: prints the completion script of a shell.
    case completions(Completions)
  }

  enum Start: Equatable {
    /// The photo with this number, counted from 1.
    case number(Int)
    /// The photo with this path, or whose path ends with a slash and this path.
    case path([UInt8])
  }

  var mode = Mode.browse
  /// The options that say where the photos are.
  var input = Input()
  /// The options that choose, order and lay out the photos.
  var view = View()
  var drawing = Drawing()
  /// The options for the browser's behavior.
  var session = Session()
  var keys = KeyMap.standard
  /// Whether the names of marked photos are printed at the end.
  var printsMarks = false
  /// Whether Enter prints the names of photos and ends the program.
  var isChooser = false
  /// Whether messages about unreadable files are suppressed.
  var isQuiet = false
  /// The most memory for decoded photos, in bytes.
  var memoryBudget = 256 << 20
  /// Whether new thumbnails are added to the shared cache, and facts to the index.
  var keepsThumbnails = true
  var sandbox = SandboxMode.auto
  /// Whether options in `view` lead back to where the folder was left.
  var isResumed = false

  /// Checks parsed arguments.
  ///
  /// - Throws: `OptionError` for an invalid value, or options that exclude each other.
  init(_ arguments: ParsedArguments) throws(OptionError) {
    input.paths = arguments.operands.filter { $0 != Array("-".utf8) }
    input.readsStandardInput = input.paths.count < arguments.operands.count
    for (name, bytes) in arguments.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try apply(OptionValue(name: name, bytes: bytes))
    }
    try selectMode(arguments)
    if !keepsThumbnails, mode == .updateCache {
      throw OptionError(message: "--update-cache: cannot be combined with --private")
    }
    if case .rate(let edit) = mode {
      let option = if case .keywords = edit { "--keyword" } else { "--rate" }
      if arguments.operands.isEmpty, input.list == nil, !input.readsStandardInput {
        throw OptionError(message: "\(option): no photos given")
      }
      if session.isReadOnly {
        throw OptionError(message: "\(option): cannot be combined with --read-only")
      }
    }
    if input.readsStandardInput, input.list != nil {
      throw OptionError(message: "--files-from: names already come from standard input")
    }
    if input.readsStandardInput || input.list != nil, !input.paths.isEmpty {
      throw OptionError(message: "names are already being read from a list; omit the paths")
    }
  }

  private static let tasks: [[OptionName]] = [
    [.print, .json], [.all], [.rate], [.keyword], [.updateCache], [.completions],
  ]

  /// Selects the mode if several options choose one.
  ///
  /// Of the options that only report something, the last in the list below takes precedence, also
  /// over all others.
  ///
  /// - Throws: `OptionError` if two tasks are asked for, since only one of them would be done.
  private mutating func selectMode(_ arguments: ParsedArguments) throws(OptionError) {
    if arguments.values[.json] != nil { mode = .printFacts }
    if arguments.values[.updateCache] != nil { mode = .updateCache }
    let reports: [(OptionName, Mode)] = [
      (.listKeys, .listKeys), (.man, .manual),
      (.doctor, .doctor), (.version, .version),
      (.help, .help),
    ]
    if let report = reports.last(where: { arguments.values[$0.0] != nil }) {
      mode = report.1
      return
    }
    let given = Self.tasks.compactMap { $0.last { arguments.values[$0] != nil } }
    if given.count > 1 {
      throw OptionError(
        message: "--\(given[1].rawValue): cannot be combined with --\(given[0].rawValue)")
    }
  }

  private mutating func apply(_ option: OptionValue) throws(OptionError) {
    switch option.name {
    case .recursive, .maxDepth, .hidden, .stdin, .null, .filesFrom: try input.apply(option)
    case .filter, .dates, .sort, .reverse, .group, .pairs, .stacks, .startAt, .cell, .columns,
      .spacing,
      .layout,
      .crop, .labels, .captions, .thumbnail, .geometry:
      try view.apply(option)
    case .protocol, .symbols, .colors, .theme, .accent, .markColor: try drawing.apply(option)
    case .noBar, .slideshow, .motion, .accessible, .mouse, .hints, .openWith, .readOnly,
      .ratings, .resume, .fresh:
      try session.apply(option)
    case .stdout: printsMarks = true
    case .choose: isChooser = true
    case .quiet: isQuiet = true
    case .private: keepsThumbnails = false
    case .sandbox: sandbox = try option.choice(SandboxMode.allCases.map { ($0.rawValue, $0) })
    case .memory: memoryBudget = try option.number(1...1_000_000) << 20
    case .print: if mode == .browse { mode = .printPictures }
    case .all: if mode == .browse { mode = .printNames }
    case .rate: mode = .rate(.stars(try option.number(Rating.possibleStars)))
    case .keyword:
      guard let edit = KeywordEdit(parsing: option.text) else {
        throw OptionError(message: "--keyword: needs keywords, such as +rome,-draft")
      }
      mode = .rate(.keywords(edit))
    case .completions:
      mode = .completions(try option.choice(Completions.allCases.map { ($0.rawValue, $0) }))
    case .updateCache, .json, .listKeys, .man, .doctor, .version,
      .help:
      break  // handled by selectMode
    case .config, .noConfig: break  // handled before all other options
    }
  }
}

extension Configuration {
  struct Input {
    var paths: [[UInt8]] = []
    /// Whether paths come from standard input.
    var readsStandardInput = false
    var list: [UInt8]?
    /// The byte after each path in a list, and after each path that is printed.
    var separator = UInt8(ascii: "\n")
    var isRecursive = false
    /// The deepest level of subfolders that is listed; nil for no limit.
    var maxDepth: Int?
    var showsHidden = false

    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .recursive: isRecursive = true
      case .maxDepth: maxDepth = try option.number(1...1000)
      case .hidden: showsHidden = true
      case .stdin: readsStandardInput = true
      case .null: separator = 0
      case .filesFrom: list = option.bytes
      default: break  // options of other groups
      }
    }
  }
}

extension Configuration {
  struct View {
    var filter: Filter?
    var order = SortOrder.listed
    /// The grouping of photos into sections, which also determines their order.
    var grouping = Grouping.none
    /// Whether a picture and its raw files are one photo.
    var joinsPairs = true
    /// The time between the photos of a stack, in seconds; nil for no stacks.
    var stackSeconds: Double?
    /// The photo to select first; nil for the first one.
    var start: Start?
    /// The arrangement of tiles.
    var layout = LayoutStyle()
    /// Whether tiles are filled by cropped photos, or show whole photos.
    var crop = ContentMode.fill
    var alwaysGrid = false
    /// The size of printed pictures in cells; nil for the terminal's.
    var geometry: CellSize?

    /// The rule for the dates of photos.
    var dating = DateRule(today: CalendarDate(localSeconds: Int64(Glibc.time(nil))))

    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .filter: filter = try Self.filter(option, today: dating.today)
      case .dates: dating.evidence = try Self.evidence(option)
      case .sort:
        order.key = try option.choice([
          ("name", .name), ("date", .taken), ("mtime", .modified), ("size", .size),
          ("length", .length), ("rating", .rating), ("similar", .similar),
          ("random", .random(seed: UInt64.random(in: .min ... .max))),
        ])
      case .reverse: order.isReversed = true
      case .group: grouping = try option.choice(Grouping.allCases.map { ($0.rawValue, $0) })
      case .pairs: joinsPairs = try option.choice(SwitchWord.all.map { ($0.word, $0.isOn) })
      case .stacks: stackSeconds = try Self.stackSeconds(option)
      case .startAt: start = Int(option.text).map { .number($0) } ?? .path(option.bytes)
      case .cell:
        layout.columns = GridColumns([.adaptive(minimum: Double(try option.number(1...500)))])
        layout.growsToFit = false
      case .columns:
        layout.columns = try Self.columns(option)
        layout.growsToFit = false
      case .spacing: layout.spacing = try option.number(0...100)
      case .layout: try applyLayout(option)
      case .crop: crop = try option.choice([("fill", .fill), ("fit", .fit)])
      case .labels: layout.hasLabels = true
      case .captions: layout.prefersCaptions = true
      case .thumbnail: alwaysGrid = true
      case .geometry: geometry = try Self.geometry(option)
      default: break  // options of other groups
      }
    }

    private mutating func applyLayout(_ option: OptionValue) throws(OptionError) {
      switch option.text {
      case "grid": layout.kind = .grid
      case "mosaic": layout.kind = .mosaic
      case "rows": layout.kind = .rows
      default:
        do throws(SplitError) {
          layout.pattern = try Split(parsing: option.text)
        } catch {
          throw option.fault(
            error.cause == .notBento
              ? "is not one of grid, mosaic, bento, bento(PATTERN), rows"
              : "at \(error.description)")
        }
        layout.kind = .bento
      }
    }

    private static func evidence(
      _ option: OptionValue
    ) throws(OptionError) -> [DateRule.Evidence] {
      var evidence: [DateRule.Evidence] = []
      for word in option.text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let kind = DateRule.Evidence(rawValue: String(word)), !evidence.contains(kind) else {
          throw option.fault("may list only taken, name and modified")
        }
        evidence.append(kind)
      }
      return evidence
    }

    private static func filter(
      _ option: OptionValue, today: CalendarDate?
    ) throws(OptionError) -> Filter {
      do throws(FilterError) {
        return try Filter(parsing: String(decoding: option.bytes, as: UTF8.self), today: today)
      } catch {
        throw option.fault("at \(PrintableText.from(error.description.utf8))")
      }
    }

    private static func columns(_ option: OptionValue) throws(OptionError) -> GridColumns {
      do throws(ColumnsError) {
        return try GridColumns(parsing: option.text)
      } catch {
        throw option.fault("is not valid: \(error.description)")
      }
    }

    private static func stackSeconds(_ option: OptionValue) throws(OptionError) -> Double? {
      if let isOn = SwitchWord.meaning(of: option.bytes) { return isOn ? 2 : nil }
      guard let seconds = Double(option.text), (0.1...3600).contains(seconds) else {
        throw option.fault("must be on, off or a number of seconds up to 3600")
      }
      return seconds
    }

    private static func geometry(_ option: OptionValue) throws(OptionError) -> CellSize {
      let sides = option.text.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy({ (1...10_000).contains($0) }) else {
        throw option.fault("is not a size like 80x24")
      }
      return CellSize(columns: sides[0], rows: sides[1])
    }
  }
}

extension Configuration {
  struct Drawing {
    var pictures: PictureProtocol?
    var glyphs: GlyphSet?
    var colors: ColorDepth?
    var background: RGB?
    var accent: RGB?
    var markColor: RGB?

    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .protocol:
        pictures = try option.choice(
          [("auto", nil)] + PictureProtocol.allCases.map { ($0.rawValue, Optional($0)) })
      case .symbols:
        glyphs = try option.choice([
          ("half", .half), ("quadrant", .quadrant), ("sextant", .sextant), ("octant", .octant),
          ("ascii", .ascii),
        ])
      case .colors:
        colors = try option.choice([
          ("full", .full), ("256", .palette256), ("16", .palette16), ("none", ColorDepth.none),
        ])
      case .theme:
        background = try option.choice([
          ("auto", nil), ("dark", RGB.black), ("light", RGB(255, 255, 255)),
        ])
      case .accent: accent = try option.color()
      case .markColor: markColor = try option.color()
      default: break  // options of other groups
      }
    }
  }
}

extension Configuration {
  struct Session {
    var showsBar = true
    /// The time for which a slideshow at the start shows each photo, in seconds; nil for none.
    var slideSeconds: Double?
    /// The animations to show.
    var motion = MotionSetting.full
    /// Whether words are written line by line, and nothing is drawn.
    var isAccessible = false
    var mouse: Bool?
    /// Whether folders are opened where they were left, and where they are left is recorded.
    var resumes = true
    /// Whether this session opens its folder at the start in any case.
    var isFresh = false
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

    private static func command(_ option: OptionValue) throws(OptionError) -> String {
      // The shell gets the bytes, not their printable form.
      let line = String(decoding: option.bytes, as: UTF8.self)
      guard line.contains(where: { $0 != " " }) else { throw option.fault("needs a program") }
      return line
    }

    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .noBar: showsBar = false
      case .slideshow:
        guard let seconds = Double(option.text), (0.1...86_400).contains(seconds) else {
          throw option.fault("is not a number of seconds from 0.1 to 86400")
        }
        slideSeconds = seconds
      case .motion: motion = try option.choice(MotionSetting.allCases.map { ($0.rawValue, $0) })
      case .accessible: isAccessible = true
      case .mouse: mouse = try option.choice(SwitchWord.all.map { ($0.word, $0.isOn) })
      case .resume: resumes = try option.choice(SwitchWord.all.map { ($0.word, $0.isOn) })
      case .fresh: isFresh = true
      case .hints: showsHints = try option.choice(SwitchWord.all.map { ($0.word, $0.isOn) })
      case .openWith: openWith = try Self.command(option)
      case .readOnly: isReadOnly = true
      case .ratings: embedsRatings = try option.choice([("sidecar", false), ("embedded", true)])
      default: break  // options of other groups
      }
    }
  }
}
