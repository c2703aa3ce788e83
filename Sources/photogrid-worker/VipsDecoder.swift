import CLinux
import CVips
import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// Decodes all formats but JPEG by libvips, always with a named loader, so that none is guessed.
enum VipsDecoder {
  /// Whether libvips works; it is started for the first photo that needs it.
  ///
  /// Its modules are loaded for their formats (`VipsLoader`): with all of them, that would take 20 ms
  /// instead of 2.
  private static let isReady: Bool = {
    VipsLoader.limitMagick()
    setenv("VIPSHOME", "/nonexistent", 1)
    guard vips_init("photogrid-worker") == 0 else { return false }
    VipsLoader.unblock()
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_vector_set_enabled(0)
    return true
  }()

  static func describe(_ file: borrowing PhotoFile) throws(FailureReason) -> PhotoInfo {
    let image = try load(file)
    var info = try info(file, image)
    info.metadata = MetadataReader.metadata(of: file, image)
    return info
  }

  /// Decodes the whole photo, scaled for a frame and turned upright.
  static func decode(
    _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> DecodedPhoto {
    do throws(FailureReason) {
      return try decode(file, frame, VIPS_FAIL_ON_ERROR)
    } catch {
      // Some loaders give the part of the picture that a truncated file has.
      guard isIncomplete(error, file),
        var partial = try? decode(file, frame, VIPS_FAIL_ON_NONE), !partial.picture.isBlank
      else { throw error }
      partial.info.isIncomplete = true
      return partial
    }
  }

  /// Decodes a region of the photo.
  ///
  /// - Returns: The region that the picture covers, and the picture.
  static func decode(
    _ file: borrowing PhotoFile, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    do throws(FailureReason) {
      return try decode(file, region, VIPS_FAIL_ON_ERROR)
    } catch {
      guard isIncomplete(error, file) else { throw error }
      return try decode(file, region, VIPS_FAIL_ON_NONE)
    }
  }

  /// Returns whether a failure may be due to a truncated file, of which a part can be shown.
  private static func isIncomplete(_ failure: FailureReason, _ file: borrowing PhotoFile) -> Bool {
    if case .decoder = failure {
      [.png, .gif, .tiff, .jp2, .pnm, .hdr].contains(file.format)
    } else {
      false
    }
  }

  private static func decode(
    _ file: borrowing PhotoFile, _ region: PhotoRegion, _ failOn: VipsFailOn
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    let image = try load(file, failOn)
    let info = try info(file, image)
    var stored = try region.stored(in: info)
    stored.width = min(stored.width, image.width - stored.x)
    stored.height = min(stored.height, image.height - stored.y)
    let part = try image.then {
      photogrid_extract(
        $0, $1, Int32(stored.x), Int32(stored.y), Int32(stored.width), Int32(stored.height))
    }
    let covered = stored.turned(image.orientation, in: (image.width, image.height))
    let (width, height) = covered.sampleSize
    return (covered, try bitmap(of: part, (width, height)))
  }

  private static func decode(
    _ file: borrowing PhotoFile, _ frame: DecodeTarget, _ failOn: VipsFailOn
  ) throws(FailureReason) -> DecodedPhoto {
    let image = try load(file, failOn)
    let info = try info(file, image)
    try MemoryEstimate.ofDecoding(file, image).check(frame.memory)
    let (target, thumbnail) = frame.targets(for: info.size)
    guard let thumbnail else {
      return DecodedPhoto(info: info, picture: try bitmap(of: image, info, target, file, failOn))
    }
    // The thumbnail is no smaller than the picture.
    let larger = try bitmap(of: image, info, thumbnail.target, file, failOn)
    return DecodedPhoto(
      info: info, picture: larger.reduced(to: target), thumbnail: (thumbnail.size, larger))
  }

  /// Returns the thumbnail in a HEIF file; nil if no thumbnail shows the photo.
  static func preview(
    _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (info: PhotoInfo, picture: Bitmap)? {
    let info = try describe(file)
    let target = frame.targets(for: info.size).picture
    // Both the photo and the thumbnail are upright already.
    guard let image = try? load(file, VIPS_FAIL_ON_ERROR, thumbnail: true),
      Double(image.width) < info.size.width,
      let part = PreviewFit.crop(
        of: (image.width, image.height),
        photo: (Int(info.size.width), Int(info.size.height))),
      part.width == image.width, part.height == image.height
    else { return nil }
    let size = (
      width: min(target.width, image.width), height: min(target.height, image.height)
    )
    return (try? bitmap(of: image, size)).map { (info, $0) }
  }

  /// Returns an image that was loaded from a file, scaled to a size in pixels.
  ///
  /// If the format decodes faster to a smaller size, the file is loaded again at that size.
  private static func bitmap(
    of loaded: Image, _ info: PhotoInfo, _ target: (width: Int, height: Int),
    _ file: borrowing PhotoFile, _ failOn: VipsFailOn
  ) throws(FailureReason) -> Bitmap {
    var image = loaded
    let scale = Double(target.width) / max(1, info.size.width)
    if [.webp, .svg, .jp2].contains(file.format), scale < 1 {
      image = try load(file, failOn, scale: scale)
    }
    return try bitmap(of: image, target)
  }

  /// Returns an image scaled to a size in pixels, turned upright, in the colors of sRGB.
  static func bitmap(
    of image: Image, _ target: (width: Int, height: Int)
  ) throws(FailureReason) -> Bitmap {
    func scale(_ image: Image) throws(FailureReason) -> Image {
      let image = try image.convertedFromDeepColors(target)
      return try image.then { photogrid_scale($0, $1, Int32(target.width), Int32(target.height)) }
    }
    var scaled: Image
    do {
      scaled = try scale(image)
    } catch {
      // A profile that cannot be used is ignored, as in browsers.
      guard vips_image_remove(image.pointer, VIPS_META_ICC_NAME) != 0 else { throw error }
      scaled = try scale(image)
    }
    scaled = try scaled.then(photogrid_to_srgb).then(photogrid_to_bytes)
    if scaled.bands > 4 { scaled = try scaled.then { photogrid_keep_bands($0, $1, 4) } }
    if scaled.bands == 3 { scaled = try scaled.then(photogrid_add_alpha) }
    return try scaled.bitmap()
  }

  /// Opens the first page or frame of a file; pixels are decoded when they are used.
  ///
  /// `scale` is the fraction of the full size that is needed, for formats that decode to smaller
  /// sizes; `pages` are the frames of a GIF, which are stacked in one image; `thumbnail` opens the
  /// one in a HEIF file instead, if there is one.
  ///
  /// - Throws: The reason that the file cannot be opened.
  static func load(
    _ file: borrowing PhotoFile, _ failOn: VipsFailOn = VIPS_FAIL_ON_NONE, scale: Double = 1,
    pages: Range<Int> = 0..<1, thumbnail: Bool = false
  ) throws(FailureReason) -> Image {
    guard isReady else { throw .decoder("libvips failed to start") }
    switch file.format {
    case .pnm where PAMPicture.isSigned(file.firstBytes): return try pam(file)
    case .psd where PhotoshopInks.isSigned(file.firstBytes):
      if let image = try photoshopInks(file) { return image }
    default: break
    }
    guard lseek(file.descriptor, 0, SEEK_SET) == 0,
      let source = vips_source_new_from_descriptor(file.descriptor)
    else { throw Image.lastError }
    defer { g_object_unref(source) }
    var loaded: UnsafeMutablePointer<VipsImage>?
    VipsLoader.loadModule(for: file)
    let result =
      switch file.format {
      case let format where file.isLoadedByMagick:
        VipsLoader.loadMagick(format, file.descriptor, &loaded)
      case .png: photogrid_load_png(source, &loaded, failOn)
      case .gif:
        photogrid_load_gif(source, &loaded, failOn, Int32(pages.lowerBound), Int32(pages.count))
      case .webp: photogrid_load_webp(source, &loaded, failOn, scale)
      case .tiff: photogrid_load_tiff(source, &loaded, failOn)
      case .heic, .avif: photogrid_load_heif(source, &loaded, failOn, thumbnail ? 1 : 0)
      default:
        try VipsLoader.load(file, source, &loaded, failOn, scale: scale)
      }
    guard result == 0, let loaded else { throw Image.lastError }
    let image = Image(loaded)
    // ImageMagick has turned the picture already, but still reports the stored orientation.
    if VipsLoader.isMagick(file.format) { vips_image_remove(loaded, VIPS_META_ORIENTATION) }
    if file.format == .fits { return try image.then(photogrid_stretch) }
    var measured = try image.then(photogrid_scale_numbers)
    if file.format == .tiff,
      ExifDirectories(TIFFReader(MetadataReader.source(of: file)))?.isWhiteZero == true
    {
      measured = try measured.then(photogrid_invert)
    }
    describeColors(of: measured, file)
    return measured
  }

  /// Gives an image the profile of the colors that its file describes without a profile.
  private static func describeColors(of image: Image, _ file: borrowing PhotoFile) {
    let described = ColorDescription.of(
      file, hasProfile: vips_image_get_typeof(image.pointer, VIPS_META_ICC_NAME) != 0,
      exif: image.exif)
    guard let described else { return }
    vips_image_remove(image.pointer, VIPS_META_ICC_NAME)
    if !described.isSRGB {
      image.profile = described.profile(isGray: image.bands < 3, isDeep: image.isDeep)
    }
  }

  /// The name of the metadata field of an image whose file is truncated.
  private static let incomplete = "photogrid-incomplete"

  /// The most pixels of a picture that is decoded as a whole.
  private static let maxPixels = PixelLimits.wholeBytes / 4

  private static func pam(_ file: borrowing PhotoFile) throws(FailureReason) -> Image {
    guard let picture = PAMPicture(try file.contents(), maxPixels: maxPixels) else {
      throw .decoder("PAM: corrupt header")
    }
    return try image(
      of: picture.pixels, picture.width, picture.height, isIncomplete: picture.isIncomplete)
  }

  /// Loads a Photoshop document in CMYK; nil if only ImageMagick may know its coding.
  private static func photoshopInks(_ file: borrowing PhotoFile) throws(FailureReason) -> Image? {
    guard let picture = PhotoshopInks(try file.contents(), maxPixels: maxPixels) else { return nil }
    var pixels = picture.pixels
    ProfileConverter().convert(&pixels, from: .cmyk, profile: picture.profile)
    return try image(
      of: pixels, picture.width, picture.height, isIncomplete: picture.isIncomplete)
  }

  private static func image(
    of pixels: [UInt8], _ width: Int, _ height: Int, isIncomplete: Bool
  ) throws(FailureReason) -> Image {
    let image = try Image(pixels: pixels, width: width, height: height)
    vips_image_set_int(image.pointer, incomplete, isIncomplete ? 1 : 0)
    return image
  }

  static func png(_ bitmap: Bitmap) throws(FailureReason) -> [UInt8] {
    guard isReady else { throw .decoder("libvips failed to start") }
    let pixels = bitmap.isOpaque ? bitmap.pixels : Premultiplication.divided(bitmap)
    let image = try Image(pixels: pixels, width: bitmap.width, height: bitmap.height)
    return try image.png()
  }

  /// Returns the facts of a file whose first page or frame was loaded.
  static func info(
    _ file: borrowing PhotoFile, _ image: Image
  ) throws(FailureReason) -> PhotoInfo {
    try PixelLimits.check(
      width: image.width, height: image.height, format: file.format,
      needsWholePicture: file.isLoadedByMagick
        || ![.png, .tiff, .pnm, .hdr].contains(file.format))
    // Pages of a TIFF and pictures of a HEIC do not follow each other in time.
    let isAnimated = [.gif, .webp].contains(file.format)
    let frameCount = isAnimated ? max(image.number(VIPS_META_N_PAGES) ?? 1, 1) : 1
    try PixelLimits.check(width: image.width, height: image.height, frameCount: frameCount)
    var info = PhotoInfo(
      file, width: image.width, height: image.height, orientation: image.orientation,
      taken: taken(file, image), isIncomplete: isCut(file) || image.number(incomplete) == 1,
      frameCount: frameCount)
    info.holdsFilm =
      EmbeddedFilm.range(in: MetadataReader.source(of: file), format: file.format) != nil
    return info
  }
}

extension VipsDecoder {
  /// Returns whether an uncompressed file is too short for all of its rows.
  private static func isCut(_ file: borrowing PhotoFile) -> Bool {
    UncompressedLength.ofFile(file.format, file.firstBytes).map { $0 > file.byteCount } ?? false
  }

  /// Returns when a photo was taken; a TIFF file has the fields of EXIF in its own directories.
  private static func taken(_ file: borrowing PhotoFile, _ image: Image) -> TakenTime? {
    let exif =
      file.format == .tiff
      ? ExifFacts(TIFFReader(MetadataReader.source(of: file))).taken
      : image.exif.flatMap { ExifFacts($0[...]).taken }
    return MetadataReader.written(file, image).taken(exif, latest: PhotoFile.latestDay)
  }
}

extension Bitmap {
  /// Whether all pixels are black or transparent, as loaders leave pixels without data.
  var isBlank: Bool {
    pixels.withUnsafeBufferPointer { pixels in
      stride(from: 0, to: pixels.count - 3, by: 4).allSatisfy { (position: Int) -> Bool in
        pixels[position] == 0 && pixels[position + 1] == 0 && pixels[position + 2] == 0
      }
    }
  }
}

/// The loaders of libvips that are used only inside the sandbox, since they were tested less with
/// hostile files than the others.
enum VipsLoader {
  private static let classes = [
    "VipsForeignLoadJxl", "VipsForeignLoadJp2k", "VipsForeignLoadSvg", "VipsForeignLoadPpm",
    "VipsForeignLoadRad", "VipsForeignLoadFits", "VipsForeignLoadOpenexr", "VipsForeignLoadMagick",
  ]

  /// Blocks what libvips itself does not trust, and enables the loaders if a filter of system calls is in
  /// effect for this process.
  static func unblock() {
    vips_block_untrusted_set(1)
    guard process_is_filtered() == 1 else { return }
    for name in classes { vips_operation_block_set(name, 0) }
  }

  /// The modules of libvips, each loaded when it is first used.
  private static let heif: Void = load(module: "heif")
  private static let jxl: Void = load(module: "jxl")
  private static let magick: Void = load(module: "magick")

  /// Loads the module that has the loader for a file, if libvips has that loader in a module.
  static func loadModule(for file: borrowing PhotoFile) {
    switch file.format {
    case let format where file.isLoadedByMagick || isMagick(format): magick
    case .heic, .avif: heif
    case .jxl: jxl
    default: break
    }
  }

  private static func load(module: String) {
    if photogrid_load_module(module) == 0 { unblock() }
  }

  /// Sets the limits of ImageMagick, which reads them at its start.
  ///
  /// It is told the format of each file, always one for raster pictures, so that it neither guesses
  /// the format nor follows references in a file. Its limit of time is not set: it is counted from the
  /// first file that a process loads, and ends the process.
  static func limitMagick() {
    let limits = [
      "MEMORY": "512MiB", "MAP": "512MiB", "DISK": "0", "AREA": "200MP", "WIDTH": "64KP",
      "HEIGHT": "64KP", "THREAD": "1", "LIST-LENGTH": "64",
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

  /// Loads the first picture of a file by the loader for its format.
  ///
  /// - Returns: 0, or -1 if that fails or there is no such loader.
  static func load(
    _ file: borrowing PhotoFile, _ source: UnsafeMutablePointer<VipsSource>,
    _ image: inout UnsafeMutablePointer<VipsImage>?, _ failOn: VipsFailOn, scale: Double
  ) throws(FailureReason) -> Int32 {
    switch file.format {
    case .jxl: photogrid_load_jxl(source, &image, failOn)
    case .jp2: loadJPEG2000(source, &image, failOn, scale: scale)
    case .svg: photogrid_load_svg(source, &image, failOn, scale)
    case .pnm: photogrid_load_pnm(source, &image, failOn)
    case .hdr: photogrid_load_hdr(source, &image, failOn)
    // The names have no "[...]" at their ends, which libvips would parse as options.
    case .fits: photogrid_load_fits(try file.name(), &image, failOn)
    case .exr: photogrid_load_exr(try file.name(), &image, failOn)
    case let format where isMagick(format): loadMagick(format, file.descriptor, &image)
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
