import CZlib

/// A strict reader of PNG files (PNG specification, third edition): not interlaced, the color types
/// that are written here.
struct PNGReader {
  struct Broken: Error {
    let what: String
  }

  let width: Int
  let height: Int
  /// RGBA, alpha not premultiplied.
  private(set) var bytes: [UInt8] = []
  private let depth: Int
  private let colorType: UInt8
  private var palette: [UInt8] = []
  private var transparency: [UInt8] = []

  init(_ file: [UInt8]) throws {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw Broken(what: "no signature")
    }
    var rest = file.dropFirst(8)
    var names: [String] = []
    var header: [UInt8] = []
    var data: [UInt8] = []
    while !rest.isEmpty {
      let length = try Self.number(rest)
      guard rest.count >= length + 12 else { throw Broken(what: "cut chunk") }
      let start = rest.startIndex
      let checked = rest[start + 4..<start + 8 + length]
      let sum = checked.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
      guard try Self.number(rest[(start + 8 + length)...]) == Int(sum) else {
        throw Broken(what: "checksum")
      }
      let name = String(decoding: checked.prefix(4), as: UTF8.self)
      let body = Array(checked.dropFirst(4))
      switch name {
      case "IHDR": header = body
      case "PLTE": palette = body
      case "tRNS": transparency = body
      case "IDAT": data += body
      case "IEND": break
      default: throw Broken(what: "chunk \(name)")
      }
      names.append(name)
      rest = rest.dropFirst(length + 12)
    }
    guard names.first == "IHDR", names.last == "IEND", header.count == 13, header[12] == 0 else {
      throw Broken(what: "order of chunks \(names)")
    }
    width = try Self.number(header[...])
    height = try Self.number(header[4...])
    (depth, colorType) = (Int(header[8]), header[9])
    guard width > 0, height > 0 else { throw Broken(what: "size") }
    try decode(data)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) throws -> Int {
    guard bytes.count >= 4 else { throw Broken(what: "cut number") }
    return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  private var channels: Int { colorType == 6 ? 4 : colorType == 2 ? 3 : 1 }

  private mutating func decode(_ data: [UInt8]) throws {
    guard [(8, 2), (8, 6), (1, 3), (2, 3)].contains(where: { $0 == (depth, Int(colorType)) }) else {
      throw Broken(what: "colour type \(colorType) of depth \(depth)")
    }
    let rowBytes = (width * channels * depth + 7) / 8
    var filtered = [UInt8](repeating: 0, count: (rowBytes + 1) * height + 1)
    var count = uLongf(filtered.count)
    guard uncompress(&filtered, &count, data, uLong(data.count)) == Z_OK,
      Int(count) == (rowBytes + 1) * height
    else { throw Broken(what: "data") }
    var above = [UInt8](repeating: 0, count: rowBytes)
    for y in 0..<height {
      let start = y * (rowBytes + 1)
      var row = Array(filtered[start + 1..<start + 1 + rowBytes])
      let step = max(channels * depth / 8, 1)
      for i in row.indices {
        let left = i >= step ? Int(row[i - step]) : 0
        let corner = i >= step ? Int(above[i - step]) : 0
        let up = Int(above[i])
        let prediction: Int
        switch filtered[start] {
        case 0: prediction = 0
        case 1: prediction = left
        case 2: prediction = up
        case 3: prediction = (left + up) / 2
        case 4:
          let guess = left + up - corner
          let order = [
            (abs(guess - left), left), (abs(guess - up), up), (abs(guess - corner), corner),
          ]
          prediction = order.min { $0.0 < $1.0 }?.1 ?? 0
        default: throw Broken(what: "filter \(filtered[start])")
        }
        row[i] &+= UInt8(truncatingIfNeeded: prediction)
      }
      append(row)
      above = row
    }
  }

  private mutating func append(_ row: [UInt8]) {
    for x in 0..<width {
      switch colorType {
      case 6: bytes += row[x * 4..<x * 4 + 4]
      case 2:
        let color = Array(row[x * 3..<x * 3 + 3])
        let key = stride(from: 1, to: transparency.count, by: 2).map { transparency[$0] }
        bytes += color + [color == key ? 0 : 255]
      default:
        let index = Int(row[x * depth / 8] >> UInt8(8 - depth - x * depth % 8)) & (1 << depth - 1)
        bytes += palette[index * 3..<index * 3 + 3]
        bytes.append(index < transparency.count ? transparency[index] : 255)
      }
    }
  }
}
