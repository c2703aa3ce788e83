import Glibc
import ImageFormats
import PhotoGridCore

/// The orientation field of a JPEG or TIFF, two bytes that can be overwritten in place.
struct OrientationTag {
  let orientation: Orientation
  /// The offset of its two bytes in the file.
  private let offset: off_t
  private let isBigEndian: Bool
  private let path: [UInt8]

  /// The number of bytes at the beginning of a file that are searched for the EXIF block.
  private static let maxHeadLength = 1 << 20

  /// Finds the field in the EXIF block of a JPEG, or in a TIFF.
  ///
  /// - Throws: `FileFault.noOrientation` if there is none, or another `FileFault`.
  init(at path: [UInt8]) throws(FileFault) {
    let file = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .irregular }
    var head = [UInt8](repeating: 0, count: Self.maxHeadLength)
    let count = pread(file, &head, head.count, 0)
    guard count > 0 else { throw .noOrientation }
    head.removeLast(head.count - count)
    let source = ByteSource(count: Int(status.st_size)) { range in
      var bytes = [UInt8](repeating: 0, count: min(range.count, Self.maxHeadLength))
      let count = pread(file, &bytes, bytes.count, off_t(range.lowerBound))
      return count < 0 ? nil : Array(bytes[..<count])
    }
    let base = head.starts(with: [0xFF, 0xD8]) ? Self.exif(in: head) : 0
    guard let base, let reader = TIFFReader(source, at: base),
      Self.isTIFF(head[base...].prefix(4)),
      let entry = reader.directory(at: reader.firstDirectory)?.entries[TIFFReader.Tag.orientation],
      entry.type == 3, entry.count == 1, let number = reader.number(entry),
      (1...8).contains(number)
    else { throw .noOrientation }
    orientation = Orientation(number: number)
    offset = off_t(entry.offset)
    isBigEndian = head[base] == UInt8(ascii: "M")
    self.path = path
  }

  /// Returns the offset of the TIFF header in a JPEG's EXIF block; nil if there is none.
  private static func exif(in head: [UInt8]) -> Int? {
    guard let exif = JPEGHeader(head)?.exif, exif.count > 14 else { return nil }
    return exif.lowerBound + 6
  }

  /// Whether a file begins as a TIFF, rather than a raw format derived from it.
  private static func isTIFF(_ head: ArraySlice<UInt8>) -> Bool {
    head.elementsEqual([0x49, 0x49, 42, 0]) || head.elementsEqual([0x4D, 0x4D, 0, 42])
  }

  func write(_ new: Orientation) throws(FileFault) {
    let file = open(path.terminated, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    let number = UInt8(new.number)
    let bytes = isBigEndian ? [0, number] : [number, 0]
    guard pwrite(file, bytes, 2, offset) == 2, fsync(file) == 0 else { throw .last }
    guard try OrientationTag(at: path).orientation == new else { throw .changed }
  }
}
