/// A field that a filter can test, written before a colon.
package enum FilterField: String, CaseIterable, Sendable {
  /// The name alone, and the path.
  case name, path
  /// The format, the times when the photo was taken and the file modified, and sizes of the file.
  case type, date, changed, size, width, height, mp, frames, length
  /// Words that people have written about the photo.
  case keyword, title, caption, person
  /// Metadata about how the photo was taken, and its rating.
  case camera, lens, profile, iso, f, mm, exposure, rating, label

  /// The words that are tests or operators by themselves; they must be quoted to match a part of a
  /// name.
  package static let keywords = [
    "landscape", "portrait", "square", "gps", "marked", "rejected", "similar", "not", "or",
  ]

  /// The type of live photos, beside those that are formats.
  static let live = "live"

  /// The values of a type, for messages and completions.
  static let types = ImageFormat.allCases.map(\.rawValue) + [live]

  /// The values that messages and completions suggest.
  package var example: String {
    switch self {
    case .name: "rome or *_2?"
    case .keyword: "rome or \"family trip\""
    case .title: "opening"
    case .caption: "birthday"
    case .person: "anna or \"anna lee\""
    case .type: "heic,png"
    case .date, .changed: "2024-05.. or July 2019"
    case .size: ">5M or 5M+"
    case .width, .height: ">4000 or 4000+"
    case .mp: ">20 or 12..24"
    case .frames: ">1"
    case .length: ">1min or 10s..1:30"
    case .camera: "canon or \"eos r5\""
    case .lens: "sigma or *macro*"
    case .profile: "p3 or \"display p3\""
    case .iso: "800+ or 100..400"
    case .f: "<2.8 or 4..8"
    case .mm: ">50 or 24..70"
    case .exposure: ">1/60 or 1..30"
    case .path: "2024/rome"
    case .rating: "4+ or 0"
    case .label: "red or red,none"
    }
  }

  /// The quantity to compare; nil if the field is not numeric.
  var quantity: FilterQuantity? { FilterQuantity(rawValue: rawValue) }

  /// The metadata text to search; nil for other fields.
  var textField: FilterTextField? { FilterTextField(rawValue: rawValue) }

  /// The words to search; nil for other fields.
  var wordField: WordField? { WordField(rawValue: rawValue) }
}

extension FilterError {
  static func missingValue(of field: FilterField, at position: Int) -> FilterError {
    FilterError(position: position, reason: "a value is missing; try \(field.example)")
  }
}

enum FilterTextField: String, CaseIterable, Sendable { case camera, lens, profile }

/// A numeric property of a photo's file.
enum FilterQuantity: String, CaseIterable, Sendable {
  /// The fields of the same name.
  case date, changed, size, width, height, mp, frames, length, iso, f, mm, exposure, rating

  /// Whether the quantity belongs to the metadata about how a photo was taken.
  var isMetadata: Bool {
    switch self {
    case .iso, .f, .mm, .exposure: true
    case .date, .changed, .size, .width, .height, .mp, .frames, .length, .rating: false
    }
  }

  /// The smallest possible value.
  var least: Double {
    switch self {
    case .width, .height, .frames, .iso: 1
    case .changed: -.infinity
    case .date, .size, .mp, .length, .f, .mm, .exposure, .rating: 0
    }
  }

  /// Returns the value for a file; nil if the file does not have one or cannot be read.
  ///
  /// The time of a change is in seconds since 1970, a size in bytes, a focal length in millimeters,
  /// and an exposure time and a length in seconds.
  func number(of facts: PackedInfo) -> Double? {
    guard facts.isReadable else { return nil }
    func known(_ number: some BinaryFloatingPoint) -> Double? { number > 0 ? Double(number) : nil }
    switch self {
    case .date: return nil  // may be in the name
    case .changed: return Double(facts.modified)
    case .size: return Double(facts.byteCount)
    case .width: return Double(facts.width)
    case .height: return Double(facts.height)
    case .mp: return Double(facts.width) * Double(facts.height) / 1e6
    case .frames: return Double(facts.frameCount)
    case .length: return facts.length
    case .iso: return facts.sensitivity > 0 ? Double(facts.sensitivity) : nil
    case .f: return known(facts.aperture)
    case .mm: return known(facts.focalLength)
    case .exposure: return known(facts.exposureTime)
    case .rating: return nil  // not among the facts
    }
  }
}
