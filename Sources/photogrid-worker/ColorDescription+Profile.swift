import CLittleCMS
import ImageFormats

extension ColorDescription {
  /// The ICC profile of Adobe RGB, which all photos that say so share.
  static let adobeRGBProfile = adobeRGB.profile(isGray: false, isDeep: false)

  /// The number of points of a curve: their lines are as good as the 16 bits of each.
  private static let pointCount = 4096

  /// Makes an ICC profile of the same colors, by which whatever converts by embedded profiles can
  /// convert.
  ///
  /// - Parameters:
  ///   - isGray: Whether the picture has no colors, but a gray channel.
  ///   - isDeep: Whether its numbers have 16 bits.
  /// - Returns: The bytes of the profile; empty if there is no memory for it.
  func profile(isGray: Bool, isDeep: Bool) -> [UInt8] {
    let points = curve(count: Self.pointCount, isDeep: isDeep)
    guard let curve = cmsBuildTabulatedToneCurve16(nil, UInt32(points.count), points) else {
      return []
    }
    defer { cmsFreeToneCurve(curve) }
    var white = Self.cie(primaries.white)
    var colors = cmsCIExyYTRIPLE(
      Red: Self.cie(primaries.red), Green: Self.cie(primaries.green), Blue: Self.cie(primaries.blue)
    )
    var curves: [OpaquePointer?] = [curve, curve, curve]
    let made =
      isGray ? cmsCreateGrayProfile(&white, curve) : cmsCreateRGBProfile(&white, &colors, &curves)
    guard let made else { return [] }
    defer { cmsCloseProfile(made) }
    return Self.named(made, name) ? Self.bytes(of: made) : []
  }

  private static func cie(_ color: Chromaticity) -> cmsCIExyY {
    cmsCIExyY(x: color.x, y: color.y, Y: 1)
  }

  private static func named(_ profile: cmsHPROFILE, _ name: String) -> Bool {
    guard let text = cmsMLUalloc(nil, 1) else { return false }
    defer { cmsMLUfree(text) }
    return cmsMLUsetASCII(text, "en", "US", name) != 0
      && cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(text)) != 0
  }

  private static func bytes(of profile: cmsHPROFILE) -> [UInt8] {
    var count: UInt32 = 0
    guard cmsSaveProfileToMem(profile, nil, &count) != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    return cmsSaveProfileToMem(profile, &bytes, &count) != 0 ? bytes : []
  }
}

/// Where a file's colors come from if not from an embedded profile.
extension ColorDescription {
  /// Reads the description in a file whose first page or frame was loaded; nil for sRGB, and where the
  /// embedded profile holds.
  static func of(_ file: borrowing PhotoFile, hasProfile: Bool, exif: [UInt8]?) -> ColorDescription?
  {
    let source = MetadataReader.source(of: file)
    switch file.format {
    case .png: return PNGColors.description(in: source)
    case .heic, .avif:
      if hasProfile { return nil }
      if let described = HEIFColors.description(in: source) { return described }
    case .webp where !hasProfile, .tiff where !hasProfile: break
    default: return nil
    }
    let directories =
      file.format == .tiff
      ? ExifDirectories(TIFFReader(source)) : ExifDirectories(exif.flatMap { TIFFReader(exif: $0) })
    return directories?.isAdobeRGB == true ? .adobeRGB : nil
  }
}
