import PhotoLibrary
import WorkerProtocol

/// A kind of process that the program starts, and the layers of its sandbox on this system.
struct ConfinedProcess {
  let name: String
  let layers: [ConfinementLayer]

  /// Starts one process of each kind, which report and exit.
  ///
  /// - Parameter configuration: Whether thumbnails are stored, which affects the sandbox.
  /// - Returns: All kinds of processes, without the kinds of the worker if that is not installed.
  static func all(_ configuration: Configuration) -> [ConfinedProcess] {
    let thumbnails = ThumbnailAccess.own(mayWrite: configuration.keepsThumbnails)
    let folder = thumbnails.flatMap { access in
      access.mayWrite ? String(validating: access.folder, as: UTF8.self) : nil
    }
    var kinds: [(name: String, executable: WorkerExecutable, details: [String])] = []
    if let worker = try? WorkerExecutable.find() {
      kinds += [
        ("decoding", worker, ["decoding"]), ("opening", worker, ["opening", folder ?? ""]),
        ("videos", worker, ["filming"]), ("rating", worker, ["rating"]),
      ]
    }
    kinds += [
      ("reading", .library, []), ("moving", .fileWorker, []), ("indexing", .library, ["indexing"]),
    ]
    return reports(of: kinds[...])
  }

  /// Starts all processes, then waits for their reports.
  private static func reports(
    of kinds: ArraySlice<(name: String, executable: WorkerExecutable, details: [String])>
  ) -> [ConfinedProcess] {
    guard let kind = kinds.first else { return [] }
    let inquiry = ConfinementInquiry(kind.executable, kind.details)
    let others = reports(of: kinds.dropFirst())
    return [ConfinedProcess(name: kind.name, layers: inquiry.layers())] + others
  }

  /// Checks that every process has the layers of the sandbox that `--sandbox require` needs.
  ///
  /// - Parameter configuration: The sandbox mode; nothing is checked unless it is `require`.
  /// - Throws: `CommandFailure` with the missing layers and the processes that lack them.
  static func checkAll(_ configuration: Configuration) throws(CommandFailure) {
    guard configuration.sandbox == .require else { return }
    var lacks: [(layer: ConfinementLayer, processes: [String])] = []
    for process in all(configuration) {
      for layer in ConfinementLayer.missing(in: process.layers) {
        if let index = lacks.firstIndex(where: { $0.layer == layer }) {
          lacks[index].processes.append(process.name)
        } else {
          lacks.append((layer, [process.name]))
        }
      }
    }
    guard !lacks.isEmpty else { return }
    let reasons = lacks.map { lack in
      "\(lack.layer.name.rawValue) (\(lack.processes.joined(separator: ", "))): "
        + lack.layer.message
    }
    throw CommandFailure(
      "--sandbox require: \(reasons.joined(separator: "; ")); see --doctor",
      status: .nothingShown)
  }
}

extension FactRecorder {
  convenience init?(_ configuration: Configuration) {
    let folder = configuration.indexFolder
    guard !folder.isEmpty else { return nil }
    self.init(executable: .library.confined(configuration.sandbox), folder: folder)
  }
}

extension Configuration {
  /// The absolute path of the folder with the index of facts; empty if no index is used.
  var indexFolder: [UInt8] { keepsThumbnails ? BaseDirectory.index : [] }
}

extension PhotoStore {
  /// Creates a store with the limits of a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The options of the program.
  ///   - waitsForDisks: Whether photos on a disk that does not respond are waited for.
  /// - Throws: `CommandFailure` if the worker is not installed.
  convenience init(
    _ configuration: Configuration, waitsForDisks: Bool = false
  ) throws(CommandFailure) {
    var limits = StoreLimits()
    limits.waitsForDisks = waitsForDisks
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
