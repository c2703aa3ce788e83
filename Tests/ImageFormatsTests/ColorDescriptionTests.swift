import Photos
import TestSupport
import Testing

@testable import ImageFormats

/// What files say about their colors without an ICC profile, and the light that numbers stand for.
@Suite struct ColorDescriptionTests {
  typealias Primaries = ColorDescription.Primaries
  typealias Transfer = ColorDescription.Transfer

  /// Light as a part of white: ITU-R BT.2100, tables 4 and 5, with highlights by BT.2390, 5.4.1, from
  /// 1,000 to 203 cd/m², calculated apart from the program.
  private static let lights: [(Transfer, number: Double, light: Double)] = [
    (.sRGB, 0, 0), (.sRGB, 0.04, 0.003096), (.sRGB, 0.5, 0.214041), (.sRGB, 1, 1),
    (.gamma(1), 0.25, 0.25), (.gamma(2.2), 0.5, 0.217638), (.gamma(563.0 / 256), 0.5, 0.217755),
    // 10 cd/m² are below the knee, 100 and 203 above, 1,000 and more are white.
    (.pq, 0, 0), (.pq, 0.3, 0.049449), (.pq, 0.5081, 0.489558), (.pq, 0.5807, 0.783495),
    (.pq, 0.7518, 1), (.pq, 1, 1),
    (.hlg, 0, 0), (.hlg, 0.25, 0.047317), (.hlg, 0.5, 0.249739), (.hlg, 0.75, 0.783722),
    (.hlg, 1, 1),
  ]

  @Test func `a number is the light that its curve says`() {
    for (transfer, number, light) in Self.lights {
      let curve = ColorDescription(.bt709, transfer).curve(count: 10_001, isDeep: true)
      let found = Double(curve[Int((number * 10_000).rounded())]) / 65535
      #expect(abs(found - light) < 0.0001, "\(transfer) of \(number): \(found), not \(light)")
    }
  }

  @Test(arguments: [Transfer.sRGB, .gamma(1.8), .pq, .hlg], [false, true])
  func `more is never darker, and both ends are black and white`(transfer: Transfer, isFull: Bool) {
    for isDeep in [false, true] {
      let description = ColorDescription(.bt2020, transfer, isFullRange: isFull)
      let curve = description.curve(count: 4096, isDeep: isDeep)
      #expect(curve.first == 0 && curve.last == 65535)
      #expect(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func `a limited range goes from 16 to 235, or from 4096 to 60160`() {
    let limited = ColorDescription(.bt709, .gamma(1), isFullRange: false)
    let bytes = limited.curve(count: 256, isDeep: false)
    #expect(bytes[16] == 0 && bytes[17] > 0 && bytes[234] < 65535 && bytes[235] == 65535)
    let words = limited.curve(count: 65536, isDeep: true)
    #expect(words[4096] == 0 && words[4097] > 0 && words[60159] < 65535 && words[60160] == 65535)
  }

  /// The code points of ITU-T H.273, tables 2 and 3.
  @Test func `code points say which colors they are`() {
    let cases: [(primaries: Int, transfer: Int, name: String?)] = [
      (1, 13, "sRGB"), (1, 1, "sRGB"), (12, 13, "Display P3"), (9, 16, "BT.2020 PQ"),
      (9, 18, "BT.2020 HLG"), (9, 14, "BT.2020"), (1, 8, "BT.709, linear"),
      (1, 4, "BT.709, gamma 2.2"),
      (11, 17, "DCI-P3, gamma 2.6"), (2, 16, "BT.709 PQ"), (12, 2, "Display P3"), (2, 2, nil),
      (0, 0, nil), (10, 9, nil), (255, 255, nil), (65_535, 65_535, nil),
    ]
    for (primaries, transfer, name) in cases {
      let described = ColorDescription(codedPrimaries: primaries, transfer: transfer)
      #expect(described?.name == name, "\(primaries), \(transfer)")
    }
    #expect(ColorDescription(codedPrimaries: 1, transfer: 13)?.isSRGB == true)
    #expect(ColorDescription(codedPrimaries: 1, transfer: 13, isFullRange: false)?.isSRGB == false)
  }

  // MARK: HEIC

  private static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    let length = contents.count + 8
    return (0..<4).map { UInt8(length >> (24 - 8 * $0) & 255) } + Array(type.utf8) + contents
  }

  /// The boxes of a file with two pictures, each with a property `colr` of its own after one that both
  /// share (ISO/IEC 23008-12, 9.3).
  private static func heif(
    primary: UInt8, kind: String = "nclx", isWide: Bool = false, hidesFirst: Bool = false
  ) -> [UInt8] {
    func number(_ value: UInt8) -> [UInt8] { (isWide ? [0, 0] : []) + [0, value] }
    func property(_ index: UInt8) -> [UInt8] { isWide ? [0x80, index] : [0x80 | index] }
    func color(_ primaries: UInt8) -> [UInt8] {
      box("colr", Array(kind.utf8) + [0, primaries, 0, 13, 0, 6, 0x80])
    }
    func entry(_ item: UInt8, flags: UInt8) -> [UInt8] {
      box("infe", [isWide ? 3 : 2, 0, 0, flags] + number(item) + [0, 0] + Array("hvc1\0".utf8))
    }
    let properties = box("ispe", [UInt8](repeating: 0, count: 12)) + color(9) + color(12)
    let table =
      [isWide ? 1 : 0, 0, 0, isWide ? 1 : 0, 0, 0, 0, 2] + number(1) + [2] + property(1)
      + property(2)
      + number(2) + [2] + property(1) + property(3)
    let meta =
      [0, 0, 0, 0] + box("pitm", [isWide ? 1 : 0, 0, 0, 0] + number(primary))
      + box("iinf", [0, 0, 0, 0, 0, 2] + entry(1, flags: hidesFirst ? 1 : 0) + entry(2, flags: 0))
      + box("iprp", box("ipco", properties) + box("ipma", table))
    return box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)) + box("meta", meta)
  }

  @Test(arguments: [false, true])
  func `the primary picture's code points count`(isWide: Bool) {
    func name(_ bytes: [UInt8]) -> String? {
      HEIFColors.description(in: ByteSource(bytes))?.name
    }
    #expect(name(Self.heif(primary: 1, isWide: isWide)) == "BT.2020")
    #expect(name(Self.heif(primary: 2, isWide: isWide)) == "Display P3")
    #expect(name(Self.heif(primary: 3, isWide: isWide)) == nil)
    #expect(name(Self.heif(primary: 2, kind: "prof", isWide: isWide)) == nil)
    for (primary, hides, isFirst) in [(1, false, true), (2, false, false), (2, true, true)] {
      let bytes = Self.heif(primary: UInt8(primary), isWide: isWide, hidesFirst: hides)
      #expect(HEIFItems.isPrimaryFirst(in: ByteSource(bytes)) == isFirst)
    }
  }

  @Test func `a truncated or damaged file says nothing, or something, and no more`() {
    let whole = Self.heif(primary: 2)
    for length in whole.indices {
      _ = HEIFColors.description(in: ByteSource(Array(whole[..<length])))
      _ = HEIFItems.isPrimaryFirst(in: ByteSource(Array(whole[..<length])))
      var damaged = whole
      damaged[length] = 0xff
      _ = HEIFColors.description(in: ByteSource(damaged))
      _ = HEIFItems.isPrimaryFirst(in: ByteSource(damaged))
    }
    #expect(HEIFColors.description(in: ByteSource([])) == nil)
    #expect(HEIFItems.isPrimaryFirst(in: ByteSource([])))
  }

  // MARK: PNG, PAM, PSD

  @Test func `chunks of a PNG that are cut say nothing, or something, and no more`() {
    let chunks =
      PNGFile.chunk("gAMA", [0, 1, 0x86, 0xa0])
      + PNGFile.chunk("cHRM", [UInt8](repeating: 9, count: 32))
      + PNGFile.chunk("cICP", [12, 13, 0, 1])
    let whole = PNGFile.signature + PNGFile.chunk("IHDR", [UInt8](repeating: 1, count: 13)) + chunks
    #expect(PNGColors.description(in: ByteSource(whole))?.name == "Display P3")
    for length in whole.indices {
      let cut = PNGColors.description(in: ByteSource(Array(whole[..<length])))
      #expect(cut == nil || cut?.name == "BT.709, linear" || length > whole.count - 8)
    }
    let late =
      PNGFile.signature + PNGFile.chunk("IDAT", [1]) + PNGFile.chunk("cICP", [12, 13, 0, 1])
    #expect(PNGColors.description(in: ByteSource(late)) == nil)
  }

  @Test func `headers of PAM that nothing can be made of are refused`() {
    let lines = ["WIDTH 2", "HEIGHT 1", "DEPTH 3", "MAXVAL 255", "TUPLTYPE RGB", "ENDHDR", ""]
    func file(_ number: Int, _ line: String) -> [UInt8] {
      var changed = lines
      changed[number] = line
      return Array(("P7\n" + changed.joined(separator: "\n")).utf8) + [1, 2, 3, 4, 5, 6]
    }
    let good = PAMPicture(file(0, lines[0]), maxPixels: 2)
    #expect(good?.pixels == [1, 2, 3, 255, 4, 5, 6, 255] && good?.isIncomplete == false)
    #expect(PAMPicture(file(0, lines[0]), maxPixels: 1) == nil)
    for (number, line) in [
      (0, "WIDTH 0"), (0, "WIDTH -2"), (0, "WIDTH 99999999999999999999"), (1, "HEIGHT"),
      (1, "HEIGHT 9223372036854775807"), (2, "DEPTH 2"), (2, "DEPTH 17"), (3, "MAXVAL 0"),
      (3, "MAXVAL 65536"), (0, "LENGTH 2"), (5, "END"),
    ] {
      #expect(PAMPicture(file(number, line), maxPixels: 1 << 20) == nil, "\(line)")
    }
    let whole = file(0, lines[0])
    for length in whole.indices { _ = PAMPicture(Array(whole[..<length]), maxPixels: 100) }
  }

  @Test func `a document in CMYK may be cut or lie anywhere`() {
    func big(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> ((width - 1 - $0) * 8)) }
    }
    // A resource of another kind, with a name of an odd length, then the profile.
    let resources =
      Array("8BIM".utf8) + [4, 1, 2, 0x61, 0x62, 0] + big(1, 4) + [7, 0] + Array("8BIM".utf8)
      + [4, 15, 0, 0] + big(3, 4) + [5, 6, 7, 0]
    let whole =
      Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, 4] + big(1, 4) + big(2, 4) + [0, 8, 0, 4]
      + big(0, 4) + big(resources.count, 4) + resources + big(0, 4) + [0, 1]
      + [0, 3, 0, 2, 0, 2, 0, 2] + [1, 10, 20, 255, 30, 255, 40, 255, 50]
    let picture = PhotoshopInks(whole, maxPixels: 2)
    #expect(picture?.pixels == [10, 30, 40, 50, 20, 30, 40, 50])
    #expect(picture?.profile == [5, 6, 7] && picture?.isIncomplete == false)
    #expect(PhotoshopInks(whole, maxPixels: 1) == nil)
    for length in whole.indices {
      let cut = PhotoshopInks(Array(whole[..<length]), maxPixels: 2)
      #expect(cut == nil || cut?.isIncomplete == true)
      var damaged = whole
      damaged[length] ^= 0xff
      _ = PhotoshopInks(damaged, maxPixels: 1 << 12)
    }
  }

  @Test func `inks are scaled down each by itself, and colors stay below their alpha`() {
    let pixels = [UInt8](repeating: 0, count: 8 * 8 * 4).enumerated().map { index, _ in
      [200, 150, 100, 50][index % 4] as UInt8
    }
    func reduced(_ channels: LanczosReduction.Channels) -> [UInt8] {
      Array(
        LanczosReduction.reduce(
          pixels, size: (8, 8), to: (3, 3), orientation: .upright, channels: channels)[..<4])
    }
    #expect(reduced(.inks) == [200, 150, 100, 50])
    #expect(reduced(.premultiplied) == [50, 50, 50, 50])
  }
}
