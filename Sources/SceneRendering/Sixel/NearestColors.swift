/// For every colour the register that comes closest to it, looked up in steps of a channel and
/// found where it is looked up first.
struct NearestColors {
  /// The register for red, green and blue, six bits each from the lowest on.
  private var table: [UInt16] = Array(repeating: NearestColors.unknown, count: 1 << 18)
  private var colors: [SIMD4<Int16>] = []
  private var groups: [Group] = []
  private var mask = 0

  /// What the table holds where nothing was found yet.
  static let unknown = UInt16.max

  /// Eight registers, and the box that their colours are in.
  fileprivate struct Group {
    var reds = SIMD8<Float>(repeating: 1e6)
    var greens = SIMD8<Float>(repeating: 1e6)
    var blues = SIMD8<Float>(repeating: 1e6)
    var lower = SIMD4<Int16>.zero
    var upper = SIMD4<Int16>.zero
  }

  /// Forgets all and takes these colours, at least one.
  ///
  /// - Parameters:
  ///   - palette: The registers; those in a row should be close in colour.
  ///   - isCoarse: Whether steps of eight a channel do, instead of four.
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

  /// Calls a function with what is needed for looking up.
  mutating func withLookup<Result>(_ body: (Lookup) -> Result) -> Result {
    table.withUnsafeMutableBufferPointer { table in
      colors.withUnsafeBufferPointer { colors in
        groups.withUnsafeBufferPointer { groups in
          body(Lookup(table: table, colors: colors, groups: groups, mask: mask))
        }
      }
    }
  }

  /// The table and what fills it, for as long as they are in one place.
  struct Lookup {
    fileprivate let table: UnsafeMutableBufferPointer<UInt16>
    /// The registers' colours.
    let colors: UnsafeBufferPointer<SIMD4<Int16>>
    fileprivate let groups: UnsafeBufferPointer<Group>
    fileprivate let mask: Int
  }
}

extension NearestColors.Lookup {
  /// The register closest to a colour, whose channels are 0 to 255.
  ///
  /// `hint` is any register, best one that is close.
  @inline(__always)
  func register(for color: SIMD4<Int16>, hint: UInt16) -> UInt16 {
    let bits = unsafeBitCast(color, to: UInt64.self)
    let index =
      Int(truncatingIfNeeded: (bits >> 2) & 0x3F | (bits >> 12) & 0xFC0 | (bits >> 22) & 0x3F000)
      & mask
    let register = table[index]
    return register == NearestColors.unknown ? find(index, hint: hint) : register
  }

  /// Finds the register for an index, and puts it into the table.
  @inline(never)
  private func find(_ index: Int, hint: UInt16) -> UInt16 {
    // The middle of four steps, or of eight.
    let half: Int16 = mask == ~0 ? 2 : 4
    let color =
      SIMD4(Int16(index & 63), Int16(index >> 6 & 63), Int16(index >> 12), 0) &* 4
      &+ SIMD4(half, half, half, 0)
    // Distances and, in the lowest bits, whose they are. They are not negative, so that as whole
    // numbers they are in the same order.
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
      // To the nearest place in the group's box.
      let inside = color.clamped(lowerBound: groups[group].lower, upperBound: groups[group].upper)
      let difference = SIMD4<Int32>(truncatingIfNeeded: inside &- color)
      let distance = (difference &* difference).wrappedSum()
      // At equal distances the lowest register counts, whatever the hint was.
      let nearest = Int32(bitPattern: Float(distance).bitPattern) & ~Self.registerBits
      if nearest <= least { look(into: group) }
    }
    let register = UInt16(truncatingIfNeeded: least & Self.registerBits)
    table[index] = register
    return register
  }

  private static let registerBits = Int32(SixelPalette.limit - 1)
}
