@testable import Geometry
import TestSupport
import Testing

/// Sections below each other, each in one of the layouts under its heading.
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

  @Test func `a grid begins a new row in each section`() throws {
    #expect(
      try picture(layout([5, 1, 2], style(.grid))) == [
        "2 ================================",
        "1 ",
        "6   aaaaaa bbbbbb cccccc dddddd",
        "1 ",
        "6   eeeeee",
        "2 ",
        "2 ================================",
        "1 ",
        "6   ffffff",
        "1 ",
        "2 ================================",
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

  @Test(arguments: seeds(1...60))
  func `random sections do not overlap, and each is laid out as if it were alone`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var style = style(LayoutStyle.Kind.allCases[seed % LayoutStyle.Kind.allCases.count])
    style.hasLabels = seed % 2 == 0
    style.enlargement = Int.random(in: -8...2, using: &random)
    let area = PixelSize(
      width: Double(Int.random(in: 10...120, using: &random) * 10),
      height: Double(Int.random(in: 5...40, using: &random) * 20))
    let counts = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      [1, 2, Int.random(in: 1...40, using: &random)].randomElement(using: &random) ?? 1
    }
    let layout = layout(counts, style, area: area)
    let sectioned = try #require(layout.sectioned)

    #expect(layout.count == counts.reduce(0, +))
    var index = 0
    for (section, count) in counts.enumerated() {
      let heading = sectioned.heading(ofSection: section)
      #expect(heading.minY.truncatingRemainder(dividingBy: 20) == 0 && heading.height == 20)
      #expect(sectioned.section(at: heading.minY) == section)
      #expect(sectioned.heading(at: heading.center) == section)
      #expect(layout.index(at: heading.center) == nil)
      let end =
        section + 1 < counts.count
        ? sectioned.heading(ofSection: section + 1).minY : layout.contentHeight
      let alone = style.snapped(count, in: area, metrics: .standard)
      for inside in 0..<count {
        let frame = layout.frame(at: index)
        #expect(frame == alone.frame(at: inside).offset(x: 0, y: heading.maxY))
        #expect(
          layout.labelFrame(at: index)
            == alone.labelFrame(at: inside)?.offset(x: 0, y: heading.maxY))
        #expect(frame.minY >= heading.maxY && frame.maxY <= end)
        #expect(layout.index(at: frame.center) == index)
        #expect(layout.indices(in: frame).contains(index))
        #expect(sectioned.section(at: frame.center.y) == section)
        index += 1
      }
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

  @Test func `a hundred thousand sections share layouts by size`() throws {
    let counts = (0..<100_000).map { 1 + $0 % 3 }
    var made = 0
    let layout = SectionedLayout(sections(counts), width: 320, headingHeight: 20, row: 20) {
      range in
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
