import Geometry
import Photos
import SceneModel

/// A line being typed in the status bar, and its purpose.
package struct Prompt: Equatable, Sendable {
  package let kind: Kind
  package internal(set) var line: LineEditor
  /// The reason why the line cannot be accepted; nil if it can.
  package internal(set) var validationError: String?
  /// The possible completions in one line, after Tab.
  package internal(set) var hint: String?
  /// The possible completions, one by one.
  private(set) var choices: [String] = []
  /// The error of the filter in the line; nil if it has none.
  private(set) var filterError: FilterError?
  package internal(set) var note: String?
  /// Whether a warning is shown, so that the next Enter accepts the line anyway.
  private var isWarned = false
  var pattern: RenamePattern?
  /// The names that the rename pattern gives to photos.
  var plan: RenamePlan?
  /// The folders that complete the line, once they are known.
  private var folders: FolderMatches?
  /// The key that was pressed before the folders were known, and takes effect then; nil if none was.
  private var awaitedKey: Key?
  var origin: Origin

  package enum Kind: Hashable, Sendable {
    case find
    case filter
    /// A shell command to run on photos.
    case command
    /// A new name for a photo's file.
    case rename
    /// A pattern for the names of many photos' files.
    case pattern
    case date
    /// The folder that photos are moved into.
    case move
    /// The folder that photos are copied into.
    case copy
    /// The keywords of photos, divided by commas.
    case keywords
    /// The title or the caption of photos.
    case text(TextEdit.Field)

    package var isFolder: Bool { self == .move || self == .copy }
  }

  /// The state of the browser when the prompt opened.
  struct Origin: Equatable, Sendable {
    /// The selected photo or folder.
    var photo: Photo.ID?
    var scroll = 0.0
    var filter: Filter?
    var search: Search?
    /// The file name to change.
    var name: String?
    var files: [RenamedFile] = []
    /// The photos to move or copy, or to give words.
    var photos: [Photo.ID] = []
    /// The keywords that all of these photos have.
    var keywords: [String] = []
    /// The line for the title or the caption that all of these photos have; empty if they differ.
    var text = ""
    /// The number of these photos; a pair counts once.
    var count = 1
    /// The current day, for relative dates.
    var today: CalendarDate?
    /// How dates are written, for the names of months.
    var dates = DateFormat.english
  }

  /// The result of a key.
  enum Outcome: Equatable, Sendable {
    /// Nothing changes for the browser.
    case none
    /// The text has changed; its filter, if it has one, takes effect.
    case edited(Filter?)
    /// The prompt closes, and the previous state is restored.
    case cancelled
    /// The prompt closes, and its text takes effect.
    case accepted
  }

  init(kind: Kind, line: LineEditor, origin: Origin) {
    self.kind = kind
    self.line = line
    self.origin = origin
  }

  /// The label before the line.
  package var label: String {
    switch kind {
    case .find: "/"
    case .filter: "filter: "
    case .command: "!"
    case .rename: "name: "
    case .pattern: "names: "
    case .date: "date: "
    case .move: "move\(count) to: "
    case .copy: "copy\(count) to: "
    case .keywords: origin.count == 1 ? "keywords: " : "keywords for\(count): "
    case .text(let field): "\(field.rawValue)\(origin.count == 1 ? "" : " for\(count)"): "
    }
  }

  private var count: String { origin.count == 1 ? "" : " \(origin.count) photos" }

  /// Whether the folder is created if it does not exist, because its path ends with a slash or the
  /// user has been warned.
  var createsFolder: Bool { isWarned || line.text.last == "/" }

  // MARK: - Events

  mutating func press(_ key: Key, in album: Album) -> Outcome {
    switch key {
    case .escape: return .cancelled
    case .backspace where line.text.isEmpty: return .cancelled
    case .enter: return accept()
    case .tab where kind == .filter || kind == .find: return complete(in: album)
    case .tab where kind.isFolder: return completeFolder()
    case .tab where kind == .keywords: return completeKeyword(in: album)
    case .tab where kind == .pattern || isTemplate: hint = RenamePattern.fields
    default:
      (hint, choices) = (nil, [])
      let before = line.text
      guard line.press(key), line.text != before else { break }
      return edited(in: album)
    }
    return .none
  }

  mutating func paste(_ text: String, in album: Album) -> Outcome {
    line.insert(text)
    return edited(in: album)
  }

  /// Checks the line after a change, and suggests a term for its last words.
  private mutating func edited(in album: Album) -> Outcome {
    let filter = validate()
    validateText(in: album)
    if kind == .filter || kind == .find {
      note = album.suggestion(for: line.before)?.message
    }
    return .edited(filter)
  }

  /// Completes the word before the caret, and shows the possible completions.
  private mutating func complete(in album: Album) -> Outcome {
    guard let completion = album.completion(of: line.before) else {
      hint = "nothing to complete"
      return .none
    }
    choices = completion.possibilities
    hint = choices.isEmpty ? nil : choices.joined(separator: " · ")
    guard completion.before != line.before else { return .none }
    line.replaceBefore(with: completion.before)
    return edited(in: album)
  }

  /// Shows possible completions, or none.
  mutating func setChoices(_ choices: [String]) {
    self.choices = choices
    hint = choices.isEmpty ? nil : choices.joined(separator: " · ")
  }

  /// Receives the folders that complete a path, for which a key may have waited.
  mutating func receive(_ matches: FolderMatches) -> Outcome {
    guard kind.isFolder, matches.text == line.text else { return .none }
    folders = matches
    defer { awaitedKey = nil }
    switch awaitedKey {
    case .tab: return completeFolder()
    case .enter: return acceptFolder()
    default: return .none
    }
  }

  /// Completes the path, and shows the possible folders.
  private mutating func completeFolder() -> Outcome {
    guard let folders, folders.text == line.text else {
      awaitedKey = .tab
      return .none
    }
    guard !folders.names.isEmpty else {
      hint = "no folder name starts with that"
      return .none
    }
    choices = folders.names.count == 1 ? [] : folders.names
    hint = choices.isEmpty ? nil : choices.joined(separator: " · ")
    guard folders.completed != line.text else { return .none }
    line = line.replaced(by: folders.completed)
    isWarned = false
    return .edited(nil)
  }

  private mutating func validate() -> Filter? {
    (validationError, filterError) = (nil, nil)
    let text = line.text
    switch kind {
    case .command, .keywords, .text: return nil
    case .move, .copy:
      (note, isWarned, awaitedKey) = (nil, false, nil)
      return nil
    case .date:
      validationError =
        text.isEmpty || CalendarDate(parsing: text, in: origin.dates) != nil
        ? nil : CalendarDate.examples
      return nil
    case .pattern:
      validatePattern()
      return nil
    case .rename:
      validationError = FileName.validationError(of: newName)
      note =
        newName == text ? FileName.note(on: text) : "Enter renames it to \(Self.short(newName))"
      isWarned = false
      return nil
    case .find, .filter:
      do throws(FilterError) {
        return try Filter(parsing: text, today: origin.today)
      } catch {
        (validationError, filterError) = (error.reason, error)
        if let completion = error.completion {
          return try? Filter(parsing: completion, today: origin.today)
        }
        let before = text.prefix(error.position - 1)
        let end = before.lastIndex(of: " ") ?? before.startIndex
        return try? Filter(parsing: String(before[..<end]), today: origin.today)
      }
    }
  }

  private mutating func accept() -> Outcome {
    // Keep the line for correction, with its error.
    guard validationError == nil else { return .none }
    if line.text.isEmpty, kind != .filter, origin.keywords.isEmpty, origin.text.isEmpty {
      return .cancelled
    }
    if kind == .rename, !isWarned,
      let warning = FileName.warning(of: newName, before: origin.name)
    {
      note = warning
      isWarned = true
      return .none
    }
    return kind.isFolder && !createsFolder ? acceptFolder() : .accepted
  }

  /// Accepts a folder that exists, and asks whether another one is to be created.
  ///
  /// As long as that is not known, because a disk is slow, Enter waits, and a second one does not.
  private mutating func acceptFolder() -> Outcome {
    guard let folders, folders.text == line.text else {
      guard awaitedKey != .enter else { return .accepted }
      awaitedKey = .enter
      note = "looking for that folder; Enter does not wait"
      return .none
    }
    guard folders.isFolder == false else { return .accepted }
    let name = line.text.split(separator: "/").last.map { String($0) } ?? line.text
    note = "Create \(Self.short(name))? Enter: yes"
    isWarned = true
    return .none
  }

  /// Returns a name for a message, in quotes.
  private static func short(_ name: String) -> String {
    "'\(CellText(PrintableText.from(name.utf8)).truncatedMiddle(to: 30).string)'"
  }

  /// Says whether the typed folder exists; nil if that is not known.
  var folderStatus: String? {
    guard kind.isFolder, let folders, folders.text == line.text, !line.text.isEmpty,
      let isFolder = folders.isFolder
    else { return nil }
    let verb = kind == .copy ? "copies" : "moves"
    if isFolder { return "Enter \(verb) there; the folder exists" }
    return folders.names.isEmpty
      ? "new folder: Enter \(createsFolder ? "creates it" : "asks to create it")"
      : "new folder, or Tab completes"
  }

  /// The typed name of a file, which has its extension once even if the user typed that too.
  var newName: String {
    FileName.withoutRepeatedExtension(line.text, before: origin.name ?? "")
  }
}

extension Prompt {
  /// What the possible completions are.
  private var choiceNoun: String {
    if kind.isFolder { return "folders" }
    if kind == .keywords { return "keywords" }
    return choices.contains { $0.last == ":" } ? "terms" : "values"
  }

  /// Returns what the bar has no room for: the wrong part of a filter and the words that are
  /// possible in its place, or the completions of the word at the caret.
  ///
  /// - Returns: The text in a box; nil if the bar has room for it.
  func explanation(columns: Int, barColumns: Int) -> Panel? {
    func isTooWide(_ text: String) -> Bool { CellText(text).width > barColumns }
    if let hint, !choices.isEmpty {
      return isTooWide(hint)
        ? Panel(
          title: choices.count == 1 ? "For example" : "\(choices.count) \(choiceNoun)",
          lines: CellText.wrapped(choices, to: columns, separator: " · ")) : nil
    }
    guard let error = filterError else {
      guard let text = hint ?? validationError ?? note, isTooWide(text) else { return nil }
      return Panel(title: "", words: text, columns: columns)
    }
    guard !error.choices.isEmpty || isTooWide(error.reason) else { return nil }
    let text = line.text
    let start = String(text.prefix(error.position - 1))
    // As much before the wrong part is shown as leaves room for it.
    let wrong = CellText(String(text.dropFirst(start.count).prefix(error.length)))
      .truncatedTail(to: columns)
    let before = CellText(start).truncatedHead(to: columns - max(wrong.width, 1))
    let rest = CellText(before.string + text.dropFirst(start.count)).truncatedTail(to: columns)
    let marks = String(repeating: "^", count: max(wrong.width, 1))
    var panel = Panel(title: "Not a valid filter", words: error.reason, columns: columns)
    panel.lines = [rest.string, String(repeating: " ", count: before.width) + marks] + panel.lines
    if !error.choices.isEmpty {
      panel.lines += CellText.wrapped(["Possible:"] + error.choices, to: columns, separator: " ")
    }
    if let advice = error.advice {
      panel.lines += Panel(title: "", words: advice + ".", columns: columns).lines
    }
    return panel
  }
}

/// The lines entered in prompts.
struct PromptHistory: Equatable, Sendable {
  private var lines: [Prompt.Kind: [String]] = [:]

  /// Returns the lines of a kind of prompt, oldest first.
  func lines(of kind: Prompt.Kind) -> [String] { lines[key(of: kind)] ?? [] }

  /// Returns the kind whose lines a prompt recalls: moving and copying share their folders.
  private func key(of kind: Prompt.Kind) -> Prompt.Kind { kind == .copy ? .move : kind }

  mutating func remember(_ text: String, of kind: Prompt.Kind) {
    guard !text.isEmpty, kind != .rename else { return }
    lines[key(of: kind), default: []].removeAll { $0 == text }
    lines[key(of: kind), default: []].append(text)
  }
}
