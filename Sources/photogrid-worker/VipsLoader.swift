import CLinux
import CVips
import Glibc
import PhotoGridCore

/// The loaders of libvips that are used only inside the sandbox, since they were tested less with
/// hostile files than the others.
enum VipsLoader {
  private static let classes = [
    "VipsForeignLoadJxl", "VipsForeignLoadJp2k", "VipsForeignLoadSvg", "VipsForeignLoadPpm",
    "VipsForeignLoadRad", "VipsForeignLoadFits", "VipsForeignLoadOpenexr", "VipsForeignLoadMagick",
  ]

  /// Enables the loaders if a filter of system calls is in effect for this process.
  ///
  /// - Returns: True.
  static func unblock() -> Bool {
    guard process_is_filtered() == 1 else { return true }
    for name in classes { vips_operation_block_set(name, 0) }
    return true
  }

  /// Sets the limits of ImageMagick, which reads them at its start.
  ///
  /// It is told the format of each file, always one for raster pictures, so that it neither guesses
  /// the format nor follows references in a file.
  static func limitMagick() {
    let limits = [
      "MEMORY": "512MiB", "MAP": "512MiB", "DISK": "0", "AREA": "200MP", "WIDTH": "64KP",
      "HEIGHT": "64KP", "THREAD": "1", "TIME": "10", "LIST-LENGTH": "64",
    ]
    for (name, value) in limits { setenv("MAGICK_\(name)_LIMIT", value, 1) }
  }

  private static let magickFormats: [ImageFormat] = [
    .bmp, .tga, .ico, .psd, .pcx, .dds, .xcf, .ras, .xpm,
  ]

  static func isMagick(_ format: ImageFormat) -> Bool { magickFormats.contains(format) }

  /// The formats that ImageMagick loads if the loaders of libvips fail: some files have sample
  /// sizes, or an order of their parts, that libvips does not support.
  private static let magickFallbackFormats: [ImageFormat] = [.tiff, .jp2]

  /// Whether ImageMagick loads a format if the loader of libvips fails.
  static func hasMagickFallback(_ format: ImageFormat) -> Bool {
    magickFallbackFormats.contains(format)
  }

  /// Makes libheif load its plug-ins, which it does with its first file.
  static func loadHEIFPlugins() {
    guard let source = vips_source_new_from_memory("", 0) else { return }
    defer { g_object_unref(source) }
    var image: UnsafeMutablePointer<VipsImage>?
    if photogrid_load_heif(source, &image, VIPS_FAIL_ON_ERROR, 0) == 0 { g_object_unref(image) }
    vips_error_clear()
  }

  /// Makes ImageMagick load its settings and its coders, with an empty file of each format.
  static func loadMagickCoders() {
    vips_operation_block_set("VipsForeignLoadMagick", 0)
    for format in magickFormats + magickFallbackFormats {
      let empty = file_in_memory("empty")
      guard empty >= 0 else { return }
      var image: UnsafeMutablePointer<VipsImage>?
      if photogrid_load_magick("\(format.rawValue.uppercased()):fd:\(empty)", &image) == 0 {
        g_object_unref(image)
      }
      vips_error_clear()
    }
  }

  /// Whether the loader of a format takes only the name of a file, and no open one.
  static func needsPath(_ format: ImageFormat) -> Bool {
    format == .fits || format == .exr
  }

  /// Loads the first picture of a file by the loader for its format.
  ///
  /// - Returns: 0, or -1 if that fails or there is no such loader.
  static func load(
    _ format: ImageFormat, _ source: UnsafeMutablePointer<VipsSource>, _ descriptor: Int32,
    _ image: inout UnsafeMutablePointer<VipsImage>?, _ failOn: VipsFailOn, scale: Double
  ) -> Int32 {
    // Loaders that take only names open the file again, which was copied to memory for them. The
    // name has no "[...]" at its end, which libvips would parse as options.
    let path = "/proc/self/fd/\(descriptor)"
    return switch format {
    case .jxl: photogrid_load_jxl(source, &image, failOn)
    case .jp2: loadJPEG2000(source, &image, failOn, scale: scale)
    case .svg: photogrid_load_svg(source, &image, failOn, scale)
    case .pnm: photogrid_load_pnm(source, &image, failOn)
    case .hdr: photogrid_load_hdr(source, &image, failOn)
    case .fits: photogrid_load_fits(path, &image, failOn)
    case .exr: photogrid_load_exr(path, &image, failOn)
    case _ where isMagick(format):
      loadMagick(format, descriptor, &image)
    default: -1
    }
  }

  /// Loads a JPEG 2000 at the smallest of its sizes that is large enough: each is half of the
  /// previous one, and takes a quarter of the time.
  private static func loadJPEG2000(
    _ source: UnsafeMutablePointer<VipsSource>, _ image: inout UnsafeMutablePointer<VipsImage>?,
    _ failOn: VipsFailOn, scale: Double
  ) -> Int32 {
    let result = photogrid_load_jp2(source, &image, failOn, 0)
    guard result == 0, scale < 1, let whole = image else { return result }
    var sizeCount: Int32 = 1
    vips_image_get_int(whole, VIPS_META_N_PAGES, &sizeCount)
    let halvings = min(Int32(log2(1 / scale)), sizeCount - 1)
    guard halvings > 0 else { return 0 }
    g_object_unref(whole)
    image = nil
    return photogrid_load_jp2(source, &image, failOn, halvings)
  }

  /// Loads a file by ImageMagick's coder for a format; the descriptor stays open.
  ///
  /// - Returns: 0, or -1 if that fails or this process is not confined.
  static func loadMagick(
    _ format: ImageFormat, _ descriptor: Int32, _ image: inout UnsafeMutablePointer<VipsImage>?
  ) -> Int32 {
    // ImageMagick closes the descriptor that it is given.
    guard process_is_filtered() == 1, case let copy = dup(descriptor), copy >= 0 else { return -1 }
    return photogrid_load_magick("\(format.rawValue.uppercased()):fd:\(copy)", &image)
  }
}
