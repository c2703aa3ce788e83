/// A file format that photos are shown from; files of any other format are "not an image".
///
/// The raw value is the name that filters and `--json` use.
package enum ImageFormat: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp, tiff, heic, avif
  /// The data of a camera's sensor, shown by the largest JPEG that the camera stored in the file.
  case raw
  case bmp, tga, jxl, jp2, svg, exr, fits, ico, psd, pcx, dds, qoi
  /// The portable anymaps of Netpbm: PBM, PGM, PPM, PAM and PFM.
  case pnm
  /// Radiance's pictures of high dynamic range.
  case hdr

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
    case .png, .gif, .webp, .avif, .tga, .jxl, .svg, .exr, .fits, .psd, .pcx, .dds, .qoi, .hdr:
      [rawValue]
    case .tiff: ["tiff", "tif"]
    case .heic: ["heic", "heif", "hif"]
    case .bmp: ["bmp", "dib"]
    case .jp2: ["jp2", "j2k", "j2c", "jpf", "jpx", "jpc"]
    case .ico: ["ico", "cur"]
    case .pnm: ["pnm", "ppm", "pgm", "pbm", "pam", "pfm"]
    case .raw: ["raw", "cr2", "cr3", "nef", "arw", "dng", "orf", "rw2", "raf"]
    }
  }
}
