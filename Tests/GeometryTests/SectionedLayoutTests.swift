@testable import Geometry
import TestSupport
import Testing

/// Sections, each in one of the layouts under its heading.
@Suite struct SectionedLayoutTests {
  private static let area = PixelSize(width: 320, height: 240)

  /// The items of sections with these numbers of items.
  private func sections(_ counts: [Int]) -> [Range<Int>] {
    var start = 0
    return counts.map { count in
      defer { start += count }
      return start..<start + count
    }
  }

  private func style(_ kind: LayoutStyle.Kind) -> LayoutStyle {
    var style = LayoutStyle()
    style.kind = kind
    style.columns = GridColumns([.adaptive(minimum: 7)])
    return style
  }

  private func layout(
    _ counts: [Int], _ style: LayoutStyle, area: PixelSize = area
  ) -> TileLayout {
    style.snapped(sections(counts), in: area, metrics: .standard)
  }

  /// Returns the drawn content, a character for each placement step: tiles by letters, headings by lines.
  private func picture(_ layout: TileLayout) throws -> [String] {
    let sectioned = try #require(layout.sectioned)
    let size = (width: 32, height: Int(layout.contentHeight / 10))
    var rows = Array(
      repeating: Array(repeating: Character(" "), count: size.width), count: size.height)
    func fill(_ frame: PixelRect, _ character: Character) {
      for y in Int(frame.minY / 10)..<Int(frame.maxY / 10) {
        for x in Int(frame.minX / 10)..<Int(frame.maxX / 10) { rows[y][x] = character }
      }
    }
    for section in 0..<sectioned.sectionCount { fill(sectioned.heading(ofSection: section), "=") }
    for index in 0..<layout.count {
      fill(layout.frame(at: index), Character(Unicode.Scalar(UInt8(97 + index))))
    }
    // Equal rows as their number and one of them.
    var runs: [(count: Int, row: String)] = []
    for row in rows.map({ String($0) }) {
      let row = String(row.reversed().drop { $0 == " " }.reversed())
      if runs.last?.row == row { runs[runs.count - 1].count += 1 } else { runs.append((1, row)) }
    }
    return runs.map { "\($0.count) \($0.row)" }
  }

  /// Returns a row of text for each row of tiles in a grid of equal columns: the sections as letters,
  /// and dots for free columns.
  private func rows(_ counts: [Int], columns: Int, ofWidth width: Int) -> [String] {
    var style = style(.grid)
    style.columns = GridColumns([.adaptive(minimum: Double(width))])
    let pitch = Double(width + 1) * 10
    let layout = layout(
      counts, style, area: PixelSize(width: Double(columns) * pitch + 10, height: 240))
    let letters = counts.enumerated().flatMap { section, count in
      Array(repeating: Character(Unicode.Scalar(UInt8(97 + section))), count: count)
    }
    var rows: [(top: Double, text: [Character])] = []
    for (index, letter) in letters.enumerated() {
      let frame = layout.frame(at: index)
      if rows.last?.top != frame.minY {
        rows.append((frame.minY, Array(repeating: "·", count: columns)))
      }
      rows[rows.count - 1].text[Int((frame.minX - 10) / pitch)] = letter
    }
    return rows.map { String($0.text) }
  }

  @Test(arguments: [
    ([1, 1, 3, 1], ["a·b···", "ccc·d·"]),
    ([1, 1, 1, 1], ["a·b·c·", "d·····"]),
    ([1, 1, 2], ["a·b·cc"]),
    ([2, 2, 2], ["aa·bb·", "cc····"]),
    ([3, 2], ["aaa·bb"]),
    ([4, 1], ["aaaa·b"]),
    ([1, 4], ["a·bbbb"]),
    ([5, 1], ["aaaaa·", "b·····"]),
    ([1, 5], ["a·····", "bbbbb·"]),
    ([6, 1, 1], ["aaaaaa", "b·c···"]),
    ([7, 1, 1, 8], ["aaaaaa", "a·····", "b·c···", "dddddd", "dd····"]),
    ([1, 7, 1], ["a·····", "bbbbbb", "b·····", "c·····"]),
    ([1], ["a·····"]), ([], []),
  ])
  func `whole sections that need less than a row are beside each other, as many as fit`(
    counts: [Int], expected: [String]
  ) {
    #expect(rows(counts, columns: 6, ofWidth: 18) == expected)
  }

  @Test(arguments: [
    ([1, 1, 1], ["a··b··", "c·····"]),
    ([2, 1, 2, 2], ["aa·b··", "cc·dd·"]),
    ([3, 1], ["aaa···", "b·····"]),
    ([1, 3], ["a··bbb"]),
    ([1, 4], ["a·····", "bbbb··"]),
  ])
  func `beside each other, headings keep the width of a date`(counts: [Int], expected: [String]) {
    #expect(rows(counts, columns: 6, ofWidth: 7) == expected)
  }

  @Test func `in one or two columns each section has its own row`() {
    #expect(rows([1, 1, 2], columns: 1, ofWidth: 30) == ["a", "b", "c", "c"])
    #expect(rows([1, 1, 2], columns: 2, ofWidth: 30) == ["a·", "b·", "cc"])
  }

  @Test func `sections are beside each other only where all tiles have one size`() throws {
    func tops(_ change: (inout LayoutStyle) throws -> Void) rethrows -> Int {
      var style = style(.grid)
      try change(&style)
      let layout = layout([1, 1], style, area: PixelSize(width: 900, height: 240))
      return Set((0..<2).map { layout.frame(at: $0).minY }).count
    }
    for kind in LayoutStyle.Kind.allCases {
      #expect(tops { $0.kind = kind } == (kind == .grid ? 1 : 2))
    }
    #expect(try tops { $0.columns = try GridColumns(parsing: "5") } == 1)
    #expect(try tops { $0.columns = try GridColumns(parsing: "fixed(20) flexible(10)") } == 2)
  }

  @Test func `the exact layout has sections beside each other too`() {
    let columns = GridColumns([.adaptive(minimum: 14)])
    var style = style(.grid)
    style.columns = columns
    let area = PixelSize(width: 933, height: 240)
    let layout = style.exact(sections([1, 3, 1]), in: area, metrics: .standard)
    let alone = style.exact(6, in: area, metrics: .standard)
    for (index, place) in [0, 2, 3, 4].enumerated() {
      let (frame, expected) = (layout.frame(at: index), alone.frame(at: place))
      #expect(abs(frame.minX - expected.minX) < 1e-9 && frame.size == expected.size)
      #expect(frame.minY == 20)
    }
    #expect(
      layout.frame(at: 4) == alone.frame(at: 0).offset(x: 0, y: layout.frame(at: 0).maxY + 20))
  }

  @Test func `each heading begins above its first tile, and ends at the next one`() throws {
    var style = style(.grid)
    style.columns = GridColumns([.adaptive(minimum: 14)])
    // Six columns, and two text columns more on either side.
    let layout = layout([1, 1, 3, 1], style, area: PixelSize(width: 950, height: 240))
    let sectioned = try #require(layout.sectioned)
    let headings = (0..<4).map { sectioned.heading(ofSection: $0) }
    #expect(headings.map(\.minX) == [20, 320, 20, 620])
    #expect(headings.map(\.maxX) == [320, 950, 620, 950])
    #expect([0, 1, 2, 5].map { layout.frame(at: $0).minX } == [30, 330, 30, 630])
    #expect(headings[0].minY == headings[1].minY && headings[2].minY == headings[3].minY)
    #expect(sectioned.heading(at: PixelPoint(x: 500, y: 10)) == 1)
    #expect(sectioned.heading(at: PixelPoint(x: 5, y: 10)) == nil)
  }

  @Test func `a section without room for another beside it has rows of its own`() throws {
    #expect(
      try picture(layout([5, 1, 2], style(.grid))) == [
        "2  ===============================",
        "1 ",
        "6   aaaaaa bbbbbb cccccc dddddd",
        "1 ",
        "6   eeeeee",
        "2 ",
        "2  ===============================",
        "1 ",
        "6   ffffff",
        "1 ",
        "2  ===============================",
        "1 ",
        "6   gggggg hhhhhh",
        "1 ",
      ])
  }

  @Test func `a mosaic restarts its pattern in each section`() throws {
    #expect(
      try picture(layout([3, 1], style(.mosaic), area: PixelSize(width: 320, height: 120))) == [
        "2 ================================",
        "1 ",
        "2  aaaaaaaaaa ccccccccccccccccccc",
        "1             ccccccccccccccccccc",
        "2  bbbbbbbbbb ccccccccccccccccccc",
        "2 ",
        "2 ================================",
        "1 ",
        "10  dddddddddddddddddddddddddddddd",
        "1 ",
      ])
  }

  @Test func `the exact layout has a heading of one text row and keeps fractions`() throws {
    let layout = style(.grid).exact(
      sections([3, 2]), in: PixelSize(width: 333, height: 240), metrics: .standard)
    let side = layout.frame(at: 0).width
    #expect(layout.frame(at: 0).minY == 20)
    #expect(layout.frame(at: 3) == PixelRect(x: 0, y: 40 + side, width: side, height: side))
    #expect(layout.contentHeight == 40 + 2 * side)
  }

  @Test(arguments: seeds(1...100))
  func `random sections do not overlap, and each is laid out as if it were alone`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var style = style(LayoutStyle.Kind.allCases[seed % LayoutStyle.Kind.allCases.count])
    style.hasLabels = seed % 2 == 0
    style.enlargement = Int.random(in: -8...2, using: &random)
    var metrics = CellMetrics.standard
    if seed % 3 == 0 { metrics.placementUnit = .pixels }
    let area = PixelSize(
      width: Double(Int.random(in: 10...120, using: &random) * 10),
      height: Double(Int.random(in: 5...40, using: &random) * 20))
    let counts = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      [1, 2, Int.random(in: 1...40, using: &random)].randomElement(using: &random) ?? 1
    }
    let layout = style.snapped(sections(counts), in: area, metrics: metrics)
    let sectioned = try #require(layout.sectioned)

    #expect(layout.count == counts.reduce(0, +))
    var index = 0
    for (section, count) in counts.enumerated() {
      let heading = sectioned.heading(ofSection: section)
      #expect(heading.minX.truncatingRemainder(dividingBy: 10) == 0 && heading.maxX <= area.width)
      #expect(heading.minY.truncatingRemainder(dividingBy: 20) == 0 && heading.height == 20)
      let beside = sectioned.sections(at: heading.minY)
      #expect(beside.contains(section) && sectioned.sections(beside: section) == beside)
      #expect(sectioned.heading(at: heading.center) == section)
      #expect(layout.index(at: heading.center) == nil)
      let end =
        beside.upperBound < counts.count
        ? sectioned.heading(ofSection: beside.upperBound).minY : layout.contentHeight
      let alone = style.snapped(count, in: area, metrics: metrics)
      let first = layout.frame(at: index)
      let shift = first.minX - alone.frame(at: 0).minX
      #expect(heading.minX <= first.minX && first.minX - heading.minX <= 10)
      if beside.count > 1 {
        #expect(style.kind == .grid && heading.width >= 200)
        #expect(layout.frame(at: index + count - 1).minY == first.minY, "it has one row")
      }
      if section == beside.lowerBound {
        #expect(shift == 0)
      } else {
        let before = layout.frame(at: index - 1)
        #expect(before.minY == first.minY && before.maxX + first.width < first.minX)
        #expect(layout.frame(at: index + count - 1).maxX <= area.width)
      }
      for inside in 0..<count {
        let frame = layout.frame(at: index)
        #expect(frame == alone.frame(at: inside).offset(x: shift, y: heading.maxY))
        #expect(
          layout.labelFrame(at: index)
            == alone.labelFrame(at: inside)?.offset(x: shift, y: heading.maxY))
        #expect(frame.minY >= heading.maxY && frame.maxY <= end)
        #expect(layout.index(at: frame.center) == index)
        #expect(layout.indices(in: frame).contains(index))
        #expect(sectioned.sections(at: frame.center.y) == beside)
        index += 1
      }
    }
    for _ in 0..<20 {
      let view = PixelRect(
        x: 0, y: Double.random(in: -100...layout.contentHeight + 100, using: &random), width: 1,
        height: Double.random(in: 1...area.height, using: &random))
      let seen = layout.indices(in: view)
      func isSeen(_ index: Int, from top: Double, to bottom: Double) -> Bool {
        layout.frame(at: index).minY < bottom && top < layout.frame(at: index).maxY
      }
      for index in 0..<layout.count where isSeen(index, from: view.minY, to: view.maxY) {
        #expect(seen.contains(index))
      }
      let step = layout.scrollStep
      guard style.kind == .grid else { continue }
      let few = seen.allSatisfy { isSeen($0, from: view.minY - step, to: view.maxY + step) }
      #expect(few, "\(seen)")
    }
    #expect(layout.indices(in: PixelRect(x: 0, y: -100, width: 1, height: 50)).isEmpty)
    let all = PixelRect(x: 0, y: 0, width: 1, height: layout.contentHeight)
    #expect(layout.indices(in: all) == 0..<layout.count)
  }

  @Test(arguments: LayoutStyle.Kind.allCases)
  func `the arrows reach every tile, and go from section to section`(kind: LayoutStyle.Kind) {
    let counts = [5, 1, 2, 9, 3, 14, 1, 1, 4]
    let layout = layout(counts, style(kind))
    for (start, ways) in [
      (0, [Direction.right, .down, .left]), (layout.count - 1, Direction.allCases),
    ] {
      var reached: Set = [start]
      var open = [start]
      while let index = open.popLast() {
        for way in ways {
          if let next = layout.neighbor(of: index, in: way), reached.insert(next).inserted {
            open.append(next)
          }
        }
      }
      #expect(reached.count == layout.count, "\(kind) from \(start)")
    }
    for index in 0..<layout.count {
      let frame = layout.frame(at: index)
      if let below = layout.neighbor(of: index, in: .down) {
        #expect(layout.frame(at: below).minY >= frame.maxY)
      }
      if let above = layout.neighbor(of: index, in: .up) {
        #expect(layout.frame(at: above).maxY <= frame.minY)
      }
    }
  }

  @Test func `moving down and up skips no row`() {
    // Four in a row: a b c d / e, then f, then g h.
    let layout = layout([5, 1, 2], style(.grid))
    func walk(from start: Int, _ direction: Direction) -> [Int] {
      var walked = [start]
      while let next = layout.neighbor(of: walked[walked.count - 1], in: direction) {
        walked.append(next)
      }
      return walked
    }
    #expect(walk(from: 0, .down) == [0, 4, 5, 6])
    #expect(walk(from: 3, .down) == [3, 4, 5, 6])
    #expect(walk(from: 7, .up) == [7, 5, 4, 0])
  }

  @Test func `the arrows go through sections beside each other by place`() {
    // Six in a row: a·bb·c, ddd·e·, ffffff / f, g·h·i·
    var style = style(.grid)
    style.columns = GridColumns([.adaptive(minimum: 18)])
    let layout = layout(
      [1, 2, 1, 3, 1, 7, 1, 1, 1], style, area: PixelSize(width: 1150, height: 240))
    func walk(from start: Int, _ direction: Direction) -> [Int] {
      var walked = [start]
      while let next = layout.neighbor(of: walked[walked.count - 1], in: direction) {
        walked.append(next)
      }
      return walked
    }
    #expect(walk(from: 0, .right) == [0, 1, 2, 3])
    #expect(walk(from: 3, .left) == [3, 2, 1, 0])
    #expect(walk(from: 4, .right) == [4, 5, 6, 7])
    #expect(walk(from: 8, .right) == [8, 9, 10, 11, 12, 13])
    #expect(walk(from: 14, .right) == [14] && walk(from: 14, .left) == [14])
    #expect(walk(from: 0, .down) == [0, 4, 8, 14, 15])
    #expect(walk(from: 2, .down) == [2, 6, 10, 14, 15], "to the nearest one where none is below")
    #expect(walk(from: 3, .down) == [3, 7, 12, 14, 15])
    #expect(walk(from: 17, .up) == [17, 14, 8, 4, 0])
    #expect(walk(from: 12, .up) == [12, 7, 2])
  }

  @Test func `a hundred thousand sections share layouts by size`() throws {
    let counts = (0..<100_000).map { 1 + $0 % 3 }
    var made = 0
    let layout = SectionedLayout(
      sections(counts), width: 320, headingHeight: 20, minHeadingWidth: 240,
      cell: CellMetrics.standard.cell
    ) { range in
      made += 1
      return style(.mosaic).snapped(range.count, in: Self.area, metrics: .standard)
    }
    #expect(made == 3 && layout.count == counts.reduce(0, +))
    #expect(layout.index(at: layout.frame(at: 150_000).center) == 150_000)
  }

  @Test(arguments: seeds(1...20))
  func `shapes that become known change the rows as if they had been known from the beginning`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let counts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
      Int.random(in: 1...300, using: &random)
    }
    var ratios = [Double?](repeating: nil, count: counts.reduce(0, +))
    func layout() -> TileLayout {
      style(.rows).snapped(
        sections(counts), in: Self.area, metrics: .standard, ratio: { ratios[$0] })
    }
    var changing = layout()
    for _ in 0..<10 {
      let changes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        (
          index: Int.random(in: 0..<ratios.count, using: &random),
          ratio: Double.random(in: 0.2...5, using: &random)
        )
      }
      for change in changes { ratios[change.index] = change.ratio }
      let before = changing
      let hasChanged = changing.updateAspectRatios(changes)
      #expect(changing == layout() && hasChanged == (changing != before))
    }
    let isSame = !changing.updateAspectRatios([
      (index: ratios.count, ratio: 1), (index: -1, ratio: 1),
    ])
    #expect(isSame)
  }

  @Test func `a shape changes nothing above its section, nor any tile across the page below`() {
    var layout = layout([300, 300, 300], style(.rows))
    let before = (0..<900).map { layout.frame(at: $0) }
    let hasChanged = layout.updateAspectRatios([(index: 400, ratio: 4)])
    #expect(hasChanged)
    #expect((0..<300).allSatisfy { layout.frame(at: $0) == before[$0] })
    let moved = layout.frame(at: 600).minY - before[600].minY
    #expect((600..<900).allSatisfy { layout.frame(at: $0) == before[$0].offset(x: 0, y: moved) })
  }
}
