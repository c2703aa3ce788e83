/// A supported file format; files of any other format are "not an image".
///
/// The raw value is the name in filters and in the output of `--json`.
package enum ImageFormat: String, CaseIterable, Sendable {
  /// JPEG, PNG, GIF, WebP, TIFF, HEIC and AVIF.
  case jpeg, png, gif, webp, tiff, heic, avif
  /// The data of a camera's sensor, displayed as the largest JPEG that the camera embedded in the
  /// file.
  case raw
  /// Windows bitmaps, Targa, JPEG XL, JPEG 2000, SVG, OpenEXR, FITS, Windows icons, Photoshop, PCX,
  /// and DirectDraw surfaces.
  case bmp, tga, jxl, jp2, svg, exr, fits, ico, psd, pcx, dds
  /// The portable anymaps of Netpbm: PBM, PGM, PPM, PAM and PFM.
  case pnm
  /// Radiance's high dynamic range format.
  case hdr
  /// GIMP's own format, rasters of Sun workstations, and pixmaps of X11.
  case xcf, ras, xpm
  /// MP4, QuickTime, Matroska, WebM, and AVI, displayed as one of their pictures.
  case film

  /// Creates the format with the given name or file name extension; nil if there is none.
  ///
  /// - Parameter word: Lowercase letters and digits, such as "jpeg" or "jpg".
  package init?(word: some StringProtocol) {
    guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(String(word)) })
    else {
      return nil
    }
    self = format
  }

  /// The file name extensions of all formats, in lowercase.
  package static let fileExtensions = allCases.flatMap(\.fileExtensions).filter {
    !["raw", "film", "video"].contains($0)
  }

  var fileExtensions: [String] {
    switch self {
    case .jpeg: ["jpeg", "jpg", "jpe", "jfif"]
    case .png, .gif, .webp, .avif, .tga, .jxl, .svg, .exr, .fits, .psd, .pcx, .dds, .hdr,
      .xcf, .ras, .xpm:
      [rawValue]
    case .tiff: ["tiff", "tif"]
    case .heic: ["heic", "heif", "hif"]
    case .bmp: ["bmp", "dib"]
    case .jp2: ["jp2", "j2k", "j2c", "jpf", "jpx", "jpc"]
    case .ico: ["ico", "cur"]
    case .pnm: ["pnm", "ppm", "pgm", "pbm", "pam", "pfm"]
    case .film: ["film", "video", "mp4", "mov", "m4v", "mkv", "webm", "avi", "3gp"]
    case .raw:
      [
        "raw", "cr2", "cr3", "nef", "nrw", "arw", "sr2", "srf", "dng", "gpr", "orf", "rw2", "rwl",
        "raf", "pef", "srw", "3fr", "fff", "erf", "kdc", "dcr", "mef", "mos", "iiq",
      ]
    }
  }
}
