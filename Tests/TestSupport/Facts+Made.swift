import Geometry
import Photos

extension PhotoMetadata {
  /// Metadata with the given values.
  package static func made(
    _ camera: String?, _ lens: String?, _ iso: Int?, _ aperture: Double?, _ focal: Double?,
    _ exposure: Double?, profile: String? = nil, isPlaced: Bool = false
  ) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    (metadata.camera, metadata.lens, metadata.sensitivity) = (camera, lens, iso)
    (metadata.aperture, metadata.focalLength, metadata.exposureTime) = (aperture, focal, exposure)
    metadata.profile = profile
    metadata.location = isPlaced ? PhotoMetadata.Location(latitude: 46.5, longitude: -7.25) : nil
    return metadata
  }
}

/// The names as a batch stores them, each terminated by a NUL.
package func nameBlock(_ names: [String]) -> [UInt8] { names.flatMap { Array($0.utf8) + [0] } }

extension PhotoInfo {
  /// The facts of a photo of the given size.
  package static func made(
    _ width: Double, _ height: Double, _ format: ImageFormat = .jpeg, bytes: Int = 1000,
    modified: Int = 0, taken: String? = nil
  ) -> PhotoInfo {
    PhotoInfo(
      size: PixelSize(width: width, height: height), orientation: 1, format: format,
      byteCount: bytes, modified: modified, taken: taken, isIncomplete: false)
  }
}

extension PhotoCollection {
  /// Learns what files of photos say; nil for a file that cannot be read.
  package mutating func learn(_ files: [(photo: Photo.ID, info: PhotoInfo?)]) {
    _ = learn(InfoBlock(files.map(\.info)), of: files.map(\.photo))
  }
}
