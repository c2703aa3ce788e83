/// Gives every pixel a register so that the errors of neighbors make up for each other.
///
/// The shares are those of Robert W. Floyd and Louis Steinberg ("An adaptive algorithm for spatial
/// grayscale", 1976) without the last sixteenth: on flat surfaces small errors then fade away, and do
/// not add up to dots of other colours.
///
/// Each pixel waits for the one before it. Four rows go at once, each two pixels behind the one
/// above, so that the processor has something to do meanwhile.
struct ErrorDiffusion {
  /// What stands for a pixel that shows nothing.
  static let transparent: UInt16 = 2047

  /// Sixteenths of what a row passes on to the next; one more at either end.
  private var errors: [SIMD4<Int16>] = []

  /// Writes the register of each pixel of a picture, row by row.
  ///
  /// Pixels are red, green, blue and alpha from the lowest byte on; alpha is 255 or 0. No channel is
  /// looked up farther than `bound` from its own value, and none comes out farther than twice that
  /// from it, unless its nearest register is: what neighbors lack more is given up, since it would come
  /// out as a speck of quite another colour.
  mutating func run(
    over pixels: UnsafeBufferPointer<UInt32>, width: Int, with lookup: NearestColors.Lookup,
    bound: Int16, into registers: UnsafeMutableBufferPointer<UInt16>
  ) {
    let height = pixels.count / max(width, 1)
    guard height > 0, let source = pixels.baseAddress, let target = registers.baseAddress else {
      return
    }
    precondition(registers.count >= width * height, "\(registers.count) places are too few")
    errors = Array(repeating: .zero, count: width + 2)
    // Alpha does not count: registers are opaque, and pixels need not be.
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

  /// A row on its way from left to right.
  private struct Row {
    let source: UnsafePointer<UInt32>
    let target: UnsafeMutablePointer<UInt16>
    /// From the row above, and behind the present pixel for the row below.
    let errors: UnsafeMutablePointer<SIMD4<Int16>>
    /// The most that is added to a channel.
    let bound: SIMD4<Int16>
    /// The farthest that a channel of a register may be from the pixel's, if another is closer.
    let farthest: SIMD4<Int16>
    /// Seven sixteenths of the last pixel's error.
    var ahead = SIMD4<Int16>.zero
    /// Five sixteenths of it, for the pixel below.
    var below = SIMD4<Int16>.zero
    var register: UInt16 = 0

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
      // A register has 101 steps: what that rounds away would add up, over a flat area, to dots of
      // quite another colour.
      error.replace(with: 0, where: (error .>= -2) .& (error .<= 2))
      let double = error &+ error
      errors[x - 1] = below &+ double &+ error
      below = double &+ double &+ error
      ahead = (error &<< 3) &- error
    }

    /// Leaves to the row below what is left.
    func end(_ width: Int) { errors[width - 1] = below }
  }
}
