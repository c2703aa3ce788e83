/// Writing a photo's rotation on the screen into its file.
extension Browser {
  /// Rotates or flips the current photo in its file as it is displayed on the screen.
  mutating func writeTurn(at now: Instant) {
    guard let photo = current else { return }
    let turning = collection.orientation(of: photo)
    guard turning != .upright else {
      return showNotice(
        "Nothing to save. Rotate with > < | _ first, then press W.", for: 2, at: now)
    }
    guard !files.busyPhotos.contains(photo) else { return showNotice(.fileIsBusy, at: now) }
    files.request([.turn(photo, by: turning)])
    startQueued(at: now)
  }

  /// Removes the rotation on the screen once the file has the same rotation.
  mutating func receiveTurn(_ task: FileTask) {
    guard case .turn(let photo, let turning, false) = task,
      files.running?.purpose == .change, collection.orientation(of: photo) == turning
    else { return }
    gallery.collection.turn(photo, by: turning.inverse)
  }
}
