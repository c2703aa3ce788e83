/// Writes registers as sixel data: bands of six rows, and in each band one pass for every color in
/// it.
///
/// A pass selects a register (`#5`), and has a byte for each column: 63 plus a bit for each of the
/// six pixels that has the color. `!10~` repeats a byte ten times, `$` goes back to the first
/// column, and `-` to the next band. For example, a picture of two by six pixels whose first row
/// has register 0, and whose other rows have register 1:
///
///     #0@@$#1}}
struct SixelBands {
  /// The pixels of a column that have the same color: `register << 21 | column << 6 | bits`.
  private var runs: [UInt32] = []
  /// `runs` sorted by registers, without the registers.
  private var sorted: [UInt32] = []
  /// The start of each register's runs in `sorted`, while they are sorted; afterwards the end.
  private var offsets: [Int] = []
  /// The bytes that skip a number of columns, from the lowest byte on; the highest byte is their
  /// count.
  private var gaps: [UInt64] = []

  static let widthLimit = 1 << 15 - 1

  /// Returns the most bytes that a band can take.
  static func byteLimit(width: Int, colors: Int) -> Int {
    // For each pixel a gap (7) and itself, for each color its selection (5) and `$`, and one `-`.
    width * 6 * 8 + colors * 6 + 16
  }

  /// Prepares for pictures of a width.
  mutating func prepare(width: Int) {
    precondition(width <= Self.widthLimit, "a sixel picture cannot be \(width) pixels wide")
    offsets = Array(repeating: 0, count: Int(ErrorDiffusion.transparent) + 2)
    if runs.count < width * 6 + 6 {
      runs = Array(repeating: 0, count: width * 6 + 6)
      sorted = runs
    }
    while gaps.count <= width { gaps.append(Self.gap(of: gaps.count)) }
  }

  private static func gap(of columns: Int) -> UInt64 {
    let bytes =
      columns < 4 ? Array(repeating: UInt8(ascii: "?"), count: columns) : Array("!\(columns)?".utf8)
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(bytes.count) << 56
  }

  /// Encodes the band whose registers start at an address.
  ///
  /// Six rows are read; rows below the picture must be transparent.
  mutating func encode(
    _ registers: UnsafePointer<UInt16>, width: Int, colors: Int, to out: inout ByteWriter
  ) {
    runs.withUnsafeMutableBufferPointer { runs in
      sorted.withUnsafeMutableBufferPointer { sorted in
        offsets.withUnsafeMutableBufferPointer { offsets in
          gaps.withUnsafeBufferPointer { gaps in
            guard let runs = runs.baseAddress, let sorted = sorted.baseAddress,
              let offsets = offsets.baseAddress, let gaps = gaps.baseAddress
            else { return }
            let count = Self.collect(registers, width: width, into: runs)
            Self.sort(runs, count: count, colors: colors, into: sorted, offsets)
            Self.encode(sorted, offsets, colors: colors, gaps: gaps, to: &out)
          }
        }
      }
    }
  }

  /// Collects the runs of all columns, in order.
  ///
  /// - Returns: The number of runs.
  private static func collect(
    _ registers: UnsafePointer<UInt16>, width: Int, into runs: UnsafeMutablePointer<UInt32>
  ) -> Int {
    /// Returns 1 if registers are equal, else 0; without a branch, which would often be
    /// mispredicted.
    @inline(__always)
    func same(_ a: UInt32, _ b: UInt32) -> UInt32 { ((a ^ b) &- 1) >> 31 }
    var count = 0
    for x in 0..<width {
      let column = registers + x
      let (a, b, c) = (UInt32(column[0]), UInt32(column[width]), UInt32(column[2 &* width]))
      let (d, e, f) = (
        UInt32(column[3 &* width]), UInt32(column[4 &* width]), UInt32(column[5 &* width])
      )
      let (ab, ac, ad, ae, af) = (same(a, b), same(a, c), same(a, d), same(a, e), same(a, f))
      let (bc, bd, be, bf) = (same(b, c), same(b, d), same(b, e), same(b, f))
      let (cd, ce, cf) = (same(c, d), same(c, e), same(c, f))
      let (de, df, ef) = (same(d, e), same(d, f), same(e, f))
      let shiftedColumn = UInt32(truncatingIfNeeded: x) << 6
      // Each run is written in any case, and overwritten by the next if a pixel above has the same
      // color.
      runs[count] = a << 21 | shiftedColumn | 1 | ab << 1 | ac << 2 | ad << 3 | ae << 4 | af << 5
      count &+= 1
      runs[count] = b << 21 | shiftedColumn | 2 | bc << 2 | bd << 3 | be << 4 | bf << 5
      count &+= Int(truncatingIfNeeded: 1 ^ ab)
      runs[count] = c << 21 | shiftedColumn | 4 | cd << 3 | ce << 4 | cf << 5
      count &+= Int(truncatingIfNeeded: 1 ^ (ac | bc))
      runs[count] = d << 21 | shiftedColumn | 8 | de << 4 | df << 5
      count &+= Int(truncatingIfNeeded: 1 ^ (ad | bd | cd))
      runs[count] = e << 21 | shiftedColumn | 16 | ef << 5
      count &+= Int(truncatingIfNeeded: 1 ^ (ae | be | ce | de))
      runs[count] = f << 21 | shiftedColumn | 32
      count &+= Int(truncatingIfNeeded: 1 ^ (af | bf | cf | df | ef))
    }
    return count
  }

  /// Sorts runs by their registers; runs of the same register stay in order (counting sort).
  private static func sort(
    _ runs: UnsafePointer<UInt32>, count: Int, colors: Int,
    into sorted: UnsafeMutablePointer<UInt32>, _ offsets: UnsafeMutablePointer<Int>
  ) {
    let transparent = Int(ErrorDiffusion.transparent)
    for register in 0..<colors { offsets[register] = 0 }
    offsets[transparent] = 0
    for index in 0..<count { offsets[Int(runs[index] >> 21)] &+= 1 }
    var start = 0
    for register in 0..<colors {
      let count = offsets[register]
      offsets[register] = start
      start &+= count
    }
    offsets[transparent] = start
    for index in 0..<count {
      let register = Int(runs[index] >> 21)
      let offset = offsets[register]
      sorted[offset] = runs[index] & (1 << 21 - 1)
      offsets[register] = offset &+ 1
    }
  }

  private static func encode(
    _ sorted: UnsafePointer<UInt32>, _ offsets: UnsafePointer<Int>, colors: Int,
    gaps: UnsafePointer<UInt64>, to out: inout ByteWriter
  ) {
    var index = 0
    for register in 0..<colors where offsets[register] > index {
      if index > 0 { out.put(UInt8(ascii: "$")) }
      out.put(UInt8(ascii: "#"))
      out.put(decimal: register)
      var column = 0
      let end = offsets[register]
      while index < end {
        let run = sorted[index]
        let start = Int(run >> 6)
        out.put(counted: gaps[start &- column])
        let sixel = UInt8(truncatingIfNeeded: run & 63) &+ 63
        var length = 1
        index &+= 1
        while index < end, sorted[index] == run &+ UInt32(truncatingIfNeeded: length) << 6 {
          length &+= 1
          index &+= 1
        }
        out.put(sixel)
        switch length {
        case 1: break
        case 2: out.put(sixel)
        case 3:
          out.put(sixel)
          out.put(sixel)
        default:
          out.takeBack()
          out.put(UInt8(ascii: "!"))
          out.put(decimal: length)
          out.put(sixel)
        }
        column = start &+ length
      }
    }
  }
}
