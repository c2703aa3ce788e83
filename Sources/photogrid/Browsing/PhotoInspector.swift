import Geometry
import Glibc
import PhotoGridCore
import PhotoLibrary
import Photos
import SceneModel
import TerminalIO

/// Creates the panel about a photo or folder, and caches it until a fact in it changes.
final class PhotoInspector {
  private let side: SideClient
  private let folderName: FolderName
  private let store: PhotoStore
  private let isPlain: Bool
  /// The last histogram, and the picture that it was computed from.
  private var histogram: (picture: Bitmap, histogram: Histogram)?
  /// The last panel, with the facts and the available size for which it was created.
  private var panel: (information: Information, room: CellSize, panel: Panel)?

  init(_ store: PhotoStore, side: SideClient, folderName: FolderName, isPlain: Bool) {
    self.store = store
    self.side = side
    self.folderName = folderName
    self.isPlain = isPlain
  }

  /// Returns the panel about the inspected photo or folder; nil while the panel is closed.
  func panel(for browser: Browser) -> Panel? {
    guard let item = browser.inspectedPhoto ?? browser.inspectedFolder,
      let room = browser.viewport.informationSize
    else {
      panel = nil
      histogram = nil
      return nil
    }
    let information =
      browser.inspectedPhoto.map {
        self.information(about: $0, in: browser.album)
      }
      ?? self.information(aboutFolder: item, browser.folderPreview(of: item))
    if panel?.information != information || panel?.room != room {
      panel = (information, room, information.panel(in: room, isPlain: isPlain))
    }
    guard var result = panel?.panel else { return nil }
    result.position = browser.position(of: result)
    return result
  }

  private func information(about photo: Photo.ID, in album: Album) -> Information {
    let path = store.index[photo]
    var information = information(at: path)
    information.info = store.info(of: photo)
    information.modified = information.info.map { Self.localTime($0.stamp.seconds) }
    information.failure = store.failure(of: photo)
    information.metadata = side.metadata(of: photo)
    information.rating = album.rating(of: photo)
    information.date =
      album.date(of: photo) ?? information.info.flatMap { album.dating.date(of: $0, at: path) }
    let others = album.pairedFiles(of: photo).filter { $0 != photo }.map { store.index[$0] }
    information.rawFiles = others.filter { !LivePhoto.isFilm($0) }.map(PhotoName.printable)
    let film = information.metadata?.film.map {
      Array(path[..<path[path.nameStart...].extensionStart]) + ".\($0)".utf8
    }
    information.film = (others.first { LivePhoto.isFilm($0) } ?? film).map(PhotoName.printable)
    if case .picture(let picture) = store.content(of: photo) {
      information.histogram = histogram(of: picture)
    }
    return information
  }

  private func information(at path: some BidirectionalCollection<UInt8>) -> Information {
    Information(
      name: PhotoName.printable(path), folderPath: folderName.text(Array(path[..<path.nameStart])))
  }

  private func information(aboutFolder folder: Photo.ID, _ preview: FolderPreview?) -> Information {
    var information = information(at: store.index[folder])
    information.isFolder = true
    information.folder = preview
    information.failure = preview?.failure
    return information
  }

  private func histogram(of picture: Mipmap) -> Histogram {
    // The same picture shares its pixels' memory, so comparing them costs nothing.
    if let histogram, histogram.picture == picture.full { return histogram.histogram }
    let made = Histogram(picture)
    histogram = (picture.full, made)
    return made
  }

  /// Formats seconds since 1970 as local time: "2024-05-01 12:30:00".
  private static func localTime(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "\(seconds) s since 1970" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
