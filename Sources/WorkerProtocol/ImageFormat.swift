/// A format that photos are shown from; everything else is "not an image".
package enum ImageFormat: UInt8, CaseIterable, Sendable {
  case jpeg = 1
  case png
  case gif
  case webp
  case tiff
  case heic
  case avif
  /// A sensor's data, shown by the largest JPEG that the camera put into the file.
  case raw

  /// The name in lower case, as in `PhotoInfo.format`.
  package var name: String {
    switch self {
    case .jpeg: "jpeg"
    case .png: "png"
    case .gif: "gif"
    case .webp: "webp"
    case .tiff: "tiff"
    case .heic: "heic"
    case .avif: "avif"
    case .raw: "raw"
    }
  }

  /// The format of that name; nil for other words.
  package init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
