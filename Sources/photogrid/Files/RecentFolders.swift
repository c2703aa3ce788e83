/// The folders that photos were moved or copied into, a line each in
/// `$XDG_STATE_HOME/photogrid/folders`, the latest last.
struct RecentFolders {
  private let file: StateFile
  /// The folders as the user typed them.
  private(set) var folders: [String]

  /// The most folders that are kept.
  private static let mostFolders = 20

  /// Reads the folders; nil if there is no place for them.
  init?(_ environment: [String: String]) {
    guard let file = StateFile("folders", environment) else { return nil }
    self.file = file
    folders = file.lines ?? []
  }

  /// Adds a folder as the latest one.
  mutating func add(_ folder: String) {
    guard !folder.contains("\n") else { return }
    // Another session may have added some.
    folders = (file.lines ?? []).filter { $0 != folder } + [folder]
    folders = folders.suffix(Self.mostFolders)
    file.replace(with: folders)
  }
}
