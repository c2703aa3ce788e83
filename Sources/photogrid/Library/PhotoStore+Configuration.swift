import PhotoLibrary
import WorkerProtocol

extension PhotoStore {
  /// A store as a configuration asks for it.
  ///
  /// - Throws: That the worker is not installed.
  convenience init(_ configuration: Configuration) throws(CommandFailure) {
    var limits = StoreLimits()
    limits.memoryBudget = configuration.memoryBudget
    self.init(
      worker: try .installed(), limits: limits,
      thumbnails: ThumbnailAccess.own(mayWrite: configuration.keepsThumbnails))
  }
}

extension WorkerExecutable {
  /// The program that decodes.
  ///
  /// - Throws: That it is not installed.
  static func installed() throws(CommandFailure) -> WorkerExecutable {
    do throws(LibraryError) {
      return try find()
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
  }
}
