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
    precondition(!children.isEmpty, "a split needs children")
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
  package static func leaf(length: Int) -> Split {
    Split(leafOfLength: max(length, 1))
  }

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
    guard !children.isEmpty else { return page.smallestTile }
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

  /// Alternating rows of three and four.
  package static let bricks = Split([triple, Split([.leaf, .leaf, .leaf, .leaf]), triple])

  /// Tall photos with stacks of two between them.
  package static let towers = Split([Split([.leaf, pair, .leaf, pair, .leaf])])

  /// The patterns by name; the first one is the default.
  package static let named: [(name: String, split: Split)] = [
    ("tray", tray), ("hero", hero), ("bricks", bricks), ("towers", towers),
  ]

  private static let pair = Split([.leaf, .leaf])
  private static let triple = Split([.leaf, .leaf, .leaf])
}
