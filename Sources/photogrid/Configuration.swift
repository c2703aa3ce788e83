import PhotoGridCore
import SceneRendering

/// What the command line and the environment ask for, understood and checked.
struct Configuration {
  /// What the program is to do.
  enum Mode: Equatable {
    case browse, printPictures, printFacts, updateCache, cleanCache, listKeys, doctor, version, help
    case manual
    case completions(Completions)
  }

  /// Where the selection starts.
  enum Start: Equatable {
    case number(Int)
    case path([UInt8])
  }

  var mode = Mode.browse
  /// Folders and photos as they were given.
  var paths: [[UInt8]] = []
  /// Names come from standard input.
  var readsStandardInput = false
  /// A file with names.
  var list: [UInt8]?
  /// What ends a name in a list.
  var separator = UInt8(ascii: "\n")
  var isRecursive = false
  var maxDepth: Int?
  var showsHidden = false
  var start: Start?
  /// Nil where all photos are shown.
  var filter: Filter?
  var order = SortOrder.listed
  /// Whether the names of marked photos are printed at the end.
  var printsMarks = false
  /// Whether Enter prints the names of photos and leaves.
  var isChooser = false
  var layout = LayoutStyle()
  var crop = ContentMode.fill
  var showsBar = true
  /// How long a slideshow that begins by itself shows each photo; nil for none.
  var slideSeconds: Double?
  var alwaysGrid = false
  var geometry: CellSize?
  /// Nil: chosen by what is known of the terminal.
  var pictures: PictureProtocol?
  /// Nil: chosen by what is known of the terminal.
  var glyphs: GlyphSet?
  /// Nil: chosen by what is known of the terminal.
  var colors: ColorDepth?
  var motion = MotionSetting.full
  var usesMouse = true
  /// For decoded photos, in bytes.
  var memoryBudget = 256 << 20
  /// The background to draw on; nil: as the terminal tells.
  var background: RGB?
  /// The colours of rings; nil: as they come.
  var accent: RGB?
  var markColor: RGB?
  /// What keys do.
  var keys = KeyMap.standard
  /// Whether nothing is said of what could not be read.
  var isQuiet = false
  /// Whether new thumbnails are kept.
  var keepsThumbnails = true
  /// A line for the shell; nil: the desktop's program.
  var openWith: String?
  /// Whether files stay as they are.
  var isReadOnly = false

  /// Understands taken apart arguments.
  ///
  /// - Throws: Which option has which fault.
  init(_ arguments: ParsedArguments) throws(OptionError) {
    paths = arguments.operands.filter { $0 != Array("-".utf8) }
    readsStandardInput = paths.count < arguments.operands.count
    for (name, bytes) in arguments.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try apply(name, bytes)
    }
    if arguments.values[.json] != nil { mode = .printFacts }
    let modes: [(OptionName, Mode)] = [
      (.updateCache, .updateCache), (.cleanCache, .cleanCache), (.listKeys, .listKeys),
      (.man, .manual), (.doctor, .doctor), (.version, .version), (.help, .help),
    ]
    for (name, wanted) in modes where arguments.values[name] != nil {
      mode = wanted
    }
    if !keepsThumbnails, mode == .updateCache {
      throw OptionError(message: "--update-cache: --private keeps no thumbnails")
    }
    if mode == .cleanCache, !arguments.operands.isEmpty {
      throw OptionError(message: "--clean-cache: goes through the whole cache; leave out the paths")
    }
    if readsStandardInput, list != nil {
      throw OptionError(message: "--files-from: names come from standard input already")
    }
    if (readsStandardInput || list != nil) && !paths.isEmpty {
      throw OptionError(message: "names come from a list already; leave out the paths")
    }
  }

  private mutating func apply(_ name: OptionName, _ bytes: [UInt8]) throws(OptionError) {
    let value = PrintableText.from(bytes)
    func fault(_ why: String) -> OptionError {
      OptionError(message: "--\(name.rawValue): '\(PrintableArgument.text(bytes))' \(why)")
    }
    func choice<Choice>(_ choices: [(String, Choice)]) throws(OptionError) -> Choice {
      if let found = choices.first(where: { $0.0 == value }) { return found.1 }
      throw fault("is none of \(choices.map(\.0).joined(separator: ", "))")
    }
    func number(_ range: ClosedRange<Int>) throws(OptionError) -> Int {
      guard let number = Int(value), range.contains(number) else {
        throw fault("is not a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    func color() throws(OptionError) -> RGB {
      let digits = value.first == "#" ? value.dropFirst() : value[...]
      guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16)
      else { throw fault("is not a colour like #409cff") }
      return RGB(UInt8(code >> 16), UInt8(code >> 8 & 255), UInt8(code & 255))
    }
    switch name {
    case .recursive: isRecursive = true
    case .maxDepth:
      maxDepth = try number(1...1000)
    case .hidden: showsHidden = true
    case .stdin: readsStandardInput = true
    case .null: separator = 0
    case .filesFrom: list = bytes
    case .filter:
      do throws(FilterError) {
        filter = try Filter(parsing: String(decoding: bytes, as: UTF8.self))
      } catch {
        throw fault("at \(error.description)")
      }
    case .sort:
      order.key = try choice([
        ("name", .name), ("date", .taken), ("mtime", .modified), ("size", .size),
        ("random", .random(seed: UInt64.random(in: .min ... .max))),
      ])
    case .reverse: order.isReversed = true
    case .stdout: printsMarks = true
    case .choose: isChooser = true
    case .startAt: start = Int(value).map { .number($0) } ?? .path(bytes)
    case .cell: layout.columns = GridColumns([.adaptive(minimum: Double(try number(1...500)))])
    case .columns:
      do throws(ColumnsError) {
        layout.columns = try GridColumns(parsing: value)
      } catch {
        throw fault("is not understood: \(error.description)")
      }
    case .spacing: layout.spacing = try number(0...100)
    case .layout:
      switch value {
      case "grid": layout.kind = .grid
      case "mosaic": layout.kind = .mosaic
      default:
        do throws(SplitError) {
          layout.pattern = try Split(parsing: value)
        } catch {
          throw fault(
            error.cause == .notBento
              ? "is none of grid, mosaic, bento, bento(PATTERN)" : "at \(error.description)")
        }
        layout.kind = .bento
      }
    case .crop: crop = try choice([("fill", .fill), ("fit", .fit)])
    case .labels: layout.hasLabels = true
    case .thumbnail: alwaysGrid = true
    case .noBar: showsBar = false
    case .slideshow:
      guard let seconds = Double(value), (0.1...86_400).contains(seconds) else {
        throw fault("is not a number of seconds from 0.1 to 86400")
      }
      slideSeconds = seconds
    case .print: if mode == .browse { mode = .printPictures }
    case .updateCache, .cleanCache, .json, .listKeys, .man, .doctor, .version, .help:
      break  // they decide the mode together
    case .config, .noConfig: break  // read before all others
    case .completions:
      mode = .completions(try choice(Completions.allCases.map { ($0.rawValue, $0) }))
    case .quiet: isQuiet = true
    case .accent: accent = try color()
    case .markColor: markColor = try color()
    case .theme:
      background = try choice([
        ("auto", nil), ("dark", RGB.black), ("light", RGB(255, 255, 255)),
      ])
    case .memory: memoryBudget = try number(1...1_000_000) << 20
    case .openWith:
      // As the shell will get it.
      let line = String(decoding: bytes, as: UTF8.self)
      guard line.contains(where: { $0 != " " }) else { throw fault("names no program") }
      openWith = line
    case .readOnly: isReadOnly = true
    case .private: keepsThumbnails = false
    case .geometry:
      let sides = value.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy({ (1...10_000).contains($0) }) else {
        throw fault("is not a size like 80x24")
      }
      geometry = CellSize(columns: sides[0], rows: sides[1])
    case .protocol:
      pictures = try choice(
        [("auto", nil)] + PictureProtocol.allCases.map { ($0.rawValue, Optional($0)) })
    case .symbols:
      glyphs = try choice([
        ("half", .half), ("quadrant", .quadrant), ("sextant", .sextant), ("octant", .octant),
        ("ascii", .ascii),
      ])
    case .colors:
      colors = try choice([
        ("full", .full), ("256", .palette256), ("16", .palette16), ("none", ColorDepth.none),
      ])
    case .motion:
      motion = try choice(MotionSetting.allCases.map { ($0.rawValue, $0) })
    case .mouse:
      usesMouse = try choice(SwitchWord.all.map { ($0.word, $0.isOn) })
    }
  }
}

/// Arguments as they may be repeated in a message.
enum PrintableArgument {
  /// The text of an argument, nothing in it that acts on a terminal.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    CellText(PrintableText.from(bytes)).cutInTheMiddle(to: 200).string
  }
}
