import Geometry
import Photos
import SceneModel

/// A line in which the user finds a command by words, with a list of the commands that match.
package struct Palette: Equatable, Sendable {
  package private(set) var line: LineEditor
  /// A completion or the reason why the line cannot be run; nil if there is neither.
  private(set) var note: String?
  /// The items that match the line, best first.
  private(set) var matches: [PaletteItem] = []
  private(set) var selection = 0
  /// The first row of the list that is visible.
  private var top = 0
  /// All items, in the order of the help.
  private let items: [PaletteItem]
  /// The items in the order in which they are listed before anything is typed.
  private let idle: [PaletteItem]
  /// The current day, by which filters tell dates; nil if it is not known.
  private let today: CalendarDate?
  /// The folders that complete the typed path, once they are known.
  private var folders: FolderMatches?
  /// The key that was pressed before the folders were known, and takes effect then; nil if none was.
  private var awaitedKey: Key?

  /// The number of rows of the list, if there is room.
  static let maxRows = 12
  /// The width of the list, in cells, if there is room.
  static let maxWidth = 72

  /// The number of lines run last that come first in the list.
  private static let maxRecent = 4

  /// Creates a palette.
  ///
  /// - Parameters:
  ///   - items: All items, in the order of the help.
  ///   - main: The commands that are listed after those used last.
  ///   - text: The line from which the user starts.
  ///   - history: The lines that were run, oldest first.
  ///   - today: The current day; nil if it is not known.
  init(
    _ items: [PaletteItem], main: [Command] = [], line text: String = "", history: [String],
    today: CalendarDate?
  ) {
    self.today = today
    self.items = items
    line = LineEditor(text, history: history)
    let possible = items.filter { $0.obstacle == nil }
    let recent = history.reversed().compactMap { PaletteItem(line: $0, among: possible) }
    let first =
      recent.prefix(Self.maxRecent)
      + main.compactMap { command in possible.first { $0.action == .command(command, count: nil) } }
    idle =
      (first + possible).reduce(into: []) { list, item in
        if !list.contains(where: { $0.action == item.action }) { list.append(item) }
      } + items.filter { $0.obstacle != nil }
    update()
  }

  enum Outcome: Equatable {
    case stay, close
    /// The palette closes, and the action is performed; `line` is recalled by Up.
    case run(PaletteAction, line: String)
  }

  /// Handles a key; completions of filters come from the album.
  mutating func press(_ key: Key, in album: Album) -> Outcome {
    switch key {
    case .escape: return .close
    case .backspace where line.text.isEmpty: return .close
    case .enter: return accept()
    case .tab: complete(in: album)
    case .backTab,
      .up where selection > 0:
      select(selection - 1)
    case .down: select(selection + 1)
    case .pageDown: select(selection + Self.maxRows)
    case .pageUp: select(selection - Self.maxRows)
    default:
      let before = line.text
      if line.press(key), line.text != before { update() }
    }
    return .stay
  }

  /// The number of lines that a notch of the wheel scrolls.
  private static let wheelLines = 3

  /// Handles the mouse: the wheel scrolls, a click on a line runs it, and one beside the list
  /// closes the palette.
  ///
  /// - `place`: The line and the column of a press on the panel; nil beside it.
  mutating func point(_ kind: MouseEvent.Kind, at place: CellPoint?, in room: CellSize) -> Outcome {
    let rows = shownRows(in: room)
    switch kind {
    case .wheel(.down): scroll(to: rows.lowerBound + Self.wheelLines, in: room)
    case .wheel(.up): scroll(to: rows.lowerBound - Self.wheelLines, in: room)
    case .pressed(.left):
      guard let place else { return .close }
      let index = rows.lowerBound + place.row
      guard rows.contains(index), matches.indices.contains(index) else { break }
      (top, selection) = (rows.lowerBound, index)
      return accept()
    default: break
    }
    return .stay
  }

  /// Scrolls the list; the selection moves only to stay in sight.
  private mutating func scroll(to first: Int, in room: CellSize) {
    top = max(min(first, matches.count - shownRows(in: room).count), 0)
    select(min(max(selection, top), top + shownRows(in: room).count - 1))
  }

  /// Returns the rows of the list that there is room for; the selected one is among them.
  private func shownRows(in room: CellSize) -> Range<Int> {
    let height = max(min(room.rows - 2, Self.maxRows), 1)
    let first = max(min(top, selection), selection - height + 1)
    return first..<first + height
  }

  mutating func paste(_ text: String) {
    line.insert(text)
    update()
  }

  private mutating func select(_ index: Int) {
    selection = max(min(index, matches.count - 1), 0)
    note = nil
  }

  private mutating func update() {
    (selection, top, note, awaitedKey) = (0, 0, nil, nil)
    let text = line.text
    if let (form, argument) = PaletteForm.parse(text) {
      matches = items.filter { $0.action == .form(form, "") }.map { $0.with(argument) }
      note = form.error(of: argument, today: today)
      switch form {
      case .saved: matches = items.filter { $0.isSaved(beginningWith: argument) }
      case .folder: matches = folders(at: argument)
      case .bookmark:
        matches = items.filter { $0.isBookmark == true && $0.isPlace(having: argument) }
        if !items.contains(where: { $0.isBookmark == true }) {
          note = "No other bookmarks; gB bookmarks the folder that is shown"
        }
      default: break
      }
      return
    }
    let query = WordQuery(text)
    guard !query.isEmpty else {
      matches = idle
      return
    }
    var scored = scores(of: query, allowsErrors: false)
    if scored.isEmpty { scored = scores(of: query, allowsErrors: true) }
    func precedes(_ first: (score: Int, index: Int), _ second: (score: Int, index: Int)) -> Bool {
      let (isLate, isSecondLate) = (isLate(first), isLate(second))
      if isLate != isSecondLate { return isSecondLate }
      // Equally good ones in the order of the help.
      return (second.score, first.index) < (first.score, second.index)
    }
    matches = scored.sorted(by: precedes).map { items[$0.index] }
    if let shortcut = PaletteItem(shortcut: text, items: items) { matches.insert(shortcut, at: 0) }
  }

  private func scores(of query: WordQuery, allowsErrors: Bool) -> [(score: Int, index: Int)] {
    items.indices.compactMap { index in
      query.score(of: items[index].words, allowsErrors: allowsErrors).map { ($0, index) }
    }
  }

  /// Whether a match comes after those that can run, as it cannot; one that was typed in full does
  /// not, so that Enter says why it cannot run instead of running another one.
  private func isLate(_ match: (score: Int, index: Int)) -> Bool {
    items[match.index].obstacle != nil && match.score < WordQuery.exactScore
  }

  private mutating func accept() -> Outcome {
    if selection == 0, let folderText, folders?.text != folderText, awaitedKey != .enter {
      awaitedKey = .enter
      note = "Looking for that folder; Enter does not wait"
      return .stay
    }
    guard matches.indices.contains(selection) else {
      note = isOfFolders ? "No such folder" : "No such command"
      return .stay
    }
    let item = matches[selection]
    if let obstacle = item.obstacle ?? item.action.error(today: today) {
      note = obstacle
      return .stay
    }
    if case .form(let form, "") = item.action {
      // The argument is still to be typed.
      line = line.replaced(by: form.rawValue + " ")
      update()
      return .stay
    }
    return .run(item.action, line: item.line)
  }

  /// Completes the line to that of the chosen item, or the word of a filter.
  private mutating func complete(in album: Album) {
    if let (form, argument) = PaletteForm.parse(line.text) {
      if form == .folder, selection == 0 { return completeFolder() }
      if isOfFolders, matches.indices.contains(selection) {
        line = line.replaced(by: matches[selection].line)
        return update()
      }
      guard form.isFilter, let completion = album.completion(of: argument) else { return }
      if completion.before != argument {
        line = line.replaced(by: form.rawValue + " " + completion.before)
        update()
      }
      if !completion.possibilities.isEmpty {
        note = completion.possibilities.joined(separator: " · ")
      }
      return
    }
    guard matches.indices.contains(selection) else { return }
    let item = matches[selection]
    let text = if case .form(let form, "") = item.action { form.rawValue + " " } else { item.line }
    guard text != line.text else { return }
    line = line.replaced(by: text)
    update()
  }

  // MARK: - Folders

  /// The path of a folder that is being typed; nil if the line is another one.
  var folderText: String? {
    PaletteForm.parse(line.text).flatMap { $0.0 == .folder ? $0.argument : nil }
  }

  private var isOfFolders: Bool {
    PaletteForm.parse(line.text).map { [.folder, .bookmark].contains($0.0) } ?? false
  }

  /// Returns the items of the folders that fit a typed path: the folder itself if it exists, those to
  /// which the user may want to go back, then those that complete the path.
  private func folders(at text: String) -> [PaletteItem] {
    guard var typed = items.first(where: { $0.action == .form(.folder, "") })?.with(text) else {
      return []
    }
    let known = items.filter { $0.isPlace(having: text) }
    let folders = folders?.text == text ? folders : nil
    let longer = (folders?.paths ?? []).filter { $0 != text + "/" }.map { typed.with($0) }
    guard !text.isEmpty else { return known + longer }
    if folders?.isFolder == false { typed.obstacle = "no such folder" }
    return folders?.isFolder == true ? [typed] + known + longer : known + longer + [typed]
  }

  /// Receives the folders that complete the typed path, for which a key may have waited.
  mutating func receive(_ matches: FolderMatches) -> Outcome {
    guard matches.text == folderText else { return .stay }
    folders = matches
    let (key, index) = (awaitedKey, selection)
    let line = index > 0 && self.matches.indices.contains(index) ? self.matches[index].line : nil
    update()
    if let line, let same = self.matches.firstIndex(where: { $0.line == line }) { select(same) }
    switch key {
    case .tab: completeFolder()
    case .enter: return accept()
    default: break
    }
    return .stay
  }

  /// Completes the path, and shows the possible folders.
  private mutating func completeFolder() {
    guard let folders, folders.text == folderText else {
      awaitedKey = .tab
      return
    }
    let isLonger = folders.completed != folders.text
    guard isLonger || matches.indices.contains(selection) else { return }
    let form = PaletteForm.folder.rawValue
    line = line.replaced(by: isLonger ? "\(form) \(folders.completed)" : matches[selection].line)
    update()
  }

  // MARK: - Drawing

  /// The text at the right end of the bar.
  var status: String {
    if let note { return note }
    if matches.indices.contains(selection), let obstacle = matches[selection].obstacle {
      return obstacle
    }
    return line.text.isEmpty
      ? "Type a word. Enter runs it; Tab completes it" : "Enter runs it; Tab completes it"
  }

  /// The line in place of commands, with the key that finds photos instead.
  private var noMatch: String {
    if isOfFolders {
      return folderText == ""
        ? "Type a path, such as ~/Pictures."
        : "No folder matches. Esc closes the list."
    }
    let filter = items.first { $0.action == .command(.album(.filter), count: nil) }
    guard let filter, filter.obstacle == nil, !filter.keys.isEmpty else {
      return "No command matches"
    }
    return "No command matches; \(filter.keys) filters photos"
  }

  /// Returns the list for a space of the terminal, in cells, with the border of the panel.
  ///
  /// Its size does not depend on the matches, so that nothing jumps while the user types. Without a
  /// bar its title is the typed line.
  package func panel(in room: CellSize, hasBar: Bool) -> Panel {
    let width = max(min(room.columns - 4, Self.maxWidth), 1)
    let text = CellText(line.text).truncatedTail(to: max(width - 4, 1)).string
    var panel = Panel(title: hasBar ? "Commands" : ":" + text, lines: [])
    panel.position = .bottom
    for (row, index) in shownRows(in: room).enumerated() {
      guard index < matches.count else {
        let empty = row == 0 ? noMatch : ""
        panel.lines.append(CellText(empty).padded(to: width))
        continue
      }
      let item = matches[index]
      panel.lines.append(item.row(width: width))
      let style: TextStyle? =
        index == selection ? .selected : item.obstacle == nil ? nil : .dimmed
      if let style { panel.spans.append(Panel.Span(line: row, columns: 0..<width, style: style)) }
    }
    return panel
  }
}
