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
      worker: try .installed(configuration.sandbox), limits: limits,
      thumbnails: ThumbnailAccess.own(mayWrite: configuration.keepsThumbnails))
  }
}

extension WorkerExecutable {
  /// The program that decodes, confined as the configuration asks for.
  ///
  /// - Throws: That it is not installed, or which layer of the sandbox is missing.
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

  private func checkSandbox() throws(CommandFailure) {
    let layers = confinement()
    for name in ConfinementLayer.essential {
      let layer = layers.first { $0.name == name }
      guard layer?.isOn != true else { continue }
      let words = layer?.words ?? "the worker does not tell"
      throw CommandFailure(
        "--sandbox require: \(name.rawValue): \(words); --doctor tells more",
        status: .nothingShown)
    }
  }
}
