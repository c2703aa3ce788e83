import TestSupport
import Testing

@testable import Photos

/// Properties of all sections, whatever the facts are and when they arrive.
extension SectionTests {
  @Test(arguments: seeds(1...60))
  func `every item is in one section, none occurs twice, and appending equals starting over`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    let isReversed = Bool.random(using: &random)
    var keys: [Sections.Key] = []
    for _ in 0..<Int.random(in: 0...200, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: keys.append(.rest)
      case 1: keys.append(.folders)
      case 2: keys.append(.folder(Int.random(in: 0..<4, using: &random)))
      case 3..<6: keys.append(keys.last ?? .folders)
      default:
        let date = CalendarDate(year: Int.random(in: 1...9999, using: &random))
        keys.append(.date(date))
      }
    }
    if Bool.random(using: &random) { keys.sort { rank($0, isReversed) < rank($1, isReversed) } }

    var sections = Sections(isReversed: isReversed)
    sections.append(keys)

    #expect(sections.itemCount == keys.count)
    var next = 0
    var seen: Set<Sections.Key> = []
    for number in 0..<sections.count {
      let section = sections[number]
      #expect(section.range.lowerBound == next && !section.range.isEmpty)
      #expect(seen.insert(section.key).inserted, "\(section.key) comes twice")
      #expect(section.key == .rest || section.range.allSatisfy { keys[$0] == section.key })
      #expect(section.range.allSatisfy { sections.section(ofItem: $0) == number })
      next = section.range.upperBound
    }
    #expect(next == keys.count)
    let cut = Int.random(in: 0...keys.count, using: &random)
    var added = Sections(isReversed: isReversed)
    added.append(keys[..<cut])
    added.append(keys[cut...])
    #expect(added == sections)
  }

  private func rank(_ key: Sections.Key, _ isReversed: Bool) -> Int {
    switch key {
    case .folders: -20_000
    case .similar(let group): isReversed ? -group : group
    case .date(let date): isReversed ? -date.year : date.year
    case .rating(let stars): isReversed ? stars : -stars
    case .folder(let number): 20_000 + number
    case .rest: 30_000
    }
  }

  @Test(arguments: seeds(1...30))
  func `sections do not depend on the order in which facts arrive`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1...120, using: &random)
    let times: [String?] = (0..<count).map { _ in
      Int.random(in: 0..<6, using: &random) == 0
        ? ""
        : CalendarDate(
          year: Int.random(in: 2019...2021, using: &random),
          month: Int.random(in: 1...12, using: &random),
          day: Int.random(in: 1...28, using: &random)
        ).iso8601 + "T12:00:00"
    }
    let grouping: Grouping = [.day, .month, .year].randomElement(using: &random) ?? .day
    var late = collection(Array(repeating: nil, count: count), by: grouping)
    for number in (0..<count).shuffled(using: &random) {
      late.learn([facts(of: number, times[number])].compactMap(\.self))
      if Int.random(in: 0..<10, using: &random) == 0 { late.refresh() }
      #expect(Set(late.items).count == count && late.sections.itemCount == count)
    }
    late.refresh()
    let whole = collection(times, by: grouping)
    #expect(late.items == whole.items && late.sections == whole.sections)
    let order = whole.items.map(\.index)
    for (index, next) in zip(order, order.dropFirst()) {
      let (left, right) = (times[index] ?? "", times[next] ?? "")
      #expect(right.isEmpty || !left.isEmpty && left <= right)
    }
  }

  @Test(arguments: seeds(1...30))
  func `photos inserted anywhere are in the same sections as in a new collection`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 2...80, using: &random)
    let times = (0..<count).map { _ in
      CalendarDate(year: 2020, month: Int.random(in: 1...12, using: &random)).iso8601
        + "-05T12:00:00"
    }
    let whole = collection(times, by: .month)
    var grown = PhotoCollection(grouping: .month)
    grown.learn(
      NameBatch(
        first: Photo.ID(0), folder: [], names: nameBlock((0..<count).map { "photo\($0)" })))
    grown.learn(times.indices.compactMap { facts(of: $0, times[$0]) })
    var listing: [Photo.ID] = []
    for number in (0..<count).shuffled(using: &random) {
      listing.append(Photo.ID(number))
      grown.relist(listing.sorted())
      #expect(grown.sections.itemCount == listing.count)
    }
    #expect(grown.items == whole.items && grown.sections == whole.sections)
  }
}
