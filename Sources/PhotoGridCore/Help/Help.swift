import Geometry
import SceneModel

/// The help: a page for each task, and a search through all lines.
package struct Help: Equatable, Sendable {
  /// The page, from 0; the last one if there are fewer.
  package private(set) var page: Int
  /// The text to search for; nil shows all pages.
  package private(set) var search: LineEditor?
  /// Whether keys go to the search.
  package private(set) var isTyping = false

  init(page: Int = 0) { self.page = page }

  /// Opens the help at the page about what the keys do now.
  init(of layout: HelpLayout, isCulling: Bool) {
    let page = layout.pages(matching: nil).firstIndex {
      isCulling ? $0.title == KeyTable.rate.title : $0.views.contains(layout.view)
    }
    self.init(page: page ?? 0)
  }

  /// The search as the user types it; nil if keys do not go to it.
  var typedLine: Bar.Entry? {
    isTyping ? search.map { Bar.Entry(label: "help: /", line: $0) } : nil
  }

  /// The result of a key.
  enum Outcome { case stay, close }

  mutating func press(_ key: Key, in layout: HelpLayout) -> Outcome {
    if isTyping { return type(key) }
    switch key {
    case .character("/"):
      search = search ?? LineEditor()
      isTyping = true
    case .escape where search != nil: search = nil
    case .character(let letter) where "jln ".contains(letter): turn(by: 1, in: layout)
    case .character(let letter) where "khp".contains(letter): turn(by: -1, in: layout)
    case .down, .right, .pageDown, .tab, .control("f"), .control("d"): turn(by: 1, in: layout)
    case .up, .left, .pageUp, .backTab, .backspace, .control("b"), .control("u"):
      turn(by: -1, in: layout)
    case .home, .character("g"): page = 0
    case .end, .character("G"): page = lastPage(in: layout)
    default: return .close
    }
    return .stay
  }

  /// Handles the mouse: the wheel turns pages, a click on a tab turns to its page, and one beside
  /// the panel closes the help.
  ///
  /// - `place`: The line and the column of a press on the panel; nil beside it.
  mutating func point(_ kind: MouseEvent.Kind, at place: CellPoint?, in layout: HelpLayout)
    -> Outcome
  {
    switch kind {
    case .wheel(.down): turn(by: 1, in: layout)
    case .wheel(.up): turn(by: -1, in: layout)
    case .pressed(.left):
      guard let place else { return .close }
      if let page = layout.page(ofTabAt: place) {
        (self.page, search, isTyping) = (page, nil, false)
      }
    default: break
    }
    return .stay
  }

  private func lastPage(in layout: HelpLayout) -> Int {
    layout.pages(matching: search?.text).count - 1
  }

  private mutating func turn(by step: Int, in layout: HelpLayout) {
    let last = lastPage(in: layout)
    page = min(max(min(page, last) + step, 0), last)
  }

  private mutating func type(_ key: Key) -> Outcome {
    switch key {
    case .escape,
      .backspace where search?.text.isEmpty ?? true:
      (search, isTyping) = (nil, false)
    case .enter:
      isTyping = false
      if search?.text.isEmpty ?? true { search = nil }
    default: if search?.press(key) == true { page = 0 }
    }
    return .stay
  }

  mutating func paste(_ text: String) {
    guard isTyping else { return }
    search?.insert(text)
    page = 0
  }
}

/// The lines of the help in a space of the terminal.
struct HelpLayout {
  let keys: KeyMap
  /// The view behind the help, whose keys are shown where views have different ones.
  let view: KeyMap.View
  /// The space, in cells, with the border of the panel.
  let room: CellSize

  struct Page: Equatable {
    var title: String
    var lines: [Line] = []
    /// The views that have lines of their own on the page.
    var views: Set<KeyMap.View> = []
  }

  struct Line: Equatable {
    var text: String
    /// The number of leading cells that are emphasized: the keys, or a heading.
    var strong = 0
  }

  /// Most lines are shorter than this, in cells; longer ones would be hard to read.
  private static let maxWidth = 66

  private var width: Int { max(min(room.columns - 4, Self.maxWidth), 1) }
  private var height: Int { max(room.rows - 2, 1) }
  /// Whether there is room for the names of all topics, and for the keys of the help.
  private var hasFrame: Bool { height >= 12 }
  private var contentHeight: Int { max(height - (hasFrame ? 4 : 0), 1) }
  private var keyWidth: Int { width < 50 ? max(min(width * 2 / 5, 13), 1) : 16 }

  /// Returns the pages; with a text to search for, those of the lines that match it.
  func pages(matching text: String?) -> [Page] {
    let query = WordQuery(text ?? "")
    var pages: [Page] = []
    for topic in KeyTable.topics {
      var page = Page(title: topic.title)
      for section in topic.sections {
        let rows = section.lines.flatMap { line in
          query.isEmpty ? [lines(of: line)] : matches(of: line, query)
        }.filter { !$0.isEmpty }
        guard !rows.isEmpty else { continue }
        let heading =
          section.heading.isEmpty ? (query.isEmpty ? nil : topic.title) : section.heading
        let block = heading.map { [Line(text: $0, strong: CellText($0).width)] } ?? []
        // A heading starts a page rather than stand at the end of one.
        let needed =
          block.count + (page.lines.isEmpty ? 0 : 1) + min(rows.count, contentHeight / 2)
        if !page.lines.isEmpty, page.lines.count + needed > contentHeight {
          pages.append(page)
          page = Page(title: topic.title)
        }
        let views = Set(section.lines.map(\.views).filter { $0.count == 1 }.joined())
        if !page.lines.isEmpty { page.lines.append(Line(text: "")) }
        page.views.formUnion(views)
        for row in [block] + rows {
          let isCut = page.lines.count + min(row.count, contentHeight) > contentHeight
          for (index, line) in row.enumerated() {
            if (isCut && index == 0) || page.lines.count == contentHeight {
              pages.append(page)
              page = Page(title: topic.title, views: views)
            }
            page.lines.append(line)
          }
        }
      }
      // The results of a search from all topics share pages.
      if !page.lines.isEmpty {
        if !query.isEmpty, let last = pages.last,
          last.lines.count + 1 + page.lines.count <= contentHeight
        {
          pages[pages.count - 1].lines += [Line(text: "")] + page.lines
        } else {
          pages.append(page)
        }
      }
    }
    return pages.isEmpty
      ? [Page(title: "", lines: [Line(text: "No key matches. Esc shows all keys.")])] : pages
  }

  /// Returns the rows of a line; none if its commands have no keys.
  private func lines(of line: KeyTable.Line) -> [Line] {
    if let gesture = line.gesture { return wrapped(gesture, line.text) }
    let view = line.views.contains(view) ? view : line.views.first ?? view
    let bound = line.entries.map { keys.keys(of: $0, in: view) }.filter { !$0.isEmpty }
    // Of several commands, one key each is enough to remember.
    let shown = bound.count == 1 ? bound[0] : bound.map { $0[0] }
    return shown.isEmpty ? [] : wrapped(shown.joined(separator: " "), line.text)
  }

  /// Returns the rows of each command of a line that matches a search, with its own title.
  private func matches(of line: KeyTable.Line, _ query: WordQuery) -> [[Line]] {
    if let gesture = line.gesture {
      let words = SearchWords(title: gesture + " " + line.text, name: "", synonyms: "mouse")
      return query.score(of: words, allowsErrors: false) == nil ? [] : [wrapped(gesture, line.text)]
    }
    let view = line.views.contains(view) ? view : line.views.first ?? view
    return line.entries.map { entry in
      let bound = keys.keys(of: entry, in: view)
      var words = SearchWords(entry)
      words.keys = bound
      guard !bound.isEmpty, query.score(of: words, allowsErrors: false) != nil else { return [] }
      return wrapped(bound.joined(separator: " "), entry.title)
    }
  }

  /// Returns keys and a text side by side, each wrapped in its column.
  private func wrapped(_ keys: String, _ text: String) -> [Line] {
    let indent = width >= 30 ? 1 : 0
    let left = Self.wrapped(keys, to: keyWidth)
    let right = Self.wrapped(text, to: max(width - indent - keyWidth - 2, 1))
    return (0..<max(left.count, right.count)).map { row in
      let keys = row < left.count ? left[row] : ""
      let gap = keyWidth - CellText(keys).width + 2
      let words = row < right.count ? right[row] : ""
      return Line(
        text: String(repeating: " ", count: indent) + keys + String(repeating: " ", count: gap)
          + words,
        strong: indent + CellText(keys).width)
    }
  }

  /// Splits a text at spaces into lines of at most a number of cells; a longer word is cut.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ").map({ CellText(String($0)).truncatedTail(to: width) }) {
      if let last = lines.last, CellText(last).width + 1 + word.width <= width {
        lines[lines.count - 1] = last + " " + word.string
      } else {
        lines.append(word.string)
      }
    }
    return lines
  }

  // MARK: - Drawing

  /// Returns the panel with a page of the help; all pages have the same size.
  func panel(of help: Help) -> Panel {
    let pages = pages(matching: help.search?.text)
    let index = min(help.page, pages.count - 1)
    let page = pages[index]
    let number = pages.count > 1 ? " \(index + 1)/\(pages.count)" : ""
    let isSearch = help.search != nil
    let title = isSearch || page.title.isEmpty || hasTabs ? "Help" : "Help: \(page.title)"
    var panel = Panel(title: title + number, lines: [])
    if hasTabs { addTabs(of: isSearch ? nil : page.title, to: &panel) }
    let tallest = self.pages(matching: nil).map(\.lines.count).max() ?? 0
    let shown =
      page.lines + Array(repeating: Line(text: ""), count: max(tallest - page.lines.count, 0))
    for line in shown.prefix(contentHeight) {
      if line.strong > 0 {
        panel.spans.append(
          Panel.Span(line: panel.lines.count, columns: 0..<line.strong, style: .strong))
      }
      panel.lines.append(CellText(line.text).truncatedTail(to: width).string)
    }
    if hasFrame { addFooter(isTyping: help.isTyping, isSearch: isSearch, to: &panel) }
    // The same width for all pages, so that the panel stays where it is.
    let missing = width - CellText(panel.lines.first ?? "").width
    if !panel.lines.isEmpty, missing > 0 {
      panel.lines[0] += String(repeating: " ", count: missing)
    }
    return panel
  }

  private var hasTabs: Bool {
    hasFrame && width >= tabs.last?.columns.upperBound ?? 0
  }

  /// The names of all topics, side by side in the first line.
  private var tabs: [(title: String, columns: Range<Int>)] {
    var end = 0
    return KeyTable.topics.map { topic in
      let start = end
      end += CellText(topic.title).width + 2
      return (topic.title, start..<end)
    }
  }

  /// Returns the first page of the topic whose name is at a line and column of the panel; nil if
  /// there is none.
  func page(ofTabAt place: CellPoint) -> Int? {
    guard hasTabs, place.row == 0,
      let tab = tabs.first(where: { $0.columns.contains(place.column) })
    else { return nil }
    return pages(matching: nil).firstIndex { $0.title == tab.title }
  }

  private func addTabs(of title: String?, to panel: inout Panel) {
    for tab in tabs where tab.title == title {
      panel.spans.append(
        Panel.Span(line: panel.lines.count, columns: tab.columns, style: .selected))
    }
    panel.lines += [tabs.map { " \($0.title) " }.joined(), ""]
  }

  private func addFooter(isTyping: Bool, isSearch: Bool, to panel: inout Panel) {
    let text =
      isTyping
      ? "Enter keeps the results; Esc shows all keys"
      : isSearch
        ? "j, k: pages · /: search · Esc: all keys" : "j, k: pages · /: search · Esc: close"
    panel.lines += ["", CellText(text).truncatedTail(to: width).string]
    panel.spans.append(Panel.Span(line: panel.lines.count - 1, columns: 0..<width, style: .dimmed))
  }
}
