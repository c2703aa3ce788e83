import PhotoGridCore
import SceneRendering
import WorkerProtocol

/// The checked options from the command line, the environment and the configuration file.
struct Configuration {
  /// The task of the program.
  enum Mode: Equatable {
    /// Browses photos, or prints them if standard output is not a terminal.
    case browse
    /// `--print`: prints the pictures as text.
    case printPictures
    /// `--json`: prints the facts.
    case printFacts
    /// `--all`: prints the names.
    case printNames
    /// `--rate`: sets the stars of photos.
    case rate(Int)
    /// `--update-cache`: creates thumbnails.
    case updateCache
    /// `--clean-cache`: removes thumbnails of deleted files, and all recorded facts.
    case cleanCache
    /// `--list-keys`: prints the keys.
    case listKeys
    /// `--doctor`: reports on the terminal and the codecs.
    case doctor
    /// `--version`: prints the version.
    case version
    /// `--help`: prints the help.
    case help
    /// `--man`: prints the manual page.
    case manual
    /// `--man-markdown`: prints the manual in Markdown.
    case markdownManual
    /// `--completions`: prints the completion script of a shell.
    case completions(Completions)
  }

  /// The photo to select first.
  enum Start: Equatable {
    /// The photo with this number, counted from 1.
    case number(Int)
    /// The photo with this path, or whose path ends with a slash and this path.
    case path([UInt8])
  }

  /// The task of the program.
  var mode = Mode.browse
  /// The options that say where the photos are.
  var input = Input()
  /// The options that choose, order and lay out the photos.
  var view = View()
  /// The options for drawing pictures.
  var drawing = Drawing()
  /// The options for the browser's behavior.
  var session = Session()
  /// The key bindings.
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
  /// Whether the program's processes are sandboxed, and whether the sandbox is required.
  var sandbox = SandboxMode.auto

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
      throw OptionError(message: "--update-cache: --private stores no thumbnails")
    }
    if mode == .cleanCache, !arguments.operands.isEmpty {
      throw OptionError(message: "--clean-cache: cleans the whole cache; leave out the paths")
    }
    if case .rate = mode, arguments.operands.isEmpty, input.list == nil,
      !input.readsStandardInput
    {
      throw OptionError(message: "--rate: name the photos")
    }
    if case .rate = mode, session.isReadOnly {
      throw OptionError(message: "--rate: rating is turned off by --read-only")
    }
    if input.readsStandardInput, input.list != nil {
      throw OptionError(message: "--files-from: names come from standard input already")
    }
    if input.readsStandardInput || input.list != nil, !input.paths.isEmpty {
      throw OptionError(message: "names come from a list already; leave out the paths")
    }
  }

  /// Options that each do something else and quit; those in one list go together.
  private static let tasks: [[OptionName]] = [
    [.print, .json], [.all], [.rate], [.updateCache], [.cleanCache], [.completions],
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
    if arguments.values[.cleanCache] != nil { mode = .cleanCache }
    let reports: [(OptionName, Mode)] = [
      (.listKeys, .listKeys), (.man, .manual), (.manMarkdown, .markdownManual),
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

  /// Applies an option.
  private mutating func apply(_ option: OptionValue) throws(OptionError) {
    switch option.name {
    case .recursive, .maxDepth, .hidden, .stdin, .null, .filesFrom: try input.apply(option)
    case .filter, .dates, .sort, .reverse, .group, .pairs, .stacks, .startAt, .cell, .columns, .spacing,
      .layout,
      .crop, .labels, .thumbnail, .geometry:
      try view.apply(option)
    case .protocol, .symbols, .colors, .theme, .accent, .markColor: try drawing.apply(option)
    case .noBar, .slideshow, .motion, .mouse, .hints, .openWith, .readOnly, .ratings:
      try session.apply(option)
    case .stdout: printsMarks = true
    case .choose: isChooser = true
    case .quiet: isQuiet = true
    case .private: keepsThumbnails = false
    case .sandbox: sandbox = try option.choice(SandboxMode.allCases.map { ($0.rawValue, $0) })
    case .memory: memoryBudget = try option.number(1...1_000_000) << 20
    case .print: if mode == .browse { mode = .printPictures }
    case .all: if mode == .browse { mode = .printNames }
    case .rate: mode = .rate(try option.number(Rating.possibleStars))
    case .completions:
      mode = .completions(try option.choice(Completions.allCases.map { ($0.rawValue, $0) }))
    case .updateCache, .cleanCache, .json, .listKeys, .man, .manMarkdown, .doctor, .version,
      .help:
      break  // handled by selectMode
    case .config, .noConfig: break  // handled before all other options
    }
  }
}
