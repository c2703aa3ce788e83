import Geometry
import Photos

extension PhotoInfo {
  /// Something in every field.
  package static let full: PhotoInfo = {
    var info = PhotoInfo(
      size: PixelSize(width: 4000, height: 3000), orientation: 6, format: .heic,
      stamp: FileStamp(byteCount: 5_000_000_000, modified: -1, identity: .max),
      taken: TakenTime(iso8601: "2024-05-01T12:30:00"), isIncomplete: true, frameCount: 60_000)
    info.holdsFilm = true
    return info
  }()
  /// A photo of one pixel.
  package static let plain = PhotoInfo(
    size: PixelSize(width: 1, height: 1), orientation: 1, format: .jpeg, byteCount: 0,
    modified: 0, taken: nil)

  /// Creates what a file says that changed long ago.
  ///
  /// - `modified`: In seconds since 1970.
  /// - `taken`: In ISO 8601, without a time zone.
  package init(
    size: PixelSize, orientation: Int, format: ImageFormat, byteCount: Int, modified: Int,
    taken: String?, isIncomplete: Bool = false, frameCount: Int = 1
  ) {
    self.init(
      size: size, orientation: orientation, format: format,
      stamp: FileStamp(
        inode: 7, byteCount: byteCount, seconds: modified, nanoseconds: 0, changed: 0,
        now: .max / 2),
      taken: taken.flatMap { TakenTime(iso8601: $0) }, isIncomplete: isIncomplete,
      frameCount: frameCount)
  }
}

extension InfoBlock {
  /// What a decoded picture says: how large the photo is and how many frames it has.
  package static func measured(_ size: PixelSize, frames: Int = 1) -> InfoBlock {
    InfoBlock([
      PhotoInfo(
        size: size, orientation: 1, format: .jpeg, byteCount: 1000, modified: 0, taken: nil,
        frameCount: frames)
    ])
  }
}
