import PhotoGridCore

extension HeaderSize {
  /// Parses the size in the header of one of the formats that are always decoded as a whole; nil if
  /// the header is truncated or a side is not positive.
  init?(magick format: ImageFormat, _ bytes: [UInt8]) {
    guard bytes.count >= 26 else { return nil }
    func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    func long(_ at: Int) -> Int { word(at) | word(at + 2) << 16 }
    func bigLong(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    switch format {
    case .bmp where long(14) == 12: self.init(whole: word(18), word(20))
    // A negative height means rows from top to bottom.
    case .bmp: self.init(whole: long(18), abs(Int(Int32(truncatingIfNeeded: long(22)))))
    case .tga: self.init(whole: word(12), word(14))
    case .psd: self.init(whole: bigLong(18), bigLong(14))
    case .pcx: self.init(whole: word(8) - word(4) + 1, word(10) - word(6) + 1)
    case .dds: self.init(whole: long(16), long(12))
    case .qoi, .ras: self.init(whole: bigLong(4), bigLong(8))
    case .xcf: self.init(whole: bigLong(14), bigLong(18))
    default: return nil
    }
    guard width > 0, height > 0 else { return nil }
  }
}
