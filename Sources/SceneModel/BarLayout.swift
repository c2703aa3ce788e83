import Geometry

extension Bar {
  /// The width of the narrowest terminal that shows the texts at both ends, with a cell of room beside
  /// each, in cells.
  private static let widthForBoth = 20
  /// The distance between two texts, in cells.
  private static let gap = 2
  /// The room that essential parts of the right side leave to the name, in cells.
  private static let minNameWidth = 10
  /// The least room in which the folder's path is shown, in cells.
  private static let minFolderWidth = 10
  /// The least room in which the right side is shown beside a message or a prompt, in cells.
  private static let minRightWidth = 6

  /// Returns the room for texts in a row of a width, in cells: without the margins that wide rows have.
  package static func room(width: Int) -> Int { width - 2 * margin(width: width) }

  private static func margin(width: Int) -> Int { width >= widthForBoth ? 1 : 0 }

  /// Lays out the bar in a row of the given width, in cells.
  package func runs(width: Int) -> [TextRun] {
    let isWide = width >= Self.widthForBoth
    let (margin, room) = (Self.margin(width: width), Self.room(width: width))
    let runs =
      if let entry {
        runs(of: entry, in: room, isWide)
      } else if isMessage {
        messageRuns(in: room, isWide)
      } else {
        nameRuns(in: room, isWide)
      }
    return runs.filter { $0.text.width > 0 }.map {
      TextRun(column: $0.column + margin, text: $0.text, style: $0.style)
    }
  }

  private func nameRuns(in room: Int, _ isWide: Bool) -> [TextRun] {
    let name = CellText(left)
    let free = room - name.width - Self.gap
    let right = rightSide(
      in: max(free, room / 2), essential: max(free, room - Self.minNameWidth - Self.gap),
      isWide)
    let end = room - right.width - (right.width > 0 ? Self.gap : 0)
    let shown = name.truncatedMiddle(to: max(0, end))
    let start = shown.width + Self.gap
    let folderRoom = left.isEmpty || end - start < Self.minFolderWidth ? 0 : end - start
    return [
      TextRun(column: 0, text: shown, style: .plain),
      TextRun(
        column: start, text: CellText(folder).truncatedMiddle(to: folderRoom), style: .dimmed),
      TextRun(column: room - right.width, text: right, style: .dimmed),
    ]
  }

  /// Lays out a message, and as much of the right side as fits next to it.
  private func messageRuns(in room: Int, _ isWide: Bool) -> [TextRun] {
    let message = CellText(left).truncatedTail(to: room)
    let rest = min(room / 2, room - message.width - Self.gap)
    let right = rightSide(in: rest, isWide && rest >= Self.minRightWidth)
    return [
      TextRun(column: 0, text: message, style: .plain),
      TextRun(column: room - right.width, text: right, style: .dimmed),
    ]
  }

  /// Lays out a prompt: its label and text come before the right side.
  private func runs(of entry: Entry, in room: Int, _ isWide: Bool) -> [TextRun] {
    let rest = room - CellText(entry.label).width - Entry.minLineWidth - Self.gap
    let right = rightSide(in: min(rest, room / 2), isWide && rest >= Self.minRightWidth)
    let gap = right.width > 0 ? Self.gap : 0
    return entry.runs(width: max(0, room - right.width - gap))
      + [TextRun(column: room - right.width, text: right, style: .dimmed)]
  }

  /// Returns the parts of the right side that fit.
  ///
  /// What is minor is dropped first, then what is usual, the last of each before the others; the
  /// first part is shortened rather than dropped.
  ///
  /// - Parameters:
  ///   - room: The room for all parts, in cells.
  ///   - essentialRoom: The room if only essential parts are left; nil for the same.
  ///   - isShown: Whether there is any room.
  /// - Returns: The text; empty if there is no room.
  private func rightSide(
    in room: Int, essential essentialRoom: Int? = nil, _ isShown: Bool
  ) -> CellText {
    guard isShown else { return CellText("") }
    var parts = parts
    func fits(_ room: Int) -> Bool { CellText(Self.text(of: parts)).width <= room }
    if !fits(room) { for index in parts.indices { parts[index].addition = "" } }
    for rank in [Part.Rank.minor, .usual] {
      while !fits(room), let last = parts.lastIndex(where: { $0.rank == rank }) {
        guard parts.count > 1 else { break }
        parts.remove(at: last)
      }
    }
    let last = essentialRoom ?? room
    while !fits(last), parts.count > 1 { parts.removeLast() }
    return CellText(Self.text(of: parts)).truncatedTail(to: last)
  }
}

extension Bar.Entry {
  /// Lays out the label, then as much of the text as fits, with the caret on one of its cells.
  fileprivate func runs(width: Int) -> [TextRun] {
    // The label comes first, because it says what the prompt asks for.
    let label = CellText(self.label).truncatedTail(to: max(0, width - 4))
    let window = line.window(width: width - label.width)
    let parts: [(CellText, TextStyle)] = [
      (label, .dimmed), (window.before, window.isSelected ? .selected : .plain),
      (window.caret, window.isSelected ? .plain : .caret), (window.after, .plain),
    ]
    var column = 0
    return parts.map { text, style in
      defer { column += text.width }
      return TextRun(column: column, text: text, style: style)
    }
  }
}
