/// A change of the title or the caption of a photo.
package struct TextEdit: Hashable, Sendable {
  package enum Field: String, CaseIterable, Sendable {
    case title, caption

    /// The longest text, in code points.
    package var maxLength: Int {
      self == .title ? PhotoWords.maxTextLength : PhotoWords.maxCaptionLength
    }

    /// Whether the text may have several lines.
    package var keepsLines: Bool { self == .caption }

    /// Returns a text as it is shown: printable, and without needless spaces.
    package func shown(_ text: String) -> String {
      WrittenText(Array(text.utf8), keepsLines: keepsLines).shown
    }
  }

  package let field: Field
  /// The text before and after the change, as it is shown; empty for none.
  package let before: String
  package let after: String

  /// Creates a change, of texts that are cut at their maximum length; nil if nothing changes.
  package init?(_ field: Field, from before: String, to after: String) {
    func cut(_ text: String) -> String {
      String(String.UnicodeScalarView(field.shown(text).unicodeScalars.prefix(field.maxLength)))
    }
    (self.field, self.before, self.after) = (field, cut(before), cut(after))
    guard self.before != self.after else { return nil }
  }

  private init(_ field: Field, _ before: String, _ after: String) {
    (self.field, self.before, self.after) = (field, before, after)
  }

  /// The change that takes this one back.
  package var reversed: TextEdit { TextEdit(field, after, before) }
}

extension Album {
  /// The title or the caption of a photo, with its line breaks; empty for none.
  package func text(_ field: TextEdit.Field, of photo: Photo.ID) -> String {
    words(of: photo)?.text(field) ?? ""
  }

  /// The title or the caption that all of some photos have; nil if they differ.
  package func sharedText(_ field: TextEdit.Field, of photos: [Photo.ID]) -> String? {
    let first = photos.first.map { text(field, of: $0) } ?? ""
    return photos.dropFirst().allSatisfy { text(field, of: $0) == first } ? first : nil
  }
}

extension PhotoWords {
  /// The title or the caption, with its line breaks; nil for none.
  package func text(_ field: TextEdit.Field) -> String? {
    field == .title ? title : writtenCaption
  }
}
