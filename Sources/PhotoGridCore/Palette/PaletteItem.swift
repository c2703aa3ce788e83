import Geometry
import Photos

/// A command in the list of the palette.
struct PaletteItem: Equatable, Sendable {
  var action: PaletteAction
  var title: String
  var words: SearchWords
  /// The keys that run the command; empty if there are none.
  var keys = ""
  /// Whether what the command toggles or chooses is on; nil for other commands.
  var isOn: Bool?
  /// Why the command cannot run now; nil if it can.
  var obstacle: String?
  /// The text that runs the item if it is typed: "sort date".
  var line: String
  /// Whether the item opens a bookmarked folder, or one that was shown; nil for others.
  private(set) var isBookmark: Bool?

  init(_ entry: CommandEntry, words: SearchWords) {
    action = .command(entry.command, count: nil)
    title = entry.title
    self.words = words
    line = String(decoding: words.line, as: UTF8.self)
  }

  init(_ form: PaletteForm) {
    action = .form(form, "")
    title = form.title
    words = SearchWords(title: form.title, name: form.rawValue, synonyms: form.synonyms)
    line = form.rawValue
  }

  /// The item for a line that is a date, a number, or a word for a term of a filter; nil if the line
  /// is none of these.
  init?(shortcut text: String, items: [PaletteItem]) {
    if let number = Int(text), text.count < 4, number > 0 {
      guard let item = items.first(where: { $0.action == .command(.navigation(.last), count: nil) })
      else { return nil }
      self = item
      action = .command(.navigation(.last), count: number)
      title = "Go to photo \(number)"
    } else if let date = CalendarDate(parsing: text) {
      guard let item = items.first(where: { $0.action == .form(.goTo, "") }) else { return nil }
      self = item.with(text)
      title = "Go to \(DateFormat.english.text(of: date))"
    } else if let term = FilterSuggestion.term(for: text.lowercased()) {
      guard let item = items.first(where: { $0.action == .form(.filter, "") }) else { return nil }
      self = item.with(term)
      title = "Show only \(term)"
      return
    } else {
      return nil
    }
    (keys, isOn) = ("", nil)
    line = text
  }

  /// The item for a line that was run before; nil if none of some items can run it.
  init?(line: String, among items: [PaletteItem]) {
    if let (form, argument) = PaletteForm.parse(line), form != .saved {
      guard let item = items.first(where: { $0.action == .form(form, "") }) else { return nil }
      self = item.with(argument)
      title = line
    } else {
      guard let item = items.first(where: { $0.line == line }) else { return nil }
      self = item
    }
  }

  /// The item that opens a folder to which the user may want to go back.
  init(folder: String, isBookmark: Bool) {
    self = PaletteItem(.folder).with(folder)
    self.isBookmark = isBookmark
    title += isBookmark ? " (bookmark)" : ""
    words = SearchWords(title: folder, name: folder, synonyms: "cd folder recent")
  }

  /// Whether this opens a folder whose path has all words of a text.
  func isPlace(having text: String) -> Bool {
    guard isBookmark != nil, case .form(_, let folder) = action else { return false }
    let path = folder.lowercased()
    return text.lowercased().split(separator: " ").allSatisfy { path.range(of: String($0)) != nil }
  }

  /// Returns the item of a form with an argument.
  func with(_ argument: String) -> PaletteItem {
    guard case .form(let form, _) = action else { return self }
    var item = self
    item.action = .form(form, argument)
    item.line = form.rawValue + " " + argument
    if form == .folder { item.title = "Go to " + CellText(argument).truncatedMiddle(to: 52).string }
    return item
  }

  /// Whether this shows photos by a saved filter whose name begins with a text.
  func isSaved(beginningWith text: String) -> Bool {
    guard case .form(.saved, let name) = action, !name.isEmpty else { return false }
    return name.lowercased().hasPrefix(text.lowercased())
  }

  init(_ saved: NamedFilter) {
    self.init(.saved)
    action = .form(.saved, saved.name)
    title = "@\(saved.name)" + (saved.filter.isEmpty ? "" : ": \(saved.filter)")
    words = SearchWords(
      title: "@" + saved.name, name: saved.name, synonyms: "saved filter " + saved.filter)
    line = PaletteForm.saved.rawValue + " " + saved.name
  }

  /// Returns the row of the list: the title with its state or the obstacle, and the keys at the
  /// right.
  func row(width: Int) -> String {
    let keys = CellText(width < 24 ? "" : self.keys)
    var text = isOn.map { $0 ? "● " : "○ " } ?? "  "
    text += title
    if let obstacle { text += " – " + obstacle }
    let gap = keys.width > 0 ? 2 : 0
    return CellText(text).padded(to: max(width - keys.width - gap, 0))
      + String(repeating: " ", count: gap) + keys.string
  }
}

/// The action of an item of the palette.
enum PaletteAction: Equatable, Sendable {
  case command(Command, count: Int?)
  case form(PaletteForm, String)

  /// Why the typed argument is invalid; nil if it is valid or still missing.
  ///
  /// - `today`: The current day; nil if it is not known.
  func error(today: CalendarDate?) -> String? {
    if case .form(let form, let argument) = self {
      form.error(of: argument, today: today)
    } else {
      nil
    }
  }
}

/// A command with an argument that the user types after its name.
enum PaletteForm: String, CaseIterable, Sendable {
  case filter, find
  case goTo = "goto"
  case slideshow, speed, stacks, columns
  /// Opens a folder by its path, or one of the bookmarks.
  case folder = "cd"
  case bookmark
  /// Saves the filter under a name, and shows photos by a saved one.
  case save, saved

  /// The command without an argument, which applies under the same conditions.
  var command: Command {
    switch self {
    case .filter, .save, .saved: .album(.filter)
    case .find: .album(.find)
    case .goTo: .album(.goToDate)
    case .slideshow: .app(.startSlideshow)
    case .speed: .app(.changeSpeed)
    case .stacks: .album(.toggleStacks)
    case .columns: .grid(.gridLayout)
    case .folder, .bookmark: .app(.openFolder)
    }
  }

  var title: String {
    switch self {
    case .filter: "filter …: show only photos that match"
    case .find: "find …: go to the first photo that matches"
    case .goTo: "goto …: go to a year, month, or day"
    case .slideshow: "slideshow N: show each photo for N seconds"
    case .speed: "speed N: play the video at ¼, ½, 1, or 2 times its speed"
    case .stacks: "stacks N: fold photos taken less than N seconds apart"
    case .columns: "columns N: show N columns of tiles"
    case .folder: "cd …: go to a folder by its path, or to an earlier one"
    case .bookmark: "bookmark …: go to a bookmarked folder"
    case .save: "save …: save the filter, order, and grouping under a name"
    case .saved: "saved …: apply a saved filter"
    }
  }

  var synonyms: String {
    switch self {
    case .filter, .find: "search"
    case .goTo: "jump date"
    case .slideshow: "timed"
    case .speed: "slow fast film rate"
    case .stacks: "bursts"
    case .columns: "tiles size settings"
    case .folder: "change directory open path recent zoxide z"
    case .bookmark: "places"
    case .save: "filter keep name remember"
    case .saved: "filter named album"
    }
  }

  /// Whether the argument is a filter.
  var isFilter: Bool { self == .filter || self == .find }

  /// Returns the form whose name begins a line, and the argument after it; nil if there is none.
  static func parse(_ text: String) -> (PaletteForm, argument: String)? {
    guard let space = text.firstIndex(of: " "),
      let form = PaletteForm(rawValue: text[..<space].lowercased())
    else { return nil }
    return (form, String(text[text.index(after: space)...].drop { $0 == " " }))
  }

  /// Returns why an argument is invalid; nil if it is valid or still missing.
  ///
  /// - `today`: The current day; nil if it is not known.
  func error(of argument: String, today: CalendarDate?) -> String? {
    guard !argument.isEmpty else { return nil }
    switch self {
    case .filter, .find:
      do throws(FilterError) {
        _ = try Filter(parsing: argument, today: today)
        return nil
      } catch {
        return error.description
      }
    case .goTo: return CalendarDate(parsing: argument) == nil ? CalendarDate.examples : nil
    case .slideshow, .stacks:
      return Self.seconds(argument) == nil ? "Type a number of seconds, such as 2.5" : nil
    case .speed: return PlaybackSpeed(argument) == nil ? "Type 1/4, 1/2, 1, or 2" : nil
    case .columns:
      return (try? GridColumns(parsing: argument)) == nil
        ? "Type a number of columns, such as 5" : nil
    case .folder, .bookmark: return nil
    case .save, .saved:
      return NamedFilter.isName(argument)
        ? nil : "Use letters, digits, '-', '_', and '.', as in best-of-rome"
    }
  }

  /// Returns a typed number of seconds, 0.1 to 86,400; nil if it is not one.
  static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { (0.1...86_400).contains($0) ? $0 : nil }
  }
}

extension PaletteItem {
  /// The words of all commands in each view; of a command that a view does not have, those of the
  /// first view that has it.
  static let entries: [KeyMap.View: [(entry: CommandEntry, words: SearchWords)]] = {
    let all = KeyTable.topics.flatMap(\.sections).flatMap(\.lines).flatMap(\.entries)
      .filter { $0.command != .app(.showPalette) && $0.command != .app(.choose) }
      .map { ($0, SearchWords($0)) }
    return Dictionary(
      uniqueKeysWithValues: KeyMap.View.allCases.map { view in
        var seen: Set<Command> = []
        let own = Set(KeyMap.entries(of: view).map(\.title))
        // A command may have another title in another view.
        let preferred = all.filter { own.contains($0.0.title) }.map(\.0.command)
        let entries = all.filter { entry, _ in
          (own.contains(entry.title) || !preferred.contains(entry.command))
            && seen.insert(entry.command).inserted
        }
        return (view, entries.map { (entry: $0.0, words: $0.1) })
      })
  }()
}
