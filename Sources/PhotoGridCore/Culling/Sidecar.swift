/// The names of the files with XMP beside photos.
package enum Sidecar {
  /// The extension of sidecars, with its dot.
  package static let suffix = Array(".xmp".utf8)

  /// Whether a name is that of a sidecar.
  package static func isSidecar(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.count > suffix.count && name.suffix(suffix.count).elementsEqual(suffix)
  }

  /// The paths of the sidecars that a photo may have, the one that counts first: "a.jpg.xmp", then
  /// "a.xmp".
  package static func paths(ofPhoto path: [UInt8]) -> [[UInt8]] {
    let dot = path[path.nameStart...].extensionStart
    return dot == path.endIndex ? [path + suffix] : [path + suffix, path[..<dot] + suffix]
  }

  /// The path without ".xmp", which is that of a photo or one without its extension.
  package static func stem(of path: [UInt8]) -> [UInt8] { Array(path.dropLast(suffix.count)) }
}
