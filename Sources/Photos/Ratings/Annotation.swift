/// A change of one property of a photo's rating, or of its words.
package enum AnnotationEdit: Hashable, Sendable {
  case stars(Int)
  /// Sets the label; nil removes it.
  case label(Rating.Label?)
  /// Adds and removes keywords.
  case keywords(KeywordEdit)
  /// Changes the title or the caption.
  case text(TextEdit)

  package func applied(to rating: Rating) -> Rating {
    switch self {
    case .stars(let stars): Rating(stars: stars, label: rating.label)
    case .label(let label): Rating(stars: rating.stars, label: label)
    case .keywords, .text: rating
    }
  }

  /// Returns the edit that sets the same property to its value in a rating, or takes a change of
  /// words back.
  package func reversed(to rating: Rating) -> AnnotationEdit {
    switch self {
    case .stars: .stars(rating.stars)
    case .label: .label(rating.label)
    case .keywords(let edit): .keywords(edit.reversed)
    case .text(let edit): .text(edit.reversed)
    }
  }

  /// What is changed: "rating", "keywords", "title" or "caption".
  package var noun: String {
    switch self {
    case .stars, .label: "rating"
    case .keywords: "keywords"
    case .text(let edit): edit.field.rawValue
    }
  }

  /// The new value in words: "3 stars", "no stars", "rejected", "red", "no label".
  package var words: String {
    switch self {
    case .stars(let stars): Rating(stars: stars).words ?? "no stars"
    case .label(let label): Rating(stars: 0, label: label).words ?? "no label"
    case .keywords(let edit): edit.text
    case .text(let edit): "\(edit.field.rawValue) \(edit.after.isEmpty ? "removed" : "changed")"
    }
  }
}

/// A change of a photo's rating or keywords, to be written to its file or sidecar.
package struct AnnotationTask: Equatable, Sendable {
  /// The most changes of ratings and keywords that can be undone.
  package static let maxUndoableCount = 1000

  package var photo: Photo.ID
  package var edit: AnnotationEdit
  /// Whether the photo's last change is undone, so that its sidecar becomes what it was before.
  package var isUndo: Bool

  package init(_ photo: Photo.ID, _ edit: AnnotationEdit, isUndo: Bool = false) {
    self.photo = photo
    self.edit = edit
    self.isUndo = isUndo
  }
}

/// The result of writing a change of a photo's rating or keywords.
package struct AnnotationResult: Equatable, Sendable {
  package var task: AnnotationTask
  package var before: Rating?
  /// Why nothing was written, printable; nil if the change was written.
  package var failure: String?
  /// Why a sidecar was written rather than the photo, printable; nil if the photo was, or was not to be.
  package var sidecarReason: String?
  package var name: [UInt8]

  package init(
    _ task: AnnotationTask, before: Rating?, failure: String? = nil, sidecarReason: String? = nil,
    name: [UInt8]
  ) {
    self.task = task
    self.before = before
    self.failure = failure
    self.sidecarReason = sidecarReason
    self.name = name
  }
}
