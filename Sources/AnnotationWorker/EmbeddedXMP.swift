import CExempi
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// The XMP in a photo: its packet, and the extended one with which a JPEG continues it.
struct EmbeddedXMP {
  private let main: XMPPacket?
  private let extended: XMPPacket?

  var rating: String? { main?.rating ?? extended?.rating }
  var label: String? { main?.label ?? extended?.label }
  var keywords: [String]? { main?.keywords ?? extended?.keywords }
  var people: [String]? { main?.items(of: .people) ?? extended?.items(of: .people) }

  /// The largest photo in which a packet is searched for byte by byte, in bytes.
  private static let maxScan: Int64 = 64 << 20

  /// Reads the XMP in a photo; nil if there is none.
  ///
  /// It is found as it is when it is written, or by the library in formats that are not written.
  init?(ofPhoto path: [UInt8]) {
    let file = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let source = ByteSource(of: file, count: Int(status.st_size))
    do throws(ContainerFault) {
      guard let stored = try PhotoContainers.open(source).xmp else { return nil }
      main = XMPDocument(stored.packet)?.packet
      extended = stored.extended.flatMap { XMPPacket(parsing: $0) }
    } catch {
      main = error == .format ? Self.packet(of: path, source, status.st_size) : nil
      extended = nil
    }
    guard main != nil || extended != nil else { return nil }
  }

  private static func packet(
    of path: [UInt8], _ source: ByteSource, _ byteCount: Int
  ) -> XMPPacket? {
    let head = source.bytes(at: 0, atMost: ImageFormat.sniffedByteCount) ?? []
    switch ImageFormat(firstBytes: head) {
    case .jpeg, .png, .tiff, .webp, .gif, .psd, .raw:
      return packet(of: path, XMP_OPEN_USESMARTHANDLER)
    case .heic, .avif, .jxl, .jp2:
      // The library has no handler for these formats, whose packets are usually plain text.
      return byteCount <= maxScan ? packet(of: path, XMP_OPEN_USEPACKETSCANNING) : nil
    case .film:
      // The library's handler for films reads every sample table.
      return FilmXMP.packet(in: source).flatMap { XMPPacket(parsing: $0) }
    case .bmp, .tga, .svg, .hdr, .exr, .fits, .ico, .pcx, .dds, .pnm, .xcf, .ras, .xpm, nil:
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

  // MARK: - Keywords

  /// Reads the keywords in a photo: in XMP, or else in the records of the IPTC.
  ///
  /// All of them, since they are written again.
  static func keywords(ofPhoto path: [UInt8]) -> [String] {
    if let keywords = EmbeddedXMP(ofPhoto: path)?.keywords { return keywords }
    let file = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    return keywords(inRecordsOf: ByteSource(of: file, count: Int(status.st_size)))
  }

  /// The most bytes at the beginning of a JPEG in which records are searched for.
  private static let maxHead = 8 << 20

  fileprivate static func keywords(inRecordsOf source: ByteSource) -> [String] {
    let records: ArraySlice<UInt8>
    if let reader = TIFFReader(source) {
      let entry = reader.directory(at: reader.firstDirectory)?.entries[TIFFReader.Tag.iptc]
      records = (reader.contents(entry, atMost: maxHead) ?? [])[...]
    } else {
      guard let start = source.bytes(at: 0, atMost: 256), JPEGFacts.areFirstBytes(start),
        let head = source.bytes(at: 0, atMost: maxHead), let range = JPEGHeader(head)?.iptc
      else { return [] }
      records = head[range]
    }
    var known: Set<[UInt8]> = []
    return IPTCFacts(records).keywords.compactMap { bytes in
      // XML has no characters for controls.
      let text = bytes.filter { $0 >= 0x20 && $0 != 0x7F }
      let keyword = String(decoding: text, as: UTF8.self)
      guard !keyword.isEmpty, known.insert(PhotoNames.folded(keyword)).inserted else { return nil }
      return keyword
    }
  }
}

extension EmbeddedXMP {
  /// Changes the XMP packet of a photo, and nothing else.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - file: The photo, which the new one replaces.
  ///   - undone: What an earlier change replaced, which this one undoes; nil for any other change.
  /// - Returns: What the change replaced; nil if it is too much, or if the change undoes another one.
  /// - Throws: `AnnotationFault`, which is `.unwritable` if a sidecar is to be written; the photo is
  ///   unchanged then.
  static func write(
    _ edit: AnnotationEdit, into file: inout LockedFile, undoing undone: FileReversal? = nil
  ) throws(AnnotationFault) -> FileReversal? {
    guard file.descriptor != nil else { throw .changed }
    let source = file.source
    if let patch = undone?.patch(of: source) {
      if !patch.isEmpty { try replace(&file, by: patch) { patch.isApplied(in: $0, of: source) } }
      return nil
    }
    let (new, patch) = try Self.patch(edit, source)
    guard let patch else { return FileReversal(photo: source, inverse: FilePatch([])) }
    let inverse = patch.inverse(in: source)
    try replace(&file, by: patch) {
      PhotoContainers.isPatched($0, from: source, by: patch, xmp: new)
    }
    return FileReversal(photo: file.source, inverse: inverse)
  }

  /// Returns the packet after a change, and the patch that puts it into a photo; no patch if nothing
  /// changes.
  private static func patch(
    _ edit: AnnotationEdit, _ source: ByteSource
  ) throws(AnnotationFault) -> (packet: [UInt8], patch: FilePatch?) {
    let container = try containing { () throws(ContainerFault) in try PhotoContainers.open(source) }
    let stored = try containing { () throws(ContainerFault) in try container.xmp }
    let new = try packet(stored, after: edit, source)
    guard new != stored?.packet else { return (new, nil) }
    return (new, try containing { () throws(ContainerFault) in try container.patch(xmp: new) })
  }

  /// Does something with a container, whose faults mean that a sidecar is to be written.
  private static func containing<Value>(
    _ body: () throws(ContainerFault) -> Value
  ) throws(AnnotationFault) -> Value {
    do throws(ContainerFault) {
      return try body()
    } catch {
      throw .unwritable(.init(error))
    }
  }

  private static func packet(
    _ stored: StoredXMP?, after edit: AnnotationEdit, _ source: ByteSource
  ) throws(AnnotationFault) -> [UInt8] {
    guard let document = XMPDocument(stored?.packet ?? []) else { throw .unwritable(.unreadable) }
    if let extended = stored?.extended {
      // What is there would contradict what the main packet said.
      guard let packet = XMPPacket(parsing: extended), !packet.hasProperty(of: edit) else {
        throw .unwritable(.extended)
      }
    }
    do throws(AnnotationFault) {
      return try document.bytes(after: edit) {
        XMPDocument.Hidden(keywords: keywords(inRecordsOf: source))
      }
    } catch {
      throw error == .unverified ? .unwritable(.unverified) : error
    }
  }

  private static func replace(
    _ file: inout LockedFile, by patch: FilePatch, _ isRight: (ByteSource) -> Bool
  ) throws(AnnotationFault) {
    guard let pieces = patch.pieces(ofFileOf: file.count) else { throw .changed }
    let count = file.count + patch.growth
    try ReplacementFault.converting(AnnotationFault.init(photo:)) { () throws(ReplacementFault) in
      try file.replace(by: pieces, .photo) { isRight(ByteSource(of: $0, count: count)) }
    }
  }
}
