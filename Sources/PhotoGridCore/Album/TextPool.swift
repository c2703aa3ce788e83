/// Each text once, by a number.
package struct TextPool: Equatable, Sendable {
  private var numbers: [String: UInt16] = [:]
  /// The texts by their numbers.
  package private(set) var texts: [String] = []

  /// The number of no text at all, and of what a full pool cannot take in.
  package static let none = UInt16.max

  /// An empty pool.
  package init() {}

  /// The number of a text, which is taken in where it is new.
  package mutating func number(of text: String?) -> UInt16 {
    guard let text else { return Self.none }
    if let number = numbers[text] { return number }
    guard texts.count < Int(Self.none) else { return Self.none }
    let number = UInt16(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }

  /// The text of a number; nil for `none` and for numbers of no text.
  package func text(_ number: UInt16) -> String? {
    texts.indices.contains(Int(number)) ? texts[Int(number)] : nil
  }
}

/// The texts of all files.
package struct TextPools: Equatable, Sendable {
  /// The names of cameras.
  package var camera = TextPool()
  /// The names of lenses.
  package var lens = TextPool()
  /// The names of colour profiles.
  package var profile = TextPool()

  /// Empty pools.
  package init() {}

  subscript(_ field: FilterTextField) -> TextPool {
    switch field {
    case .camera: camera
    case .lens: lens
    case .profile: profile
    }
  }
}
