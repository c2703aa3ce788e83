/// A table of the nearest register for every color, in steps of 4 or 8 in each channel.
///
/// An entry is computed when it is first looked up.
struct NearestColors {
  /// The nearest register, by the upper six bits of red, green and blue, from the lowest bits on.
  private var table: [UInt16] = Array(repeating: NearestColors.unknown, count: 1 << 18)
  private var colors: [SIMD4<Int16>] = []
  /// The registers in groups of eight, to search them.
  private var groups: [Group] = []
  /// The bits of an index into the table that count.
  private var mask = 0

  /// The value of entries that were not looked up yet.
  static let unknown = UInt16.max

  fileprivate struct Group {
    var reds = SIMD8<Float>(repeating: 1e6)
    var greens = SIMD8<Float>(repeating: 1e6)
    var blues = SIMD8<Float>(repeating: 1e6)
    var lower = SIMD4<Int16>.zero
    var upper = SIMD4<Int16>.zero
  }

  /// Loads a palette, and forgets the previous one.
  mutating func load(_ palette: SixelPalette, isCoarse: Bool) {
    colors = palette.colors
    mask = isCoarse ? ~0b000001_000001_000001 : ~0
    table.withUnsafeMutableBufferPointer { $0.update(repeating: Self.unknown) }
    groups.removeAll(keepingCapacity: true)
    for start in stride(from: 0, to: colors.count, by: 8) {
      var group = Group()
      group.lower = SIMD4(255, 255, 255, 0)
      for (lane, color) in colors[start...].prefix(8).enumerated() {
        let member = SIMD4(color.x, color.y, color.z, 0)
        group.reds[lane] = Float(member.x)
        group.greens[lane] = Float(member.y)
        group.blues[lane] = Float(member.z)
        group.lower = pointwiseMin(group.lower, member)
        group.upper = pointwiseMax(group.upper, member)
      }
      groups.append(group)
    }
  }

  /// Calls a function with a value for lookups, which is valid during the call only.
  mutating func withLookup<Result>(_ body: (Lookup) -> Result) -> Result {
    table.withUnsafeMutableBufferPointer { table in
      colors.withUnsafeBufferPointer { colors in
        groups.withUnsafeBufferPointer { groups in
          body(Lookup(table: table, colors: colors, groups: groups, mask: mask))
        }
      }
    }
  }

  /// Pointers to the table and the palette.
  struct Lookup {
    fileprivate let table: UnsafeMutableBufferPointer<UInt16>
    let colors: UnsafeBufferPointer<SIMD4<Int16>>
    fileprivate let groups: UnsafeBufferPointer<Group>
    fileprivate let mask: Int
  }
}

extension NearestColors.Lookup {
  /// Returns the register nearest to a color.
  ///
  /// - Parameters:
  ///   - color: The color; channels are 0 to 255.
  ///   - hint: Any register; the search is fastest if it is close to the color.
  /// - Returns: The register.
  @inline(__always)
  func register(for color: SIMD4<Int16>, hint: UInt16) -> UInt16 {
    let bits = unsafeBitCast(color, to: UInt64.self)
    let index =
      Int(truncatingIfNeeded: (bits >> 2) & 0x3F | (bits >> 12) & 0xFC0 | (bits >> 22) & 0x3F000)
      & mask
    let register = table[index]
    return register == NearestColors.unknown ? find(index, hint: hint) : register
  }

  /// Finds the register for an index, and stores it in the table.
  @inline(never)
  private func find(_ index: Int, hint: UInt16) -> UInt16 {
    // The middle of the step of 4 or 8.
    let half: Int16 = mask == ~0 ? 2 : 4
    let color =
      SIMD4(Int16(index & 63), Int16(index >> 6 & 63), Int16(index >> 12), 0) &* 4
      &+ SIMD4(half, half, half, 0)
    // Squared distances, with the register in the lowest bits. The bits of floats that are not
    // negative have the same order as integers.
    var best = SIMD8<Int32>(repeating: .max)
    var least = Int32.max
    func look(into group: Int) {
      let members = groups[group]
      let r = members.reds - Float(color.x)
      let g = members.greens - Float(color.y)
      let b = members.blues - Float(color.z)
      let distances = unsafeBitCast(r * r + g * g + b * b, to: SIMD8<Int32>.self)
      let first = Int32(truncatingIfNeeded: group * 8)
      let keys = distances & ~Self.registerBits | (SIMD8(0, 1, 2, 3, 4, 5, 6, 7) &+ first)
      best.replace(with: keys, where: keys .< best)
      least = best.min()
    }
    look(into: Int(hint) / 8)
    for group in groups.indices {
      // The distance to the nearest point of the group's box.
      let inside = color.clamped(lowerBound: groups[group].lower, upperBound: groups[group].upper)
      let difference = SIMD4<Int32>(truncatingIfNeeded: inside &- color)
      let distance = (difference &* difference).wrappedSum()
      // Of equal distances the lowest register wins, whatever the hint was.
      let nearest = Int32(bitPattern: Float(distance).bitPattern) & ~Self.registerBits
      if nearest <= least { look(into: group) }
    }
    let register = UInt16(truncatingIfNeeded: least & Self.registerBits)
    table[index] = register
    return register
  }

  private static let registerBits = Int32(SixelPalette.limit - 1)
}

/// The palette of a sixel picture: the colors of its registers, in order.
struct SixelPalette: Equatable {
  /// Red, green and blue in percent, as sixel defines colors.
  private(set) var percents: [SIMD4<UInt8>] = []
  /// Red, green and blue from 0 to 255, and 255.
  ///
  /// They are the wanted colors rather than the rounded ones that the terminal shows: with those,
  /// rounding errors would add up to dots of other colors in flat areas.
  private(set) var colors: [SIMD4<Int16>] = []

  /// The most colors of a picture, even if the terminal has more registers.
  static let limit = 1024

  init() {}

  mutating func append(_ registers: Range<Int>, of other: SixelPalette) {
    percents += other.percents[registers]
    colors += other.colors[registers]
  }

  /// Creates a palette of colors, whose channels are 0 to 255.
  init(_ means: some Sequence<SIMD4<Float>>) {
    for mean in means {
      let color = mean.rounded(.toNearestOrEven)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
      colors.append(SIMD4(Int16(color.x), Int16(color.y), Int16(color.z), 255))
      // Half a step more, since terminals drop fractions when they convert percents to 0 to 255.
      let percent = ((color + 0.5) * (100.0 / 255)).rounded(.toNearestOrEven)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 100))
      percents.append(SIMD4(UInt8(percent.x), UInt8(percent.y), UInt8(percent.z), 0))
    }
  }
}
