/// The division of items into sections, such as the photos of each day: every item is in exactly
/// one section.
///
/// Sections follow from the order of the items and their facts. From the first item that does not
/// fit the order of the sections, such as a photo whose date is unknown, all items are in one
/// section at the end. So no section occurs twice.
package struct Sections: Equatable, Sendable {
  /// The property that the items of a section have in common.
  package enum Key: Hashable, Sendable {
    case folders
    /// Photos taken on a day, in a month or in a year.
    case date(CalendarDate)
    /// Photos in the folder with a number; see `PhotoNames`.
    case folder(Int)
    /// Photos with a number of stars; 0 for unrated photos, −1 for rejected ones.
    case rating(Int)
    /// Near duplicates of each other, by the index in the listing of the first one.
    case similar(Int)
    /// Photos without a date, photos without a near duplicate, and photos whose facts, ratings or
    /// hashes are unknown.
    case rest
  }

  package struct Section: Equatable, Sendable {
    package var key: Key
    package var range: Range<Int>
  }

  private var keys: [Key] = []
  /// The index of the first item of each section.
  private var starts: [Int] = []
  /// The number of items.
  package private(set) var itemCount = 0
  /// The numbers of the folders that have a section.
  private var folders: Set<Int> = []
  /// Whether the section with the latest date or the fewest stars comes first.
  private let isReversed: Bool

  /// Creates a division without items.
  package init(isReversed: Bool = false) { self.isReversed = isReversed }

  package var count: Int { keys.count }

  package var isEmpty: Bool { keys.isEmpty }

  package subscript(section: Int) -> Section {
    let end = section + 1 < starts.count ? starts[section + 1] : itemCount
    return Section(key: keys[section], range: starts[section]..<end)
  }

  /// Returns the number of the section that contains an item, or the last section for indices past
  /// the end; 0 if there are no sections.
  ///
  /// - Complexity: O(log n), where n is the number of sections.
  package func section(ofItem index: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  /// Appends an item to the section with its key, or to the rest if that section cannot follow the
  /// last one.
  ///
  /// - Complexity: O(1).
  package mutating func append(_ key: Key) {
    let last = keys.last
    let key = last.map { follows(key, $0) } ?? true ? key : .rest
    if key != last {
      keys.append(key)
      starts.append(itemCount)
      if case .folder(let number) = key { folders.insert(number) }
    }
    itemCount += 1
  }

  package mutating func append(_ keys: some Sequence<Key>) { for key in keys { append(key) } }

  /// Returns whether an item with a key may follow an item with the key `last`.
  private func follows(_ key: Key, _ last: Key) -> Bool {
    switch (last, key) {
    case (_, _) where key == last: true
    case (.rest, _): false
    case (.date(let last), .date(let date)): isReversed ? date < last : date > last
    case (_, .folder(let number)): !folders.contains(number)
    case (_, .folders): false
    case (.rating(let last), .rating(let stars)): isReversed ? stars > last : stars < last
    case (.similar(let last), .similar(let group)): isReversed ? group < last : group > last
    case (.folders, _), (.folder, _), (_, .rest): true
    case (.date, _), (.rating, _), (.similar, _): false
    }
  }
}
