import CExempi
import Glibc
import ImageFormats
import PhotoGridCore
import WorkerProtocol

enum EmbeddedXMP {
  /// The largest photo in which a packet is searched for byte by byte, in bytes.
  private static let maxScan: Int64 = 64 << 20

  static func packet(ofPhoto path: [UInt8]) -> XMPPacket? {
    guard let (format, byteCount) = format(ofPhoto: path) else { return nil }
    switch format {
    case .jpeg, .png, .tiff, .webp, .gif, .psd, .raw:
      return packet(of: path, XMP_OPEN_USESMARTHANDLER)
    case .heic, .avif, .jxl, .jp2:
      // The library has no handler for these formats, whose packets are usually plain text.
      return byteCount <= maxScan ? packet(of: path, XMP_OPEN_USEPACKETSCANNING) : nil
    case .film:
      // The library's handler for films reads every sample table.
      let bytes = source(of: path, byteCount).flatMap { FilmXMP.packet(in: $0) }
      return bytes.flatMap { XMPPacket(parsing: $0) }
    case .bmp, .tga, .svg, .hdr, .exr, .fits, .ico, .pcx, .dds, .qoi, .pnm, .xcf, .ras, .xpm:
      return nil
    }
  }

  private static func packet(of path: [UInt8], _ way: XmpOpenFileOptions) -> XMPPacket? {
    let options = XMP_OPEN_READ.rawValue | XMP_OPEN_ONLYXMP.rawValue | way.rawValue
    guard XMPPacket.isReady,
      let file = xmp_files_open_new(path.terminated, XmpOpenFileOptions(options))
    else { return nil }
    defer {
      _ = xmp_files_close(file, XMP_CLOSE_NOOPTION)
      _ = xmp_files_free(file)
    }
    return xmp_files_get_new_xmp(file).map { XMPPacket(owning: $0) }
  }

  /// Whether a photo can have XMP written into it.
  static func isWritable(_ path: [UInt8]) -> Bool {
    switch format(ofPhoto: path)?.format {
    case .jpeg, .png, .tiff: true
    default: false
    }
  }

  /// Writes a change of the rating into a copy of the photo, which then replaces the photo.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - path: The path of the photo.
  ///   - undone: What an earlier change replaced, which this one undoes; nil for any other change.
  /// - Returns: What the change replaced; nil if it is too much, or if the change undoes another one.
  /// - Throws: `RatingFault`, for example if the rating cannot be read back from the copy; the
  ///   photo is unchanged then.
  @discardableResult
  static func write(
    _ edit: RatingEdit, into path: [UInt8], undoing undone: FileReversal? = nil
  ) throws(RatingFault) -> FileReversal? {
    let path = AtomicFile.resolved(path)
    defer { AtomicFile.removeRemains(of: path) }
    for _ in 0..<3 {
      let source = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard source >= 0 else { throw .last }
      defer { close(source) }
      var status = stat()
      guard fstat(source, &status) == 0 else { throw .last }
      // The library looks at the extension first, so the copy must have the same one.
      let name = path[path.nameStart...]
      var (reversal, isRestored): (FileReversal?, Bool) = (nil, false)
      let isDone = try AtomicFile.replace(
        path, status, mode: 0o600, suffix: Array(name[name.extensionStart...])
      ) { (descriptor, copy) throws(RatingFault) in
        if let undone {
          isRestored = try undone.restore(from: source, to: descriptor)
          if isRestored { return }
        }
        try copyAll(from: source, to: descriptor)
        do throws(RatingFault) {
          try put(edit, intoCopy: copy)
        } catch {
          // The library does not say why it fails; it may have written the photo a second time.
          let code = posix_fallocate(descriptor, status.st_size, max(status.st_size, 1 << 16))
          throw [ENOSPC, EDQUOT, EFBIG].contains(code) ? .system(code) : error
        }
        // The library may have replaced the copy.
        let new = open(copy.terminated, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard new >= 0 else { throw .last }
        defer { close(new) }
        reversal = undone == nil ? FileReversal(photo: new, from: source) : nil
      }
      guard isDone else { continue }
      return isRestored ? nil : reversal
    }
    throw .contendedPhoto
  }

  private static func put(_ edit: RatingEdit, intoCopy copy: [UInt8]) throws(RatingFault) {
    let options =
      XMP_OPEN_FORUPDATE.rawValue | XMP_OPEN_ONLYXMP.rawValue | XMP_OPEN_USESMARTHANDLER.rawValue
    guard XMPPacket.isReady,
      let file = xmp_files_open_new(copy.terminated, XmpOpenFileOptions(options))
    else { throw .unverified }
    defer { _ = xmp_files_free(file) }
    guard let packet = xmp_files_get_new_xmp(file).map({ XMPPacket(owning: $0) }) ?? .empty(),
      apply(edit, to: packet, ofPhoto: copy), xmp_files_can_put_xmp(file, packet.pointer),
      xmp_files_put_xmp(file, packet.pointer)
    else {
      _ = xmp_files_close(file, XMP_CLOSE_NOOPTION)
      throw .unverified
    }
    guard xmp_files_close(file, XMP_CLOSE_NOOPTION) else { throw .unverified }
    let written = Self.packet(ofPhoto: copy)
    if case .keywords(let edit) = edit {
      let found = written?.keywords ?? []
      guard edit.applied(to: found) == found else { throw .unverified }
      return
    }
    let rating = Rating(xmpRating: written?.rating, xmpLabel: written?.label)
    guard edit.applied(to: rating) == rating else { throw .unverified }
  }

  /// Changes a packet; false if the library fails.
  private static func apply(
    _ edit: RatingEdit, to packet: XMPPacket, ofPhoto path: [UInt8]
  ) -> Bool {
    if case .keywords(let edit) = edit {
      return packet.setKeywords(edit.applied(to: packet.keywords ?? keywords(ofPhoto: path)))
    }
    return XMPPacket.Change(edit).map(packet.apply) ?? false
  }

  private static func copyAll(from source: Int32, to target: Int32) throws(RatingFault) {
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &piece, piece.count)
      if count == 0 { return }
      guard count > 0 || errno == EINTR else { throw .last }
      try AtomicFile.write(Array(piece[..<max(count, 0)]), to: target)
    }
  }

  /// Returns a source that reads a file while it is kept; nil if the file cannot be opened.
  private static func source(of path: [UInt8], _ byteCount: Int64) -> ByteSource? {
    guard let file = OpenedFile(path) else { return nil }
    return ByteSource(count: Int(byteCount)) { file.bytes($0) }
  }

  /// A file that is closed with its last reference.
  private final class OpenedFile {
    private let descriptor: Int32

    init?(_ path: [UInt8]) {
      descriptor = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func bytes(_ range: Range<Int>) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        count = max(
          pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)), 0)
      }
    }
  }

  /// Returns the format of a photo by its first bytes, and its size in bytes; nil for other files.
  private static func format(
    ofPhoto path: [UInt8]
  ) -> (format: ImageFormat, byteCount: Int64)? {
    let descriptor = open(
      path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let head = [UInt8](unsafeUninitializedCapacity: ImageFormat.sniffedByteCount) { bytes, count in
      count = max(pread(descriptor, bytes.baseAddress, bytes.count, 0), 0)
    }
    return ImageFormat(firstBytes: head).map { ($0, Int64(status.st_size)) }
  }
}
