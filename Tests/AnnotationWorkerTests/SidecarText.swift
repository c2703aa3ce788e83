import Testing

/// The text of a sidecar in the layout of a program, and what changes in it.
struct SidecarText: Sendable, CustomTestStringConvertible {
  /// A part of the text, and what it becomes.
  struct Replacement: Sendable {
    var old: String
    var new: String
  }

  /// The program, or the peculiarity.
  var name: String
  /// The text, which has each of the parts that change once.
  var text: String
  /// What changes when the photo gets four stars.
  var stars: Replacement
  /// What changes when the photo gets a green label after that.
  var label: Replacement
  /// What changes when the label is removed again; nil for the opposite of what added it.
  var cleared: Replacement?
  /// The programs that can read such a text.
  var readers: Set<Reader> = [.exifTool, .exiv2]

  /// A program that reads ratings.
  enum Reader { case exifTool, exiv2 }

  var testDescription: String { name }

  var bytes: [UInt8] { Array(text.utf8) }

  /// The text with one part replaced.
  static func replacing(_ replacement: Replacement, in text: String) -> String {
    let parts = text.split(separator: replacement.old, omittingEmptySubsequences: false)
    precondition(parts.count == 2, "\(replacement.old) is \(parts.count - 1) times in \(text)")
    return parts.joined(separator: replacement.new)
  }

  /// The namespace of RDF.
  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  /// The namespace of ratings and labels.
  static let xmp = "http://ns.adobe.com/xap/1.0/"

  static let all = [
    lightroom, darktable, digiKam, bridge, exifTool, exiv2, bareRoot, several, oddities, blanks,
    carriage,
  ]
}
