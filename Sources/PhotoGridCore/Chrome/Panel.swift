/// A box of text over the pictures: the help, facts about an item, new names, or the reason why
/// nothing is shown.
package struct Panel: Equatable, Sendable {
  /// The title, printable.
  package var title: String
  /// The lines, printable, top to bottom.
  package var lines: [String]
  /// The position of the box.
  package var place = Place.middle

  /// The position of a panel in the picture area.
  package enum Place: Equatable, Sendable {
    /// In the middle.
    case middle
    /// In the upper corner of the side.
    case left, right
  }

  /// Creates a panel of lines.
  package init(title: String, lines: [String]) {
    self.title = title
    self.lines = lines
  }
}

extension Browser {
  /// The open panel; nil if there is none.
  package var panel: Panel? {
    if helpPage != nil { return help }
    if let renamePanel { return renamePanel }
    guard photos.isEmpty, let notes = collection.listingNotes else { return nil }
    guard album.listing.isEmpty else { return filteredOut }
    if let failure = notes.failure {
      return Panel(
        title: failure,
        lines: [
          "This folder cannot be read: \(failure).",
          "BackSpace goes up a folder, R tries again, q quits.",
        ])
    }
    return Panel(
      title: "no photos here",
      lines: [
        "Looked for JPEG, PNG, GIF, WebP, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000,",
        "SVG, BMP, TGA, PSD, ICO, PCX, DDS, PNM, HDR, EXR, FITS, QOI and raw files.",
        "BackSpace goes up a folder, ? shows the keys, q quits.",
      ])
  }

  /// The panel that is shown if there are photos, but none passes the filter or is marked.
  private var filteredOut: Panel {
    let reason: String
    let way: String
    if let text = album.filter?.text {
      let photos =
        album.showsMarkedOnly ? "No marked photo" : "None of \(album.photos.count) photos"
      let verdict = album.progress == nil ? "passes" : "is known to pass"
      reason = "\(photos) \(verdict) '\(CellText(text).truncatedTail(to: 40).string)'."
      way = "Esc shows all photos, f changes the filter."
    } else {
      reason = "No photo here is marked."
      way = "Esc shows all photos."
    }
    return Panel(
      title: "nothing to show", lines: [reason, prompt == nil ? way : "Esc takes this back."])
  }

  /// The current page of the help, which lists the keys of the key map, the current view's first.
  ///
  /// The lines are in as many columns as the height requires, and on as many pages as needed. Two
  /// columns must fit a terminal of 80 by 24 cells, so no line is wider than 37 cells.
  private var help: Panel {
    let pages = helpPages
    let page = min(helpPage ?? 0, pages.count - 1)
    let title = Self.helpTitle(page: page, of: pages.count)
    return Panel(title: title, lines: pages[page])
  }

  /// Returns the page of the help after a command; nil if the command closes the help.
  ///
  /// Commands that scroll turn the pages, as does the command that opens the help until the last
  /// page; all others close the help.
  func helpPage(after command: Command, on page: Int) -> Int? {
    let last = helpPages.count - 1
    return switch command {
    case .app(.toggleHelp): page < last ? page + 1 : nil
    case .navigation(.down), .navigation(.pageForward), .navigation(.halfPageForward):
      min(page + 1, last)
    case .navigation(.up), .navigation(.pageBack), .navigation(.halfPageBack):
      max(min(page, last) - 1, 0)
    case .navigation(.first): 0
    case .navigation(.last): last
    default: nil
    }
  }

  private static func helpTitle(page: Int, of count: Int) -> String {
    guard count > 1 else { return "photogrid" }
    return "photogrid \(page + 1)/\(count): \(page + 1 < count ? "? or j for more keys" : "k back")"
  }

  private var helpPages: [[String]] {
    let mouse = [
      ("click", "open, and back"), ("wheel", "scroll, zoom"),
      ("drag", "put back, next, move"), ("double click", "fit again"),
    ]
    let isStandard = options.keys == .standard
    func rows(_ bindings: [KeyBinding], in view: KeyMap.View? = nil) -> [(String, String)] {
      bindings.compactMap { binding in
        let keys = options.keys.keys(of: binding, in: view ?? keyView)
        let words = isStandard ? binding.help : binding.plainHelp
        guard let words, !keys.isEmpty else { return nil }
        return (keys.joined(separator: " "), words)
      }
    }
    let grid = [
      ("grid", rows(KeyBinding.grid, in: .grid)),
      ("many photos", rows(KeyBinding.gridAlbum, in: .grid) + rows(KeyBinding.album)),
    ]
    let photo = [("photo", rows(KeyBinding.detail, in: .detail))]
    let compare = [("compare", rows(KeyBinding.compare, in: .compare))]
    let both = [("both", rows(KeyBinding.common)), ("mouse", mouse)]
    let sections =
      switch keyView {
      case .grid: grid + both + photo
      case .detail: photo + both + grid
      case .compare: compare + both + photo + grid
      }
    let lines = sections.map(Self.helpLines).joined(separator: [""])
    return Self.pages(
      of: lines + ["  digits before a key are a count"], in: viewport.pictureCells)
  }

  /// Returns a title and, below it, keys and their effects side by side.
  private static func helpLines(title: String, rows: [(keys: String, words: String)]) -> [String] {
    let keyWidth = rows.map { CellText($0.keys).width }.max() ?? 0
    return [title]
      + rows.map { keys, words in
        let gap = keyWidth - CellText(keys).width + 2
        return "  " + keys + String(repeating: " ", count: gap) + words
      }
  }

  /// Splits lines into pages, with as many columns as the height requires and the width permits;
  /// the texts of a row are padded to equal widths.
  private static func pages(of lines: [String], in room: CellSize) -> [[String]] {
    let height = max(room.rows - 2, 1)
    let widest = lines.map { CellText($0).width }.max() ?? 0
    let fitting = max((room.columns - 4 + 2) / max(widest + 2, 1), 1)
    let columns = min((lines.count + height - 1) / height, fitting)
    let pageCount = max((lines.count + height * columns - 1) / (height * columns), 1)
    // Distribute the lines evenly, so that no page is nearly empty.
    let perPage = (lines.count + pageCount - 1) / pageCount
    return stride(from: 0, to: lines.count, by: perPage).map { start in
      flowed(Array(lines[start..<min(start + perPage, lines.count)]), columns: columns, widest)
    }
  }

  private static func flowed(_ lines: [String], columns: Int, _ width: Int) -> [String] {
    guard columns > 1 else { return lines }
    let rows = (lines.count + columns - 1) / columns
    return (0..<rows).map { row in
      (0..<columns).map { column in
        let index = column * rows + row
        let text = index < lines.count ? lines[index] : ""
        return text + String(repeating: " ", count: width - CellText(text).width)
      }.joined(separator: "  ")
    }
  }
}
