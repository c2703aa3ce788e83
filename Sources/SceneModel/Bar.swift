import Photos

/// The text of the status bar: one row, printable, which the renderer cuts to its width.
package struct Bar: Equatable, Sendable {
  /// The left side: the name of the current item, or a message.
  package var left: String
  /// The folder of the current item, which is dropped first if there is too little space.
  package var folder = ""
  /// The right side: the position and the facts of the current item, as far as there is room.
  package var parts: [Part]
  /// The line that the user is typing, shown in place of `left`.
  package var entry: Entry?
  /// Whether `left` is a message, which matters more than facts that are always available.
  package var isMessage = false

  package init(left: String, right: String, entry: Entry? = nil) {
    self.init(left: left, parts: right.isEmpty ? [] : [Part(right)], entry: entry)
  }

  package init(left: String, parts: [Part], entry: Entry? = nil) {
    self.left = left
    self.parts = parts
    self.entry = entry
  }

  /// The right side, if there is room for all of it.
  package var right: String { Self.text(of: parts) }

  static func text(of parts: [Part]) -> String {
    parts.map { $0.text + $0.addition }.joined(separator: " · ")
  }

  /// A part of the right side.
  package struct Part: Equatable, Sendable {
    package var text: String
    /// What is said after the text, and dropped first if there is too little space.
    package var addition = ""
    package var rank: Rank

    /// How long a part is kept as the space gets smaller.
    package enum Rank: Equatable, Sendable {
      /// Kept if the name can be shortened for it.
      case essential
      /// Kept beside the name, or in half of the bar.
      case usual
      /// Dropped first.
      case minor
    }

    package init(_ text: String, _ rank: Rank = .usual) {
      self.text = text
      self.rank = rank
    }
  }

  package struct Entry: Equatable, Sendable {
    /// The label in front of the line, such as "filter: ".
    package var label: String
    package var line: LineEditor

    /// The least room for the text, in cells, which facts do not take.
    package static let minLineWidth = 12

    package init(label: String, line: LineEditor) {
      self.label = label
      self.line = line
    }
  }

  /// The facts that the bar shows besides the browser's own state.
  package struct Facts: Equatable, Sendable {
    /// The folder or list being browsed, printable.
    package var source: String
    /// The path of the folder that the current photo or folder is in, printable.
    package var folder = ""
    /// The name of the current photo or folder, printable.
    package var name: String
    package var info: PhotoInfo?
    /// Why the current photo cannot be shown; nil if it can.
    package var failure: String?
    /// The number of pictures that were requested and are still loading.
    package var loading: Int
    /// The problem with the folder, in printable text; nil for none.
    package var problem: String?
    /// A hint for new users, shown in place of the name.
    package var hint: String?

    package init(
      source: String, name: String, info: PhotoInfo?, failure: String?, loading: Int,
      problem: String? = nil
    ) {
      self.source = source
      self.name = name
      self.info = info
      self.failure = failure
      self.loading = loading
      self.problem = problem
    }
  }
}
