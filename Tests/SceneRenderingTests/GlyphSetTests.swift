import Photos
import SceneModel
import Testing

@testable import SceneRendering

struct GlyphSetTests {
  @Test(arguments: [
    (GlyphSet.half, 4), (.quadrant, 16), (.sextant, 76), (.octant, 256), (.ascii, 1),
  ])
  func `a set has a different glyph for each of its patterns`(glyphs: GlyphSet, count: Int) {
    let scalars = (0...255).compactMap { glyphs.scalar(for: UInt8($0)) }

    #expect(scalars.count == count)
    #expect(Set(scalars).count == count)
  }

  @Test(arguments: [
    (GlyphSet.half, 0b01, "▀"), (.half, 0b10, "▄"), (.half, 0b11, "█"),
    (.quadrant, 0b0001, "▘"), (.quadrant, 0b1000, "▗"), (.quadrant, 0b0110, "▞"),
    (.quadrant, 0b1101, "▙"), (.quadrant, 0b0101, "▌"),
    (.sextant, 0b0000_0001, "\u{1FB00}"), (.sextant, 0b0000_0011, "\u{1FB02}"),
    (.sextant, 0b0101_0101, "▌"), (.sextant, 0b1010_1010, "▐"),
    (.sextant, 0b0001_0110, "\u{1FB05}"), (.sextant, 0b0101_0110, "\u{1FB14}"),
    (.sextant, 0b1111_1110, "\u{1FB3B}"), (.sextant, 0b1111_0000, "▄"),
    (.sextant, 0b0000_0101, "▘"), (.sextant, 0b1010_0101, "▚"), (.sextant, 0b1111_1010, "▟"),
    (.octant, 0x04, "\u{1CD00}"), (.octant, 0x06, "\u{1CD01}"), (.octant, 0xFE, "\u{1CDE5}"),
    (.octant, 0x3F, "\u{1FB85}"), (.octant, 0x80, "\u{1CEA0}"), (.octant, 0xC0, "▂"),
  ])
  func `patterns have the characters that Unicode defines for them`(
    glyphs: GlyphSet, mask: Int, character: String
  ) {
    #expect(glyphs.scalar(for: UInt8(mask)).map { String(Character($0)) } == character)
  }

  @Test(arguments: [
    (GlyphSet.ascii, 0), (.half, 1), (.quadrant, 7), (.sextant, 37), (.octant, 127),
  ])
  func `the trials are all partitions of a cell into two parts, once each`(
    glyphs: GlyphSet, count: Int
  ) {
    let trials = glyphs.trials
    let partitions = Set(trials.map { min($0.mask, ~$0.mask & glyphs.fullMask) })

    #expect(trials.count == count)
    #expect(partitions.count == count)
    #expect(!partitions.contains(0))
    #expect(trials.allSatisfy { glyphs.scalar(for: $0.mask) != nil })
  }

  @Test(arguments: GlyphSet.blockSets)
  func `every pattern is drawn, and its samples equal the picture`(glyphs: GlyphSet) throws {
    let masks = (0...glyphs.fullMask).filter { glyphs.scalar(for: $0) != nil }
    let (red, blue) = (RGB(200, 10, 30), RGB(0, 40, 250))
    let (columns, rows) = (glyphs.sampleColumns, glyphs.pixelRows)
    let picture = Bitmap(width: masks.count * columns, height: rows.count) { x, y in
      let sample = rows[y] * columns + x % columns
      return masks[x / columns] & 1 << UInt8(sample) != 0 ? red : blue
    }

    let screen = try drawn(.filled(columns: masks.count, rows: 1), glyphs: glyphs) { _ in
      .picture(Mipmap(picture))
    }

    for (column, mask) in masks.enumerated() {
      let expected = (0..<glyphs.sampleCount).map {
        TerminalScreen.Color.rgb(mask & 1 << UInt8($0) != 0 ? red : blue)
      }
      #expect(try screen.samples(column, 0, of: glyphs) == expected, "mask \(mask)")
    }
  }
}
