/// Dithers a picture with the colors of a palette by error diffusion.
///
/// The shares are those of Robert W. Floyd and Louis Steinberg ("An adaptive algorithm for spatial
/// grayscale", 1976) without the last sixteenth. So on flat surfaces small errors fade, instead of
/// adding up to dots of other colors. Neighbors get these shares of a pixel's error:
///
///           pixel  7/16
///     3/16  5/16   (0)
///
/// A pixel depends on the previous one. Four rows are computed together, each two pixels behind the
/// row above, so that the processor can compute them in parallel.
struct ErrorDiffusion {
  /// The register for transparent pixels; it stands for no color.
  static let transparent: UInt16 = 2047

  /// The errors that a row passes on to the next, times 16; with one more value at each end.
  private var errors: [SIMD4<Int16>] = []

  /// Writes the register of each pixel of a picture, row by row.
  ///
  /// - Parameters:
  ///   - pixels: Red, green, blue and alpha from the lowest byte on; alpha is 255 or 0.
  ///   - width: The width of the picture.
  ///   - lookup: Finds the nearest register of a color.
  ///   - bound: The most that errors add to a channel; larger errors would become specks of other
  ///     colors. A register that is off by more than twice that is replaced by the nearest one.
  ///   - registers: The memory for the registers, row by row.
  mutating func run(
    over pixels: UnsafeBufferPointer<UInt32>, width: Int, with lookup: NearestColors.Lookup,
    bound: Int16, into registers: UnsafeMutableBufferPointer<UInt16>
  ) {
    let height = pixels.count / max(width, 1)
    guard height > 0, let source = pixels.baseAddress, let target = registers.baseAddress else {
      return
    }
    precondition(registers.count >= width * height, "too few registers: \(registers.count)")
    errors = Array(repeating: .zero, count: width + 2)
    // Alpha is ignored: registers are opaque, and pixels may be transparent.
    let farthest = SIMD4(2 * bound, 2 * bound, 2 * bound, .max)
    errors.withUnsafeMutableBufferPointer { errors in
      guard let errors = errors.baseAddress else { return }
      func row(_ y: Int) -> Row {
        Row(
          source: source + y * width, target: target + y * width, errors: errors + 1,
          bound: SIMD4(repeating: bound), farthest: farthest)
      }
      var y = 0
      while y < height {
        if y + 4 <= height, width > 6 {
          Self.runFour(row(y), row(y + 1), row(y + 2), row(y + 3), width: width, lookup)
          y += 4
        } else {
          var row = row(y)
          for x in 0..<width { row.step(x, lookup) }
          row.end(width)
          y += 1
        }
      }
    }
  }

  private static func runFour(
    _ first: Row, _ second: Row, _ third: Row, _ fourth: Row, width: Int,
    _ lookup: NearestColors.Lookup
  ) {
    var (first, second, third, fourth) = (first, second, third, fourth)
    for x in 0..<6 {
      first.step(x, lookup)
      if x >= 2 { second.step(x - 2, lookup) }
      if x >= 4 { third.step(x - 4, lookup) }
    }
    for x in 6..<width {
      first.step(x, lookup)
      second.step(x - 2, lookup)
      third.step(x - 4, lookup)
      fourth.step(x - 6, lookup)
    }
    first.end(width)
    for x in width..<width + 2 {
      second.step(x - 2, lookup)
      third.step(x - 4, lookup)
      fourth.step(x - 6, lookup)
    }
    second.end(width)
    for x in width + 2..<width + 4 {
      third.step(x - 4, lookup)
      fourth.step(x - 6, lookup)
    }
    third.end(width)
    for x in width + 4..<width + 6 { fourth.step(x - 6, lookup) }
    fourth.end(width)
  }

  private struct Row {
    let source: UnsafePointer<UInt32>
    let target: UnsafeMutablePointer<UInt16>
    /// The errors from the row above; left of the current pixel, those for the row below.
    let errors: UnsafeMutablePointer<SIMD4<Int16>>
    /// The most that errors add to a channel.
    let bound: SIMD4<Int16>
    /// The most that a channel of a register may differ from the pixel's, if another one is nearer.
    let farthest: SIMD4<Int16>
    /// Seven times the error of the last pixel, for the next one.
    var ahead = SIMD4<Int16>.zero
    /// Five times the error of the last pixel, for the pixel below it.
    var below = SIMD4<Int16>.zero
    /// The register of the last pixel.
    var register: UInt16 = 0

    /// Chooses the register of a pixel, and distributes its error.
    @inline(__always)
    mutating func step(_ x: Int, _ lookup: NearestColors.Lookup) {
      let pixel = source[x]
      let channels = SIMD4<Int16>(truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt8>.self))
      var owed = (ahead &+ errors[x] &+ 8) &>> 4
      owed.clamp(lowerBound: .zero &- bound, upperBound: bound)
      var color = channels &+ owed
      color.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
      register = lookup.register(for: color, hint: register)
      let off = lookup.colors[Int(register)] &- channels
      if any(off .> farthest .| off .< 0 &- farthest) {
        register = lookup.register(for: channels, hint: register)
      }
      // All ones where the pixel is opaque.
      let shows = Int16(truncatingIfNeeded: Int32(bitPattern: pixel) >> 31)
      target[x] = register | UInt16(bitPattern: ~shows) & ErrorDiffusion.transparent
      var error = (color &- lookup.colors[Int(register)]) & SIMD4(repeating: shows)
      // Channels of registers have 101 steps: over a flat area, the rounding errors would add up to
      // dots of other colors.
      error.replace(with: 0, where: (error .>= -2) .& (error .<= 2))
      let double = error &+ error
      errors[x - 1] = below &+ double &+ error
      below = double &+ double &+ error
      ahead = (error &<< 3) &- error
    }

    /// Passes the last error on to the row below.
    func end(_ width: Int) { errors[width - 1] = below }
  }
}
