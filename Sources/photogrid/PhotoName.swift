import PhotoGridCore

/// A photo's name as it may be shown.
enum PhotoName {
  /// The last part of a path, printable.
  static func printable(_ path: some BidirectionalCollection<UInt8>) -> String {
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.index(after: $0) } ?? path.startIndex
    return PrintableText.from(path[start...])
  }
}
