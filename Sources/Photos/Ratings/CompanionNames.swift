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
  /// The extensions of sidecars, with their dots: that of new ones, and the one that other programs
  /// write where names are in upper case.
  private static let suffixes = [Array(".xmp".utf8), Array(".XMP".utf8)]
  /// The most sidecars that a photo may have.
  package static let maxCount = 4

  package static func isSidecar(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.count > 4 && suffixes.contains { name.suffix($0.count).elementsEqual($0) }
  }

  /// Returns the paths of the sidecars that a photo may have, in order of precedence: "a.jpg.xmp",
  /// "a.jpg.XMP", "a.xmp", then "a.XMP".
  package static func paths(ofPhoto path: [UInt8]) -> [[UInt8]] {
    let dot = path[path.nameStart...].extensionStart
    let whole = suffixes.map { path + $0 }
    return dot == path.endIndex ? whole : whole + suffixes.map { Array(path[..<dot]) + $0 }
  }

  /// Whether the sidecar at an index of `paths(ofPhoto:)` has the photo's whole name, as in
  /// "a.jpg.xmp".
  package static func isWhole(_ index: Int) -> Bool { index < suffixes.count }

  /// Returns the path of a sidecar without ".xmp": the path of a photo, with or without the photo's
  /// extension.
  package static func stem(of path: [UInt8]) -> [UInt8] { Array(path.dropLast(4)) }
}
