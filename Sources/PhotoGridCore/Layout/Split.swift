/// A part of a bento: divided among its children, or a leaf, which holds one photo.
///
/// Which way a split lays out its children follows from its depth: the outermost downwards, the next
/// level across, and so on in turn.
package struct Split: Equatable, Sendable {
  /// The parts of this one, in order; a leaf has none.
  package let children: [Split]
  /// A leaf's fixed length along the axis of the split that it is in, at least 1; nil shares.
  ///
  /// In text rows downwards, text columns across. In a split of leaves with a length only, the
  /// lengths are shares of the whole, so that nothing stays empty.
  package let length: Int?
  /// The photos that this part holds.
  package let leafCount: Int

  /// A part divided among the given ones, which must not be none.
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

  /// A place for one photo that shares what is left with the others beside it.
  package static let leaf = Split(leafOfLength: nil)

  /// A place for one photo with a fixed length, in text rows or columns.
  package static func leaf(length: Int) -> Split {
    Split(leafOfLength: max(length, 1))
  }

  /// This part with places for so many photos only, the first ones; nil with none.
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

  /// The size below which the leaves would be smaller than `page` allows.
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
  /// The bento that comes without being asked for: a large photo, eight small and two tall ones.
  ///
  /// On a screen of 200 by 60 or 100 by 30 text cells, most tiles are about 5 : 3.
  package static let tray = Split([
    Split([.leaf, Split([pair, pair])]),
    Split([pair, .leaf, .leaf, pair]),
  ])

  /// One photo over half the page, six small ones beside it.
  package static let hero = Split([Split([.leaf, Split([pair, pair, pair])])])

  /// Rows of three and of four in turn.
  package static let bricks = Split([triple, Split([.leaf, .leaf, .leaf, .leaf]), triple])

  /// Tall photos with stacks of two between them.
  package static let towers = Split([Split([.leaf, pair, .leaf, pair, .leaf])])

  /// The patterns that can be asked for by name; the first one is the default.
  package static let named: [(name: String, split: Split)] = [
    ("tray", tray), ("hero", hero), ("bricks", bricks), ("towers", towers),
  ]

  private static let pair = Split([.leaf, .leaf])
  private static let triple = Split([.leaf, .leaf, .leaf])
}
