/// The folders that photos were moved or copied into, latest last, stored as lines in
/// `$XDG_STATE_HOME/photogrid/folders`.
struct RecentFolders {
  private let file: StateFile
  /// The folders as the user typed them.
  private(set) var folders: [String]

  /// The most folders to keep.
  private static let mostFolders = 20

  /// Reads the folders; nil if the environment names no folder for the file.
  init?(_ environment: [String: String]) {
    guard let file = StateFile("folders", environment) else { return nil }
    self.file = file
    folders = file.lines ?? []
  }

  /// Adds a folder, or makes it the latest one.
  mutating func add(_ folder: String) {
    guard !folder.contains("\n") else { return }
    // Read again, because another session may have added folders.
    folders = (file.lines ?? []).filter { $0 != folder } + [folder]
    folders = folders.suffix(Self.mostFolders)
    file.replace(with: folders)
  }
}
