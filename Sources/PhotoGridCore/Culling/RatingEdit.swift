/// A change of one property of a photo's rating, or of its keywords.
package enum RatingEdit: Hashable, Sendable {
  /// Sets the stars: −1 to 5.
  case stars(Int)
  /// Sets the label; nil removes it.
  case label(Rating.Label?)
  /// Adds and removes keywords.
  case keywords(KeywordEdit)

  /// Returns a rating after the change.
  package func applied(to rating: Rating) -> Rating {
    switch self {
    case .stars(let stars): Rating(stars: stars, label: rating.label)
    case .label(let label): Rating(stars: rating.stars, label: label)
    case .keywords: rating
    }
  }

  /// Returns the edit that sets the same property to its value in a rating, or takes keywords back.
  package func reversed(to rating: Rating) -> RatingEdit {
    switch self {
    case .stars: .stars(rating.stars)
    case .label: .label(rating.label)
    case .keywords(let edit): .keywords(edit.reversed)
    }
  }

  /// What is changed: "rating" or "keywords".
  var noun: String { if case .keywords = self { "keywords" } else { "rating" } }

  /// The new value in words: "3 stars", "no stars", "rejected", "red", "no label".
  var words: String {
    switch self {
    case .stars(let stars): Rating(stars: stars).words ?? "no stars"
    case .label(let label): Rating(stars: 0, label: label).words ?? "no label"
    case .keywords(let edit): edit.text
    }
  }
}

/// A change of a photo's rating, to be written to its file or sidecar.
package struct RatingTask: Equatable, Sendable {
  /// The photo.
  package var photo: Photo.ID
  /// The change.
  package var edit: RatingEdit
  /// Whether the photo's last change is undone, so that its sidecar becomes what it was before.
  package var isUndo: Bool

  package init(_ photo: Photo.ID, _ edit: RatingEdit, isUndo: Bool = false) {
    self.photo = photo
    self.edit = edit
    self.isUndo = isUndo
  }
}

/// The result of writing a change of a photo's rating.
package struct RatingResult: Equatable, Sendable {
  /// The change.
  package var task: RatingTask
  /// The rating that the file had before; nil if it could not be read.
  package var before: Rating?
  /// Why nothing was written, printable; nil if the change was written.
  package var failure: String?
  /// The last component of the photo's path.
  package var name: [UInt8]

  /// Creates the result of a task.
  package init(_ task: RatingTask, before: Rating?, failure: String? = nil, name: [UInt8]) {
    self.task = task
    self.before = before
    self.failure = failure
    self.name = name
  }
}

/// The rating that was read from a photo's file and sidecars.
package struct RatingUpdate: Equatable, Sendable {
  /// The photo.
  package var photo: Photo.ID
  /// Its rating.
  package var rating: Rating

  /// Creates an update of a photo's rating.
  package init(_ photo: Photo.ID, _ rating: Rating) {
    self.photo = photo
    self.rating = rating
  }
}
