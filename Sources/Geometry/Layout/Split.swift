/// A part of a bento layout: divided among its children, or a leaf for one photo.
///
/// The axis of a split follows from its depth: the outermost is vertical, the next level
/// horizontal, and so on alternately.
package struct Split: Equatable, Sendable {
  /// The parts into which this one is divided, in order; empty for a leaf.
  package let children: [Split]
  /// A leaf's fixed length along the axis of its split, at least 1; nil to share the rest.
  ///
  /// The length is in text rows in a vertical split, in text columns in a horizontal one. If all
  /// children have a length, the lengths are shares of the whole, so that nothing stays empty.
  package let length: Int?
  /// The number of photos in this part.
  package let leafCount: Int

  /// Creates a part that is divided among the given parts; there must be at least one.
  package init(_ children: [Split]) {
    precondition(!children.isEmpty, "a split needs at least one part")
    self.children = children
    length = nil
    leafCount = children.reduce(0) { $0 + $1.leafCount }
  }

  private init(leafOfLength length: Int?) {
    children = []
    self.length = length
    leafCount = 1
  }

  /// A leaf that shares the remaining length with its siblings.
  package static let leaf = Split(leafOfLength: nil)

  /// Returns a leaf with a fixed length, in text rows or columns.
  package static func leaf(length: Int) -> Split { Split(leafOfLength: max(length, 1)) }

  /// Returns this part with only the first leaves, one for each photo; nil without photos.
  package func pruned(to photos: Int) -> Split? {
    guard photos > 0 else { return nil }
    guard photos < leafCount else { return self }
    var left = photos
    return Split(
      children.compactMap { child in
        defer { left -= min(left, child.leafCount) }
        return child.pruned(to: left)
      })
  }

  /// Returns the size below which leaves would become smaller than the page's smallest tile.
  func minimumSize(along axis: Axis, on page: TilePage) -> PixelSize {
    guard !children.isEmpty else { return page.minTile }
    let sizes = children.map { $0.minimumSize(along: axis.flipped, on: page) }
    let gaps = page.gap.scaled(by: Double(children.count - 1))
    switch axis {
    case .vertical:
      return PixelSize(
        width: sizes.map(\.width).max() ?? 0,
        height: sizes.reduce(gaps.height) { $0 + $1.height })
    case .horizontal:
      return PixelSize(
        width: sizes.reduce(gaps.width) { $0 + $1.width },
        height: sizes.map(\.height).max() ?? 0)
    }
  }
}

extension Split {
  /// The default pattern: a large photo, eight small and two tall ones.
  ///
  /// On a screen of 200 by 60 or 100 by 30 text cells, most tiles are about 5 : 3.
  package static let tray = Split([
    Split([.leaf, Split([pair, pair])]),
    Split([pair, .leaf, .leaf, pair]),
  ])

  /// A photo over half the page, with six small ones beside it.
  package static let hero = Split([Split([.leaf, Split([pair, pair, pair])])])

  package static let bricks = Split([triple, Split([.leaf, .leaf, .leaf, .leaf]), triple])

  /// Tall photos with stacks of two between them.
  package static let towers = Split([Split([.leaf, pair, .leaf, pair, .leaf])])

  package static let named: [(name: String, split: Split)] = [
    ("tray", tray), ("hero", hero), ("bricks", bricks), ("towers", towers),
  ]

  private static let pair = Split([.leaf, .leaf])
  private static let triple = Split([.leaf, .leaf, .leaf])
}

/// The error of a text that is not a bento pattern: the kind of fault and its position.
package struct SplitError: Error, Equatable, CustomStringConvertible {
  /// The kind of fault.
  package enum Cause: Equatable, Sendable {
    /// The text does not begin with `bento`.
    case notBento
    case unknownName
    case noLeaves
    /// A part is missing before or after a comma.
    case missingPart
    case noPart
    /// A comma or a closing parenthesis was expected.
    case noSeparator
    /// A number is not 1.
    case notALeaf
    /// A length is missing, or not from 1 to `Split.maxLength`.
    case length
    /// A parenthesis is never closed.
    case unclosed
    /// There is text after the last parenthesis.
    case trailing
    /// There are more than `Split.maxLeafCount` leaves.
    case leafCount
    /// There are more than `Split.maxDepth` levels.
    case depth
  }

  package let cause: Cause
  /// The position of the faulty character, counted from 1.
  package let position: Int

  /// The message, without an initial capital and a full stop.
  package var description: String { "character \(position): \(reason)" }

  private var reason: String {
    switch cause {
    case .notBento: "a pattern must begin with 'bento('"
    case .unknownName:
      "unknown pattern name; use one of \(Split.named.map(\.name).joined(separator: ", "))"
    case .noLeaves: "a bento layout needs at least one tile here; write 1 for a tile"
    case .missingPart: "a comma needs a tile on both sides"
    case .noPart: "expected 1 or an opening parenthesis"
    case .noSeparator: "expected a comma or a closing parenthesis"
    case .notALeaf: "write a tile as 1 or 1:LENGTH"
    case .length: "a length must be a whole number from 1 to \(Split.maxLength)"
    case .unclosed: "this parenthesis is never closed"
    case .trailing: "unexpected text after the pattern"
    case .leafCount: "more than \(Split.maxLeafCount) tiles"
    case .depth: "more than \(Split.maxDepth) levels of parentheses"
    }
  }
}

extension Split {
  /// The largest number of leaves in a text.
  package static let maxLeafCount = 1_000
  /// The largest depth of nested parentheses in a text.
  package static let maxDepth = 20
  /// The largest fixed length of a leaf, in text rows or columns.
  package static let maxLength = 1_000

  /// Parses a pattern.
  ///
  /// ```
  /// pattern = "bento" [ "(" ( name | parts ) ")" ]
  /// parts   = part { "," part }
  /// part    = "1" [ ":" length ] | "(" parts ")"
  /// ```
  ///
  /// Parentheses are splits and `1` is a leaf: `bento((1,(1,1)),1,1)` is three rows, the first of
  /// which has one photo on the left and two stacked on the right. `1:12` is a leaf with a fixed
  /// length, in text rows in a vertical split, in text columns in a horizontal one. `bento` alone
  /// is the default pattern, `bento(hero)` the pattern of that name. Spaces are ignored.
  ///
  /// - Throws: `SplitError` with the fault and its position.
  package init(parsing text: String) throws(SplitError) {
    var parser = SplitParser(text)
    self = try parser.pattern()
  }
}

/// A recursive descent parser of patterns.
private struct SplitParser {
  private let characters: [Character]
  private var index = 0
  private var leafCount = 0

  init(_ text: String) { characters = Array(text) }

  mutating func pattern() throws(SplitError) -> Split {
    skipSpaces()
    guard word() == "bento" else { throw SplitError(cause: .notBento, position: 1) }
    skipSpaces()
    guard current != nil else { return .tray }
    guard current == "(" else { throw error(.notBento) }
    let split = if let named = try name() { named } else { try parts(depth: 1) }
    skipSpaces()
    guard current == nil else { throw error(.trailing) }
    return split
  }

  private var current: Character? { index < characters.count ? characters[index] : nil }

  private func error(_ cause: SplitError.Cause) -> SplitError {
    SplitError(cause: cause, position: index + 1)
  }

  private mutating func skipSpaces() { while current == " " || current == "\t" { index += 1 } }

  private mutating func take(where isWanted: (Character) -> Bool) -> String {
    let start = index
    while let character = current, isWanted(character) { index += 1 }
    return String(characters[start..<index])
  }

  private mutating func word() -> String {
    take { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }.lowercased()
  }

  /// Parses a name in parentheses; returns nil, without consuming anything, if there is none.
  private mutating func name() throws(SplitError) -> Split? {
    let start = index
    index += 1
    skipSpaces()
    let nameStart = index
    let name = word()
    guard !name.isEmpty else {
      index = start
      return nil
    }
    guard let split = Split.named.first(where: { $0.name == name })?.split else {
      throw SplitError(cause: .unknownName, position: nameStart + 1)
    }
    skipSpaces()
    guard let end = current else { throw SplitError(cause: .unclosed, position: start + 1) }
    guard end == ")" else { throw error(.noSeparator) }
    index += 1
    return split
  }

  /// Parses a split, from its opening parenthesis to its closing one.
  private mutating func parts(depth: Int) throws(SplitError) -> Split {
    guard depth <= Split.maxDepth else { throw error(.depth) }
    let start = index
    var children: [Split] = []
    repeat {
      index += 1
      skipSpaces()
      switch current {
      case nil:
        throw SplitError(cause: .unclosed, position: start + 1)
      case ")":
        throw children.isEmpty
          ? SplitError(cause: .noLeaves, position: start + 1) : error(.missingPart)
      case ",":
        throw error(.missingPart)
      case "(":
        children.append(try parts(depth: depth + 1))
      case let character? where character.isDigit:
        children.append(try leaf())
      case _?:
        throw error(.noPart)
      }
      skipSpaces()
    } while current == ","
    guard let end = current else { throw SplitError(cause: .unclosed, position: start + 1) }
    guard end == ")" else { throw error(.noSeparator) }
    index += 1
    return Split(children)
  }

  private mutating func leaf() throws(SplitError) -> Split {
    let start = index
    guard take(where: \.isDigit) == "1" else {
      throw SplitError(cause: .notALeaf, position: start + 1)
    }
    leafCount += 1
    guard leafCount <= Split.maxLeafCount else {
      throw SplitError(cause: .leafCount, position: start + 1)
    }
    guard current == ":" else { return .leaf }
    index += 1
    let lengthStart = index
    guard let length = Int(take(where: \.isDigit)), (1...Split.maxLength).contains(length)
    else { throw SplitError(cause: .length, position: lengthStart + 1) }
    return .leaf(length: length)
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

/// The direction along which a layout places its children.
package enum Axis: Equatable, Sendable {
  /// From top to bottom, or from left to right.
  case vertical, horizontal

  package var flipped: Axis {
    switch self {
    case .vertical: .horizontal
    case .horizontal: .vertical
    }
  }
}

extension PixelSize {
  func length(along axis: Axis) -> Double {
    switch axis {
    case .vertical: height
    case .horizontal: width
    }
  }
}

extension PixelRect {
  func slice(along axis: Axis, from distance: Double, length: Double) -> PixelRect {
    switch axis {
    case .vertical: PixelRect(x: minX, y: minY + distance, width: width, height: length)
    case .horizontal: PixelRect(x: minX + distance, y: minY, width: length, height: height)
    }
  }
}
