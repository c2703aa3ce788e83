extension BidirectionalCollection<UInt8> {
  /// The index at which the name in a path begins; a slash at the end, as in paths of folders,
  /// belongs to the name.
  package var nameStart: Index {
    dropLast().lastIndex(of: UInt8(ascii: "/")).map { index(after: $0) } ?? startIndex
  }

  /// The bytes as a C string, with a NUL at the end; they must not contain NUL.
  package var terminated: [CChar] {
    var text: [CChar] = []
    text.reserveCapacity(count + 1)
    for byte in self { text.append(CChar(bitPattern: byte)) }
    text.append(0)
    return text
  }
}

extension [UInt8] {
  /// The bytes of a C string, without the NUL at its end.
  package init(cString text: UnsafePointer<CChar>) {
    self.init()
    var end = text
    while end.pointee != 0 {
      append(UInt8(bitPattern: end.pointee))
      end += 1
    }
  }
}
