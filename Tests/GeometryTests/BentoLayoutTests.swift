import TestSupport
import Testing

@testable import Geometry

struct BentoLayoutTests {
  private let placementStep = CellMetrics.standard.placementStep

  private func frames(
    _ text: String, count: Int, columns: Int = 32, rows: Int = 16
  ) throws -> [[Int]] {
    let layout = BentoLayout(
      snapping: count, width: Double(columns) * 10, pageHeight: Double(rows) * 20,
      pattern: try Split(parsing: text), metrics: .standard)
    return (0..<count).map { index in
      let frame = layout.tiles.frame(at: index)
      return [frame.minX, frame.minY, frame.width, frame.height].map { Int($0 / 10) }
    }
  }

  @Test func `the axis alternates at each level, starting with the vertical one`() throws {
    #expect(
      try frames("bento((1,(1,1)),1,1)", count: 5) == [
        [1, 1, 15, 9], [17, 1, 14, 4], [17, 6, 14, 4], [1, 11, 30, 10], [1, 22, 30, 9],
      ])
  }

  @Test func `if there are more photos than leaves, the pattern repeats one page further down`()
    throws
  {
    #expect(
      try frames("bento((1,1))", count: 4) == [
        [1, 1, 15, 30], [17, 1, 14, 30], [1, 32, 15, 30], [17, 32, 14, 30],
      ])
  }

  @Test func `the remaining photos share the last page`() throws {
    #expect(
      try frames("bento((1,(1,1)),1)", count: 6).suffix(2) == [
        [1, 32, 15, 30], [17, 32, 14, 30],
      ])
    #expect(try frames("bento((1,(1,1)),1)", count: 5).last == [1, 32, 30, 30])
  }

  @Test func `fixed lengths are text rows vertically and text columns horizontally`() throws {
    #expect(
      try frames("bento((1:8,1),1:3)", count: 3) == [
        [1, 1, 8, 23], [10, 1, 21, 23], [1, 25, 30, 6],
      ])
  }

  @Test func `if all lengths are fixed, they are proportions`() throws {
    #expect(
      try frames("bento((1:2,1:1))", count: 2) == [[1, 1, 19, 30], [21, 1, 10, 30]])
  }

  @Test func `a fixed length leaves at least two quanta for each of the others`() throws {
    #expect(
      try frames("bento((1:900,(1,1)))", count: 3) == [
        [1, 1, 27, 30], [29, 1, 2, 15], [29, 17, 2, 14],
      ])
  }

  @Test func `the exact layout does not round frames to quanta`() {
    let layout = BentoLayout(
      exactly: 3, width: 800, pageHeight: 500, pattern: Split([.leaf, .leaf, .leaf]),
      spacing: PixelSize(width: 5, height: 5), metrics: .standard)

    #expect(layout.tiles.frame(at: 0).height == 490.0 / 3)
    #expect(abs(layout.tiles.frame(at: 2).maxY - 500) < 1e-9)
  }

  @Test(arguments: Split.named.map(\.name))
  func `the named patterns keep their tiles large enough to be seen`(name: String) throws {
    let pattern = try Split(parsing: "bento(\(name))")
    for (columns, rows) in [(100, 29), (200, 59)] {
      let size = CellMetrics.standard.size(of: CellSize(columns: columns, rows: rows))
      let layout = BentoLayout(
        snapping: pattern.leafCount, width: size.width, pageHeight: size.height,
        pattern: pattern, metrics: .standard)
      for index in 0..<pattern.leafCount {
        let frame = layout.tiles.frame(at: index)
        #expect(frame.width >= size.width / 6, "\(name) at \(columns)")
        #expect((0.25...2.6).contains(frame.size.aspectRatio), "\(name) at \(columns): \(frame)")
      }
    }
  }

  @Test
  func `tiles fill any screen with gaps of a placementStep, and each is found at its position`() {
    let seed: UInt64 = 92_653
    var random = SeededGenerator(seed: seed)
    for count in 0...200 {
      let pattern = Split.random(using: &random)
      let metrics = CellMetrics(
        cell: PixelSize(
          width: Double.random(in: 6...14, using: &random),
          height: Double.random(in: 14...20, using: &random)))
      let size = metrics.size(
        of: CellSize(
          columns: Int.random(in: 1...300, using: &random),
          rows: Int.random(in: 1...90, using: &random)))
      let context: Comment = "seed \(seed): \(count) photos in \(size), \(pattern.text)"

      for isExact in [false, true] {
        let gap = metrics.placementStep
        let margin = isExact ? PixelSize.zero : metrics.placementStep
        let page =
          isExact
          ? TilePage.exact(width: size.width, height: size.height, spacing: gap)
          : .snapping(width: size.width, height: size.height, spacing: 1, metrics: metrics)
        // On a screen that is too small for the pattern, the excess width is clipped.
        let least = pattern.minimumSize(along: .vertical, on: page).width + 2 * margin.width
        let bento =
          isExact
          ? BentoLayout(
            exactly: count, width: size.width, pageHeight: size.height, pattern: pattern,
            spacing: gap, metrics: metrics)
          : BentoLayout(
            snapping: count, width: size.width, pageHeight: size.height, pattern: pattern,
            metrics: metrics)

        #expect(
          faults(
            of: .bento(bento), gap: gap, margin: margin, width: max(size.width, least)) == [],
          context)
      }
    }
  }

  @Test func `a pattern of a thousand leaves in twenty levels is laid out`() {
    var pattern = Split(Array(repeating: .leaf, count: 981))
    for _ in 0..<19 { pattern = Split([pattern, .leaf]) }

    let layout = BentoLayout(
      snapping: 2_500, width: 2000, pageHeight: 1200, pattern: pattern, metrics: .standard)

    #expect(pattern.leafCount == 1_000)
    for index in stride(from: 0, to: 2_500, by: 37) {
      #expect(layout.tiles.index(at: layout.tiles.frame(at: index).center) == index)
    }
  }
}

struct SplitTextTests {
  @Test func `a pattern is parsed from its text`() throws {
    #expect(try Split(parsing: "bento") == .tray)
    #expect(try Split(parsing: " bento ( HERO ) ") == .hero)
    #expect(
      try Split(parsing: "bento((1,(1,1)),1,1)")
        == Split([Split([.leaf, Split([.leaf, .leaf])]), .leaf, .leaf]))
    #expect(
      try Split(parsing: "bento( 1:12 , ( 1 ) )")
        == Split([.leaf(length: 12), Split([.leaf])]))
  }

  @Test func `random patterns are parsed from the text that they are written as`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let pattern = Split.random(using: &random)
      let whole = pattern.children.isEmpty ? Split([pattern]) : pattern
      #expect(try Split(parsing: whole.text) == whole)
    }
  }

  @Test(arguments: [
    ("", SplitError.Cause.notBento, 1),
    ("mosaic", .notBento, 1),
    ("bentos(1)", .notBento, 1),
    ("bento 1", .notBento, 7),
    ("bento(", .unclosed, 6),
    ("bento(1", .unclosed, 6),
    ("bento(1,(1,1)", .unclosed, 6),
    ("bento(1,(1,1", .unclosed, 9),
    ("bento(hero", .unclosed, 6),
    ("bento()", .noLeaves, 6),
    ("bento(1,())", .noLeaves, 9),
    ("bento(1,)", .missingPart, 9),
    ("bento(,1)", .missingPart, 7),
    ("bento(1,,1)", .missingPart, 9),
    ("bento(1))", .trailing, 9),
    ("bento(1) 1", .trailing, 10),
    ("bento(hero))", .trailing, 12),
    ("bento(1;1)", .noSeparator, 8),
    ("bento(1(1))", .noSeparator, 8),
    ("bento(hero,1)", .noSeparator, 11),
    ("bento(1,*)", .noPart, 9),
    ("bento(-1)", .noPart, 7),
    ("bento(nothing)", .unknownName, 7),
    ("bento(1,2)", .notALeaf, 9),
    ("bento(0)", .notALeaf, 7),
    ("bento(11)", .notALeaf, 7),
    ("bento(1:)", .length, 9),
    ("bento(1:0)", .length, 9),
    ("bento(1:-3)", .length, 9),
    ("bento(1:1001)", .length, 9),
    ("bento(1,1:99999999999999999999)", .length, 11),
    ("bento(１)", .noPart, 7),
  ])
  func `an error says what is wrong and where`(
    text: String, cause: SplitError.Cause, position: Int
  ) {
    #expect(throws: SplitError(cause: cause, position: position)) {
      try Split(parsing: text)
    }
  }

  @Test func `a pattern has at most a thousand leaves and twenty levels`() throws {
    func leaves(_ count: Int) -> String {
      "bento(\(Array(repeating: "1", count: count).joined(separator: ",")))"
    }
    func levels(_ depth: Int) -> String {
      "bento" + String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
    }

    #expect(try Split(parsing: leaves(1_000)).leafCount == 1_000)
    #expect(throws: SplitError(cause: .leafCount, position: 2_007)) {
      try Split(parsing: leaves(1_001))
    }
    #expect(try Split(parsing: levels(20)).leafCount == 1)
    #expect(throws: SplitError(cause: .depth, position: 26)) { try Split(parsing: levels(21)) }
    #expect(throws: SplitError(cause: .depth, position: 26)) {
      try Split(parsing: levels(1_000_000))
    }
  }

  @Test func `the description of an error names its position`() {
    let error = SplitError(cause: .noLeaves, position: 9)

    #expect(
      error.description
        == "character 9: a bento layout needs at least one tile here; write 1 for a tile")
  }

  @Test func `random text is a pattern, or an error with a position inside the text`() {
    let seed: UInt64 = 58_979
    var random = SeededGenerator(seed: seed)
    let letters = Array("((((1111,,,,)))): 2he")
    for _ in 0..<3_000 {
      let length = Int.random(in: 0...30, using: &random)
      let text =
        "bento" + String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
      do throws(SplitError) {
        #expect(try Split(parsing: text).leafCount > 0)
      } catch {
        #expect((1...text.count + 1).contains(error.position), "seed \(seed): \(text)")
      }
    }
  }
}
