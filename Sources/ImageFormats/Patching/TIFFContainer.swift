import Geometry

/// A TIFF, BigTIFF or DNG, whose XMP packet and orientation are fields of the first directory.
package struct TIFFContainer: PhotoContainer {
  private let file: ByteSource
  private let edit: TIFFEdit

  package init(_ file: ByteSource) throws(ContainerFault) {
    self.file = file
    edit = try TIFFEdit(file)
    // Raw photos of cameras look like TIFFs, but only DNG is a format for other programs to write.
    guard edit.has(TIFFReader.Tag.dngVersion) || EmbeddedPreviews(file)?.isRaw != true else {
      throw .format
    }
  }

  package var xmp: StoredXMP? {
    get throws(ContainerFault) {
      guard let range = edit.xmp else { return nil }
      guard range.count <= StoredXMP.maxCount else { throw .large }
      guard let packet = file.bytes(at: range.lowerBound, count: range.count) else {
        throw .damaged
      }
      return StoredXMP(packet: packet, range: range)
    }
  }

  package func patch(xmp packet: [UInt8]) throws(ContainerFault) -> FilePatch {
    try edit.patch(xmp: packet)
  }

  package var orientation: Orientation? { edit.orientation }

  package func patch(_ orientation: Orientation) throws(ContainerFault) -> FilePatch {
    try edit.patch(orientation)
  }
}
