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
    percentEncoded { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-_.~/".utf8.contains(byte)
      }
    }
  }

  /// Returns the path with every byte that is not plain written as `%XX`.
  package func percentEncoded(_ isPlain: (UInt8) -> Bool) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return flatMap { byte -> [UInt8] in
      isPlain(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  /// The bytes with every `%XX` as the byte that it stands for; a "%" before anything else stays.
  package var percentDecoded: [UInt8] {
    var rest = self[...]
    var path: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2, rest.first != UInt8(ascii: "+"),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        path.append(byte)
        continue
      }
      path.append(value)
      rest = rest.dropFirst(2)
    }
    return path
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
