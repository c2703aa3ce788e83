import Geometry

/// Encodes pictures as sixels, each with a palette of its own.
///
/// The result is a control sequence that draws the picture at the cursor: DEC STD 070, chapter 9,
/// and the VT340's "Sixel graphics". Where pixels are transparent, the screen stays as it is.
package struct SixelEncoder {
  package let colorLimit: Int

  private var boxes = ColorBoxes()
  private var nearest = NearestColors()
  private var diffusion = ErrorDiffusion()
  private var bands = SixelBands()
  private var registers: [UInt16] = []
  /// Keeps the memory of `registers` while the registers of a piece are written.
  private var spare: [UInt16] = []
  private var isUsed: [Bool] = []
  private var memory: [UInt8] = []

  /// The error of a palette above which lookups in smaller steps make no visible difference.
  static let coarseError: Float = 4

  package init(registers: Int = 256) {
    colorLimit = min(max(registers, 2), SixelPalette.limit)
  }

  /// Appends the sequence of a picture; nothing if the picture is empty or wholly transparent.
  ///
  /// - Parameters:
  ///   - pixels: Rows from top to bottom; red, green, blue and alpha from the lowest byte on; alpha
  ///     is 255 or 0.
  ///   - width: The width in pixels.
  ///   - bytes: The bytes to append to.
  package mutating func encode(
    _ pixels: UnsafeBufferPointer<UInt32>, width: Int, into bytes: inout [UInt8]
  ) {
    guard width > 0, pixels.count >= width else { return }
    let palette = boxes.palette(for: pixels, width: width, limit: colorLimit)
    guard !palette.colors.isEmpty else { return }
    let height = pixels.count / width
    assignRegisters(to: pixels, width: width, height: height, palette)
    encode(palette, width: width, height: height, into: &bytes)
  }

  /// Appends the sequence of a piece of the screen; nothing if the piece is wholly transparent.
  mutating func encode(_ piece: SixelPiece, into bytes: inout [UInt8]) {
    guard !piece.palette.colors.isEmpty else { return }
    swap(&registers, &spare)
    registers = piece.registers
    isUsed = Array(repeating: true, count: piece.palette.colors.count)
    encode(piece.palette, width: piece.width, height: piece.height, into: &bytes)
    registers = []
    swap(&registers, &spare)
  }

  private mutating func assignRegisters(
    to pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, _ palette: SixelPalette
  ) {
    // Whole bands: rows below the picture are transparent.
    let count = (height + 5) / 6 * 6 * width
    if registers.count < count { registers = Array(repeating: 0, count: count) }
    nearest.load(palette, isCoarse: boxes.error > Self.coarseError)
    registers.withUnsafeMutableBufferPointer { registers in
      nearest.withLookup { lookup in
        diffusion.run(
          over: pixels, width: width, with: lookup, bound: boxes.step, into: registers)
      }
      registers[height * width..<count].update(repeating: ErrorDiffusion.transparent)
    }
    isUsed = Array(repeating: false, count: Int(ErrorDiffusion.transparent) + 1)
    isUsed.withUnsafeMutableBufferPointer { isUsed in
      registers.withUnsafeBufferPointer { registers in
        for register in registers[..<count] { isUsed[Int(register)] = true }
      }
    }
  }

  private mutating func encode(
    _ palette: SixelPalette, width: Int, height: Int, into bytes: inout [UInt8]
  ) {
    let colors = palette.percents.count
    bands.prepare(width: width)
    let needed = max(SixelBands.byteLimit(width: width, colors: colors), 64 + colors * 20)
    // Eight more, since writing a gap overwrites eight bytes.
    if memory.count < needed + 8 { memory = Array(repeating: 0, count: needed + 8) }
    emit(to: &bytes) { _, out in
      out.put("\u{1B}P0;1;0q\"1;1;")
      out.put(decimal: width)
      out.put(UInt8(ascii: ";"))
      out.put(decimal: height)
    }
    emit(to: &bytes) { encoder, out in
      for (register, percent) in palette.percents.enumerated() where encoder.isUsed[register] {
        out.put(UInt8(ascii: "#"))
        out.put(decimal: register)
        out.put(";2;")
        out.put(decimal: Int(percent.x))
        out.put(UInt8(ascii: ";"))
        out.put(decimal: Int(percent.y))
        out.put(UInt8(ascii: ";"))
        out.put(decimal: Int(percent.z))
      }
    }
    for top in stride(from: 0, to: height, by: 6) {
      emit(to: &bytes) { encoder, out in
        encoder.registers.withUnsafeBufferPointer { registers in
          guard let start = registers.baseAddress else { return }
          if top > 0 { out.put(UInt8(ascii: "-")) }
          encoder.bands.encode(start + top * width, width: width, colors: colors, to: &out)
        }
      }
    }
    emit(to: &bytes) { _, out in out.put("\u{1B}\\") }
  }

  /// Calls `write` with the memory, and appends the bytes that it wrote.
  private mutating func emit(
    to bytes: inout [UInt8], _ write: (inout SixelEncoder, inout ByteWriter) -> Void
  ) {
    var memory: [UInt8] = []
    swap(&memory, &self.memory)
    memory.withUnsafeMutableBufferPointer { memory in
      guard let start = memory.baseAddress else { return }
      var out = ByteWriter(at: start)
      write(&self, &out)
      let count = out.next - start
      precondition(count <= memory.count, "too many bytes: \(count)")
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
    swap(&memory, &self.memory)
  }
}
