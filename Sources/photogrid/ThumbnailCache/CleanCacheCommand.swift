import Geometry
import Glibc
import PhotoLibrary
import WorkerProtocol

/// `--clean-cache`: removes the thumbnails of files that no longer exist, and all recorded facts.
enum CleanCacheCommand {
  /// Cleans the whole cache, or as much of it as possible until a signal arrives.
  ///
  /// - Throws: `CommandFailure` if the cache cannot be examined, or the index cannot be emptied.
  static func run(_ configuration: Configuration) throws(CommandFailure) -> ExitStatus {
    let worker = try WorkerExecutable.installed(configuration.sandbox)
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
          switch try emptyIndex(&signals, configuration.sandbox) {
          case .signal(let number): return .signal(number)
          case .removed(let factCount):
            try StandardStream.deliver(summary(of: cleaning, factCount: factCount) + "\n")
            return cleaning.stuck > 0 ? .nothingShown : .done
          }
        case .failed(let message):
          throw CommandFailure(message, status: .nothingShown)
        }
      }
      if let number = signals.next() { return .signal(number) }
    }
  }

  /// How emptying the index ended.
  private enum Emptying {
    case removed(Int)
    /// A signal arrived first.
    case signal(Int32)
  }

  /// Removes all facts from the index.
  ///
  /// - Throws: `CommandFailure` if the index cannot be emptied.
  private static func emptyIndex(
    _ signals: inout PendingSignals, _ sandbox: SandboxMode
  ) throws(CommandFailure) -> Emptying {
    let folder = BaseDirectory.index
    guard access((folder + "/index.sqlite".utf8).terminated, F_OK) == 0 else {
      return .removed(0)
    }
    let cleaner: IndexCleaner
    do throws(LibraryError) {
      cleaner = try IndexCleaner(
        executable: .indexWorker.confined(sandbox), folder: folder, at: MonotonicClock.now)
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
    defer { cleaner.shutDown() }
    while true {
      if let number = signals.next() { return .signal(number) }
      Poll.wait(cleaner.pollRequests, until: MonotonicClock.now.advanced(bySeconds: 0.1))
      switch cleaner.service(at: MonotonicClock.now) {
      case .removed(let count): return .removed(count)
      case .failed(let reason):
        throw CommandFailure("index: \(reason)", status: .nothingShown)
      case nil: break
      }
    }
  }

  /// Returns the result as a sentence for the user.
  ///
  /// - Parameters:
  ///   - cleaning: The numbers of thumbnails examined and removed.
  ///   - factCount: The number of photos whose facts were removed.
  /// - Returns: `3 of 7 thumbnails removed (120 kB)`, for example.
  static func summary(of cleaning: ThumbnailCleaning, factCount: Int = 0) -> String {
    let size = ByteCount.text(cleaning.removedBytes)
    var text = "\(cleaning.removed) of \(cleaning.examined) thumbnails removed (\(size))"
    if factCount > 0 { text += "; metadata for \(factCount) photos removed" }
    if cleaning.stuck > 0 { text += ", \(cleaning.stuck) failed" }
    return text
  }
}

extension ThumbnailAccess {
  /// The user's shared thumbnail cache; nil without a home folder.
  static func own(mayWrite: Bool) -> ThumbnailAccess? {
    BaseDirectory.path(.cache).map {
      ThumbnailAccess(folder: $0 + "/thumbnails".utf8, mayWrite: mayWrite)
    }
  }
}
