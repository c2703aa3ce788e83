import PhotoLibrary
import Photos
import WorkerProtocol

@testable import photogrid

/// A catalog whose folders are found, changed and listed again.
extension CatalogTests {
  /// A catalog of folders and its paths.
  struct Story {
    var catalog = Catalog(isOrdered: true, index: PathIndex())
    var index: PathIndex { catalog.index }

    mutating func find(_ folder: String, _ names: [String], root: Int = 0) {
      catalog.insert(Story.batch(folder, names, root))
    }

    mutating func change(_ changes: PhotoChange...) { catalog.apply(changes) }

    mutating func relist(
      _ folder: String, isDeep: Bool = true, isComplete: Bool = true, _ found: [(String, [String])]
    ) {
      let place = ListedFolder(root: 0, folder: Array(folder.utf8), isDeep: isDeep)
      catalog.beginRelisting(place)
      for (folder, names) in found { find(folder, names) }
      catalog.endRelisting(isComplete: isComplete)
    }

    static func batch(_ folder: String, _ names: [String], _ root: Int) -> PhotoBatch {
      var batch = PhotoBatch(root: root, folder: Array(folder.utf8))
      for name in names { batch.append(name.utf8) }
      return batch
    }

    /// The paths in their order.
    var paths: [String] {
      catalog.listing.map { String(decoding: index[$0], as: UTF8.self) }
    }

    func photo(_ path: String) -> Photo.ID? {
      catalog.listing.first { index[$0] == Array(path.utf8) }
    }
  }
}
