import Glibc

/// Bytewise substring search.
///
/// The standard library's search would link its regular expressions, a tenth of each program's
/// size.
extension StringProtocol {
  package func containsText(_ part: String) -> Bool { range(of: part) != nil }

  /// Returns the range of the first occurrence of another text; nil if there is none.
  package func range(of part: String) -> Range<Index>? {
    var rest = utf8[...]
    while rest.count >= part.utf8.count {
      if rest.starts(with: part.utf8) {
        return rest.startIndex..<rest.index(rest.startIndex, offsetBy: part.utf8.count)
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  package func hasPart(_ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    guard var start = baseAddress.map({ UnsafeRawPointer($0) }) else { return false }
    var room = count - part.count + 1
    while room > 0, let found = memchr(start, Int32(first), room) {
      if memcmp(found, part, part.count) == 0 { return true }
      let next = UnsafeRawPointer(found) + 1
      room -= next - start
      start = next
    }
    return false
  }
}

extension [UInt8] {
  package func hasPart(_ part: [UInt8]) -> Bool { withUnsafeBufferPointer { $0.hasPart(part) } }
}
