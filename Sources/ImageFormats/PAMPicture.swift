/// A decoded picture in the Portable Arbitrary Map (netpbm's manual, "pam"), the format P7 of the PNM
/// family.
package struct PAMPicture {
  package let width: Int
  package let height: Int
  /// The pixels: RGBA, 8 bits a channel, not premultiplied, rows top to bottom, no padding.
  package let pixels: [UInt8]
  /// Whether the file is truncated; the missing pixels are transparent.
  package let isIncomplete: Bool

  /// Returns whether a file has the format's signature.
  package static func isSigned(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "P7\n".utf8)
  }

  /// Decodes a file; nil if its header is invalid or its picture too large.
  package init?(_ file: [UInt8], maxPixels: Int) {
    guard let header = Header(file) else { return nil }
    let (count, isTooMany) = header.width.multipliedReportingOverflow(by: header.height)
    guard !isTooMany, count <= maxPixels else { return nil }
    let sampleBytes = header.most > 255 ? 2 : 1
    let pixelBytes = header.depth * sampleBytes
    let whole = min(count, (file.count - header.length) / pixelBytes)
    // Each number as a byte, rounded; numbers above the declared greatest are white.
    let scaled = (0...(header.most > 255 ? 65535 : 255)).map {
      UInt8((min($0, header.most) * 255 + header.most / 2) / header.most)
    }
    pixels = [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, initialized in
      buffer.initialize(repeating: 0)
      initialized = count * 4
      file.withUnsafeBufferPointer { file in
        for index in 0..<whole {
          let at = header.length + index * pixelBytes
          func sample(_ plane: Int) -> UInt8 {
            let first = at + plane * sampleBytes
            return scaled[
              sampleBytes == 1 ? Int(file[first]) : Int(file[first]) << 8 | Int(file[first + 1])]
          }
          let color = header.color(sample)
          for channel in 0..<4 { buffer[index * 4 + channel] = color[channel] }
        }
      }
    }
    width = header.width
    height = header.height
    isIncomplete = whole < count
  }

  /// The lines before the pixels.
  private struct Header {
    var width = 0
    var height = 0
    /// The number of samples of a pixel; those that the type of tuple does not use are ignored.
    var depth = 0
    /// The number for white, up to 65535.
    var most = 0
    /// The offset of the pixels.
    var length = 0
    private var channels = Channels.gray

    private enum Channels { case gray, grayAlpha, color, colorAlpha, inks }

    /// The longest header that is read, in bytes.
    private static let maxLength = 64 << 10

    init?(_ file: [UInt8]) {
      guard PAMPicture.isSigned(file) else { return nil }
      var kind = ""
      var offset = 3
      while length == 0 {
        guard let end = file[offset...].prefix(Self.maxLength).firstIndex(of: 0x0a),
          end < Self.maxLength
        else { return nil }
        let line = String(decoding: file[offset..<end], as: UTF8.self)
        offset = end + 1
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let key = words.first, !key.hasPrefix("#") else { continue }
        func number() -> Int { words.count > 1 ? Int(words[1]) ?? 0 : 0 }
        switch key {
        case "WIDTH": width = number()
        case "HEIGHT": height = number()
        case "DEPTH": depth = number()
        case "MAXVAL": most = number()
        // The words of several lines belong together.
        case "TUPLTYPE":
          kind += (kind.isEmpty ? "" : " ") + words.dropFirst().joined(separator: " ")
        case "ENDHDR": length = offset
        default: return nil
        }
      }
      guard width > 0, height > 0, (1...16).contains(depth), (1...65535).contains(most),
        let channels = Self.channels(kind, depth: depth)
      else { return nil }
      self.channels = channels
    }

    /// Returns the channels of a type of tuple; of an unknown one, those that its depth suggests.
    private static func channels(_ kind: String, depth: Int) -> Channels? {
      let (channels, least): (Channels, Int) =
        switch kind {
        case "BLACKANDWHITE", "GRAYSCALE": (.gray, 1)
        case "BLACKANDWHITE_ALPHA", "GRAYSCALE_ALPHA": (.grayAlpha, 2)
        case "RGB": (.color, 3)
        case "RGB_ALPHA": (.colorAlpha, 4)
        // ImageMagick's own types, whose greatest number is full ink.
        case "CMYK", "CMYK_ALPHA": (.inks, 4)
        default:
          switch depth {
          case 1: (.gray, 1)
          case 2: (.grayAlpha, 2)
          case 3: (.color, 3)
          default: (.colorAlpha, 4)
          }
        }
      return depth >= least ? channels : nil
    }

    /// Returns a pixel as RGBA from its samples by their numbers.
    func color(_ sample: (Int) -> UInt8) -> SIMD4<UInt8> {
      switch channels {
      case .gray: return SIMD4(sample(0), sample(0), sample(0), 255)
      case .grayAlpha: return SIMD4(sample(0), sample(0), sample(0), sample(1))
      case .color: return SIMD4(sample(0), sample(1), sample(2), 255)
      case .colorAlpha: return SIMD4(sample(0), sample(1), sample(2), sample(3))
      case .inks:
        let light = 255 - Int(sample(3))
        func channel(_ ink: UInt8) -> UInt8 { UInt8(((255 - Int(ink)) * light + 127) / 255) }
        return SIMD4(channel(sample(0)), channel(sample(1)), channel(sample(2)), 255)
      }
    }
  }
}
