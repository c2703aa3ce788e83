/// Builds files that are made of TIFF directories, as cameras write them.
package struct TIFFBuilder {
  /// A directory's fields, and the directory after it.
  package final class Directory {
    package var fields: [(tag: Int, type: Int, values: Values)] = []
    package var next: Directory?

    /// A directory of these fields.
    package init(_ fields: [(tag: Int, type: Int, values: Values)] = [], next: Directory? = nil) {
      self.fields = fields
      self.next = next
    }
  }

  /// The values of a field.
  package enum Values {
    case numbers([Int])
    case bytes([UInt8])
    /// Pieces of the file, stored as their offsets.
    case pieces([[UInt8]])
    case directories([Directory])
  }

  package var isBigEndian = false
  /// The four bytes before the first offset.
  package var head: [UInt8]?
  /// Bytes between the header and the first directory.
  package var gap: [UInt8] = []

  /// A builder of files in one byte order.
  package init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

  /// The file, which begins with its header.
  package func file(_ first: Directory) -> [UInt8] {
    var bytes = head ?? (isBigEndian ? Array("MM\0*".utf8) : Array("II*\0".utf8))
    bytes += [0, 0, 0, 0] + gap
    let place = write(first, to: &bytes)
    bytes.replaceSubrange(4..<8, with: number(place, 4))
    return bytes
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? little.reversed() : little
  }

  private func write(_ directory: Directory, to bytes: inout [UInt8]) -> Int {
    // Pieces and inner directories are written before the directory that points to them.
    var entries: [UInt8] = []
    for (tag, type, values) in directory.fields {
      let size = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4][type]
      var content: [UInt8] = []
      switch values {
      case .numbers(let numbers): content = numbers.flatMap { number($0, size) }
      case .bytes(let raw): content = raw
      case .pieces(let pieces):
        for piece in pieces {
          content += number(bytes.count, size)
          bytes += piece
        }
      case .directories(let inner):
        for directory in inner { content += number(write(directory, to: &bytes), size) }
      }
      let count = content.count / size
      entries += number(tag, 2) + number(type, 2) + number(count, 4)
      if content.count <= 4 {
        entries += content + Array(repeating: 0, count: 4 - content.count)
      } else {
        entries += number(bytes.count, 4)
        bytes += content
      }
    }
    let next = directory.next.map { write($0, to: &bytes) } ?? 0
    if bytes.count % 2 == 1 { bytes.append(0) }
    defer { bytes += number(directory.fields.count, 2) + entries + number(next, 4) }
    return bytes.count
  }
}

extension [UInt8] {
  /// A JPEG file with an EXIF block whose second directory has a thumbnail.
  package func insertingExif(thumbnail: [UInt8], orientation: Int = 1, isBigEndian: Bool = true)
    -> [UInt8]
  {
    let second = TIFFBuilder.Directory([
      (0x103, 3, .numbers([6])), (0x201, 4, .pieces([thumbnail])),
      (0x202, 4, .numbers([thumbnail.count])),
    ])
    let first = TIFFBuilder.Directory([(0x112, 3, .numbers([orientation]))], next: second)
    let block = TIFFBuilder(isBigEndian: isBigEndian).file(first)
    return inserting(segment(0xe1, Array("Exif\0\0".utf8) + block))
  }
}
