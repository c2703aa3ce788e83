package struct ListingNotes: Equatable, Sendable {
  /// The number of files that are neither images nor videos, and belong to no image.
  package var skipped: Int
  /// The number of videos, apart from the films of live photos.
  package var videos: Int
  /// Whether subfolders were entered because the folder has no photos of its own.
  package var wentDeeper: Bool
  package var unreadable: Int
  /// The number of folders whose changes will not be noticed.
  package var unwatched: Int
  /// Why the only folder to list could not be read, printable; nil if it was read, or if there are
  /// several folders.
  package var failure: String?
  /// Whether a single photo was given, rather than found in a folder.
  package var isOnePhoto = false

  package init(
    skipped: Int = 0, videos: Int = 0, wentDeeper: Bool = false, unreadable: Int = 0,
    unwatched: Int = 0
  ) {
    self.skipped = skipped
    self.videos = videos
    self.wentDeeper = wentDeeper
    self.unreadable = unreadable
    self.unwatched = unwatched
  }
}
