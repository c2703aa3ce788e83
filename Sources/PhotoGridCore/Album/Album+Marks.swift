extension Album {
  /// The marked photos: first those of this folder in display order, including those that are
  /// filtered out, then those of other folders, folder by folder and by name; the files of a pair
  /// follow each other.
  package var markedInOrder: [Photo.ID] {
    guard !marks.isEmpty else { return [] }
    let here = files(of: ordered.lazy.filter { marks.contains($0) })
    guard here.count < marks.count else { return here }
    var elsewhere = marks
    elsewhere.subtract(PhotoSet(here))
    return here + names.sorted(elsewhere.photos)
  }
}
