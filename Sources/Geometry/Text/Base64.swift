/// Base64 (RFC 4648, section 4), which is encoded with padding.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func count(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  package static func text(_ data: [UInt8]) -> String {
    var text: [UInt8] = []
    encode(data[...], to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  package static func encode(_ data: ArraySlice<UInt8>, to text: inout [UInt8]) {
    let padding = UInt8(ascii: "=")
    data.withUnsafeBufferPointer { data in
      digits.withUnsafeBufferPointer { digits in
        var index = 0
        while index < data.count {
          let left = data.count - index
          let second = left > 1 ? data[index + 1] : 0
          let third = left > 2 ? data[index + 2] : 0
          text.append(digits[Int(data[index] >> 2)])
          text.append(digits[Int(data[index] << 4 & 0x30 | second >> 4)])
          text.append(left > 1 ? digits[Int(second << 2 & 0x3C | third >> 6)] : padding)
          text.append(left > 2 ? digits[Int(third & 0x3F)] : padding)
          index += 3
        }
      }
    }
  }

  /// Returns the bytes of a text, with or without padding, also between texts that follow each other;
  /// nil if it has other characters.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var data: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in text {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        // The bits that are left are no byte.
        count = 0
        continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      data.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return data
  }
}
