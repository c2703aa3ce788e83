import PhotoGridCore

/// The printable names of photos.
enum PhotoName {
  /// Returns the last component of a path, printable; that of a folder ends with a slash.
  static func printable(_ path: some BidirectionalCollection<UInt8>) -> String {
    let slash = path.dropLast().lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.index(after: $0) } ?? path.startIndex
    return PrintableText.from(path[start...])
  }
}
