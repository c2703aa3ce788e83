/// The manual, which is part of the program so that it needs no file.
package enum ManualText {
  /// The Markdown of `Assets/MANUAL.md`.
  package static let markdown = String(decoding: PackageResources.MANUAL_md, as: UTF8.self)
}
