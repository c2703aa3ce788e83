import CVips
import Glibc
import PhotoGridCore

/// The libraries and files that decoders of some formats need beyond what the worker links.
///
/// A decoder loads them before it gives up opening files, and so before it reads any photo.
struct DecoderLibraries: OptionSet, Sendable {
  let rawValue: UInt8

  /// The modules of libvips: HEIF, JPEG XL, ImageMagick.
  static let modules = DecoderLibraries(rawValue: 1)
  /// The plug-ins of libheif.
  static let heif: DecoderLibraries = [DecoderLibraries(rawValue: 2), .modules]
  /// The coders and settings of ImageMagick.
  static let magick: DecoderLibraries = [DecoderLibraries(rawValue: 4), .modules]
  /// The system's fonts.
  static let fonts = DecoderLibraries(rawValue: 8)
  /// Names by which open files can be opened again, for loaders that take only names.
  static let names = DecoderLibraries(rawValue: 16)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the set that a format needs; empty for files that are not photos.
  ///
  /// The format is nil if it is unknown. If others are allowed, since the decoder for the format has
  /// failed, ImageMagick may be used.
  init(for format: ImageFormat?, allowsOther: Bool = false) {
    switch format {
    case let format? where allowsOther && VipsLoader.hasMagickFallback(format): self = .magick
    case .heic, .avif: self = .heif
    case .jxl: self = .modules
    case .svg: self = .fonts
    case .fits, .exr: self = .names
    case let format? where VipsLoader.isMagick(format): self = .magick
    default: self = []
    }
  }

  /// Loads the libraries into this process.
  ///
  /// Most libraries load further files with the first picture, so each gets an empty one here.
  func load() {
    guard contains(.modules), VipsDecoder.start() else { return }
    if contains(.heif) { VipsLoader.loadHEIFPlugins() }
    if contains(.magick) { VipsLoader.loadMagickCoders() }
  }
}
