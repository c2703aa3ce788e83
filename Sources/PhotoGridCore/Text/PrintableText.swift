/// Text that is safe to print on a terminal, without control characters, direction overrides or
/// invisible characters.
///
/// All text from files or their metadata passes through here before it is displayed.
package enum PrintableText {
  /// Returns the text of a file name or of metadata, with everything replaced that could affect the
  /// terminal.
  ///
  /// Control bytes become `?`; invalid UTF-8 and code points that a terminal does not display or
  /// would interpret become U+FFFD. Joiners and variation selectors are dropped, because terminals
  /// disagree about the width of the result.
  @inlinable package static func from(_ bytes: some Collection<UInt8>) -> String {
    replacing(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a text with everything replaced that could affect the terminal.
  @usableFromInline package static func replacing(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F, 0x80..<0xA0: result.append("?")
      case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: continue
      default:
        result.append(isInvisible(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      true
    default: false
    }
  }
}

extension String {
  /// The text with a capital at its beginning.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

// Inlinable, because unspecialized generic code in other modules would be many times slower.
extension BidirectionalCollection<UInt8> {
  /// The index at which the last name in a path begins; a slash at the end of the path, as in paths
  /// of folders, belongs to the name.
  @inlinable package var nameStart: Index {
    dropLast().lastIndex(of: UInt8(ascii: "/")).map { index(after: $0) } ?? startIndex
  }

  /// The index of the dot that begins a name's extension; the end if it has none.
  ///
  /// A dot at the start of a name begins no extension: ".profile" has none.
  @inlinable package var extensionStart: Index {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > startIndex else { return endIndex }
    return dot
  }

  @inlinable package var terminated: [CChar] {
    var text: [CChar] = []
    text.reserveCapacity(count + 1)
    for byte in self { text.append(CChar(bitPattern: byte)) }
    text.append(0)
    return text
  }
}

extension [UInt8] {
  /// The part of a path after its last slash.
  package var lastPathComponent: [UInt8] {
    Array(self[((lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
  }

  /// Returns a file's name with a number: "sea.jpg" and 2 make "sea-2.jpg"; 0 changes nothing.
  package func numbered(_ number: Int) -> [UInt8] {
    guard number > 0 else { return self }
    return Array(self[..<extensionStart]) + "-\(number)".utf8 + self[extensionStart...]
  }

  /// The path with every byte written as `%XX`, except slashes and the unreserved characters of RFC
  /// 3986.
  package var percentEncoded: [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return flatMap { byte -> [UInt8] in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: [byte]
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"),
        UInt8(ascii: "/"):
        [byte]
      default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  /// Creates the bytes of a C string, without the NUL at its end.
  package init(cString text: UnsafePointer<CChar>) {
    self.init()
    var end = text
    while end.pointee != 0 {
      append(UInt8(bitPattern: end.pointee))
      end += 1
    }
  }
}

package enum ByteCount {
  /// Formats a byte count as file managers do: "812 B", "2.4 MB".
  package static func text(_ count: Int) -> String {
    var value = Double(max(count, 0))
    guard value >= 1000 else { return "\(count) B" }
    var unit = "kB"
    value /= 1000
    for larger in ["MB", "GB", "TB"] where value >= 999.95 {
      value /= 1000
      unit = larger
    }
    let tenths = Int((value * 10).rounded())
    return value < 99.95
      ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
  }
}
