import PhotoLibrary

extension PathIndex {
  /// Checks that all photos of a command had room: one that prints or writes something does not leave
  /// out the rest.
  ///
  /// - Throws: `CommandFailure` if paths were left out.
  func checkOverflow() throws(CommandFailure) {
    guard takeOverflow() else { return }
    throw CommandFailure("too many photos: only \(count) can be listed", status: .nothingShown)
  }
}
