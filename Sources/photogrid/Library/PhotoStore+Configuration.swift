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
  /// Finds the program that decodes, with the confinement of the configuration.
  ///
  /// - Throws: `CommandFailure` if it is not installed, or a required layer of the sandbox is
  ///   missing.
  static func installed(_ sandbox: SandboxMode) throws(CommandFailure) -> WorkerExecutable {
    let worker: WorkerExecutable
    do throws(LibraryError) {
      worker = try find()
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
    if sandbox == .require { try worker.checkSandbox() }
    return worker.confined(sandbox)
  }

  /// Checks that all layers of the sandbox that `--sandbox require` needs are on.
  private func checkSandbox() throws(CommandFailure) {
    let layers = confinement()
    for name in ConfinementLayer.essential {
      let layer = layers.first { $0.name == name }
      guard layer?.isOn != true else { continue }
      let message = layer?.message ?? "not reported"
      throw CommandFailure(
        "--sandbox require: \(name.rawValue): \(message); see --doctor",
        status: .nothingShown)
    }
  }
}
