import Glibc
import PhotoGridCore
import PhotoLibrary

/// The texts around the pictures: facts for the bar and the title, and the panel.
struct Chrome {
  /// Creates the panel about the inspected photo.
  let inspector: PhotoInspector
  /// The current problem with the folder, as a message.
  var problem: String?
  private let folderName: FolderName

  /// Creates the texts of a session.
  ///
  /// - Parameters:
  ///   - inspector: Creates the panel about the inspected photo.
  ///   - home: The user's home folder, which is shown as `~`.
  init(inspector: PhotoInspector, home: String?) {
    self.inspector = inspector
    folderName = FolderName(
      current: FolderLocation.currentFolder, home: home.map { Array($0.utf8) })
  }

  /// Returns the facts for the bar and the title.
  func facts(for browser: Browser, of library: LibraryController, in store: PhotoStore)
    -> Bar.Facts
  {
    let photo = browser.current
    let path = (photo ?? browser.currentFolder).map { library.index[$0] }
    var facts = Bar.Facts(
      source: library.location.folder.map { folderName.text($0) } ?? library.source.title,
      name: path.map { PhotoName.printable($0) } ?? "",
      info: photo.flatMap { store.info(of: $0) },
      failure: photo.flatMap { store.failure(of: $0) }, loading: store.remaining,
      problem: problem)
    facts.place = path.map { folderName.text(Array($0[..<$0.nameStart])) } ?? ""
    return facts
  }
}
