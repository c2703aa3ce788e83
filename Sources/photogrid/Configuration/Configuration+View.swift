import Glibc
import PhotoGridCore

extension Configuration {
  /// The options that choose, order and lay out the photos.
  struct View {
    /// The filter; nil shows all photos.
    var filter: Filter?
    /// The order of photos.
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
    /// Whether a single photo is shown in a grid too.
    var alwaysGrid = false
    /// The size of printed pictures in cells; nil for the terminal's.
    var geometry: CellSize?

    /// What counts as the date of a photo.
    var dating = DateRule(today: CalendarDate(localSeconds: Int64(Glibc.time(nil))))

    /// Applies an option of this group.
    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .filter: filter = try Self.filter(option, today: dating.today)
      case .dates: dating.evidence = try Self.evidence(option)
      case .sort:
        order.key = try option.choice([
          ("name", .name), ("date", .taken), ("mtime", .modified), ("size", .size),
          ("rating", .rating), ("similar", .similar),
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
          throw option.fault("is not a list of taken, name and modified")
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
        throw option.fault("is neither on nor off nor a number of seconds up to 3600")
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
