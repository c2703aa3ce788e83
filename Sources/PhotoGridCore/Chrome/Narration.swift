import Geometry
import Photos
import SceneModel

/// The screen in words, for those who hear it or feel it: the selected item, a message, the line that is
/// typed, and a panel.
///
/// `text(after:followsKey:)` returns what to write about a change. What was written stays as it is, so that
/// a screen reader reads each line once.
package struct Narration: Equatable, Sendable {
  /// The place of the selected item, and its name: "12 of 63, beach.jpg".
  fileprivate(set) var place = ""
  /// What tells the item from others: its date, rating, and camera.
  var facts: [String] = []
  /// The number of marked photos, of which the selected one may be none.
  var markedCount = 0
  var message: String?
  /// The keys that a new user needs, or what the session is for.
  var hint: String?
  /// The line that is typed.
  var entry: Bar.Entry?
  /// What the typed line finds, or why it is refused.
  var status = ""
  /// The selected line of a list; nil without a list.
  var choice: String?
  /// The title and the lines of a panel without a selected line.
  var panel: [String] = []

  private static let lineEnd = "\r\n"

  /// Returns whether it is about another item than an earlier narration, or has another panel.
  package func hasOtherItem(than earlier: Narration?) -> Bool {
    place != earlier?.place || panel != earlier?.panel
  }

  /// Keeps the item and the panel of an earlier narration, because the facts about the new item are still
  /// being read.
  package mutating func keepItem(of earlier: Narration?) {
    (place, facts) = (earlier?.place ?? "", earlier?.facts ?? [])
    panel = earlier?.panel ?? []
  }

  /// Returns the text to write after an earlier narration: whole lines, and then what is typed.
  ///
  /// - Parameters:
  ///   - earlier: The narration that was written last; nil for none.
  ///   - followsKey: Whether the user has pressed a key since, and expects to hear what it did.
  /// - Returns: The text; empty if there is nothing new.
  package func text(after earlier: Narration?, followsKey: Bool) -> String {
    let lines = lines(after: earlier, followsKey: followsKey).map { $0 + Self.lineEnd }.joined()
    let before = earlier?.entry
    guard let entry else { return before == nil ? lines : Self.lineEnd + lines }
    let (label, typed) = (entry.label, entry.line.text.filter(\.isSpeakable))
    guard let before, before.label == entry.label, lines.isEmpty else {
      return (before == nil ? "" : Self.lineEnd) + lines + label + typed
    }
    let old = before.line.text.filter(\.isSpeakable)
    if typed.hasPrefix(old) { return String(typed.dropFirst(old.count)) }
    return old.hasPrefix(typed)
      ? String(repeating: "\u{8} \u{8}", count: old.count - typed.count)
      : Self.lineEnd + label + typed
  }

  private func lines(after earlier: Narration?, followsKey: Bool) -> [String] {
    var lines = panel == earlier?.panel ? [] : panel
    if let hint, hint != earlier?.hint { lines.append(hint) }
    if let choice, choice != earlier?.choice { lines.append(choice) }
    if let entry {
      let isNew = earlier?.entry?.label != entry.label
      let isUnchanged = earlier?.entry?.line.text == entry.line.text
      // What is found is not read after each letter, but when a key changes none.
      if choice == nil, isNew || isUnchanged && followsKey { lines.append(status) }
    } else {
      let isNew = message != nil && (followsKey || message != earlier?.message)
      if isNew { lines.append(message ?? "") }
      let before = earlier?.markedCount ?? 0
      if markedCount != before { lines.append("\(markedCount) marked") }
      if place != earlier?.place || earlier?.entry != nil
        || followsKey && !isNew && facts != earlier?.facts
      {
        lines.append(([place] + facts).joined(separator: ", "))
      }
    }
    return lines.map(\.spoken).filter { !$0.isEmpty }
  }
}

extension Browser {
  /// Returns the screen in words.
  ///
  /// - Parameters:
  ///   - facts: The facts from the library.
  ///   - other: The panel about the current item, which is shown if the browser shows none.
  ///   - now: The current time.
  /// - Returns: The narration.
  package func narration(_ facts: Bar.Facts, panel other: Panel?, at now: Instant) -> Narration {
    var narration = Narration()
    let content = statusContent(facts)
    (narration.place, narration.facts) = content.spokenItem(options.dates)
    narration.markedCount = album.markedCount
    narration.hint = content.choice ?? facts.hint
    let bar = modal?.bar ?? statusBar.bar(content, at: now)
    (narration.entry, narration.status) = (bar.entry, bar.right)
    // While something is typed, the bar shows that.
    if bar.entry == nil { narration.message = statusBar.message(content, at: now) }
    guard let panel = panel(at: now) ?? other else { return narration }
    if let selected = panel.spans.first(where: { $0.style == .selected }), bar.entry != nil {
      narration.choice = panel.lines[selected.line]
    } else {
      // Without the histogram.
      let lines = panel.lines.filter { $0.contains { $0.isLetter || $0.isNumber } }
      narration.panel = [panel.title] + lines
    }
    return narration
  }
}

extension StatusBar.Content {
  /// Returns the place and the name of the selected item, and what tells it from others.
  fileprivate func spokenItem(_ dates: DateFormat) -> (place: String, facts: [String]) {
    let album = collection.album
    if let period { return (([period.title] + period.position).joined(separator: ", "), []) }
    guard let photoIndex else {
      guard !collection.items.isEmpty else {
        return (collection.listingNotes == nil ? "listing" : "no photos in \(facts.source)", [])
      }
      return ("\(isFolder ? "folder" : "saved filter") \(facts.name)", [])
    }
    let photo = collection.items[photoIndex]
    let number = photoIndex - collection.folderCount + 1
    let rating = album.rating(of: photo)
    let stack = album.stackCount(of: photo)
    let parts = [
      hasViewer ? "open" : nil, comparison, percentage.map { "\($0)%" },
      album.date(of: photo, by: .day).map { dates.text(of: $0) }, rating?.words,
      album.marks.contains(photo) ? "marked" : nil, stack > 1 ? "stack of \(stack)" : nil,
      frames, album.facts(of: photo).flatMap { album.camera(in: $0) }, facts.failure,
    ]
    return ("\(number) of \(album.shown.count), \(facts.name)", parts.compactMap(\.self))
  }
}

extension String {
  /// The text in letters, digits, and punctuation: some signs become words, commas divide columns, and
  /// pictures and drawn lines are left out.
  fileprivate var spoken: String {
    var text = ""
    var spaceCount = 0
    for character in self {
      guard character != " " else {
        spaceCount += 1
        continue
      }
      let gap = spaceCount > 1 && text.last != "," ? ", " : spaceCount > 0 ? " " : ""
      if !text.isEmpty, character != "·" { text += gap }
      spaceCount = 0
      switch character {
      case "·": text += ","
      case "×": text += "x"
      case "…": text += "..."
      case "–", "—": text += "-"
      case "←": text += "Left"
      case "→": text += "Right"
      case "↑": text += "Up"
      case "↓": text += "Down"
      default: if character.isSpeakable { text.append(character) }
      }
    }
    return text
  }
}

extension Character {
  fileprivate var isSpeakable: Bool {
    let isASCII = unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
    return isASCII || isLetter || isNumber || isPunctuation
  }
}
