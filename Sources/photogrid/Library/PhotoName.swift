import PhotoGridCore

/// Formats the names of photos and folders.
enum PhotoName {
  /// Returns the last component of a path, printable; a folder's name ends with a slash.
  static func printable(_ path: some BidirectionalCollection<UInt8>) -> String {
    PrintableText.from(path[path.nameStart...])
  }
}
