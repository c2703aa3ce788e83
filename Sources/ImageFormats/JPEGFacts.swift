import PhotoGridCore

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
    if let range = header.xmp { written.xmp = XMPFacts(Array(bytes[range])) }
    if let range = header.iptc { written.iptc = IPTCFacts(bytes[range]) }
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
