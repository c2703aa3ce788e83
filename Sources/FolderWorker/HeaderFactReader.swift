import CLinux
import Geometry
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// Reads the facts of photos from the headers of their files, as far as no decoder is needed: those of
/// JPEGs without a color profile, whose name only a library for profiles can tell, and of films.
///
/// Everything else stays unknown: other formats, damaged files, and what is not a file.
///
/// It links no codec: of each file a parser in Swift, which checks every bound, reads a few kilobytes.
/// So its process may open files by itself, which a decoder must not.
struct HeaderFactReader {
  /// The facts of the photos so far; photos that need a decoder are not `isKnown`.
  private var facts = InfoBlock()
  /// The descriptor of the open folder; -1 if it could not be opened.
  private var folder = AT_FDCWD
  /// The day after which no photo was taken, as digits.
  private var latestDay = Int64.max
  /// Whether the open folder has sidecars.
  private var sidecars = SidecarFolder()

  /// The time after which the facts so far are sent, in nanoseconds: a slow disk then delays nothing
  /// for as long as many files take.
  private static let maxTime: Int64 = 200_000_000

  /// Returns the facts of the first photos of a batch, of as many as can be read in a moment.
  mutating func facts(of photos: PhotoBatch) -> InfoBlock {
    let start = monotonic_nanoseconds()
    latestDay = TakenTime.latestDay(now: time(nil))
    enter(photos.folder)
    photos.forEachName { name in
      guard count == 0 || monotonic_nanoseconds() - start < Self.maxTime else { return }
      add(name)
    }
    return drain()
  }

  /// The number of photos so far.
  var count: Int { facts.rows.count }

  /// Opens a folder, which ends with a slash; empty for the current folder.
  mutating func enter(_ folder: [UInt8]) {
    if self.folder >= 0 { close(self.folder) }
    self.folder = folder.isEmpty ? AT_FDCWD : folder_open(folder.terminated)
    sidecars.enter(folder)
  }

  /// Reads the facts of a photo in the open folder.
  mutating func add(_ name: ArraySlice<UInt8>) {
    if let info = info(of: name) { facts.append(info) } else { facts.append(PackedInfo()) }
  }

  /// Returns the facts so far, and starts with no photos again.
  mutating func drain() -> InfoBlock {
    defer { facts = InfoBlock() }
    return facts
  }

  /// Reads the header of a file; nil if a decoder is needed for it.
  private func info(of name: ArraySlice<UInt8>) -> PhotoInfo? {
    guard folder != -1 else { return nil }
    let path = name.terminated
    var status = stat()
    // A named pipe or a device is not even opened.
    guard fstatat(folder, path, &status, 0) == 0, Self.isPhoto(status) else { return nil }
    let file = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // The name may stand for another file by now.
    guard fstat(file, &status) == 0, Self.isPhoto(status) else { return nil }
    let byteCount = Int(status.st_size)
    let jpeg = Self.header(of: file, byteCount: byteCount)
    let film = jpeg == nil ? Self.film(file, byteCount: byteCount) : nil
    guard jpeg != nil || film != nil else { return nil }
    var stamp = FileStamp(status)
    let sidecar = sidecars.isEmpty ? nil : SidecarFile(ofPhoto: Array(name), in: folder)
    defer { sidecar?.close() }
    if let sidecar { stamp.include(sidecar.stamp) }
    let said =
      sidecar.map { XMPFacts(Self.head(of: $0.descriptor, XMPFacts.maxBytes), .sidecar) }
      ?? XMPFacts()
    if let film { return PhotoInfo(film, stamp: stamp, sidecar: said, latest: latestDay) }
    guard let (header, bytes) = jpeg else { return nil }
    let read = JPEGFacts(header, in: bytes, sidecar: said, latest: latestDay)
    let orientation =
      sidecar.flatMap { _ in said.orientation(ofPhoto: Array(name)) } ?? read.exif.orientation
    let upright = orientation.turned(width: header.width, height: header.height)
    var info = PhotoInfo(
      size: PixelSize(width: Double(upright.width), height: Double(upright.height)),
      orientation: orientation.number, format: .jpeg, stamp: stamp,
      taken: read.taken, metadata: read.metadata)
    info.holdsFilm = EmbeddedFilm.range(in: Self.source(of: file, byteCount), read, bytes) != nil
    return info
  }

  private static func isPhoto(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  /// Reads the segments of a JPEG before its first scan, and the bytes with them; nil for other files,
  /// and for those that a decoder has to look at.
  private static func header(of file: Int32, byteCount: Int) -> (JPEGHeader, [UInt8])? {
    for length in JPEGFacts.headLengths {
      let bytes = head(of: file, length)
      guard JPEGFacts.areFirstBytes(bytes) else { return nil }
      if let header = JPEGHeader(bytes), header.scanStart != nil {
        let isShown = header.width > 0 && header.height > 0 && header.profileParts.isEmpty
        return isShown ? (header, bytes) : nil
      }
      if bytes.count == byteCount { return nil }
    }
    return nil
  }

  /// Reads the head of a film; nil for other files, and for damaged films.
  private static func film(_ file: Int32, byteCount: Int) -> FilmFacts? {
    let first = head(of: file, ImageFormat.sniffedByteCount)
    guard ImageFormat(firstBytes: first) == .film else { return nil }
    return try? FilmFacts(source(of: file, byteCount))
  }

  private static func source(of file: Int32, _ byteCount: Int) -> ByteSource {
    ByteSource(count: byteCount) { range in
      [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
        filled = max(pread(file, buffer.baseAddress, range.count, off_t(range.lowerBound)), 0)
      }
    }
  }

  /// The first bytes of a file; none if they cannot be read.
  private static func head(of file: Int32, _ length: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = max(pread(file, buffer.baseAddress, length, 0), 0)
    }
  }
}
