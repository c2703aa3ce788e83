import Geometry
import PhotoGridCore
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

extension Event {
  /// The files of photos were read; nil for a file that cannot be read.
  package static func filesRead(_ files: [(photo: Photo.ID, info: PhotoInfo?)]) -> Event {
    .filesRead(files.map(\.photo), InfoBlock(files.map(\.info)))
  }

  /// A picture of a photo was decoded, which says how large the photo is and how many frames it has.
  package static func measured(_ photo: Photo.ID, _ size: PixelSize, frames: Int = 1) -> Event {
    .filesRead([
      (
        photo,
        PhotoInfo(
          size: size, orientation: 1, format: .jpeg, byteCount: 1000, modified: 0, taken: nil,
          frameCount: frames)
      )
    ])
  }
}
