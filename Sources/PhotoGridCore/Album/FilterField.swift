/// What stands before a colon in a filter.
package enum FilterField: String, CaseIterable, Sendable {
  case type, date, changed, size, width, height, mp, frames
  case camera, lens, profile, iso, f, mm, exposure, path

  /// Words that are tests or operators by themselves; as parts of a name they need quotes.
  package static let keywords = [
    "landscape", "portrait", "square", "gps", "marked", "not", "or",
  ]

  /// What a value looks like, behind "such as".
  var example: String {
    switch self {
    case .type: "heic,png"
    case .date, .changed: ">2024-05 or 2024-05.."
    case .size: ">5M or 5M.."
    case .width, .height: ">4000 or 4000.."
    case .mp: ">20 or 12..24"
    case .frames: ">1"
    case .camera: "canon or \"eos r5\""
    case .lens: "sigma or *macro*"
    case .profile: "\"display p3\""
    case .iso: ">800 or 100..400"
    case .f: "<2.8 or 4..8"
    case .mm: ">50 or 24..70"
    case .exposure: ">1/60 or 1..30"
    case .path: "2024/rome"
    }
  }

  /// The number that is compared; nil where it is none.
  var quantity: FilterQuantity? { FilterQuantity(rawValue: rawValue) }

  /// The text that is searched; nil where it is none.
  var textField: FilterTextField? { FilterTextField(rawValue: rawValue) }
}

/// A text that a photo's file tells.
enum FilterTextField: String, CaseIterable, Sendable { case camera, lens, profile }

/// A number that a photo's file tells.
enum FilterQuantity: String, CaseIterable, Sendable {
  case date, changed, size, width, height, mp, frames, iso, f, mm, exposure

  /// Whether it stands in the part of a file that tells how a photo was taken.
  var isMetadata: Bool {
    switch self {
    case .iso, .f, .mm, .exposure: true
    case .date, .changed, .size, .width, .height, .mp, .frames: false
    }
  }

  /// The least number that there can be.
  var least: Double {
    switch self {
    case .width, .height, .frames, .iso: 1
    case .date, .changed, .size, .mp, .f, .mm, .exposure: 0
    }
  }

  /// The number of a file; nil where it does not tell, or cannot be read.
  func number(of facts: PackedFacts) -> Double? {
    guard facts.isReadable else { return nil }
    func known(_ number: some BinaryFloatingPoint) -> Double? { number > 0 ? Double(number) : nil }
    switch self {
    case .date: return facts.taken.map { Double($0.digits) }
    case .changed: return Double(facts.modified)
    case .size: return Double(facts.byteCount)
    case .width: return Double(facts.width)
    case .height: return Double(facts.height)
    case .mp: return Double(facts.width) * Double(facts.height) / 1e6
    case .frames: return Double(facts.frameCount)
    case .iso: return facts.sensitivity > 0 ? Double(facts.sensitivity) : nil
    case .f: return known(facts.aperture)
    case .mm: return known(facts.focalLength)
    case .exposure: return known(facts.exposureTime)
    }
  }
}
