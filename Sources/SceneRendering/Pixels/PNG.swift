import CZlib
import Photos
import SceneModel

/// Writes PNG files (PNG specification, third edition) that are small, and nearly lossless.
enum PNG {
  /// The most that a channel of a decoded photo may differ from the original, in either direction.
  ///
  /// A difference of 2 of 255 is invisible, and files have half the size, because residuals have
  /// only a fifth of the values.
  static let tolerance = 2

  /// Returns the file of a picture with a transparent border around it.
  ///
  /// An opaque picture needs no alpha channel for its border: one color, the mean of its edges, is
  /// declared transparent (a color key), and pixels of exactly that color are changed by 1.
  static func file(of raster: PixelRaster, border: Insets) -> [UInt8] {
    if raster.isOpaque {
      let key = border == .zero ? nil : raster.edgeColor
      var rows = PredictedRows(raster: raster, border: border, channels: 3, key: key)
      rows.encode()
      var transparency: [UInt8] = []
      if let key { transparency = [0, key.red, 0, key.green, 0, key.blue] }
      return file(
        rows.size, depth: 8, color: .rgb, transparency: transparency,
        data: Deflate.compressed(rows.bytes, .residuals))
    }
    var rows = PredictedRows(
      raster: raster.bordered(by: border), border: .zero, channels: 4, key: nil)
    rows.encode()
    return file(
      rows.size, depth: 8, color: .rgba, data: Deflate.compressed(rows.bytes, .residuals))
  }

  /// Returns the file of a rectangle in the colors of a ring, with a transparent border around it and
  /// possibly a transparent hole in it.
  ///
  /// It has some hundred bytes, whatever its size.
  ///
  /// - Parameters:
  ///   - ink: The colors; transparent pixels have the first of them.
  ///   - width: The rectangle's width without the border.
  ///   - height: The rectangle's height without the border.
  ///   - hole: The distances from the rectangle's edges to the hole; nil for no hole.
  ///   - border: The widths of the transparent border.
  /// - Returns: The bytes of the file.
  static func file(
    of ink: RingInk, width: Int, height: Int, hole: Insets? = nil, border: Insets
  ) -> [UInt8] {
    let size = border.outset(width: width, height: height)
    // The first one is transparent.
    var colors = [ink.first, ink.first]
    if let corners = ink.corners, corners != ink.first { colors.append(corners) }
    let depth = colors.count > 2 ? 2 : 1
    func line(_ parts: [Range<Int>], _ color: (Int) -> RGB?) -> [UInt8] {
      // The filter type, then the bits of each pixel.
      var bytes = [UInt8](repeating: 0, count: 1 + (size.width * depth + 7) / 8)
      for x in parts.joined() {
        guard let color = color(x), let index = colors.lastIndex(of: color) else { continue }
        bytes[1 + x * depth / 8] |= UInt8(index) << UInt8(8 - depth - x * depth % 8)
      }
      return bytes
    }
    let columns = border.left..<border.left + width
    let empty = line([]) { _ in nil }
    let full = line([columns]) { ink.color(at: $0 - border.left, of: width) }
    let rows = hole.map { $0.top..<max(height - $0.bottom, $0.top) } ?? 0..<0
    let sides = hole.map { [columns.prefix($0.left), columns.suffix($0.right)] } ?? []
    var hollow = (color: RGB?.none, line: empty)
    var data: [UInt8] = []
    for y in -border.top..<height + border.bottom {
      if rows.contains(y) {
        let color = ink.color(at: y, of: height)
        if color != hollow.color { hollow = (color, line(sides) { _ in color }) }
        data += hollow.line
      } else {
        data += (0..<height).contains(y) ? full : empty
      }
    }
    return file(
      size, depth: UInt8(depth), color: .palette,
      palette: colors.flatMap { [$0.red, $0.green, $0.blue] },
      transparency: [0] + Array(repeating: 255, count: colors.count - 1),
      data: Deflate.compressed(data, .patterns))
  }

  /// PNG's color types.
  private enum Color: UInt8 {
    case rgb = 2
    case palette = 3
    case rgba = 6
  }

  private static func file(
    _ size: (width: Int, height: Int), depth: UInt8, color: Color, palette: [UInt8] = [],
    transparency: [UInt8] = [], data: [UInt8]
  ) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file.reserveCapacity(data.count + 128)
    func put(_ number: Int) {
      for shift in [24, 16, 8, 0] { file.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    func chunk(_ name: String, _ write: () -> Void) {
      let start = file.count
      put(0)
      file += name.utf8
      write()
      let length = file.count - start - 8
      for (index, shift) in [24, 16, 8, 0].enumerated() {
        file[start + index] = UInt8(truncatingIfNeeded: length >> shift)
      }
      put(Int(Deflate.checksum(file[(start + 4)...])))
    }
    chunk("IHDR") {
      put(size.width)
      put(size.height)
      file += [depth, color.rawValue, 0, 0, 0]
    }
    if !palette.isEmpty { chunk("PLTE") { file += palette } }
    if !transparency.isEmpty { chunk("tRNS") { file += transparency } }
    chunk("IDAT") { file += data }
    chunk("IEND") {}
    return file
  }
}

/// The rows of a picture after PNG's Paeth filter, with residuals rounded within `PNG.tolerance`.
///
/// Trying the other filters, too, saves another two per cent and takes as long again (measured).
private struct PredictedRows {
  let size: (width: Int, height: Int)
  private(set) var bytes: [UInt8] = []
  private let raster: PixelRaster
  private let border: Insets
  private let channels: Int
  private let key: RGB?

  init(raster: PixelRaster, border: Insets, channels: Int, key: RGB?) {
    self.raster = raster
    self.border = border
    self.channels = channels
    self.key = key
    size = border.outset(width: raster.width, height: raster.height)
  }

  mutating func encode() {
    let rowBytes = size.width * channels
    // The decoded rows, each with a pixel to the left of the first one.
    var above = [UInt8](repeating: 0, count: rowBytes + channels)
    var row = above
    var exact = above
    bytes = [UInt8](unsafeUninitializedCapacity: (rowBytes + 1) * size.height) { out, count in
      count = (rowBytes + 1) * size.height
      guard var next = out.baseAddress else { return }
      for y in 0..<size.height {
        let isExact = fill(&exact, row: y)
        next.pointee = 4  // Paeth
        let filtered = next + 1
        exact.withUnsafeBufferPointer { exact in
          above.withUnsafeBufferPointer { above in
            row.withUnsafeMutableBufferPointer { row in
              guard let exact = exact.baseAddress, let above = above.baseAddress,
                let row = row.baseAddress
              else { return }
              predict(exact, above: above, into: row, filtered, isExact: isExact)
            }
          }
        }
        next += rowBytes + 1
        swap(&above, &row)
      }
    }
  }

  /// Fills a row with the picture and its border.
  ///
  /// - Returns: Whether the whole row is border.
  private func fill(_ row: inout [UInt8], row y: Int) -> Bool {
    let inside = y - border.top
    let isOutside = !(0..<raster.height).contains(inside)
    if let key {
      for x in isOutside ? 0..<size.width : 0..<border.left { put(key, at: x, in: &row) }
      if !isOutside {
        for x in border.left + raster.width..<size.width { put(key, at: x, in: &row) }
      }
    }
    guard !isOutside else { return true }
    var from = inside * raster.width * 4
    var to = (border.left + 1) * channels
    for _ in 0..<raster.width {
      for channel in 0..<channels { row[to + channel] = raster.pixels[from + channel] }
      from += 4
      to += channels
    }
    return false
  }

  private func put(_ color: RGB, at x: Int, in row: inout [UInt8]) {
    let at = (x + 1) * channels
    row[at] = color.red
    row[at + 1] = color.green
    row[at + 2] = color.blue
  }

  /// Writes the residuals of a row, and the row that a decoder will compute from them.
  private func predict(
    _ exact: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>,
    into row: UnsafeMutablePointer<UInt8>,
    _ filtered: UnsafeMutablePointer<UInt8>, isExact: Bool
  ) {
    let (tolerance, step) = (PNG.tolerance, 2 * PNG.tolerance + 1)
    for x in 0..<size.width {
      let isPhoto = !isExact && x >= border.left && x < border.left + raster.width
      let start = (x + 1) * channels
      for at in start..<start + channels {
        let (left, up, corner) = (
          Int(row[at - channels]), Int(above[at]), Int(above[at - channels])
        )
        let prediction = Self.paeth(left, up, corner)
        var residual = Int(exact[at]) - prediction
        // Alpha stays exact.
        if isPhoto, at - start < 3 {
          let rounded =
            residual >= 0
            ? (residual + tolerance) / step * step : -((tolerance - residual) / step * step)
          if (0...255).contains(prediction + rounded) { residual = rounded }
        }
        row[at] = UInt8(truncatingIfNeeded: prediction + residual)
        filtered[at - channels] = UInt8(truncatingIfNeeded: residual)
      }
      if isPhoto, let key, row[start] == key.red, row[start + 1] == key.green,
        row[start + 2] == key.blue
      {
        let blue = start + 2
        let change: UInt8 = row[blue] > exact[blue] || row[blue] == 255 ? 255 : 1
        row[blue] &+= change
        filtered[blue - channels] &+= change
      }
    }
  }

  /// Returns the one of three neighbors that is nearest to left + up − corner (PNG, section 9.4).
  @inline(__always)
  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let toLeft = abs(up - corner)
    let toUp = abs(left - corner)
    let toCorner = abs(left + up - 2 * corner)
    if toLeft <= toUp, toLeft <= toCorner { return left }
    return toUp <= toCorner ? up : corner
  }
}

/// Compression in the zlib format (RFC 1950), by the system's library.
enum Deflate {
  /// The kind of bytes, which decides how to search for repetitions.
  enum Content {
    /// Residuals of a photo after prediction: noise, in which only runs of one byte repeat.
    ///
    /// Searching for more takes six times as long and saves nothing (measured with fifty photos of
    /// 200 by 200 pixels).
    case residuals
    /// Bytes with repeated patterns.
    case patterns
  }

  static func compressed(_ bytes: [UInt8], _ content: Content) -> [UInt8] {
    // zlib keeps the stream's address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let strategy = content == .residuals ? Z_RLE : Z_DEFAULT_STRATEGY
    guard photogrid_deflate_begin(stream, 6, strategy) == Z_OK else { return [] }
    defer { deflateEnd(stream) }
    let limit = Int(deflateBound(stream, uLong(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: limit) { out, count in
      bytes.withUnsafeBufferPointer { bytes in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = uInt(bytes.count)
        stream.pointee.next_out = out.baseAddress
        stream.pointee.avail_out = uInt(limit)
        count = deflate(stream, Z_FINISH) == Z_STREAM_END ? Int(stream.pointee.total_out) : 0
      }
    }
  }

  /// Returns the checksum of a PNG chunk (CRC-32).
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, uInt($0.count)))
    }
  }
}
