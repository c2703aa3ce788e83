/// Texts in texts, byte by byte. What the standard library has for this brings its regular
/// expressions along, which would be a tenth of each program.
extension StringProtocol {
  /// Whether another text is a part of this one.
  package func hasPart(_ part: String) -> Bool { place(of: part) != nil }

  /// Where another text is first found.
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
