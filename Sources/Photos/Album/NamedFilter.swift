/// A filter with an order and a grouping, saved under a name.
package struct NamedFilter: Hashable, Sendable {
  /// Letters, digits, "-", "_" and "."; see `isName`.
  package let name: String
  /// The text of the filter; empty for none.
  package let filter: String
  package let order: SortOrder
  package let grouping: Grouping
  /// The absolute path of the folder that was shown; empty if there was none, or it is not text.
  package var folder: String

  package init(
    name: String, filter: String, order: SortOrder, grouping: Grouping, folder: String = ""
  ) {
    self.name = name
    self.filter = filter
    self.order = order
    self.grouping = grouping
    self.folder = folder
  }

  package static func isName(_ text: some StringProtocol) -> Bool {
    (1...60).contains(text.count)
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
      }
  }

  private static let keys: [SortOrder.Key] = [
    .listed, .name, .taken, .modified, .size, .length, .rating, .similar, .random(seed: 0),
  ]

  /// The line of a file, whose columns are divided by tabs: name, order, grouping, folder, filter.
  package var line: String {
    let order = (order.isReversed ? "-" : "") + order.keyName
    let columns = [name, order, grouping.rawValue, folder, filter]
    return columns.map { $0.map { $0 == "\t" || $0.isNewline ? " " : $0 } }
      .map { String($0) }.joined(separator: "\t")
  }

  /// Reads a line of a file; nil if it is none of these.
  package init?(line: String) {
    let columns = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard columns.count == 5, Self.isName(columns[0]),
      let grouping = Grouping(rawValue: String(columns[2]))
    else { return nil }
    let isReversed = columns[1].first == "-"
    let keyName = isReversed ? columns[1].dropFirst() : columns[1]
    guard let key = Self.keys.first(where: { SortOrder(by: $0).keyName == keyName }) else {
      return nil
    }
    self.init(
      name: String(columns[0]), filter: String(columns[4]),
      order: SortOrder(by: key, isReversed: isReversed), grouping: grouping,
      folder: String(columns[3]))
  }
}

/// The tile of a saved filter, on top of the folder that it was saved in.
package struct FilterTile: Equatable, Sendable {
  /// The tile's ID, which no listed file or folder has.
  package let item: Photo.ID
  package let filter: NamedFilter

  package init(_ item: Photo.ID, _ filter: NamedFilter) {
    (self.item, self.filter) = (item, filter)
  }
}

extension Album {
  /// Returns the saved filter whose tile an item is; nil for a photo or a folder.
  package func filterTile(_ item: Photo.ID) -> FilterTile? {
    listed.savedFilters.first { $0.item == item }
  }
}
