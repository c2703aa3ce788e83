import Glibc

/// The colors that the numbers of a picture stand for, if its file describes them without an ICC
/// profile.
package struct ColorDescription: Equatable, Sendable {
  package var primaries: Primaries
  package var transfer: Transfer
  /// Whether black and white are the least and the greatest number, instead of 16 and 235 of 255.
  package var isFullRange = true

  /// The colors of red, green, blue, and white (CIE 1931, x and y).
  package struct Primaries: Equatable, Sendable {
    package var name: String
    package var red: Chromaticity
    package var green: Chromaticity
    package var blue: Chromaticity
    package var white: Chromaticity
  }

  package struct Chromaticity: Equatable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  /// How the light of a channel depends on its number, both from 0 to 1.
  package enum Transfer: Equatable, Sendable {
    /// The curve of sRGB (IEC 61966-2-1), also for pictures with the camera curves of BT.601,
    /// BT.709 and BT.2020: screens and browsers show these by about the same curve.
    case sRGB
    /// A power of the number.
    case gamma(Double)
    /// Perceptual quantizer: absolute light up to 10,000 cd/m² (ITU-R BT.2100, table 4).
    case pq
    /// Hybrid log-gamma: light in front of the camera (ITU-R BT.2100, table 5).
    case hlg
  }

  package init(_ primaries: Primaries, _ transfer: Transfer, isFullRange: Bool = true) {
    (self.primaries, self.transfer, self.isFullRange) = (primaries, transfer, isFullRange)
  }

  /// Creates a description from code points (ITU-T H.273, 8.1 and 8.2); nil if both are unknown.
  package init?(codedPrimaries: Int, transfer: Int, isFullRange: Bool = true) {
    let (primaries, curve) = (Primaries(code: codedPrimaries), Transfer(code: transfer))
    guard primaries != nil || curve != nil else { return nil }
    self.init(primaries ?? .bt709, curve ?? .sRGB, isFullRange: isFullRange)
  }

  /// Whether the colors need no conversion.
  package var isSRGB: Bool { primaries == .bt709 && transfer == .sRGB && isFullRange }

  /// Adobe RGB (1998), 4.3.
  package static let adobeRGB = ColorDescription(.adobeRGB, .gamma(563.0 / 256))

  /// The name that is shown.
  package var name: String {
    switch transfer {
    case _ where isSRGB: "sRGB"
    case .sRGB: primaries.name
    case .gamma where primaries == .adobeRGB: primaries.name
    case .gamma(1): "\(primaries.name), linear"
    case .gamma(let exponent): "\(primaries.name), gamma \((exponent * 100).rounded() / 100)"
    case .pq: "\(primaries.name) PQ"
    case .hlg: "\(primaries.name) HLG"
    }
  }
}

extension ColorDescription.Primaries {
  package typealias Chromaticity = ColorDescription.Chromaticity

  private init(
    _ name: String, _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
    white: (Double, Double) = (0.3127, 0.3290)
  ) {
    self.init(
      name: name, red: Chromaticity(red.0, red.1), green: Chromaticity(green.0, green.1),
      blue: Chromaticity(blue.0, blue.1), white: Chromaticity(white.0, white.1))
  }

  /// The primaries of BT.709 and of sRGB.
  package static let bt709 = Self("BT.709", (0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
  package static let displayP3 = Self("Display P3", (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
  package static let bt2020 = Self("BT.2020", (0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
  package static let adobeRGB = Self(
    "Adobe RGB (1998)", (0.640, 0.330), (0.210, 0.710), (0.150, 0.060))

  /// Returns the primaries with a code point of ITU-T H.273, table 2; nil for unknown ones.
  init?(code: Int) {
    let illuminantC = (0.310, 0.316)
    switch code {
    case 1: self = .bt709
    case 4:
      self.init("BT.470 M", (0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: illuminantC)
    case 5: self.init("BT.601, 625 lines", (0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
    case 6, 7: self.init("BT.601, 525 lines", (0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
    case 8:
      self.init("film", (0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: illuminantC)
    case 9: self = .bt2020
    case 11:
      self.init("DCI-P3", (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: (0.314, 0.351))
    case 12: self = .displayP3
    case 22: self.init("EBU 3213", (0.630, 0.340), (0.295, 0.605), (0.155, 0.077))
    default: return nil
    }
  }

  /// Whether these can be primaries: inside the diagram, and not on a line.
  var arePlausible: Bool {
    let all = [red, green, blue, white]
    guard all.allSatisfy({ $0.x >= 0 && $0.y > 0.01 && $0.x + $0.y <= 1.001 }) else { return false }
    let area =
      (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y)
    return abs(area) > 0.005
  }

  /// Whether these primaries and others give the same colors, apart from rounding.
  func isClose(to other: Self) -> Bool {
    zip([red, green, blue, white], [other.red, other.green, other.blue, other.white]).allSatisfy {
      abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002
    }
  }
}

extension ColorDescription.Transfer {
  /// Returns the curve with a code point of ITU-T H.273, table 3; nil for unknown ones.
  init?(code: Int) {
    switch code {
    case 1, 6, 7, 11, 12, 13, 14, 15: self = .sRGB
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 8: self = .gamma(1)
    case 16: self = .pq
    case 17: self = .gamma(2.6)
    case 18: self = .hlg
    default: return nil
    }
  }
}

/// The light of pictures on a screen.
extension ColorDescription {
  /// The light of white in pictures without high dynamic range, in cd/m² (ITU-R BT.2408, 2.1).
  private static let white = 203.0
  /// The brightest light that is distinguished in pictures of high dynamic range, in cd/m².
  private static let peak = 1000.0

  /// Computes the light for numbers from 0 to 1 in even steps.
  ///
  /// - Parameters:
  ///   - count: The number of steps, at least 2.
  ///   - isDeep: Whether the numbers have 16 bits instead of 8, which a limited range depends on.
  /// - Returns: The light, 0 for black, 65535 for white.
  package func curve(count: Int, isDeep: Bool) -> [UInt16] {
    // A limited range is 16 to 235 with 8 bits, and 256 times these numbers with 16 bits (ITU-T
    // H.273, 8.3).
    let (most, step) = isDeep ? (65535.0, 256.0) : (255.0, 1.0)
    let (black, span) = (16 * step / most, 219 * step / most)
    return (0..<count).map { index in
      var number = Double(index) / Double(count - 1)
      if !isFullRange { number = min(max((number - black) / span, 0), 1) }
      return UInt16((min(max(light(of: number), 0), 1) * 65535).rounded())
    }
  }

  /// Returns the light for a number, as a part of white.
  private func light(of number: Double) -> Double {
    switch transfer {
    case .sRGB:
      number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    case .gamma(let exponent): pow(number, exponent)
    case .pq: Self.mapped(10_000 * Self.pqLight(number))
    // The exponent for a screen of 1,000 cd/m² is 1.2 (ITU-R BT.2100, table 5). The standard
    // applies it to the luminance of a color; here each channel gets it, as it gets the compression
    // below.
    case .hlg: Self.mapped(1000 * pow(Self.hlgLight(number), 1.2))
    }
  }

  /// Returns light in cd/m² as a part of white, with highlights compressed: the light of a screen of
  /// 1,000 cd/m², reduced to the white of this one (ITU-R BT.2390-11, 5.4.1).
  private static func mapped(_ light: Double) -> Double {
    let top = pqNumber(peak / 10_000)
    let most = pqNumber(white / 10_000) / top
    let knee = 1.5 * most - 0.5
    let number = min(pqNumber(light / 10_000) / top, 1)
    guard number > knee else { return light / white }
    let t = (number - knee) / (1 - knee)
    let (square, cube) = (t * t, t * t * t)
    let reduced =
      (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
      + (3 * square - 2 * cube) * most
    return 10_000 * pqLight(reduced * top) / white
  }

  // The constants of PQ and HLG (ITU-R BT.2100, tables 4 and 5).
  private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
  private static let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)

  /// Returns the light for a number of PQ, as a part of 10,000 cd/m².
  private static func pqLight(_ number: Double) -> Double {
    let root = pow(number, 1 / m2)
    return pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  private static func pqNumber(_ light: Double) -> Double {
    let power = pow(light, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  /// Returns the light in front of the camera for a number of HLG, 0 to 1.
  private static func hlgLight(_ number: Double) -> Double {
    number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
  }
}
