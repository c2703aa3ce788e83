/// Base64 encoding with padding (RFC 4648, section 4).
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
}
