/// A photo's rating: stars or rejection, and a color label, as in XMP.
package struct Rating: Hashable, Sendable {
  /// The stars, 1 to 5; 0 for an unrated photo, −1 for a rejected one.
  package private(set) var stars: Int
  package var label: Label?

  /// The rating of a photo that nobody has rated.
  package static let none = Rating(stars: 0)

  /// The stars of a rejected photo.
  package static let rejected = -1

  /// The stars that a photo can have.
  package static let possibleStars = rejected...5

  package init(stars: Int, label: Label? = nil) {
    self.stars = Self.possibleStars.contains(stars) ? stars : 0
    self.label = label
  }

  package enum Label: String, CaseIterable, Sendable {
    /// A label with the name of a color.
    case red, yellow, green, blue, purple
    /// A label with a text that stands for none of the colors.
    case other
  }

  package var isRejected: Bool { stars == Self.rejected }

  /// Whether the photo has stars or is rejected.
  package var isRated: Bool { stars != 0 }
}

extension Rating {
  /// Creates a rating from the texts of `xmp:Rating` and `xmp:Label`.
  ///
  /// A fraction of a star is dropped, and a text that is not a number from −1 to below 6 gives no
  /// stars. Blanks around the texts are ignored, as a sidecar may have broken lines there.
  package init(xmpRating: String?, xmpLabel: String?) {
    let number = xmpRating.flatMap { Double($0.trimmed) } ?? 0
    let isPossible = number >= -1 && number < 6
    self.init(
      stars: isPossible ? Int(number.rounded(.towardZero)) : 0,
      label: xmpLabel.flatMap { Label(xmp: $0.trimmed) })
  }
}

extension String {
  /// The text without blanks around it.
  fileprivate var trimmed: String {
    let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex
    return String(self[..<end].drop { $0.isWhitespace })
  }
}

extension Rating.Label {
  /// The colors that can be set.
  package static let colors: [Rating.Label] = [.red, .yellow, .green, .blue, .purple]

  /// Creates the label of a text: the name of a color as Lightroom and digiKam write it, or one of
  /// the words of Bridge; nil for an empty text.
  package init?(xmp text: String) {
    switch text.lowercased() {
    case "": return nil
    case "red", "select": self = .red
    case "yellow", "second": self = .yellow
    case "green", "approved": self = .green
    case "blue", "review": self = .blue
    case "purple", "to do": self = .purple
    default: self = .other
    }
  }

  /// The text that is written to files.
  package var xmp: String { rawValue.capitalizedFirst }
}

extension Rating {
  /// The rating as a byte that is never 0: 1 + (stars + 1) × 7 + the label's number, 0 for none.
  package var code: UInt8 {
    let labels = Label.allCases.count + 1
    let label = label.flatMap { Label.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    return UInt8(1 + (stars - Self.rejected) * labels + label)
  }

  /// Creates the rating with a code; nil if no rating has it.
  package init?(code: UInt8) {
    let labels = Label.allCases.count + 1
    let (stars, label) = (Int(code) - 1).quotientAndRemainder(dividingBy: labels)
    guard code > 0, stars < Self.possibleStars.count else { return nil }
    self.init(stars: stars + Self.rejected, label: label > 0 ? Label.allCases[label - 1] : nil)
  }
}

extension Rating {
  /// The stars as symbols, a cross for a rejected photo, or a dot for a photo with only a label;
  /// otherwise empty.
  package var symbols: String {
    if isRejected { return "✕" }
    if stars > 0 { return String(repeating: "★", count: stars) }
    return label == nil ? "" : "●"
  }

  /// The rating in words, such as "3 stars, red"; nil for neither stars nor a label.
  package var words: String? {
    let stars: String? =
      switch self.stars {
      case Self.rejected: "rejected"
      case 0: nil
      case 1: "1 star"
      default: "\(self.stars) stars"
      }
    let parts = [stars, label.map { $0 == .other ? "another label" : $0.rawValue }]
    let known = parts.compactMap(\.self)
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}

extension Rating.Label {
  /// The color in which a rating with the label is drawn; nil for the color of other text.
  package var color: RGB? {
    switch self {
    case .red: RGB(0xe8, 0x5a, 0x5a)
    case .yellow: RGB(0xe6, 0xc8, 0x4b)
    case .green: RGB(0x6c, 0xc0, 0x6c)
    case .blue: RGB(0x6a, 0x9e, 0xf0)
    case .purple: RGB(0xb4, 0x82, 0xe6)
    case .other: nil
    }
  }
}

/// The ratings of photos, by photo number, in a byte each.
package struct RatingTable: Equatable, Sendable {
  /// The codes of the ratings; 0 for a photo whose rating has not been read.
  private var codes: [UInt8] = []

  subscript(photo: Photo.ID) -> Rating? {
    get { codes.indices.contains(photo.index) ? Rating(code: codes[photo.index]) : nil }
    set {
      guard photo.index >= 0 else { return }
      if photo.index >= codes.count {
        guard newValue != nil else { return }
        let count = max(photo.index + 1, codes.count * 2)
        codes.append(contentsOf: repeatElement(0, count: count - codes.count))
      }
      codes[photo.index] = newValue?.code ?? 0
    }
  }

  package func isKnown(_ photo: Photo.ID) -> Bool {
    codes.indices.contains(photo.index) && codes[photo.index] != 0
  }

  /// Whether two tables have the same ratings, regardless of their capacity.
  package static func == (left: RatingTable, right: RatingTable) -> Bool {
    let (short, long) =
      left.codes.count < right.codes.count
      ? (left.codes, right.codes) : (right.codes, left.codes)
    return long.starts(with: short) && long[short.count...].allSatisfy { $0 == 0 }
  }
}

/// The ratings of photos.
extension Album {
  package func rating(of photo: Photo.ID) -> Rating? { known.ratings[photo] }

  /// Whether the order or the filter depends on ratings.
  var dependsOnRatings: Bool { order.needsRatings || filter?.needsRatings == true }

  package mutating func updateRatings(_ updates: [RatingUpdate]) {
    for update in updates { updateRating(of: update.photo, update.rating) }
  }

  mutating func updateRating(of photo: Photo.ID, _ new: Rating) {
    missing.pendingRatings.remove(photo)
    guard known.ratings[photo] != new else { return }
    known.ratings[photo] = new
    if dependsOnRatings { isStale = true }
  }

  /// Finds the photos whose ratings are missing: among all files for the order, among the photos
  /// of `unknown` for the filter.
  mutating func findMissingRatings() {
    (missing.ratings, missing.pendingRatings) = ([], PhotoSet())
    guard dependsOnRatings else { return }
    addMissingRatings(of: order.needsRatings ? listed.photos : missing.facts)
  }

  /// Adds photos whose ratings are needed, except those that were read.
  mutating func addMissingRatings(of photos: [Photo.ID]) {
    for photo in photos where !known.ratings.isKnown(photo) && missing.pendingRatings.insert(photo)
    {
      missing.ratings.append(photo)
    }
  }

  /// The number of shown photos that are not rated.
  package var unratedCount: Int { shown.count { known.ratings[$0]?.isRated != true } }
}

/// The rating that was read from a photo's file and sidecars.
package struct RatingUpdate: Equatable, Sendable {
  package var photo: Photo.ID
  package var rating: Rating

  package init(_ photo: Photo.ID, _ rating: Rating) {
    self.photo = photo
    self.rating = rating
  }
}
