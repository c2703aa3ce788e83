/// Bytewise substring search.
///
/// The standard library's search would link its regular expressions, a tenth of each program's
/// size.
extension StringProtocol {
  /// Returns whether this text contains another text.
  package func containsText(_ part: String) -> Bool { place(of: part) != nil }

  /// Returns the range of the first occurrence of another text; nil if there is none.
  package func place(of part: String) -> Range<Index>? {
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
