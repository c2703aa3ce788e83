/// The text of the bar: one row, printable, cut to its width by whoever draws it.
package struct Bar: Equatable, Sendable {
  /// What it is about: the photo's name, or a notice.
  package var left: String
  /// The folder that it is in; gives way to all else.
  package var place = ""
  /// Its place and facts.
  package var right: String
  /// What is being typed, in place of `left`.
  package var entry: Entry?
  /// Whether `left` is news, which matter more than facts that are there at any time.
  package var isNews = false

  /// A bar of two parts.
  package init(left: String, right: String, entry: Entry? = nil) {
    self.left = left
    self.right = right
    self.entry = entry
  }

  /// A line that is being typed.
  package struct Entry: Equatable, Sendable {
    package var label: String
    package var line: LineEditor

    /// A line behind a label.
    package init(label: String, line: LineEditor) {
      self.label = label
      self.line = line
    }
  }

  /// What the bar tells besides the browser's own state.
  package struct Facts: Equatable, Sendable {
    /// The folder or list being browsed, printable.
    package var source: String
    /// The path of the folder that the current photo or folder is in, printable.
    package var place = ""
    /// The name of the current photo or folder, printable.
    package var name: String
    package var info: PhotoInfo?
    /// What is wrong with the current photo, if it cannot be shown.
    package var failure: String?
    /// Pictures that are asked for and not there yet.
    package var loading: Int
    /// What is wrong with the folder, printable.
    package var trouble: String?
    /// What to tell in place of the name, for whoever is new.
    package var hint: String?

    /// Facts from the library.
    package init(
      source: String, name: String, info: PhotoInfo?, failure: String?, loading: Int,
      trouble: String? = nil
    ) {
      self.source = source
      self.name = name
      self.info = info
      self.failure = failure
      self.loading = loading
      self.trouble = trouble
    }
  }
}
