/// Writing the view's turn into a photo's file.
extension Browser {
  /// Turns the current photo in its file as it is turned on the screen.
  mutating func writeTurn(at now: Instant, effects: inout [Effect]) {
    guard let photo = current else { return }
    let turning = collection.orientation(of: photo)
    guard turning != .upright else {
      return showNotice("nothing is turned: > < | _ turn the photo, W writes that", for: 2, at: now)
    }
    guard !files.busyPhotos.contains(photo) else { return showNotice(.fileIsBusy, at: now) }
    showNotice(
      files.start(.turn(photo, by: turning), marks: album.marks, effects: &effects), at: now)
  }

  /// Takes back the turn of the view that is now in the file.
  mutating func receiveTurn(_ task: FileTask) {
    guard case .turn(let photo, let turning) = task, files.running?.undone == nil,
      collection.orientation(of: photo) == turning
    else { return }
    collection.turn(photo, by: turning.inverse)
  }
}
