import CSampleEncoding
import CVips
import Glibc

/// Why a photo could not be written.
enum PhotoFileError: Error, Equatable {
  /// libvips did not start, for the reason given.
  case encoderUnavailable(String)
  /// The file was not written, for the reason given.
  case notWritten(String)
}

/// How a photo is stored.
enum PhotoFormat {
  case jpeg(quality: Int)
  case webp(quality: Int)
  case avif(quality: Int)
  /// TIFF with JPEG inside, which is small.
  case tiff(quality: Int)
  /// PNG with an alpha channel and a palette.
  case png

  var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .webp: "webp"
    case .avif: "avif"
    case .tiff: "tif"
    case .png: "png"
    }
  }

  /// The options for libvips.
  fileprivate var options: String {
    switch self {
    case .jpeg(let quality): "Q=\(quality),optimize-coding,interlace"
    case .webp(let quality): "Q=\(quality),effort=5,smart-subsample"
    case .avif(let quality): "Q=\(quality),effort=5"
    case .tiff(let quality): "compression=jpeg,Q=\(quality),tile,tile-width=512,tile-height=512"
    case .png: "compression=9,palette,Q=95,effort=8,dither=0.8"
    }
  }

  fileprivate var hasAlpha: Bool {
    switch self {
    case .png: true
    case .jpeg, .webp, .avif, .tiff: false
    }
  }
}

/// Writes photos into a folder.
struct PhotoFile {
  let folder: String

  /// Starts the encoder for a folder that exists.
  init(folder: String) throws(PhotoFileError) {
    guard sample_encoding_start("draw-samples") == 0 else {
      throw .encoderUnavailable(String(cString: vips_error_buffer()))
    }
    self.folder = folder
  }

  /// Develops a canvas and writes it with its date; returns the file's path.
  func write(_ canvas: Canvas, as photo: SamplePhoto) throws(PhotoFileError) -> String {
    let path = "\(folder)/\(photo.name).\(photo.format.fileExtension)"
    let bands = photo.format.hasAlpha ? 4 : 3
    var pixels = photo.film.developed(canvas, alpha: photo.format.hasAlpha)
    var width = canvas.width
    var height = canvas.height
    if photo.isSideways {
      pixels = Self.turned(pixels, width: width, height: height, bands: bands)
      swap(&width, &height)
    }
    let written = photo.taken.withCString { taken in
      let facts = SampleEncodingPhoto(
        width: Int32(width), height: Int32(height), bands: Int32(bands),
        orientation: photo.isSideways ? 6 : 1, taken: taken)
      return sample_encoding_write(pixels, facts, "\(path)[\(photo.format.options)]")
    }
    guard written == 0 else { throw .notWritten(String(cString: vips_error_buffer())) }
    return path
  }

  /// The pixels turned a quarter to the left, which EXIF orientation 6 turns upright again.
  private static func turned(_ pixels: [UInt8], width: Int, height: Int, bands: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(pixels.count)
    for x in (0..<width).reversed() {
      for y in 0..<height {
        let start = (y * width + x) * bands
        result.append(contentsOf: pixels[start..<start + bands])
      }
    }
    return result
  }
}
