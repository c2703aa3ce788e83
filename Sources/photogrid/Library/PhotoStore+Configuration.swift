import PhotoLibrary
import WorkerProtocol

extension PhotoStore {
  /// Creates a store with the limits of a configuration.
  ///
  /// - Throws: `CommandFailure` if the worker is not installed.
  convenience init(_ configuration: Configuration) throws(CommandFailure) {
    var limits = StoreLimits()
    limits.memoryBudget = configuration.memoryBudget
    self.init(
      worker: try .installed(configuration.sandbox), limits: limits,
      thumbnails: ThumbnailAccess.own(mayWrite: configuration.keepsThumbnails))
  }
}

extension WorkerExecutable {
  /// Finds the program that decodes photos, to be started with a sandbox mode.
  ///
  /// - Throws: `CommandFailure` if it is not installed.
  static func installed(_ sandbox: SandboxMode) throws(CommandFailure) -> WorkerExecutable {
    do throws(LibraryError) {
      return try find().confined(sandbox)
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
  }
}
