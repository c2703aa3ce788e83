import Geometry
import PhotoGridCore
import Photos
import TestSupport

extension Event {
  /// The files of photos were read; nil for a file that cannot be read.
  static func filesRead(_ files: [(photo: Photo.ID, info: PhotoInfo?)]) -> Event {
    .filesRead(files.map(\.photo), InfoBlock(files.map(\.info)))
  }

  /// A picture of a photo was decoded.
  static func measured(_ photo: Photo.ID, _ size: PixelSize, frames: Int = 1) -> Event {
    .filesRead([photo], .measured(size, frames: frames))
  }
}
