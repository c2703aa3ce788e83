import PhotoLibrary
import WorkerProtocol

extension FactRecorder {
  /// Creates a recorder for the user's index; nil if nothing is to be stored.
  convenience init?(_ configuration: Configuration) {
    let folder = configuration.indexFolder
    guard !folder.isEmpty else { return nil }
    self.init(executable: .indexWorker.confined(configuration.sandbox), folder: folder)
  }
}

extension Configuration {
  /// The absolute path of the folder with the index of facts; empty if none is to be used.
  var indexFolder: [UInt8] { keepsThumbnails ? BaseDirectory.index : [] }
}
