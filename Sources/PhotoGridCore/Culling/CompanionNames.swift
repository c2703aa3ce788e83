/// The names of the films of live photos: a HEIC and a MOV of the same name are one shot.
package enum LivePhoto {
  /// The extensions of films as cameras and programs write them.
  private static let filmExtensions = ["MOV", "mov"]

  package static func isFilm(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    filmExtensions.contains { name.count > $0.utf8.count + 1 && name.hasSuffix(".\($0)") }
  }

  /// Returns an extension if it is one of films; nil for any other.
  package static func filmExtension(_ bytes: [UInt8]) -> String? {
    filmExtensions.first { $0.utf8.elementsEqual(bytes) }
  }

  /// Whether a photo with a name can have a film, which only a HEIC can.
  package static func canHaveFilm(_ name: [UInt8]) -> Bool {
    let ending = String(decoding: name[name.extensionStart...].dropFirst(), as: UTF8.self)
    return ImageFormat.heic.fileExtensions.contains(ending.lowercased())
  }

  /// Returns the paths of the films that the photo at a path may have, always in the same order.
  package static func films(beside path: [UInt8]) -> [[UInt8]] {
    let name = path[path.nameStart...]
    let stem = path[..<name.extensionStart]
    return filmExtensions.map { Array(stem + ".\($0)".utf8) }
  }
}

/// Videos in containers that no program of this kind can show, and which have no tiles.
package enum Video {
  private static let fileExtensions: Set<String> = [
    "mts", "m2ts", "mpg", "mpeg", "wmv", "flv", "ogv",
  ]

  /// Whether a file is a video, by the extension of its name.
  package static func isVideo(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return false
    }
    return fileExtensions.contains(
      String(decoding: name[dot...].dropFirst(), as: UTF8.self).lowercased())
  }
}

extension BidirectionalCollection<UInt8> {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

/// The names of sidecars: files beside photos that hold their XMP metadata.
package enum Sidecar {
  /// The extension of sidecars, with its dot.
  package static let suffix = Array(".xmp".utf8)

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
