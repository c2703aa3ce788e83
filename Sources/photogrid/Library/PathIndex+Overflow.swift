import PhotoLibrary

extension PathIndex {
  /// Checks that no paths were left out, for commands that must process all photos.
  ///
  /// - Throws: `CommandFailure` if paths were left out.
  func checkOverflow() throws(CommandFailure) {
    guard takeOverflow() else { return }
    throw CommandFailure("too many photos: only \(count) can be listed", status: .nothingShown)
  }
}
