/// A line being typed in the status bar, and its purpose.
package struct Prompt: Equatable, Sendable {
  /// The purpose of the line.
  package let kind: Kind
  /// The text and its caret.
  package internal(set) var line: LineEditor
  /// The reason why the line cannot be accepted; nil if it can.
  package internal(set) var validationError: String?
  /// The possible completions, after Tab.
  package internal(set) var hint: String?
  /// A remark about the line.
  package internal(set) var note: String?
  /// Whether a warning is shown, so that the next Enter accepts the line anyway.
  private var isWarned = false
  /// The rename pattern in the line; nil if it has an error.
  var pattern: RenamePattern?
  /// The names that the rename pattern gives to photos.
  var plan: RenamePlan?
  /// The folders that complete the line, once they are known.
  private var folders: FolderMatches?
  /// Whether Tab was pressed before the folders were known.
  private var awaitsFolders = false
  /// The state that Esc restores.
  let origin: Origin

  /// The purpose of a prompt.
  package enum Kind: Hashable, Sendable {
    /// Photos to search for.
    case find
    /// Photos to show.
    case filter
    /// A shell command to run on photos.
    case command
    /// A new name for a photo's file.
    case rename
    /// A pattern for the names of many photos' files.
    case pattern
    /// A date to go to.
    case date
    /// The folder that photos are moved into.
    case move
    /// The folder that photos are copied into.
    case copy

    /// Whether the line is the path of a folder.
    package var isFolder: Bool { self == .move || self == .copy }
  }

  /// The state of the browser when the prompt opened.
  struct Origin: Equatable, Sendable {
    /// The selected photo or folder.
    var photo: Photo.ID?
    /// The scroll offset of the grid, in pixels.
    var scroll = 0.0
    /// The active filter.
    var filter: Filter?
    /// The active search.
    var search: Search?
    /// The file name to change.
    var name: String?
    /// The files to rename by a pattern.
    var files: [RenamedFile] = []
    /// The photos to move or copy.
    var photos: [Photo.ID] = []
    /// The number of these photos; a pair counts once.
    var count = 1
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

  /// Creates a prompt with an existing line.
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
    }
  }

  private var count: String { origin.count == 1 ? "" : " \(origin.count) photos" }

  /// Whether the folder is created if it does not exist, because its path ends with a slash or the
  /// user has been warned.
  var createsFolder: Bool { isWarned || line.text.last == "/" }

  // MARK: - Events

  /// Handles a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - album: The photos, for completions.
  ///   - effects: The array to which effects of keys that work everywhere are appended.
  /// - Returns: The result for the browser.
  mutating func press(_ key: Key, in album: Album, effects: inout [Effect]) -> Outcome {
    switch key {
    case .escape: return .cancelled
    case .backspace where line.text.isEmpty: return .cancelled
    case .enter: return accept()
    case .control("c"): effects.append(.interrupt)
    case .control("z"): effects.append(.suspend)
    case .control("l"): effects.append(.redraw)
    case .tab where kind == .filter || kind == .find: return complete(in: album)
    case .tab where kind.isFolder: return completeFolder()
    case .tab where kind == .pattern: hint = RenamePattern.fields
    default:
      hint = nil
      let before = line.text
      guard line.press(key), line.text != before else { break }
      return .edited(validate())
    }
    return .none
  }

  /// Inserts pasted text.
  mutating func paste(_ text: String) -> Outcome {
    line.insert(text)
    return .edited(validate())
  }

  /// Completes the word before the caret, and shows the possible completions.
  private mutating func complete(in album: Album) -> Outcome {
    guard let completion = album.completion(of: line.before) else {
      hint = "nothing to complete"
      return .none
    }
    let hint = completion.possibilities.joined(separator: " ")
    self.hint = hint.isEmpty ? nil : hint
    guard completion.before != line.before else { return .none }
    line.replaceBefore(with: completion.before)
    return .edited(validate())
  }

  /// Receives folders that complete the line.
  ///
  /// - Returns: Whether they changed the line.
  mutating func receive(_ matches: FolderMatches) -> Bool {
    guard matches.text == line.text else { return false }
    folders = matches
    guard awaitsFolders else { return false }
    return completeFolder() != .none
  }

  /// Completes the path, and shows the possible folders.
  private mutating func completeFolder() -> Outcome {
    guard let folders, folders.text == line.text else {
      awaitsFolders = true
      return .none
    }
    awaitsFolders = false
    guard !folders.names.isEmpty else {
      hint = "no folder begins like that"
      return .none
    }
    hint = folders.names.count == 1 ? nil : folders.names.joined(separator: "  ")
    guard folders.completed != line.text else { return .none }
    line = line.replaced(by: folders.completed)
    isWarned = false
    return .edited(nil)
  }

  /// Validates the text.
  ///
  /// - Returns: The filter for the text; if the text has an error, the filter for the words before
  ///   it.
  private mutating func validate() -> Filter? {
    validationError = nil
    let text = line.text
    switch kind {
    case .command: return nil
    case .move, .copy:
      note = nil
      (isWarned, awaitsFolders) = (false, false)
      return nil
    case .date:
      validationError =
        text.isEmpty || CalendarDate(parsing: text) != nil
        ? nil : "2019, 2019-07 or 2019-07-14"
      return nil
    case .pattern:
      validatePattern()
      return nil
    case .rename:
      validationError = FileName.validationError(of: text)
      note = FileName.note(on: text)
      isWarned = false
      return nil
    case .find, .filter:
      do throws(FilterError) {
        return try Filter(parsing: text)
      } catch {
        validationError = error.description
        let before = text.prefix(error.place - 1)
        let end = before.lastIndex(of: " ") ?? before.startIndex
        return try? Filter(parsing: String(before[..<end]))
      }
    }
  }

  private mutating func accept() -> Outcome {
    // Keep the line for correction, with its error.
    guard validationError == nil else { return .none }
    if line.text.isEmpty, kind != .filter { return .cancelled }
    if kind == .rename, !isWarned,
      let warning = FileName.warning(of: line.text, before: origin.name)
    {
      note = warning
      isWarned = true
      return .none
    }
    if kind.isFolder, !createsFolder, folders?.text == line.text, folders?.isFolder == false {
      note = "no such folder; Enter again creates it"
      isWarned = true
      return .none
    }
    return .accepted
  }
}
