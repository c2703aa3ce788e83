/// The first photos of a folder, as its tile shows them.
package struct FolderPreview: Equatable, Sendable {
  /// Its first photos.
  package var samples: [Photo.ID]
  /// Why it cannot be looked into; printable words.
  package var failure: String?
  /// Whether it need not be looked into again.
  package var isCurrent = true

  /// More photos than these are not looked for.
  package static let mostSamples = 4

  /// What was seen of a folder.
  package init(samples: [Photo.ID], failure: String? = nil) {
    self.samples = samples
    self.failure = failure
  }
}
