import Glibc

/// Decodes a JPEG at an eighth of its size, from the DC coefficient of each block of 8 by 8 pixels.
///
/// The DC coefficient is the mean of its block. A general decoder spends most of its time on the AC
/// coefficients, even at an eighth of the size. This decoder skips them, several in one table
/// lookup and two parts of the photo at the same time, and whole scans of them in progressive
/// files. It takes a third of the time, and a tenth for progressive files. The brightness is
/// exactly that of libjpeg; subsampled colors are not interpolated.
///
/// It supports the properties of nearly all photos: baseline or progressive, Huffman codes, gray or
/// YCbCr, and all components in each DC scan. The initializer returns nil for any other file and
/// for damaged and truncated ones, which are left to libjpeg.
package struct JPEGDCDecoder {
  private let frame: JPEGFrame
  /// The DC coefficient of each block, before dequantization.
  private var dcCoefficients: [Int16]
  /// The quantization step of the DC coefficients, by component.
  private var quantization: [Int] = []

  /// The most blocks that memory is allocated for, whatever a header says: about 1 gigapixel in
  /// gray, 0.7 with colors at half the width and height.
  private static let maxBlocks = 16 << 20

  /// The number of parts of a scan that are read at the same time: 2, or 1 in tests.
  private let laneCount: Int

  package init?(_ file: [UInt8], laneCount: Int = 2) {
    guard let frame = Self.frame(of: file), frame.blockCount <= Self.maxBlocks else { return nil }
    self.frame = frame
    self.laneCount = laneCount
    dcCoefficients = Array(repeating: 0, count: frame.blockCount)
    guard read(file) else { return nil }
  }

  /// The width of the picture in pixels: an eighth of the photo's, rounded up.
  package var width: Int { (frame.width + 7) / 8 }
  package var height: Int { (frame.height + 7) / 8 }

  /// Returns the size at which a file stores its colors, in pixels of the decoded picture.
  ///
  /// It is smaller than the picture if colors are subsampled.
  package static func colorSize(of file: [UInt8]) -> (width: Int, height: Int)? {
    guard let frame = frame(of: file) else { return nil }
    let across = frame.components.map(\.across).min() ?? 1
    let down = frame.components.map(\.down).min() ?? 1
    return (
      (frame.width * across / frame.across + 7) / 8, (frame.height * down / frame.down + 7) / 8
    )
  }

  private static func frame(of file: [UInt8]) -> JPEGFrame? {
    var walk = JPEGSegments(file)
    while let segment = walk.next(), segment.marker != 0xda {
      // Other kinds of frames have other numbers.
      if (0xc0...0xc2).contains(segment.marker) {
        return JPEGFrame(file[segment.contents], isProgressive: segment.marker == 0xc2)
      }
    }
    return nil
  }

  // MARK: - Reading

  /// The tables that apply to the next scan.
  private struct Tables {
    /// The first step of each quantization table, which is that of the DC coefficients.
    var quantization: [UInt8: Int] = [:]
    /// The Huffman tables by class and number, as in `HuffmanTable.read(_:into:)`.
    var codes: [UInt8: HuffmanTable] = [:]
    /// The number of MCUs between two restart markers; 0 without restarts.
    var restartInterval = 0
  }

  private mutating func read(_ file: [UInt8]) -> Bool {
    var tables = Tables()
    var walk = JPEGSegments(file)
    while let segment = walk.next() {
      let contents = file[segment.contents]
      switch segment.marker {
      case 0xc3, 0xc5...0xc7, 0xc9...0xcf: return false
      case 0xc4:
        guard HuffmanTable.read(contents, into: &tables.codes) else { return false }
      case 0xdb:
        guard Self.readQuantization(contents, into: &tables.quantization) else { return false }
      case 0xdd:
        guard contents.count == 2 else { return false }
        tables.restartInterval = contents.reduce(0) { $0 << 8 | Int($1) }
      case 0xee where contents.starts(with: Array("Adobe".utf8)):
        // The last byte is the color transform; 1 is YCbCr.
        guard contents.count >= 12, contents[contents.startIndex + 11] == 1 else { return false }
      case 0xda:
        // A scan of AC coefficients has a single component, so it may not be a `JPEGScan`.
        guard let scan = JPEGScan(contents, of: frame), scan.firstCoefficient == 0 else {
          if frame.isProgressive, !Self.isDCScan(contents) { break }
          return false
        }
        guard read(scan, file, from: segment.contents.upperBound, tables) else { return false }
        if !frame.isProgressive { return true }
      default: break
      }
    }
    return !quantization.isEmpty && walk.endOfImage != nil
  }

  /// Whether a scan with any number of components has DC coefficients, by its header.
  private static func isDCScan(_ contents: ArraySlice<UInt8>) -> Bool {
    contents.suffix(3).first == 0
  }

  private mutating func read(
    _ scan: JPEGScan, _ file: [UInt8], from start: Int, _ tables: Tables
  ) -> Bool {
    guard
      let data = EntropyCodedData(file, from: start, restartInterval: tables.restartInterval)
    else { return false }
    if scan.bitsBefore > 0 {
      guard frame.isProgressive, !quantization.isEmpty, scan.lastCoefficient == 0,
        scan.bitsAfter < 14
      else { return false }
      return readRefinement(data, tables.restartInterval, Int16(1) << Int16(scan.bitsAfter))
    }
    guard quantization.isEmpty, frame.isProgressive || scan.bitsAfter == 0,
      scan.lastCoefficient == (frame.isProgressive ? 0 : 63), scan.bitsAfter < 14
    else { return false }
    quantization = frame.components.compactMap { tables.quantization[$0.quantizationTable] }
    var lookups: [UInt16] = []
    var made: [UInt8: HuffmanLookup] = [:]
    var codes: [(dc: HuffmanLookup, ac: HuffmanLookup)] = []
    for (dc, ac) in scan.codes {
      guard let dcTable = tables.codes[dc] else { return false }
      made[dc] = made[dc] ?? HuffmanLookup(dcTable.dcSteps, isDC: true, in: &lookups)
      if !frame.isProgressive {
        guard let acTable = tables.codes[0x10 | ac] else { return false }
        made[0x10 | ac] =
          made[0x10 | ac] ?? HuffmanLookup(acTable.acSteps, isDC: false, in: &lookups)
      }
      codes.append((made[dc] ?? HuffmanLookup(), made[0x10 | ac] ?? HuffmanLookup()))
    }
    guard quantization.count == frame.components.count else { return false }
    return readFirstScan(data, tables.restartInterval, lookups, codes, shift: Int(scan.bitsAfter))
  }

  /// Reads the first scan of DC coefficients, and skips the AC coefficients between them.
  private mutating func readFirstScan(
    _ data: EntropyCodedData, _ restartInterval: Int, _ lookups: [UInt16],
    _ codes: [(dc: HuffmanLookup, ac: HuffmanLookup)], shift: Int
  ) -> Bool {
    guard data.bytes.count * 8 < BlockScan.maxBits else { return false }
    var scan = BlockScan(frame, codes, lookups, laneCount: laneCount)
    let (frame, blocks) = (frame, frame.blocks)
    let codes = blocks.map { codes[$0.component].dc }
    let step = frame.isProgressive ? 1 : 2
    return lookups.withUnsafeBufferPointer { lookups in
      guard let lookups = lookups.baseAddress else { return false }
      return forEachSegment(of: data, restartInterval) { bytes, bits, mcus, coefficients in
        var predictions = Predictions()
        var mcu = JPEGFrame.MCU(mcus.lowerBound, in: frame)
        return scan.forEachMCU(bits, of: bytes, count: mcus.count) { starts in
          for (index, block) in blocks.enumerated() {
            let bits = BlockScan.bits(at: Int(starts[index &* step]), of: bytes)
            guard let difference = codes[index].difference(bits, lookups) else { return false }
            let value = predictions[block.component] &+ difference
            predictions[block.component] = value
            coefficients[mcu.index(of: block)] = Int16(truncatingIfNeeded: value &<< shift)
          }
          mcu.advance()
          return true
        }
      }
    }
  }

  /// Reads a later scan of DC coefficients, which has one bit for each.
  private mutating func readRefinement(
    _ data: EntropyCodedData, _ restartInterval: Int, _ lowest: Int16
  ) -> Bool {
    let (frame, blocks) = (frame, frame.blocks)
    return forEachSegment(of: data, restartInterval) { bytes, bits, mcus, coefficients in
      guard bits.count >= mcus.count * blocks.count else { return false }
      var mcu = JPEGFrame.MCU(mcus.lowerBound, in: frame)
      var position = bits.lowerBound
      for _ in mcus {
        for block in blocks {
          if bytes[position >> 3] << (position & 7) & 128 != 0 {
            coefficients[mcu.index(of: block)] |= lowest
          }
          position += 1
        }
        mcu.advance()
      }
      return true
    }
  }

  /// Calls a function for each segment of a scan, in order: with its bits, whose range is in the
  /// data, the range of its MCUs, and all coefficients.
  ///
  /// - Returns: Whether the scan was complete.
  private mutating func forEachSegment(
    of data: EntropyCodedData, _ restartInterval: Int,
    _ body: (
      _ bytes: UnsafePointer<UInt8>, _ bits: Range<Int>, _ mcus: Range<Int>,
      _ coefficients: UnsafeMutablePointer<Int16>
    ) -> Bool
  ) -> Bool {
    let count = frame.rows * frame.columns
    return dcCoefficients.withUnsafeMutableBufferPointer { coefficients in
      data.bytes.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress, let coefficients = coefficients.baseAddress
        else { return false }
        var (start, mcu) = (0, 0)
        for end in data.ends {
          let next = restartInterval == 0 ? count : min(mcu + restartInterval, count)
          guard body(bytes, start * 8..<end * 8, mcu..<next, coefficients) else { return false }
          if next == count { return true }
          (start, mcu) = (end, next)
        }
        return false
      }
    }
  }

  /// The last DC coefficient of each component, to which the next difference is added: properties,
  /// because an array is not kept in registers.
  private struct Predictions {
    private var first = 0
    private var second = 0
    private var third = 0

    /// The prediction of a component, from 0 to 2.
    @inline(__always)
    subscript(component: Int) -> Int {
      get { component == 0 ? first : component == 1 ? second : third }
      set {
        if component == 0 {
          first = newValue
        } else if component == 1 {
          second = newValue
        } else {
          third = newValue
        }
      }
    }
  }

  /// Reads the first step of each quantization table in a segment.
  private static func readQuantization(
    _ contents: ArraySlice<UInt8>, into steps: inout [UInt8: Int]
  ) -> Bool {
    var rest = contents
    while let head = rest.popFirst() {
      let size = head >> 4 == 0 ? 1 : 2
      guard head >> 4 < 2, rest.count >= 64 * size else { return false }
      steps[head & 15] = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(64 * size)
    }
    return true
  }

  // MARK: - The picture

  /// Writes the picture as RGBA of 8 bits a channel, opaque, rows top to bottom, no padding:
  /// `width * height * 4` bytes.
  package func draw(into pixels: UnsafeMutablePointer<UInt8>) {
    let width = width
    var (light, blue, red) = (
      [Int32](repeating: 0, count: width), [Int32](repeating: 128, count: width),
      [Int32](repeating: 128, count: width)
    )
    var pixel = pixels
    for y in 0..<height {
      readRow(y, of: 0, into: &light)
      if frame.components.count == 3 {
        readRow(y, of: 1, into: &blue)
        readRow(y, of: 2, into: &red)
      }
      for x in 0..<width {
        // JFIF 1.02, in units of 1/65536.
        let (light, blue, red) = (light[x], blue[x] &- 128, red[x] &- 128)
        pixel[0] = UInt8(clamping: light &+ (91881 &* red &+ 32768) &>> 16)
        pixel[1] = UInt8(clamping: light &+ (-22554 &* blue &- 46802 &* red &+ 32768) &>> 16)
        pixel[2] = UInt8(clamping: light &+ (116130 &* blue &+ 32768) &>> 16)
        pixel[3] = 255
        pixel += 4
      }
    }
  }

  /// Reads a component's samples, from 0 to 255, for a row of the picture.
  private func readRow(_ y: Int, of number: Int, into row: inout [Int32]) {
    let component = frame.components[number]
    let repetitions = frame.across / component.across
    let step = Int32(quantization[number])
    let blocksBefore = frame.components[..<number].reduce(0) {
      $0 + frame.columns * $1.across * frame.rows * $1.down
    }
    var index =
      blocksBefore + y * component.down / frame.down * frame.columns * component.across
    row.withUnsafeMutableBufferPointer { row in
      dcCoefficients.withUnsafeBufferPointer { coefficients in
        var column = 0
        while column < row.count {
          // Rounded like libjpeg's scaled inverse transform.
          let sample = (Int32(coefficients[index]) &* step &+ 4) &>> 3 &+ 128
          let end = min(column &+ repetitions, row.count)
          while column < end {
            row[column] = min(max(sample, 0), 255)
            column &+= 1
          }
          index &+= 1
        }
      }
    }
  }
}

/// The entropy-coded data of a scan, without byte stuffing, divided into segments at the restart
/// markers (ITU-T T.81, B.1.1.5).
struct EntropyCodedData {
  /// The data of all segments, followed by zeros, so that eight bytes can be read at any offset.
  let bytes: [UInt8]
  /// The offset of each segment's end.
  let ends: [Int]

  /// The number of zeros after the data.
  static let padding = 16

  /// Reads a scan's data, up to the next marker that is not a restart marker.
  ///
  /// Nil if restart markers are out of order, or occur although `restartInterval` is 0.
  ///
  /// A `restartInterval`, the number of MCUs between two restart markers, of 0 stands for none.
  init?(_ file: [UInt8], from start: Int, restartInterval: Int) {
    var isInOrder = true
    var ends: [Int] = []
    bytes = [UInt8](unsafeUninitializedCapacity: file.count - start + Self.padding) { kept, count in
      file.withUnsafeBytes { file in
        guard let base = file.baseAddress, let to = kept.baseAddress else { return }
        var offset = start
        while offset < file.count {
          let found = memchr(base + offset, 0xff, file.count - offset)
          let end = found.map { base.distance(to: UnsafeRawPointer($0)) } ?? file.count
          memcpy(to + count, base + offset, end - offset)
          count += end - offset
          guard end + 1 < file.count else { break }
          let next = file[end + 1]
          offset = end + 2
          if next == 0 {
            to[count] = 0xff
            count += 1
          } else if next == 0xff {
            // A marker may be preceded by any number of fill bytes, 0xff.
            offset = end + 1
          } else if (0xd0...0xd7).contains(next) {
            isInOrder = isInOrder && restartInterval > 0 && Int(next & 7) == ends.count & 7
            ends.append(count)
          } else {
            break
          }
        }
      }
      ends.append(count)
      for _ in 0..<Self.padding {
        kept[count] = 0
        count += 1
      }
    }
    self.ends = ends
    guard isInOrder else { return nil }
  }
}

/// Removes the scans from a progressive JPEG that are not needed for a small picture.
package enum ProgressiveScans {
  /// Returns a file without the scans that a picture at an eighth of the size does not depend on;
  /// nil if all scans are needed, or the file is truncated.
  ///
  /// Brightness depends only on each block's DC coefficient (ITU-T T.81, annex G: the scans whose
  /// spectral selection starts at 0). The first scan of its AC coefficients is kept too: without
  /// it, libjpeg-turbo would estimate the missing details from neighboring blocks and change the DC
  /// coefficients. Colors are mostly subsampled, and need the first AC coefficients.
  package static func reduced(_ file: [UInt8]) -> [UInt8]? {
    var kept: [Range<Int>] = []
    var start: Int? = 0
    var brightness: UInt8?
    var hasDetail = false
    var walk = JPEGSegments(file)
    while let segment = walk.next() {
      let marker = segment.contents.lowerBound - 4
      if start == nil { start = marker }
      // The first component of the frame follows its precision, sides and count.
      if segment.marker == 0xc2 { brightness = file[segment.contents].dropFirst(6).first }
      guard segment.marker == 0xda, let from = start, let scan = Scan(file[segment.contents])
      else { continue }
      if scan.component == brightness, scan.firstCoefficient > 0 {
        if !hasDetail {
          hasDetail = true
          continue
        }
      } else if scan.firstCoefficient < 10 {
        continue
      }
      kept.append(from..<marker)
      start = nil
    }
    guard !kept.isEmpty, let end = walk.endOfImage else { return nil }
    kept.append((start ?? end)..<(end + 2))
    return kept.reduce(into: []) { $0 += file[$1] }
  }

  private struct Scan {
    var component: UInt8
    /// The index of its first coefficient.
    var firstCoefficient: UInt8

    init?(_ contents: ArraySlice<UInt8>) {
      let bytes = Array(contents)
      guard let count = bytes.first, count > 0, bytes.count >= Int(count) * 2 + 4 else {
        return nil
      }
      component = bytes[1]
      firstCoefficient = bytes[Int(count) * 2 + 1]
    }
  }
}
