import Glibc
import PhotoLibrary
import Photos
import TerminalIO
import WorkerProtocol

/// `--rate` and `--keyword`: change the stars or the keywords of the photos on the command line or in a
/// list.
enum RateCommand {
  /// Writes the change of all photos, and prints messages about photos that could not be changed.
  ///
  /// - Returns: `nothingShown` if there are no photos, or any could not be changed.
  /// - Throws: `CommandFailure` if a folder was given, or the photos cannot be listed.
  static func run(
    _ edit: AnnotationEdit, _ configuration: Configuration
  ) throws(CommandFailure) -> ExitStatus {
    let index = PathIndex()
    var request = configuration
    // Folders are only looked into to name them.
    (request.input.isRecursive, request.input.maxDepth) = (true, 1)
    var source = try PhotoSource(request, isWatched: false)
    defer { source.shutDown() }
    var files: Set<Int> = []
    while !source.pollRequests.isEmpty {
      Poll.wait(source.pollRequests, until: source.nextDeadline)
      for event in source.service(at: MonotonicClock.now) {
        switch event {
        case .found(let batch):
          index.append(batch)
          try index.checkOverflow()
          let isFile = batch.paths.first.map {
            source.isGiven(PhotoPath(root: batch.root, path: $0))
          }
          if isFile ?? false { files.insert(batch.root) }
        case .failed(let message): throw CommandFailure(message, status: .nothingShown)
        case .listed(let summary): try source.check(summary)
        case .located, .relisting, .relisted, .changed, .lost, .previewed, .known, .checked: break
        }
      }
    }
    let paths = configuration.input.paths
    if source.isOrdered, let folder = paths.indices.first(where: { !files.contains($0) }) {
      throw CommandFailure(
        "\(PrintableArgument.text(paths[folder])): is a folder; list its photos instead",
        status: .nothingShown)
    }
    return write(edit, index, configuration, worker: try .installed(configuration.sandbox))
  }

  private static func write(
    _ edit: AnnotationEdit, _ index: PathIndex, _ configuration: Configuration,
    worker: WorkerExecutable
  ) -> ExitStatus {
    let client = AnnotationClient(worker: worker, isEmbedded: configuration.session.embedsRatings) {
      index[$0]
    }
    defer { client.shutDown { MonotonicClock.now } }
    let tasks = (0..<index.count).map { AnnotationTask(Photo.ID($0), edit) }
    client.write(tasks, at: MonotonicClock.now)
    var (count, hasFailed) = (0, false)
    var saidReasons: Set<String> = []
    while count < tasks.count {
      for report in client.service(at: MonotonicClock.now) {
        count += report.results.count
        for result in report.results {
          let name = PrintableArgument.text(index[result.task.photo])
          if let failure = result.failure {
            hasFailed = true
            StandardStream.printError("\(name): \(failure)")
          } else if let reason = result.sidecarReason, saidReasons.insert(reason).inserted {
            StandardStream.printError("\(name): saved in its sidecar: \(reason)")
          }
        }
      }
      guard count < tasks.count else { break }
      Poll.wait(client.pollRequests, until: client.nextDeadline)
    }
    return hasFailed || tasks.isEmpty ? .nothingShown : .done
  }
}
