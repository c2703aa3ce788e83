/// The first photos of a folder, as its tile shows them.
package struct FolderPreview: Equatable, Sendable {
  /// The first photos of the folder, at most `mostSamples`.
  package var samples: [Photo.ID]
  /// Why the folder cannot be read, printable; nil if it can.
  package var failure: String?
  /// Whether the preview is up to date; if not, the folder must be read again.
  package var isCurrent = true

  /// The largest number of photos that are searched for.
  package static let mostSamples = 4

  /// Creates the preview of a folder.
  package init(samples: [Photo.ID], failure: String? = nil) {
    self.samples = samples
    self.failure = failure
  }
}
