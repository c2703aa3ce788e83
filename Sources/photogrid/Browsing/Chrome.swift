import PhotoGridCore
import PhotoLibrary
import SceneModel

struct Chrome {
  let inspector: PhotoInspector
  /// The current problem with the folder, as a message.
  var problem: String?
  let folderName: FolderName

  init(inspector: PhotoInspector, folderName: FolderName) {
    self.inspector = inspector
    self.folderName = folderName
  }

  func facts(for browser: Browser, of library: LibraryController, in store: PhotoStore)
    -> Bar.Facts
  {
    let photo = browser.current
    let item = photo ?? browser.currentFolder ?? browser.currentFilter?.item
    let path = item.map { library.index[$0] }
    var facts = Bar.Facts(
      source: library.location.folder.map { folderName.text($0) } ?? library.source.title,
      name: path.map { PhotoName.printable($0) } ?? "",
      info: photo.flatMap { store.info(of: $0) },
      failure: photo.flatMap { store.failure(of: $0) }, loading: store.remaining,
      problem: problem)
    facts.folder = path.map { folderName.text(Array($0[..<$0.nameStart])) } ?? ""
    return facts
  }
}
