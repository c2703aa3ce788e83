import PhotoGridCore

/// Facts, hashes and ratings that are recorded in one transaction, by folder.
struct IndexBatch {
  /// The facts, hashes and ratings of photos in one folder.
  struct Folder {
    /// The canonical path, which ends with a slash.
    let path: [UInt8]
    /// The facts of files, with the files' names and stamps.
    var photos: [(name: ArraySlice<UInt8>, info: PhotoInfo, stamp: FileStamp)] = []
    /// Facts of files that came packed, in which numbers of `texts` stand for texts, and numbers from
    /// `ImageFormat` for formats.
    var packed: [StoredPhoto] = []
    /// The texts of `packed`.
    var texts = TextPools()
    /// The hashes of pictures.
    var hashes: [StoredValue<HashValue>] = []
    /// The ratings.
    var ratings: [StoredValue<RatingValue>] = []

    /// Creates the entry of a folder, without photos.
    init(path: [UInt8]) { self.path = path }
  }

  /// The folders, in the order in which they were added.
  private(set) var folders: [Folder] = []
  private var numbers: [[UInt8]: Int] = [:]

  /// Changes the entry of a folder, which is added if it is new.
  mutating func update(_ path: [UInt8], _ change: (inout Folder) -> Void) {
    // Consecutive photos are usually in one folder.
    if let last = folders.indices.last, folders[last].path == path {
      return change(&folders[last])
    }
    let number = numbers[path] ?? folders.count
    if number == folders.count {
      numbers[path] = number
      folders.append(Folder(path: path))
    }
    change(&folders[number])
  }
}
