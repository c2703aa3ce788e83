import PhotoGridCore

/// The printable names of photos.
enum PhotoName {
  /// Returns the last component of a path, printable; that of a folder ends with a slash.
  static func printable(_ path: some BidirectionalCollection<UInt8>) -> String {
    PrintableText.from(path[path.nameStart...])
  }
}
