import Glibc
import ImageFormats
import Photos
import WorkerProtocol

/// A photo that another process has opened for a request, with its thumbnails.
///
/// The descriptors are closed with the last reference.
final class DeliveredFile {
  /// The path in the request, whose extension helps to recognize the format; it is never opened.
  let name: [UInt8]
  /// The message that came with the descriptors.
  let delivery: FileDelivery
  private let photo: Int32?
  private let sidecarFile: Int32?
  private let filmFile: Int32?
  private let thumbnails: [Int32]
  /// The file in memory that the photo was copied to.
  private var copy: Int32?

  /// Takes over the descriptors of a delivery.
  init(_ delivery: FileDelivery, _ descriptors: some Collection<Int32>, name: [UInt8]) {
    self.name = name
    self.delivery = delivery
    var rest = Array(descriptors)[...]
    photo = delivery.hasPhoto ? rest.popFirst() : nil
    sidecarFile = delivery.hasSidecar ? rest.popFirst() : nil
    filmFile = delivery.filmByteCount != nil ? rest.popFirst() : nil
    thumbnails = Array(rest)
  }

  deinit {
    if let copy { ftruncate(copy, 0) }
    if let photo { close(photo) }
    if let sidecarFile { close(sidecarFile) }
    if let filmFile { close(filmFile) }
    for thumbnail in thumbnails { close(thumbnail) }
  }

  func stamp() throws(FailureReason) -> FileStamp {
    guard let stamp = delivery.stamp else { throw delivery.failure ?? .unreadable(EBADF) }
    return stamp
  }

  /// The photo's descriptor, which is closed with this object.
  func descriptor() throws(FailureReason) -> Int32 {
    guard let photo else { throw delivery.failure ?? .unreadable(EBADF) }
    return photo
  }

  /// Copies the photo to an empty file, unless that was done; it is empty again without this object.
  func copy(to file: Int32) throws(FailureReason) {
    guard copy == nil else { return }
    let photo = try descriptor()
    copy = file
    lseek(file, 0, SEEK_SET)
    var offset = 0
    // What a failing disk gives may still be a part of a picture.
    while let piece = try? PhotoFile.read(photo, count: 1 << 20, from: offset), !piece.isEmpty {
      guard write(file, piece, piece.count) == piece.count else { throw .unreadable(errno) }
      offset += piece.count
    }
  }

  /// The film to play: the one beside a live photo, the one inside it, or the file itself if that is a
  /// film; nil for any other photo.
  func film() throws(FailureReason) -> FilmPart? {
    if let filmFile, let count = delivery.filmByteCount {
      return FilmPart(of: self, filmFile, 0..<max(Int(count), 0))
    }
    let file = try PhotoFile(self)
    let descriptor = file.descriptor
    if file.format == .film {
      return FilmPart(of: self, descriptor, 0..<file.byteCount)
    }
    return EmbeddedFilm.range(in: MetadataReader.source(of: file), format: file.format).map {
      FilmPart(of: self, descriptor, $0)
    }
  }

  /// The facts in the photo's sidecar.
  private(set) lazy var sidecar: XMPFacts = {
    guard let sidecarFile,
      let bytes = try? PhotoFile.read(sidecarFile, count: XMPFacts.maxBytes, from: 0)
    else { return XMPFacts() }
    return XMPFacts(bytes, .sidecar)
  }()

  /// The photo's valid thumbnails, best first; each is read only when it is needed.
  var thumbnailFiles: some Sequence<ThumbnailFile> {
    thumbnails.lazy.compactMap {
      ThumbnailFile(descriptor: $0, maxSide: ThumbnailSize.doubleExtraLarge.side)
    }
  }

  /// Whether the first 64 MB of the photo can be read without an error.
  var isReadable: Bool {
    guard let photo, let stamp = delivery.stamp else { return false }
    let piece = 1 << 20
    for offset in stride(from: 0, to: min(Int(stamp.byteCount), 64 * piece), by: piece) {
      guard (try? PhotoFile.read(photo, count: piece, from: offset)) != nil else { return false }
    }
    return true
  }
}

/// A film in an open file, which may have other contents too.
struct FilmPart {
  /// The file's descriptor, which is closed with the last such part of a delivery.
  let descriptor: Int32
  /// The bytes of the film.
  let bytes: Range<Int>
  private let owner: DeliveredFile

  fileprivate init(of owner: DeliveredFile, _ descriptor: Int32, _ bytes: Range<Int>) {
    (self.owner, self.descriptor, self.bytes) = (owner, descriptor, bytes)
  }

  /// The bytes of the film as a source of their own.
  var source: ByteSource {
    ByteSource(count: bytes.count) { [self] in
      try? PhotoFile.read(descriptor, count: $0.count, from: bytes.lowerBound + $0.lowerBound)
    }
  }

  /// The name by which `ffmpeg` opens the part if it is its standard input, and the protocols that
  /// it needs for that.
  var input: (name: String, protocols: String) {
    let file = "file:/proc/self/fd/0"
    guard bytes.lowerBound > 0 else { return (file, "file") }
    return ("subfile,,start,\(bytes.lowerBound),end,\(bytes.upperBound),,:\(file)", "file,subfile")
  }
}
