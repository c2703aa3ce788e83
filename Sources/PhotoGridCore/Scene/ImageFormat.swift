/// A file format that photos are shown from; files of any other format are "not an image".
///
/// The raw value is the name that filters and `--json` use.
package enum ImageFormat: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp, tiff, heic, avif
  /// The data of a camera's sensor, shown by the largest JPEG that the camera stored in the file.
  case raw

  /// The format of a name, or of a file name's extension.
  ///
  /// - Parameter word: Lower-case letters and digits, such as "jpeg" or "jpg".
  package init?(word: some StringProtocol) {
    guard let format = Self.allCases.first(where: { $0.spellings.contains(String(word)) }) else {
      return nil
    }
    self = format
  }

  private var spellings: [String] {
    switch self {
    case .jpeg: ["jpeg", "jpg", "jpe", "jfif"]
    case .png, .gif, .webp, .avif: [rawValue]
    case .tiff: ["tiff", "tif"]
    case .heic: ["heic", "heif", "hif"]
    case .raw: ["raw", "cr2", "cr3", "nef", "arw", "dng", "orf", "rw2", "raf"]
    }
  }
}
