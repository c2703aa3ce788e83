import Glibc

/// The names at the end of a pack, each followed by a NUL.
enum PackedNames {
  /// Appends names to a pack.
  static func append(_ names: some Sequence<[UInt8]>, to bytes: inout [UInt8]) {
    for name in names {
      bytes += name
      bytes.append(0)
    }
  }

  /// Calls a function with each name of a pack and its index, except invalid file names.
  ///
  /// - Parameters:
  ///   - bytes: The pack, which may be truncated.
  ///   - start: The offset of the first name, in bytes.
  ///   - count: The number of names.
  ///   - body: Receives the index and the name.
  static func forEach(
    in bytes: UnsafeRawBufferPointer, from start: Int, count: Int,
    _ body: (Int, UnsafeRawBufferPointer) -> Void
  ) {
    guard let base = bytes.baseAddress else { return }
    var start = start
    for place in 0..<count {
      guard start < bytes.count, let nul = memchr(base + start, 0, bytes.count - start) else {
        return
      }
      let name = UnsafeRawBufferPointer(
        start: base + start, count: UnsafeRawPointer(nul) - (base + start))
      start += name.count + 1
      if StoredPhoto.isName(name) { body(place, name) }
    }
  }
}
