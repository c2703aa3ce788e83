/// The colors of a PNG, as the file describes them (PNG specification, third edition, 4.3 and
/// 11.3.2).
package enum PNGColors {
  /// Reads the chunk that takes precedence: cICP, then iCCP, then sRGB, then gAMA and cHRM.
  ///
  /// - Returns: Nil if the embedded profile holds, or if nothing is said.
  package static func description(in file: ByteSource) -> ColorDescription? {
    var gamma: Double?
    var primaries: ColorDescription.Primaries?
    var isSaidOtherwise = false
    for chunk in PNGHead.chunks(of: file) {
      func contents(_ count: Int) -> [UInt8]? {
        chunk.contents.count == count
          ? file.bytes(at: chunk.contents.lowerBound, count: count) : nil
      }
      switch chunk.type {
      case "cICP":
        // The third number is the matrix, which is always that of RGB.
        if let code = contents(4),
          let described = ColorDescription(
            codedPrimaries: Int(code[0]), transfer: Int(code[1]), isFullRange: code[3] != 0)
        {
          return described
        }
      case "iCCP", "sRGB": isSaidOtherwise = true
      case "gAMA": gamma = contents(4).flatMap { Self.exponent(of: $0) }
      case "cHRM": primaries = contents(32).flatMap { Self.primaries($0) }
      default: break
      }
    }
    guard !isSaidOtherwise, gamma != nil || primaries != nil else { return nil }
    let colors = primaries ?? .bt709
    return ColorDescription(colors, gamma.map { transfer($0, colors) } ?? .sRGB)
  }

  /// Returns the exponent from numbers to light; nil for one that no program means.
  private static func exponent(of bytes: [UInt8]) -> Double? {
    let encoded = Double(number(bytes, 0)) / 100_000
    return (0.05...20).contains(encoded) ? 1 / encoded : nil
  }

  /// Returns the curve with an exponent.
  ///
  /// With the primaries of sRGB, programs write 1/2.2 for its curve, as the specification of the chunk
  /// sRGB says.
  private static func transfer(
    _ exponent: Double, _ primaries: ColorDescription.Primaries
  ) -> ColorDescription.Transfer {
    primaries == .bt709 && abs(exponent - 2.2) < 0.01 ? .sRGB : .gamma(exponent)
  }

  private static func primaries(_ bytes: [UInt8]) -> ColorDescription.Primaries? {
    func color(_ index: Int) -> ColorDescription.Chromaticity {
      .init(
        Double(number(bytes, index * 8)) / 100_000, Double(number(bytes, index * 8 + 4)) / 100_000)
    }
    let read = ColorDescription.Primaries(
      name: "own primaries", red: color(1), green: color(2), blue: color(3), white: color(0))
    guard read.arePlausible else { return nil }
    let known: [ColorDescription.Primaries] = [.bt709, .displayP3, .adobeRGB, .bt2020]
    return known.first { read.isClose(to: $0) } ?? read
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
