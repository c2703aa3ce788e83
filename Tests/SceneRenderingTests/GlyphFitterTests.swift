import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct GlyphFitterTests {
  @Test(arguments: GlyphSet.blockSets)
  func `the chosen pattern has the smallest squared error`(glyphs: GlyphSet) throws {
    let seed: UInt64 = 20_240_501
    var random = SeededGenerator(seed: seed)
    let cells = 61
    let samples = (0..<cells).map { cell in Self.samples(of: glyphs, kind: cell % 4, &random) }
    let picture = Bitmap(width: cells * glyphs.sampleColumns, height: glyphs.pixelRows.count) {
      samples[$0 / glyphs.sampleColumns][
        glyphs.pixelRows[$1] * glyphs.sampleColumns + $0 % glyphs.sampleColumns]
    }

    let screen = try drawn(.filled(columns: cells, rows: 1), glyphs: glyphs) { _ in
      .picture(Mipmap(picture))
    }

    for cell in 0..<cells {
      let colors = try screen.samples(cell, 0, of: glyphs)
      let least = (0...glyphs.fullMask).filter { glyphs.scalar(for: $0) != nil }
        .map { Self.error(of: $0, samples[cell], glyphs) }.min()
      let mask = (0..<glyphs.sampleCount).reduce(UInt8(0)) {
        $0 | (colors[$1] == colors[0] ? 1 << UInt8($1) : 0)
      }
      let error = Self.error(of: mask, samples[cell], glyphs)
      #expect(error <= (try #require(least)) + 0.5, "seed \(seed), cell \(cell)")
    }
  }

  @Test(arguments: GlyphSet.blockSets)
  func `colours are the rounded means of the samples that they represent`(
    glyphs: GlyphSet
  ) throws {
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    let samples = Self.samples(of: glyphs, kind: 0, &random)
    let picture = Bitmap(width: glyphs.sampleColumns, height: glyphs.pixelRows.count) {
      samples[glyphs.pixelRows[$1] * glyphs.sampleColumns + $0]
    }

    let screen = try drawn(.filled(columns: 1, rows: 1), glyphs: glyphs) { _ in
      .picture(Mipmap(picture))
    }

    let colors = try screen.samples(0, 0, of: glyphs)
    for color in Set(colors) {
      let group = colors.indices.filter { colors[$0] == color }
      let mean = Self.mean(of: group, samples, glyphs)
      guard case .rgb(let rgb) = color else {
        Issue.record("a covered sample has no colour, seed \(seed)")
        continue
      }
      #expect(abs(Double(rgb.red) - mean.x) <= 0.501, "seed \(seed)")
      #expect(abs(Double(rgb.green) - mean.y) <= 0.501, "seed \(seed)")
      #expect(abs(Double(rgb.blue) - mean.z) <= 0.501, "seed \(seed)")
    }
  }

  @Test func `a flat cell is a space`() throws {
    let screen = try drawn(.filled(columns: 3, rows: 2), glyphs: .octant) { _ in
      .waiting(RGB(1, 2, 3))
    }

    #expect(screen.cells.allSatisfy { $0.text == " " && $0.background == .rgb(RGB(1, 2, 3)) })
  }

  /// The samples of a cell: noise, two colors, a gradient, or a nearly flat area.
  private static func samples(
    of glyphs: GlyphSet, kind: Int, _ random: inout SeededGenerator
  ) -> [RGB] {
    let (first, second) = (random.color(), random.color())
    return (0..<glyphs.sampleCount).map { sample in
      switch kind {
      case 0: return random.color()
      case 1: return Bool.random(using: &random) ? first : second
      case 2: return second.blended(over: first, share: Double(sample) / 8)
      default: return RGB(100, 100, UInt8.random(in: 100...102, using: &random))
      }
    }
  }

  private static func weight(_ sample: Int, _ glyphs: GlyphSet) -> Double {
    Double(glyphs.sampleHeights[sample / glyphs.sampleColumns])
  }

  private static func mean(
    of group: [Int], _ samples: [RGB], _ glyphs: GlyphSet
  ) -> SIMD3<Double> {
    var sum = SIMD3<Double>.zero
    for sample in group { sum += vector(samples[sample]) * weight(sample, glyphs) }
    return sum / group.reduce(0) { $0 + weight($1, glyphs) }
  }

  private static func error(of mask: UInt8, _ samples: [RGB], _ glyphs: GlyphSet) -> Double {
    var error = 0.0
    for isSet in [true, false] {
      let group = samples.indices.filter { (mask & 1 << UInt8($0) != 0) == isSet }
      guard !group.isEmpty else { continue }
      let mean = mean(of: group, samples, glyphs)
      for sample in group {
        let difference = vector(samples[sample]) - mean
        error += (difference * difference).sum() * weight(sample, glyphs)
      }
    }
    return error
  }

  private static func vector(_ color: RGB) -> SIMD3<Double> {
    SIMD3(Double(color.red), Double(color.green), Double(color.blue))
  }
}
