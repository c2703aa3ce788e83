import Photos

/// The facts of a JPEG file, read from the segments before its first scan.
package struct JPEGFacts {
  package let header: JPEGHeader
  /// The orientation of the stored picture, and when it was taken.
  package let exif: ExifFacts
  package let metadata: PhotoMetadata
  /// When it was taken; nil if neither the file nor its sidecar says that.
  package let taken: TakenTime?

  /// Reads the facts of a file whose segments were parsed.
  ///
  /// - `sidecar`: What the photo's sidecar says.
  /// - `latest`: The day after which no photo was taken, as digits: 20240501.
  package init(
    _ header: JPEGHeader, in bytes: [UInt8], sidecar: XMPFacts = XMPFacts(), latest: Int64 = .max
  ) {
    let directories = header.exif.flatMap { ExifDirectories(TIFFReader(exif: Array(bytes[$0]))) }
    self.header = header
    exif = ExifFacts(directories)
    var written = WrittenFacts()
    written.sidecar = sidecar
    if let range = header.xmp {
      written.xmp = XMPFacts(Array(bytes[range]))
      if let more = header.extendedPacket(in: bytes, namedBy: bytes[range]) {
        written.xmp.merge(XMPFacts(more))
      }
    }
    if let range = header.iptc { written.iptc = IPTCFacts(bytes[range]) }
    written.exif = ExifWords(directories)
    taken = written.taken(exif.taken, latest: latest)
    var metadata = PhotoMetadata(directories)
    metadata.words = written.words
    self.metadata = metadata
  }

  /// Whether a file begins as JPEGs do; the quick part of `ImageFormat(firstBytes:)`.
  package static func areFirstBytes(_ bytes: [UInt8]) -> Bool {
    bytes.count > 2 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff
  }

  /// The numbers of bytes at the start of a file that are read, one after the other, until they
  /// reach the first scan: metadata comes before it, which with a preview rarely takes more than 64
  /// kB, and hardly ever more than 256 kB.
  package static let headLengths = [HeaderSize.examinedByteCount, 64 << 10, 256 << 10]
}

extension JPEGHeader {
  /// Returns the packet with the properties for which the main one has no room, from the parts in the
  /// file; nil if the main packet names none, or a part is missing (XMP specification, part 3, 1.1.3.1).
  func extendedPacket(in bytes: [UInt8], namedBy packet: ArraySlice<UInt8>) -> [UInt8]? {
    let headCount = 40
    guard let first = extendedXMP.first(where: { $0.count > headCount }) else { return nil }
    let name = Array(bytes[first.lowerBound..<(first.lowerBound + 32)])
    func number(at offset: Int) -> Int {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    let length = number(at: first.lowerBound + 32)
    guard length <= XMPFacts.maxBytes, Array(packet).hasPart(name) else { return nil }
    var (whole, known) = ([UInt8](repeating: 0, count: length), 0)
    for part in extendedXMP
    where part.count > headCount
      && bytes[part.lowerBound..<(part.lowerBound + 32)].elementsEqual(name)
    {
      let (start, contents) = (number(at: part.lowerBound + 36), part.dropFirst(headCount))
      guard start <= length, contents.count <= length - start else { return nil }
      whole.replaceSubrange(start..<(start + contents.count), with: bytes[contents])
      known += contents.count
    }
    return known >= length ? whole : nil
  }
}
