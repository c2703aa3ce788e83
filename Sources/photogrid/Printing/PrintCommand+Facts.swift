import PhotoGridCore
import PhotoLibrary
import WorkerRuntime

/// Printing facts as JSON.
extension PrintCommand {
  /// Returns the facts of a photo if the index has all of them.
  private func knownInfo(of photo: Photo.ID) -> PhotoInfo? {
    album.info(of: photo, takenAt: places[photo])
  }

  /// Prints the facts of all photos, a line each.
  func printFacts() throws(CommandFailure) {
    let layout = layout(snapped: false)
    reader.setDemands(photos.filter { knownInfo(of: $0) == nil })
    let unrated = photos.filter { album.rating(of: $0) == nil }
    let found = ratings.read(unrated)
    let new = Dictionary(found.map { ($0.photo, $0.rating) }) { $1 }
    for (index, photo) in photos.enumerated() {
      var info = knownInfo(of: photo) ?? reader.info(of: photo)
      if info == nil {
        // The file is read again for the reason of the failure.
        store.describe([photo], at: MonotonicClock.now)
        try wait { store.info(of: photo) != nil || store.failure(of: photo) != nil }
        info = store.info(of: photo)
      }
      let line = FactLine(
        path: store.index[photo], info: info,
        date: info.flatMap { album.dating.date(of: $0, at: store.index[photo]) },
        rating: album.rating(of: photo) ?? new[photo] ?? .none,
        failure: store.failure(of: photo), frame: layout.frame(at: index),
        section: sections.isEmpty
          ? nil : album.path(of: sections[sections.section(ofItem: index)].key),
        pair: album.pairedFiles(of: photo).first.map { store.index[$0] },
        film: LivePhoto.existingFilms(beside: store.index[photo]).first,
        stack: album.stack(of: photo).map { $0 + 1 })
      try StandardStream.deliver(line.text + "\n")
    }
  }
}
