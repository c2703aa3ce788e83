import PhotoGridCore

/// The sequence that shows a file as an inline image: iTerm2's "Images" protocol, OSC 1337.
enum ITermImage {
  /// Appends what shows a file in a rectangle of cells, and leaves the cursor anywhere.
  static func append(_ file: [UInt8], in rect: CellRect, to bytes: inout [UInt8]) {
    bytes += "\u{1B}[\(rect.origin.row + 1);\(rect.origin.column + 1)H".utf8
    bytes += "\u{1B}]1337;File=inline=1;size=\(file.count);".utf8
    bytes += "width=\(rect.size.columns);height=\(rect.size.rows);".utf8
    bytes += "preserveAspectRatio=0;doNotMoveCursor=1:".utf8
    appendBase64(file, to: &bytes)
    bytes.append(0x07)
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends bytes in base 64 (RFC 4648, section 4).
  private static func appendBase64(_ file: [UInt8], to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + (file.count + 2) / 3 * 4)
    for start in stride(from: 0, to: file.count, by: 3) {
      let count = min(3, file.count - start)
      var group = 0
      for place in 0..<3 { group = group << 8 | (place < count ? Int(file[start + place]) : 0) }
      for place in 0..<4 {
        let digit = digits[group >> (18 - place * 6) & 63]
        bytes.append(place <= count ? digit : UInt8(ascii: "="))
      }
    }
  }
}
