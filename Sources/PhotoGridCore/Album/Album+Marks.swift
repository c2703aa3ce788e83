extension Album {
  /// The files of the marked photos: first of this folder, then of the other folders.
  ///
  /// This folder's photos are in display order, and include photos that are filtered out. The other
  /// folders follow one after the other, each sorted by name. The files of a pair are adjacent.
  package var markedInOrder: [Photo.ID] {
    guard !marks.isEmpty else { return [] }
    let here = files(of: ordered.lazy.filter { marks.contains($0) })
    guard here.count < marks.count else { return here }
    var elsewhere = marks
    elsewhere.subtract(PhotoSet(here))
    return here + names.sorted(elsewhere.photos)
  }
}
