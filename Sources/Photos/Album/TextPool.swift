/// A set of texts in which each text has a number.
package struct TextPool: Equatable, Sendable {
  private var numbers: [String: UInt16] = [:]
  package private(set) var texts: [String] = []

  /// The number that stands for no text, and for texts that do not fit into a full pool.
  package static let none = UInt16.max

  package init() {}

  /// Returns the number of a text, and adds the text if it is new.
  package mutating func number(of text: String?) -> UInt16 {
    guard let text else { return Self.none }
    if let number = numbers[text] { return number }
    guard texts.count < Int(Self.none) else { return Self.none }
    let number = UInt16(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }

  package func text(_ number: UInt16) -> String? {
    texts.indices.contains(Int(number)) ? texts[Int(number)] : nil
  }
}

/// The pools of all texts that facts refer to.
package struct TextPools: Equatable, Sendable {
  package var camera = TextPool()
  package var lens = TextPool()
  package var profile = TextPool()

  package init() {}

  /// The pool of a field's texts.
  subscript(_ field: FilterTextField) -> TextPool {
    switch field {
    case .camera: camera
    case .lens: lens
    case .profile: profile
    }
  }
}
