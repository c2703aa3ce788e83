import CZlib
import Glibc

/// Reads and writes PNG files, as far as thumbnails need it.
package enum PNGFile {
  /// The eight bytes that every file begins with.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// The kind of chunk that stores a text.
  package enum TextKind { case plain, compressed, international, internationalCompressed }

  /// The chunks' names and contents.
  package static func chunks(of file: [UInt8]) -> [(name: String, contents: [UInt8])] {
    var chunks: [(String, [UInt8])] = []
    var place = 8
    while place + 12 <= file.count {
      let length = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard place + 12 + length <= file.count else { break }
      chunks.append(
        (
          String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self),
          Array(file[(place + 8)..<(place + 8 + length)])
        ))
      place += 12 + length
    }
    return chunks
  }

  /// The plain texts, in order.
  package static func entries(of file: [UInt8]) -> [(String, [UInt8])] {
    chunks(of: file).filter { $0.name == "tEXt" }.map { chunk in
      let key = chunk.contents.prefix { $0 != 0 }
      return (String(decoding: key, as: UTF8.self), Array(chunk.contents.dropFirst(key.count + 1)))
    }
  }

  /// The plain texts by their keys; the first of several counts.
  package static func text(of file: [UInt8]) -> [String: String] {
    Dictionary(
      entries(of: file).map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }
    ) { first, _ in first }
  }

  /// The width and height in the header.
  package static func sides(of file: [UInt8]) -> [Int] {
    [16, 20].map { start in file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
  }

  /// A chunk with its length and checksum.
  package static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + contents
    return bigEndian(contents.count) + named
      + bigEndian(Int(crc32(0, named, UInt32(named.count))))
  }

  /// A file in one color, RGB of 8 bits.
  package static func flat(
    _ width: Int, _ height: Int, _ color: UInt32, text: [(String, [UInt8])],
    _ kind: TextKind = .plain
  ) -> [UInt8] {
    let pixel = [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
    let row: [UInt8] = [0] + (0..<width).flatMap { _ in pixel }
    var file = signature + header(width, height)
    for (key, value) in text { file += textChunk(Array(key.utf8) + [0], value, kind) }
    file += chunk("IDAT", deflated((0..<height).flatMap { _ in row }))
    file += chunk("IEND", [])
    return file
  }

  private static func textChunk(
    _ key: [UInt8], _ value: [UInt8], _ kind: TextKind
  ) -> [UInt8] {
    switch kind {
    case .plain: return chunk("tEXt", key + value)
    case .compressed: return chunk("zTXt", key + [0] + deflated(value))
    case .international:
      let head: [UInt8] = [0, 0] + Array("en\0Key\0".utf8)
      return chunk("iTXt", key + head + value)
    case .internationalCompressed:
      let head: [UInt8] = [1, 0] + Array("\0\0".utf8)
      return chunk("iTXt", key + head + deflated(value))
    }
  }

  /// The file with another size in its header.
  package static func claiming(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
    signature + header(width, height) + file.dropFirst(33)
  }

  /// The given number of zeros, compressed.
  package static func zeros(_ count: Int) -> [UInt8] {
    deflated([UInt8](repeating: 0, count: count))
  }

  private static func header(_ width: Int, _ height: Int) -> [UInt8] {
    chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0])
  }

  /// Bytes, compressed.
  package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      compress(buffer.baseAddress, &count, bytes, UInt(bytes.count))
      filled = Int(count)
    }
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// The checksum that thumbnails are named after (RFC 1321).
package enum MD5 {
  /// Hexadecimal digits in lower case.
  package static func hex(_ message: [UInt8]) -> String {
    let rotations: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    // The sines of whole numbers as the RFC lists them.
    let sines = (1...64).map { UInt32(truncatingIfNeeded: Int64(abs(sin(Double($0))) * 0x1p32)) }
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    for block in stride(from: 0, to: padded.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[block + word * 4 + $1]) << UInt32($1 * 8) }
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      for step in 0..<64 {
        let (mix, word): (UInt32, Int) =
          switch step / 16 {
          case 0: (b & c | ~b & d, step)
          case 1: (d & b | ~d & c, (5 * step + 1) % 16)
          case 2: (b ^ c ^ d, (3 * step + 5) % 16)
          default: (c ^ (b | ~d), 7 * step % 16)
          }
        let sum = a &+ mix &+ sines[step] &+ words[word]
        let turn = rotations[step / 16 * 4 + step % 4]
        (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
      }
      state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
    }
    let bytes: [UInt8] = state.flatMap { (word: UInt32) -> [UInt8] in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32($0 * 8)) }
    }
    return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
