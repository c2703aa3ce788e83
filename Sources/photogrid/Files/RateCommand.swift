import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// `--rate`: sets the stars of the photos on the command line or in a list.
enum RateCommand {
  /// Writes the stars of all photos, and prints messages about photos that could not be rated.
  ///
  /// - Returns: `nothingShown` if there are no photos, or any could not be rated.
  /// - Throws: `CommandFailure` if a folder was given, or the photos cannot be listed.
  static func run(_ stars: Int, _ configuration: Configuration) throws(CommandFailure) -> ExitStatus
  {
    for path in configuration.input.paths where isFolder(path) {
      throw CommandFailure(
        "\(PrintableArgument.text(path)): a folder; name its photos", status: .nothingShown)
    }
    let index = PathIndex()
    var source = try PhotoSource(configuration, isWatched: false)
    defer { source.shutDown() }
    while !source.pollRequests.isEmpty {
      Poll.wait(source.pollRequests, until: source.nextDeadline)
      for event in source.service(at: MonotonicClock.now) {
        switch event {
        case .found(let batch):
          index.append(batch)
          try index.checkOverflow()
        case .failed(let message): throw CommandFailure(message, status: .nothingShown)
        case .finished, .relisting, .relisted, .changed, .lost, .previewed, .known, .checked: break
        }
      }
    }
    return write(stars, index, configuration, worker: try .installed(configuration.sandbox))
  }

  private static func isFolder(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(path.terminated, &status) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func write(
    _ stars: Int, _ index: PathIndex, _ configuration: Configuration, worker: WorkerExecutable
  ) -> ExitStatus {
    let client = RatingClient(worker: worker, isEmbedded: configuration.session.embedsRatings) {
      index[$0]
    }
    defer { client.shutDown { MonotonicClock.now } }
    let tasks = (0..<index.count).map { RatingTask(Photo.ID($0), .stars(stars)) }
    client.write(tasks, at: MonotonicClock.now)
    var (count, hasFailed) = (0, false)
    while count < tasks.count {
      for report in client.service(at: MonotonicClock.now) {
        count += report.results.count
        for result in report.results {
          guard let failure = result.failure else { continue }
          hasFailed = true
          let name = PrintableArgument.text(index[result.task.photo])
          StandardStream.printError("\(name): \(failure)")
        }
      }
      guard count < tasks.count else { break }
      Poll.wait(client.pollRequests, until: client.nextDeadline)
    }
    return hasFailed || tasks.isEmpty ? .nothingShown : .done
  }
}
