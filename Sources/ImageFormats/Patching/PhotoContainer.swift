import Geometry
import Photos

/// Why metadata cannot be put into a photo.
package enum ContainerFault: Error, Equatable, Sendable {
  /// The format is not one that is written.
  case format
  /// The file is not built as its format demands, or ends too early.
  case damaged
  /// The metadata, or the file with it, would be longer than the format allows.
  case large
  /// Later bytes would move, and something in the file refers to them by their place.
  case immovable
}

/// An XMP packet in a photo.
package struct StoredXMP: Equatable, Sendable {
  /// The main packet as stored, with its wrapper and padding; inflated if it is compressed.
  package var packet: [UInt8]
  /// Where the packet, or what it is compressed to, is in the file.
  package var range: Range<Int>
  /// The extended packet that the main one names, joined (XMP specification, part 3, 1.1.3.1); nil if
  /// there is none, or a part of it is missing.
  package var extended: [UInt8]?

  /// The longest main packet that is read, in bytes.
  package static let maxCount = 16 << 20
}

/// A photo's file in a format into which metadata can be put without changing anything else.
///
/// Only headers are read. A patch is to be checked after it was written, by `PhotoContainers.isPatched`.
package protocol PhotoContainer {
  /// Parses the headers of a file.
  init(_ file: ByteSource) throws(ContainerFault)

  /// The XMP packet; nil if there is none. Of several, the last one counts, as exiftool reads
  /// them.
  var xmp: StoredXMP? { get throws(ContainerFault) }

  /// Returns the patch that puts a packet into the file, in place of the one there.
  ///
  /// `packet` is in UTF-8; its padding is chosen here, so that as little as possible moves.
  func patch(xmp packet: [UInt8]) throws(ContainerFault) -> FilePatch

  /// The orientation of the stored picture; nil if the file does not say.
  var orientation: Orientation? { get }

  /// Returns the patch that sets the orientation.
  func patch(_ orientation: Orientation) throws(ContainerFault) -> FilePatch
}

/// Opens photos as containers, by their first bytes.
package enum PhotoContainers {
  /// Parses the headers of a photo.
  ///
  /// - Throws: `.format` for formats that are not written; `.damaged`.
  package static func open(_ file: ByteSource) throws(ContainerFault) -> any PhotoContainer {
    let head = file.bytes(at: 0, atMost: ImageFormat.sniffedByteCount) ?? []
    switch ImageFormat(firstBytes: head) {
    case .jpeg: return try JPEGContainer(file)
    case .png: return try PNGContainer(file)
    case .webp: return try WebPContainer(file)
    case .tiff: return try TIFFContainer(file)
    default: throw .format
    }
  }

  /// Whether a new file is what a patch was to make of an old one: it can be parsed again, and holds
  /// the packet.
  package static func isPatched(
    _ new: ByteSource, from old: ByteSource, by patch: FilePatch, xmp packet: [UInt8]
  ) -> Bool {
    guard patch.isApplied(in: new, of: old), let stored = try? open(new).xmp else { return false }
    return XMPPadding.isSame(stored.packet, packet)
  }

  /// Whether a new file is what a patch was to make of an old one: it can be parsed again, and has the
  /// orientation.
  package static func isPatched(
    _ new: ByteSource, from old: ByteSource, by patch: FilePatch, _ orientation: Orientation
  ) -> Bool {
    patch.isApplied(in: new, of: old) && (try? open(new))?.orientation == orientation
  }
}
