/// An inline image of iTerm2's protocol (OSC 1337), parsed from a program's output.
package struct InlineImage: Equatable, Sendable {
  /// The cell of its top left corner.
  package let column: Int
  package let row: Int
  /// The cells that it covers.
  package let columns: Int
  package let rows: Int
  /// The bytes of the file.
  package let file: [UInt8]

  /// Why a sequence is not a valid image.
  package struct Fault: Error, Equatable {
    /// The message.
    package let what: String
  }

  /// The longest sequence that iTerm2 accepts, in bytes.
  package static let maxSequenceLength = 1_048_576

  /// Parses the text between `ESC ]` and the end; nil for another kind of sequence.
  ///
  /// - Throws: `Fault` for what terminals would show elsewhere, in another size or not at all: all
  ///   properties have to exist, sizes have to be in cells, and the length has to be right.
  package init?(_ body: ArraySlice<UInt8>, column: Int, row: Int) throws(Fault) {
    let prefix = Array("1337;File=".utf8)
    guard body.starts(with: prefix) else { return nil }
    guard body.count + 3 <= Self.maxSequenceLength else {
      throw Fault(what: "\(body.count) bytes are too many")
    }
    guard let colon = body.firstIndex(of: UInt8(ascii: ":")) else { throw Fault(what: "no file") }
    var properties: [String: String] = [:]
    let head = String(decoding: body[..<colon].dropFirst(prefix.count), as: UTF8.self)
    for property in head.split(separator: ";") {
      let parts = property.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, properties[parts[0]] == nil else { throw Fault(what: head) }
      properties[parts[0]] = parts[1]
    }
    guard properties["inline"] == "1", properties["preserveAspectRatio"] == "0",
      properties["doNotMoveCursor"] == "1", let size = properties["size"].flatMap({ Int($0) }),
      let columns = properties["width"].flatMap({ Int($0) }), columns > 0,
      let rows = properties["height"].flatMap({ Int($0) }), rows > 0, properties.count == 6
    else { throw Fault(what: head) }
    file = try Self.decode(body[(colon + 1)...])
    guard file.count == size else { throw Fault(what: "\(file.count) bytes, not \(size)") }
    (self.column, self.row, self.columns, self.rows) = (column, row, columns, rows)
  }

  /// Base 64 as in RFC 4648, with padding.
  private static func decode(_ text: ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (group, count, padding) = (UInt32(0), 0, 0)
    for digit in text {
      let value: UInt32
      switch digit {
      case 0x41...0x5A: value = UInt32(digit - 0x41)
      case 0x61...0x7A: value = UInt32(digit - 0x61) + 26
      case 0x30...0x39: value = UInt32(digit - 0x30) + 52
      case 0x2B: value = 62
      case 0x2F: value = 63
      case 0x3D:
        value = 0
        padding += 1
      default: throw Fault(what: "byte \(digit) is not of base 64")
      }
      guard padding == 0 || digit == 0x3D else { throw Fault(what: "a digit behind the padding") }
      group = group << 6 | value
      count += 1
      guard count == 4 else { continue }
      bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
      (group, count) = (0, 0)
    }
    guard count == 0, padding < 3 else { throw Fault(what: "digits are missing") }
    bytes.removeLast(padding)
    return bytes
  }
}
