import PhotoLibrary
import WorkerProtocol

extension FactRecorder {
  /// Creates a recorder for the user's index; nil if storing is disabled.
  convenience init?(_ configuration: Configuration) {
    let folder = configuration.indexFolder
    guard !folder.isEmpty else { return nil }
    self.init(executable: .indexWorker.confined(configuration.sandbox), folder: folder)
  }
}

extension Configuration {
  /// The absolute path of the folder with the index of facts; empty if no index is used.
  var indexFolder: [UInt8] { keepsThumbnails ? BaseDirectory.index : [] }
}
