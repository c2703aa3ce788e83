import Glibc
import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// `--clean-cache`: removes the thumbnails of files that do not exist any more.
enum CleanCacheCommand {
  /// Examines the whole cache, or as much as possible until a signal arrives.
  ///
  /// - Throws: `CommandFailure` if the cache cannot be examined.
  static func run(worker: WorkerExecutable) throws(CommandFailure) -> ExitStatus {
    guard let access = ThumbnailAccess.own(mayWrite: true) else {
      throw CommandFailure(
        "thumbnail cache: neither XDG_CACHE_HOME nor HOME is set", status: .nothingShown)
    }
    let cleaner: CacheCleaner
    do throws(LibraryError) {
      cleaner = try CacheCleaner(worker: worker, access)
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
    var progress = ProgressLine()
    defer {
      progress.hide()
      cleaner.shutDown()
    }
    var signals = PendingSignals()
    while true {
      Poll.wait(cleaner.pollRequests, until: MonotonicClock.now.advanced(bySeconds: 0.1))
      for event in cleaner.service(at: MonotonicClock.now) {
        switch event {
        case .progress(let cleaning):
          guard isatty(STDERR_FILENO) == 1 else { break }
          progress.show(cleaning.examined, of: nil, at: MonotonicClock.now)
        case .finished(let cleaning):
          progress.hide()
          try StandardStream.deliver(summary(of: cleaning) + "\n")
          return cleaning.stuck > 0 ? .nothingShown : .done
        case .failed(let message):
          throw CommandFailure(message, status: .nothingShown)
        }
      }
      if let number = signals.next() { return .signal(number) }
    }
  }

  /// Returns the result as a sentence for the user.
  static func summary(of cleaning: ThumbnailCleaning) -> String {
    let size = ByteCount.text(cleaning.removedBytes)
    var text = "\(cleaning.removed) of \(cleaning.examined) thumbnails removed (\(size))"
    if cleaning.stuck > 0 { text += ", \(cleaning.stuck) failed" }
    return text
  }
}
