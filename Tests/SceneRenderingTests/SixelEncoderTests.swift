import Geometry
import PseudoTerminal
import SceneRendering
import TestSupport
import Testing

struct SixelEncoderTests {
  private static func encoded(
    _ pixels: [UInt32], width: Int, registers: Int = 256
  ) -> [UInt8] {
    var encoder = SixelEncoder(registers: registers)
    var bytes: [UInt8] = []
    pixels.withUnsafeBufferPointer { encoder.encode($0, width: width, into: &bytes) }
    return bytes
  }

  private static func pixel(_ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
  }

  /// Pixels like those of a photo: gradients, an edge, and noise.
  private static func photo(width: Int, height: Int, _ random: inout SeededGenerator) -> [UInt32] {
    let edge = Int.random(in: 0...max(width, 1), using: &random)
    return (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      let noise = Int.random(in: -6...6, using: &random)
      func level(_ value: Int) -> Int { max(0, min(255, value + noise)) }
      return x < edge
        ? pixel(level(40 + x), level(90 + y), level(200 - x / 2))
        : pixel(level(220 - y), level(120), level(30 + x / 3))
    }
  }

  /// The channels of a pixel, red first.
  private static func channels(_ pixel: UInt32) -> [Int] {
    [0, 8, 16].map { Int(pixel >> UInt32($0) & 255) }
  }

  /// The mean squared difference between the means of blocks of four by four pixels.
  private static func coarseError(_ left: [UInt32], _ right: [UInt32], width: Int) -> Double {
    var (sum, count) = (0.0, 0.0)
    for y in stride(from: 0, through: left.count / width - 4, by: 4) {
      for x in stride(from: 0, through: width - 4, by: 4) {
        var differences = [0, 0, 0]
        for place in 0..<16 {
          let index = (y + place / 4) * width + x + place % 4
          for (channel, pair) in zip(channels(left[index]), channels(right[index])).enumerated() {
            differences[channel] += pair.0 - pair.1
          }
        }
        for difference in differences {
          sum += Double(difference * difference) / 256
          count += 1
        }
      }
    }
    return count == 0 ? 0 : sum / count
  }

  private static func squaredError(_ left: [UInt32], _ right: [UInt32]) -> Double {
    var sum = 0
    for (left, right) in zip(left, right) {
      for (a, b) in zip(channels(left), channels(right)) { sum += (a - b) * (a - b) }
    }
    return Double(sum) / Double(max(left.count * 3, 1))
  }

  @Test(arguments: [
    // One pixel; runs of less than four, without a count; longer runs; a band of six rows; bands.
    (1, 1, pixel(255, 255, 255), "\"1;1;1;1#0;2;100;100;100#0@"),
    (3, 2, pixel(255, 0, 0), "\"1;1;3;2#0;2;100;0;0#0BBB"),
    (5, 1, pixel(0, 0, 0), "\"1;1;5;1#0;2;0;0;0#0!5@"),
    (1, 6, pixel(0, 255, 0), "\"1;1;1;6#0;2;0;100;0#0~"),
    (2, 13, pixel(0, 0, 255), "\"1;1;2;13#0;2;0;0;100#0~~-#0~~-#0@@"),
  ])
  func `a picture of one colour is encoded as its size, its colour and its runs`(
    width: Int, height: Int, color: UInt32, text: String
  ) {
    let pixels = Array(repeating: color, count: width * height)

    #expect(
      String(decoding: Self.encoded(pixels, width: width), as: UTF8.self)
        == "\u{1B}P0;1;0q\(text)\u{1B}\\")
  }

  @Test(arguments: [
    (1, 1), (1, 7), (2, 5), (3, 6), (5, 13), (6, 4), (7, 8), (9, 3), (64, 48), (123, 45), (640, 1),
  ])
  func `pictures of all shapes are decoded in full`(width: Int, height: Int) throws {
    let seed: UInt64 = 77
    var random = SeededGenerator(seed: seed)
    let photo = Self.photo(width: width, height: height, &random)

    let picture = try SixelPicture(Self.encoded(photo, width: width))

    #expect([picture.width, picture.height] == [width, height])
    #expect(picture.pixels.allSatisfy { $0 >> 24 == 255 })
    #expect(!picture.paintsBackground)
    #expect(Self.squaredError(picture.pixels, photo) < 40, "seed \(seed)")
    #expect(Self.coarseError(picture.pixels, photo, width: width) < 6, "seed \(seed)")
  }

  @Test(arguments: [2, 3, 16, 64, 256, 1024])
  func `no picture has more colours than there are registers`(registers: Int) throws {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    let noise = (0..<80 * 60).map { _ in
      UInt32.random(in: 0...0xFF_FFFF, using: &random) | 0xFF00_0000
    }

    let bytes = Self.encoded(noise, width: 80, registers: registers)

    let picture = try SixelPicture(bytes, registers: registers)
    #expect((registers / 2 + 1...registers).contains(picture.colorCount), "seed \(seed)")
  }

  @Test func `more registers give smaller errors`() throws {
    let seed: UInt64 = 8
    var random = SeededGenerator(seed: seed)
    let photo = Self.photo(width: 160, height: 100, &random)

    let errors = try [4, 16, 64, 256].map { registers in
      let bytes = Self.encoded(photo, width: 160, registers: registers)
      return Self.squaredError(try SixelPicture(bytes).pixels, photo)
    }

    #expect(errors == errors.sorted(by: >), "seed \(seed)")
    #expect(errors[3] < 20, "seed \(seed)")
  }

  @Test func `a few colours that sixel can represent are decoded exactly`() throws {
    let seed: UInt64 = 21
    var random = SeededGenerator(seed: seed)
    // 0, 20, up to 100 percent.
    let levels = [0, 51, 102, 153, 204, 255]
    let colors = levels.flatMap { red in
      levels.flatMap { green in levels.map { Self.pixel(red, green, $0) } }
    }
    let pixels = (0..<70 * 50).map { colors[$0 % colors.count] }.shuffled(using: &random)

    let picture = try SixelPicture(Self.encoded(pixels, width: 70))

    let wrong = zip(picture.pixels, pixels).count { $0 != $1 }
    #expect(wrong == 0, "seed \(seed)")
  }

  @Test func `flat surfaces stay flat`() throws {
    let seed: UInt64 = 17
    var random = SeededGenerator(seed: seed)
    var colors = [Self.pixel(31, 31, 31), Self.pixel(64, 156, 255)]
    for _ in 0..<6 {
      let color = random.color()
      colors.append(Self.pixel(Int(color.red), Int(color.green), Int(color.blue)))
    }
    let pixels = (0..<160 * 120).map { index in
      let (y, x) = index.quotientAndRemainder(dividingBy: 160)
      return colors[x / 40 + y / 60 * 4]
    }

    let picture = try SixelPicture(Self.encoded(pixels, width: 160))

    let dots = zip(picture.pixels, pixels).count { !areClose($0, $1, within: 3) }
    #expect(dots == 0, "seed \(seed)")
  }

  @Test func `a small detail keeps its colour`() throws {
    var pixels = (0..<100 * 100).map { Self.pixel(30, 60 + $0 % 100 / 4, 120 + $0 / 200) }
    for index in [5050, 5051, 5150, 5151] { pixels[index] = Self.pixel(255, 51, 0) }

    let picture = try SixelPicture(Self.encoded(pixels, width: 100))

    for index in [5050, 5051, 5150, 5151] {
      #expect(areClose(picture.pixels[index], Self.pixel(255, 51, 0), within: 20))
    }
  }

  @Test func `transparent pixels stay transparent`() throws {
    let seed: UInt64 = 3
    var random = SeededGenerator(seed: seed)
    var photo = Self.photo(width: 50, height: 40, &random)
    for index in photo.indices where (index / 7).isMultiple(of: 3) { photo[index] = 0 }

    let picture = try SixelPicture(Self.encoded(photo, width: 50))

    #expect(picture.pixels.map { $0 == 0 } == photo.map { $0 == 0 }, "seed \(seed)")
    let shown = zip(picture.pixels, photo).filter { $1 != 0 }
    #expect(Self.squaredError(shown.map(\.0), shown.map(\.1)) < 20, "seed \(seed)")
  }

  @Test func `a picture without opaque pixels takes no bytes`() {
    #expect(Self.encoded([], width: 0).isEmpty)
    #expect(Self.encoded([], width: 4).isEmpty)
    #expect(Self.encoded(Array(repeating: 0, count: 20), width: 5).isEmpty)
  }

  @Test func `an encoder keeps nothing from one picture to the next`() throws {
    let seed: UInt64 = 13
    var random = SeededGenerator(seed: seed)
    var encoder = SixelEncoder()
    for _ in 0..<12 {
      let width = Int.random(in: 1...90, using: &random)
      let photo = Self.photo(width: width, height: .random(in: 1...50, using: &random), &random)
      var bytes: [UInt8] = []

      photo.withUnsafeBufferPointer { encoder.encode($0, width: width, into: &bytes) }

      #expect(bytes == Self.encoded(photo, width: width), "seed \(seed)")
    }
  }
}

struct SixelPictureTests {
  private static func picture(_ text: String) throws -> SixelPicture {
    try SixelPicture(Array("\u{1B}P\(text)\u{1B}\\".utf8))
  }

  @Test func `pictures that the specification allows are read`() throws {
    let picture = try Self.picture("0;1;0q\"1;1;4;8#1;2;100;0;0#0;2;0;50;0#1!3~$#0???@-#1A")

    let (none, red, green): (UInt32, UInt32, UInt32) = (0, 0xFF00_00FF, 0xFF00_7F00)
    #expect(picture.pixels[..<4] == [red, red, red, green])
    #expect(picture.pixels[20..<24] == [red, red, red, none])
    #expect(picture.pixels[24..<32] == [none, none, none, none, red, none, none, none])
    #expect(picture.colorCount == 2)
  }

  @Test(arguments: [
    ("0;1;0q#0;2;0;0;0~", "no raster"), ("0;1;0q\"1;1;0;6#0;2;0;0;0", "no width"),
    ("0;1;0q\"2;1;6;6#0;2;0;0;0~", "another aspect"),
    ("0;1;0q\"1;1;6;6#0;2;101;0;0~", "a colour above 100"),
    ("0;1;0q\"1;1;6;6#0;1;0;0;0~", "a colour by hue"),
    ("0;1;0q\"1;1;6;6#256;2;0;0;0~", "a register too many"),
    ("0;1;0q\"1;1;6;6#3~", "a register without a colour"),
    ("0;1;0q\"1;1;6;6~", "a pixel without a colour"),
    ("0;1;0q\"1;1;6;5#0;2;0;0;0~", "a row too many"),
    ("0;1;0q\"1;1;6;6#0;2;0;0;0!7~", "a column too many"),
    ("0;1;0q\"1;1;6;6#0;2;0;0;0!0~", "a repetition of nothing"),
    ("0;1;0q\"1;1;6;6#0;2;0;0;0!3", "a repetition that ends"),
    ("0;1;0q\"1;1;6;6#0;2;0;0;0~-", "a band below"), ("0;1;0q\"1;1;6;6#0;2;0;0;0\n", "a line feed"),
  ])
  func `pictures that break the specification are a fault`(text: String, what: String) {
    #expect(throws: SixelPicture.Fault.self, "\(what)") { try Self.picture(text) }
  }
}
