import Glibc

/// The coded data of a scan without the bytes that are only there for finding markers, in the
/// segments between restarts (ITU-T T.81, B.1.1.5).
struct EntropyCodedData {
  /// The data, with some zeros after its end, so that eight bytes can be read anywhere in it.
  let bytes: [UInt8]
  /// Where each segment ends.
  let ends: [Int]

  /// How many zeros follow the data.
  static let padding = 16

  /// Takes the data of a file from the beginning of its scan to the next marker that is no restart;
  /// nil where restarts are out of order, or come uncalled for.
  init?(_ file: [UInt8], from start: Int, restartInterval: Int) {
    var isInOrder = true
    var ends: [Int] = []
    bytes = [UInt8](unsafeUninitializedCapacity: file.count - start + Self.padding) { kept, count in
      file.withUnsafeBytes { file in
        guard let base = file.baseAddress, let to = kept.baseAddress else { return }
        var place = start
        while place < file.count {
          let found = memchr(base + place, 0xff, file.count - place)
          let end = found.map { base.distance(to: UnsafeRawPointer($0)) } ?? file.count
          memcpy(to + count, base + place, end - place)
          count += end - place
          guard end + 1 < file.count else { break }
          let next = file[end + 1]
          place = end + 2
          if next == 0 {
            to[count] = 0xff
            count += 1
          } else if next == 0xff {
            // Bytes of 255 may fill up before a marker.
            place = end + 1
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
