/// A line that is typed in the bar, and what it is for.
package struct Prompt: Equatable, Sendable {
  /// What the line is for.
  package let kind: Kind
  /// The text and its caret.
  package internal(set) var line: LineEditor
  /// Why the line cannot be accepted; nil where it can.
  package internal(set) var validationError: String?
  /// How the line may go on, after Tab.
  package internal(set) var hint: String?
  /// A remark on the line.
  package internal(set) var note: String?
  /// Whether a warning is shown, so that the next Enter accepts all the same.
  private var isWarned = false
  /// What Esc returns to.
  let origin: Origin

  /// What is asked for.
  package enum Kind: Hashable, Sendable {
    /// The photos to go to.
    case find
    /// The photos to show.
    case filter
    /// A shell command to run on the photos.
    case command
    /// Another name for a photo's file.
    case rename
    /// A date to go to.
    case date
  }

  /// The state of the browser when the prompt opened.
  struct Origin: Equatable, Sendable {
    /// The selected photo or folder.
    var photo: Photo.ID?
    /// The scroll offset of the grid, in pixels.
    var scroll = 0.0
    /// The filter that was shown by.
    var filter: Filter?
    /// The search that went on.
    var search: Search?
    /// The name that is to be changed.
    var name: String?
  }

  /// What the browser does after a key.
  enum Outcome: Equatable, Sendable {
    /// Nothing.
    case none
    /// The text has changed; a filter that it stands for takes effect.
    case edited(Filter?)
    /// The prompt closes, and all is as it was before.
    case cancelled
    /// The prompt closes, and its text takes effect.
    case accepted
  }

  /// A prompt with a line that is there already.
  init(kind: Kind, line: LineEditor, origin: Origin) {
    self.kind = kind
    self.line = line
    self.origin = origin
  }

  /// What stands before the line.
  package var label: String {
    switch kind {
    case .find: "/"
    case .filter: "filter: "
    case .command: "!"
    case .rename: "name: "
    case .date: "date: "
    }
  }

  // MARK: - Events

  /// Handles a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - album: The photos, for completions.
  ///   - effects: The effects of keys that work everywhere are appended here.
  /// - Returns: What the browser does.
  mutating func press(_ key: Key, in album: Album, effects: inout [Effect]) -> Outcome {
    switch key {
    case .escape: return .cancelled
    case .backspace where line.text.isEmpty: return .cancelled
    case .enter: return accept()
    case .control("c"): effects.append(.interrupt)
    case .control("z"): effects.append(.suspend)
    case .control("l"): effects.append(.redraw)
    case .tab where kind == .filter || kind == .find: return complete(in: album)
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

  /// Completes the word before the caret, and shows how the line may go on.
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

  /// Validates the text.
  ///
  /// - Returns: The filter that it stands for; of a text with an error, the filter of the words
  ///   before it.
  private mutating func validate() -> Filter? {
    validationError = nil
    let text = line.text
    switch kind {
    case .command: return nil
    case .date:
      validationError =
        text.isEmpty || CalendarDate(parsing: text) != nil
        ? nil : "a year, 2019, a month, 2019-07, or a day, 2019-07-14"
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
    // The error stays to be read, and the line to be corrected.
    guard validationError == nil else { return .none }
    if line.text.isEmpty, kind != .filter { return .cancelled }
    if kind == .rename, !isWarned,
      let warning = FileName.warning(of: line.text, before: origin.name)
    {
      note = warning
      isWarned = true
      return .none
    }
    return .accepted
  }
}
