/// The mean of each block of 8 by 8 pixels of a JPEG, which together are the picture at an eighth of
/// its size.
///
/// A decoder that shrinks takes most of its time for reading coefficients that it then does not use.
/// Here they are passed over at the price of a table lookup for every few of them, and in progressive
/// files by whole scans: it takes half the time, of a progressive file a tenth. The brightness comes
/// out the same to the bit; colours that are stored coarser stay so.
///
/// Only for what nearly all photos are: baseline or progressive, Huffman codes, gray or YCbCr, all
/// components in each scan of means. Anything else, and whatever is broken or cut, is nil and for
/// the real decoder to judge.
package struct JPEGMeans {
  private let frame: JPEGFrame
  /// Of each block, as stored: differences from gray, in the component's steps.
  private var means: [Int16]
  /// For each component what its means are counted in.
  private var steps: [Int] = []

  /// A header may promise more than there is memory for: this is a photo of 500 megapixels.
  private static let mostBlocks = 16 << 20

  /// Reads the means of a whole file.
  package init?(_ file: [UInt8]) {
    guard let frame = Self.frame(of: file), frame.blockCount <= Self.mostBlocks else { return nil }
    self.frame = frame
    means = Array(repeating: 0, count: frame.blockCount)
    guard read(file) else { return nil }
  }

  /// The sides of the picture in pixels: an eighth of the photo's, rounded up.
  package var width: Int { (frame.width + 7) / 8 }
  package var height: Int { (frame.height + 7) / 8 }

  /// The sides in which the colours are stored.
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
      // The other kinds of frames have other numbers.
      if (0xc0...0xc2).contains(segment.marker) {
        return JPEGFrame(file[segment.contents], isProgressive: segment.marker == 0xc2)
      }
    }
    return nil
  }

  // MARK: - Reading

  /// What is in force when a scan begins.
  private struct Tables {
    /// The first number of each quantization table.
    var steps: [UInt8: Int] = [:]
    var codes: [UInt8: HuffmanTable] = [:]
    /// After so many MCUs the coding begins anew; 0 for never.
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
        guard Self.readSteps(contents, into: &tables.steps) else { return false }
      case 0xdd:
        guard contents.count == 2 else { return false }
        tables.restartInterval = contents.reduce(0) { $0 << 8 | Int($1) }
      case 0xee where contents.starts(with: Array("Adobe".utf8)):
        // What the components mean stands at the end; 1 is YCbCr.
        guard contents.count >= 12, contents[contents.startIndex + 11] == 1 else { return false }
      case 0xda:
        // Scans of other coefficients may have one component alone.
        guard let scan = JPEGScan(contents, of: frame), scan.firstCoefficient == 0 else {
          if frame.isProgressive, !Self.isOfMeans(contents) { break }
          return false
        }
        guard read(scan, file, from: segment.contents.upperBound, tables) else { return false }
        if !frame.isProgressive { return true }
      default: break
      }
    }
    return !steps.isEmpty && walk.endOfImage != nil
  }

  /// Whether a scan's header, with however many components, says that it has means.
  private static func isOfMeans(_ contents: ArraySlice<UInt8>) -> Bool {
    contents.suffix(3).first == 0
  }

  private mutating func read(
    _ scan: JPEGScan, _ file: [UInt8], from start: Int, _ tables: Tables
  ) -> Bool {
    guard
      let data = EntropyCodedData(file, from: start, restartInterval: tables.restartInterval)
    else { return false }
    if scan.bitsBefore > 0 {
      guard frame.isProgressive, !steps.isEmpty, scan.lastCoefficient == 0, scan.bitsAfter < 14
      else { return false }
      let bit = Int16(1) << Int16(scan.bitsAfter)
      return forEachBlock(of: data, tables.restartInterval) { reader, _, mean in
        if reader.bit() { mean |= bit }
        return true
      }
    }
    guard steps.isEmpty, frame.isProgressive || scan.bitsAfter == 0,
      scan.lastCoefficient == (frame.isProgressive ? 0 : 63), scan.bitsAfter < 14
    else { return false }
    steps = frame.components.compactMap { tables.steps[$0.stepTable] }
    var lookups: [UInt16] = []
    var made: [UInt8: HuffmanLookup] = [:]
    var codes: [(mean: HuffmanLookup, detail: HuffmanLookup)] = []
    for (mean, detail) in scan.codes {
      guard let means = tables.codes[mean] else { return false }
      made[mean] = made[mean] ?? HuffmanLookup(means.means, hasStrides: false, in: &lookups)
      if !frame.isProgressive {
        guard let details = tables.codes[0x10 | detail] else { return false }
        made[0x10 | detail] =
          made[0x10 | detail] ?? HuffmanLookup(details.details, hasStrides: true, in: &lookups)
      }
      codes.append((made[mean] ?? HuffmanLookup(), made[0x10 | detail] ?? HuffmanLookup()))
    }
    guard steps.count == frame.components.count else { return false }
    return readMeans(data, tables.restartInterval, lookups, codes, shift: Int(scan.bitsAfter))
  }

  private mutating func readMeans(
    _ data: EntropyCodedData, _ restartInterval: Int, _ lookups: [UInt16],
    _ codes: [(mean: HuffmanLookup, detail: HuffmanLookup)], shift: Int
  ) -> Bool {
    let hasDetails = !frame.isProgressive
    return lookups.withUnsafeBufferPointer { lookups in
      codes.withUnsafeBufferPointer { codes in
        guard let lookups = lookups.baseAddress, let codes = codes.baseAddress else { return false }
        return forEachBlock(of: data, restartInterval) { reader, component, mean in
          guard let difference = reader.difference(codes[component].mean, lookups) else {
            return false
          }
          let value = reader.predictions[component] &+ difference
          reader.predictions[component] = value
          mean = Int16(truncatingIfNeeded: value &<< shift)
          return !hasDetails || reader.passDetails(codes[component].detail, lookups)
        }
      }
    }
  }

  /// Visits all blocks of a scan in their order.
  ///
  /// - Returns: whether all were there.
  @inline(__always)
  private mutating func forEachBlock(
    of data: EntropyCodedData, _ restartInterval: Int,
    _ body: (inout BitReader, _ component: Int, _ mean: inout Int16) -> Bool
  ) -> Bool {
    let frame = frame
    let blocks = frame.blocks
    return means.withUnsafeMutableBufferPointer { means in
      blocks.withUnsafeBufferPointer { blocks in
        data.bytes.withUnsafeBufferPointer { bytes in
          guard let bytes = bytes.baseAddress, let means = means.baseAddress else { return false }
          var reader = BitReader(data, bytes)
          var left = 0
          for row in 0..<frame.rows {
            for column in 0..<frame.columns {
              if left == 0 {
                guard reader.beginSegment(data) else { return false }
                left = restartInterval == 0 ? .max : restartInterval
              }
              left &-= 1
              for block in blocks {
                let place =
                  block.start &+ row &* block.rowStep &+ column &* block.columnStep
                guard body(&reader, block.component, &means[place]) else { return false }
              }
            }
            guard !reader.isPastEnd else { return false }
          }
          return true
        }
      }
    }
  }

  private static func readSteps(
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
    let planes = frame.components
    let (width, height) = (width, height)
    // Where in a row of each component a column's mean is.
    let columns = planes.map { plane in (0..<width).map { $0 * plane.across / frame.across } }
    let brightness = samples(of: 0)
    let (blue, red) = planes.count == 3 ? (samples(of: 1), samples(of: 2)) : ([], [])
    for y in 0..<height {
      let rows = planes.map { y * $0.down / frame.down * frame.columns * $0.across }
      var at = y * width * 4
      for x in 0..<width {
        let light = Int(brightness[rows[0] + columns[0][x]])
        pixels[at + 3] = 255
        if planes.count == 3 {
          let blue = Int(blue[rows[1] + columns[1][x]]) - 128
          let red = Int(red[rows[2] + columns[2][x]]) - 128
          // JFIF 1.02, in units of 1/65536.
          pixels[at] = UInt8(clamping: light + (91881 * red + 32768) >> 16)
          pixels[at + 1] = UInt8(clamping: light + (-22554 * blue - 46802 * red + 32768) >> 16)
          pixels[at + 2] = UInt8(clamping: light + (116130 * blue + 32768) >> 16)
        } else {
          for channel in 0..<3 { pixels[at + channel] = UInt8(light) }
        }
        at += 4
      }
    }
  }

  /// The means of a component as samples from 0 to 255.
  private func samples(of component: Int) -> [UInt8] {
    let counts = frame.components.map { frame.columns * $0.across * frame.rows * $0.down }
    let start = counts[..<component].reduce(0, +)
    let step = steps[component]
    // As libjpeg's scaled inverse transform rounds.
    return means[start..<(start + counts[component])].map {
      UInt8(clamping: (Int($0) &* step &+ 4) >> 3 &+ 128)
    }
  }
}
