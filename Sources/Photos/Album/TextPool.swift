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

/// The mapping from text numbers in some pools to those in others.
package struct PoolRenumbering: Sendable {
  private let source: TextPools
  private var (camera, lens, profile) = (TextRenumbering(), TextRenumbering(), TextRenumbering())

  package init(from source: TextPools) { self.source = source }

  /// Replaces the numbers of a row's texts by their numbers in other pools, adding the texts there if
  /// needed.
  ///
  /// - Returns: The size of the texts that were new, in bytes.
  @discardableResult
  package mutating func translate(_ row: inout PackedInfo, to target: inout TextPools) -> Int {
    camera.translate(&row.camera, from: source.camera, to: &target.camera)
      + lens.translate(&row.lens, from: source.lens, to: &target.lens)
      + profile.translate(&row.profile, from: source.profile, to: &target.profile)
  }
}

/// The mapping from text numbers in one pool to those in another.
private struct TextRenumbering: Sendable {
  private var numbers: [UInt16: UInt16] = [:]
  /// The last translation; consecutive photos usually have the same camera.
  private var last = (old: TextPool.none, new: TextPool.none)

  /// Replaces a text's number in one pool by its number in another, adding the text there if
  /// needed.
  ///
  /// - Returns: The size of the text in bytes if it was new, else 0.
  mutating func translate(
    _ number: inout UInt16, from source: TextPool, to target: inout TextPool
  ) -> Int {
    if number == last.old {
      number = last.new
      return 0
    }
    let old = number
    var byteCount = 0
    if let known = numbers[old] {
      number = known
    } else {
      let text = source.text(old)
      number = target.number(of: text)
      numbers[old] = number
      byteCount = text.map { $0.utf8.count + 2 } ?? 0
    }
    last = (old, number)
    return byteCount
  }
}
