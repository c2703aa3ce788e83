import Geometry

extension Split {
  /// A random pattern, with some fixed lengths.
  package static func random(depth: Int = 4, using random: inout SeededGenerator) -> Split {
    guard depth > 0, Int.random(in: 0...9, using: &random) < 6 else {
      let isFixed = Int.random(in: 0...3, using: &random) == 0
      return isFixed ? .leaf(length: Int.random(in: 1...40, using: &random)) : .leaf
    }
    let count = Int.random(in: 1...4, using: &random)
    return Split((0..<count).map { _ in Split.random(depth: depth - 1, using: &random) })
  }

  /// The pattern in the syntax of the command line.
  package var text: String { "bento\(children.isEmpty ? "(\(part))" : part)" }

  private var part: String {
    if let length { return "1:\(length)" }
    return children.isEmpty ? "1" : "(\(children.map(\.part).joined(separator: ",")))"
  }
}
