import PhotoGridCore

/// Recognizes images by their file names when a folder is listed.
package enum ImageFileExtension {
  /// The extensions of formats that are shown, each packed into a number, in ascending order.
  private static let extensions = ImageFormat.fileExtensions.map { packed($0.utf8) }.sorted()

  private static func packed(_ name: some Sequence<UInt8>) -> UInt32 {
    name.reduce(0) { $0 << 8 | UInt32($1 &- 0x41 < 26 ? $1 | 0x20 : $1) }
  }

  /// The kind of a file according to its name.
  package enum Kind: Sendable {
    /// It has the extension of a format that is shown.
    case image
    /// It has no extension: the first bytes decide.
    case noExtension
    case other
  }

  /// Returns the kind of a file by the extension of its name (not path), in upper or lower case.
  package static func kind(of name: UnsafeBufferPointer<UInt8>) -> Kind {
    guard let dot = name.lastIndex(of: 0x2e), dot > 0 else { return .noExtension }
    let length = name.count - dot - 1
    guard (3...4).contains(length) else { return .other }
    let code = packed(name[(dot + 1)...])
    var (low, high) = (0, extensions.count)
    while low < high {
      let middle = (low + high) / 2
      if extensions[middle] < code { low = middle + 1 } else { high = middle }
    }
    return low < extensions.count && extensions[low] == code ? .image : .other
  }
}
