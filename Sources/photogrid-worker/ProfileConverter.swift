import CLittleCMS
import Photos

/// Converts pixels to sRGB by their embedded ICC profile.
///
/// The conversion for the last profile and kind of pixels is cached, since all photos of one camera
/// have the same.
final class ProfileConverter {
  /// The meaning of the four bytes of a pixel before the conversion.
  enum Source {
    /// Red, green, blue, and an alpha that is kept.
    case rgb
    /// The gray value in each of the first three bytes.
    case gray
    /// Cyan, magenta, yellow and black, with 255 for no ink, as all programs write them into JPEG
    /// files.
    case cmyk
  }

  private var profile: [UInt8] = []
  private var source = Source.rgb
  /// The conversion; nil for a profile that cannot be used, and for sRGB itself.
  private var transform: cmsHTRANSFORM?

  deinit {
    if let transform { cmsDeleteTransform(transform) }
  }

  /// Converts pixels in place to RGBA, 8 bits a channel.
  ///
  /// A damaged profile, or one for another color space than that of the pixels, is ignored.
  func convert(_ pixels: inout [UInt8], from source: Source, profile: [UInt8]) {
    use(profile, for: source)
    if let transform {
      pixels.withUnsafeMutableBytes {
        cmsDoTransform(transform, $0.baseAddress, $0.baseAddress, UInt32($0.count / 4))
      }
    } else if source == .cmyk {
      Self.mixInks(&pixels)
    }
    guard source == .cmyk else { return }
    for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
  }

  private func use(_ profile: [UInt8], for source: Source) {
    guard profile != self.profile || source != self.source else { return }
    (self.profile, self.source) = (profile, source)
    if let transform { cmsDeleteTransform(transform) }
    transform = profile.isEmpty ? nil : Self.transform(from: profile, source)
  }

  private static func transform(from profile: [UInt8], _ source: Source) -> cmsHTRANSFORM? {
    let opened = profile.withUnsafeBytes {
      cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count))
    }
    guard let opened else { return nil }
    defer { cmsCloseProfile(opened) }
    let (space, format) =
      switch source {
      case .rgb: (cmsSigRgbData, photogrid_rgba)
      case .gray: (cmsSigGrayData, photogrid_gray_of_four)
      case .cmyk: (cmsSigCmykData, photogrid_inverted_cmyk)
      }
    guard cmsGetColorSpace(opened) == space, let target = cmsCreate_sRGBProfile() else {
      return nil
    }
    defer { cmsCloseProfile(target) }
    if source == .rgb, isSRGB(opened, target) { return nil }
    return cmsCreateTransform(
      opened, format, target, photogrid_rgba, UInt32(INTENT_RELATIVE_COLORIMETRIC),
      UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION))
  }

  /// Returns whether a profile has the primaries and curves of sRGB, whatever its name.
  private static func isSRGB(_ profile: cmsHPROFILE, _ standard: cmsHPROFILE) -> Bool {
    guard cmsIsMatrixShaper(profile) != 0, cmsIsTag(profile, cmsSigAToB0Tag) == 0 else {
      return false
    }
    let primaries = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag]
    let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
    return primaries.allSatisfy { tag in
      guard let one = cmsReadTag(profile, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee,
        let other = cmsReadTag(standard, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
      else { return false }
      // Profiles of different makers differ by this much in rounding.
      return max(abs(one.X - other.X), abs(one.Y - other.Y), abs(one.Z - other.Z)) < 0.002
    }
      && curves.allSatisfy { tag in
        guard let one = cmsReadTag(profile, tag), let other = cmsReadTag(standard, tag) else {
          return false
        }
        return stride(from: Float(0.1), to: 1, by: 0.2).allSatisfy { level in
          let difference =
            cmsEvalToneCurveFloat(OpaquePointer(one), level)
            - cmsEvalToneCurveFloat(OpaquePointer(other), level)
          return abs(difference) < 0.004
        }
      }
  }

  /// Converts inks without a profile, as browsers do: each color is the light that its ink and the
  /// black ink together let through.
  private static func mixInks(_ pixels: inout [UInt8]) {
    pixels.withUnsafeMutableBufferPointer { pixels in
      for index in stride(from: 0, to: pixels.count - 3, by: 4) {
        let black = Int(pixels[index + 3])
        for channel in index..<(index + 3) {
          pixels[channel] = UInt8((Int(pixels[channel]) * black + 127) / 255)
        }
      }
    }
  }
}

/// Conversions between the premultiplied colors of bitmaps and the plain colors of files.
enum Premultiplication {
  /// Multiplies the colors of RGBA pixels by their alpha, rounded to the nearest.
  ///
  /// - Returns: Whether every alpha is 255.
  static func multiply(_ pixels: inout [UInt8]) -> Bool {
    pixels.withUnsafeMutableBufferPointer { pixels in
      var isOpaque = true
      for index in stride(from: 0, to: pixels.count - 3, by: 4) {
        let alpha = Int(pixels[index + 3])
        if alpha == 255 { continue }
        isOpaque = false
        for channel in index..<(index + 3) {
          pixels[channel] = UInt8((Int(pixels[channel]) * alpha + 127) / 255)
        }
      }
      return isOpaque
    }
  }

  /// Returns the RGBA pixels of a bitmap, with their colors divided by their alpha.
  static func divided(_ bitmap: Bitmap) -> [UInt8] {
    var pixels = bitmap.pixels
    pixels.withUnsafeMutableBufferPointer { pixels in
      for index in stride(from: 0, to: pixels.count - 3, by: 4) {
        let alpha = Int(pixels[index + 3])
        if alpha == 255 || alpha == 0 { continue }
        for channel in index..<(index + 3) {
          pixels[channel] = UInt8(min(255, (Int(pixels[channel]) * 255 + alpha / 2) / alpha))
        }
      }
    }
    return pixels
  }
}
