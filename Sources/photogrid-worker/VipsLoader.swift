import CLinux
import CVips
import Glibc
import PhotoGridCore

/// The loaders of libvips that are used inside the sandbox alone: they were less tested with
/// hostile files than the others.
enum VipsLoader {
  private static let classes = [
    "VipsForeignLoadJxl", "VipsForeignLoadJp2k", "VipsForeignLoadSvg", "VipsForeignLoadPpm",
    "VipsForeignLoadRad", "VipsForeignLoadFits", "VipsForeignLoadOpenexr", "VipsForeignLoadMagick",
  ]

  /// Allows the loaders if the kernel holds this process to a filter of calls.
  static func unblock() {
    guard process_is_filtered() == 1 else { return }
    for name in classes { vips_operation_block_set(name, 0) }
  }

  /// Sets the limits of ImageMagick, which reads them at its start.
  ///
  /// It is given the name of one format for raster pictures with each file, so that it neither
  /// guesses the format nor follows what a file refers to.
  static func limitMagick() {
    let limits = [
      "MEMORY": "512MiB", "MAP": "512MiB", "DISK": "0", "AREA": "200MP", "WIDTH": "64KP",
      "HEIGHT": "64KP", "THREAD": "1", "TIME": "10", "LIST-LENGTH": "64",
    ]
    for (name, value) in limits { setenv("MAGICK_\(name)_LIMIT", value, 1) }
  }

  /// Whether a format is loaded by ImageMagick.
  static func isMagick(_ format: ImageFormat) -> Bool {
    [.bmp, .tga, .ico, .psd, .pcx, .dds].contains(format)
  }

  /// Whether a format's loader takes the name of a file and nothing else.
  static func needsName(_ format: ImageFormat) -> Bool {
    format == .fits || format == .exr
  }

  /// Loads the first picture of a file by the loader for its format.
  ///
  /// - Returns: 0, or -1 if that fails or there is no such loader.
  static func load(
    _ format: ImageFormat, _ source: UnsafeMutablePointer<VipsSource>, _ descriptor: Int32,
    _ image: inout UnsafeMutablePointer<VipsImage>?, _ failOn: VipsFailOn, scale: Double
  ) -> Int32 {
    // Loaders that take names alone open the file once more, which was copied to memory for them;
    // libvips cannot take "[...]" in this name for options.
    let path = "/proc/self/fd/\(descriptor)"
    return switch format {
    case .jxl: photogrid_load_jxl(source, &image, failOn)
    case .jp2: photogrid_load_jp2(source, &image, failOn)
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

  /// Loads a file by ImageMagick, which closes the descriptor that it is given.
  private static func loadMagick(
    _ format: ImageFormat, _ descriptor: Int32, _ image: inout UnsafeMutablePointer<VipsImage>?
  ) -> Int32 {
    guard process_is_filtered() == 1, case let copy = dup(descriptor), copy >= 0 else { return -1 }
    return photogrid_load_magick("\(format.rawValue.uppercased()):fd:\(copy)", &image)
  }
}
