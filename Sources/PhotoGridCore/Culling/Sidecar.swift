/// The names of sidecars: files beside photos that hold their XMP metadata.
package enum Sidecar {
  /// The extension of sidecars, with its dot.
  package static let suffix = Array(".xmp".utf8)

  /// Whether a name is the name of a sidecar.
  package static func isSidecar(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.count > suffix.count && name.suffix(suffix.count).elementsEqual(suffix)
  }

  /// Returns the paths of the sidecars that a photo may have, in order of precedence: "a.jpg.xmp",
  /// then "a.xmp".
  package static func paths(ofPhoto path: [UInt8]) -> [[UInt8]] {
    let dot = path[path.nameStart...].extensionStart
    return dot == path.endIndex ? [path + suffix] : [path + suffix, path[..<dot] + suffix]
  }

  /// Returns the path of a sidecar without ".xmp": the path of a photo, with or without the photo's
  /// extension.
  package static func stem(of path: [UInt8]) -> [UInt8] { Array(path.dropLast(suffix.count)) }
}
