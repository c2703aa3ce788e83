/// The hash function SHA-256 (FIPS 180-4).
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  /// The bytes of an incomplete block.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  private static let blockLength = 64

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = (2...311).filter { number in
    (2..<number).allSatisfy { number % $0 != 0 }
  }.map { prime in fraction(ofCubeRootOf: prime) }

  /// Returns the first 32 bits of the fractional part of a cube root, in integers: the largest `x`
  /// with `x³ ≤ n · 2⁹⁶`.
  private static func fraction(ofCubeRootOf number: Int) -> UInt32 {
    // Cube roots of numbers up to 311 are less than 8.
    var root: UInt64 = 0
    for bit in (0..<35).reversed() {
      let next = root | 1 << UInt64(bit)
      let square = next.multipliedFullWidth(by: next)
      // The product of the square, below 2⁷⁰, with a number below 2³⁵.
      let low = square.low.multipliedFullWidth(by: next)
      let high = square.high * next + low.high
      if high < UInt64(number) << 32 || high == UInt64(number) << 32 && low.low == 0 {
        root = next
      }
    }
    return UInt32(truncatingIfNeeded: root)
  }

  package init() {}

  /// Returns the hash of bytes.
  package static func digest(of bytes: [UInt8]) -> ContentDigest? {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount += UInt64(bytes.count)
    var start = 0
    if !rest.isEmpty {
      start = min(Self.blockLength - rest.count, bytes.count)
      rest += bytes[..<start]
      guard rest.count == Self.blockLength else { return }
      rest.withUnsafeBytes { Self.add($0, to: &state) }
      rest = []
    }
    let end = start + (bytes.count - start) / Self.blockLength * Self.blockLength
    Self.add(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: &state)
    rest += bytes[end...]
  }

  /// Returns the hash of all bytes so far; nothing may follow.
  package mutating func finish() -> ContentDigest? {
    let bitCount = byteCount * 8
    let zeros = (119 - rest.count) % Self.blockLength
    rest += [0x80] + [UInt8](repeating: 0, count: zeros)
    rest += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> UInt64(56 - 8 * $0)) }
    rest.withUnsafeBytes { Self.add($0, to: &state) }
    return ContentDigest(
      state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
  }

  /// Adds whole blocks to a state.
  private static func add(_ blocks: UnsafeRawBufferPointer, to state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 64)
    state.withUnsafeMutableBufferPointer { state in
      words.withUnsafeMutableBufferPointer { words in
        constants.withUnsafeBufferPointer { constants in
          for start in stride(from: 0, to: blocks.count, by: blockLength) {
            for index in 0..<16 {
              words[index] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
            }
            mix(words, constants, &state)
          }
        }
      }
    }
  }

  private static func mix(
    _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
    _ state: inout UnsafeMutableBufferPointer<UInt32>
  ) {
    func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
      word &>> count | word &<< (32 - count)
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      words[index] =
        words[index - 16] &+ words[index - 7]
        &+ (turned(early, 7) ^ turned(early, 18) ^ early &>> 3)
        &+ (turned(late, 17) ^ turned(late, 19) ^ late &>> 10)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let first =
        h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ (e & f ^ ~e & g)
        &+ constants[index] &+ words[index]
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
    for (index, word) in [e, f, g, h].enumerated() { state[index + 4] &+= word }
  }
}
