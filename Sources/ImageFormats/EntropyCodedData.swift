import Glibc

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
