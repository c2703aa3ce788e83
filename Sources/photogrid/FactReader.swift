import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// Reads the facts of many photos' files, and waits for each where it is asked for.
final class FactReader {
  private let finder: FactFinder
  /// What came out for photos that were not asked for yet; nil where the file cannot be read.
  private var found: [Photo.ID: PhotoInfo?] = [:]

  /// A reader of a store's photos.
  init(_ store: PhotoStore, worker: WorkerExecutable) {
    finder = FactFinder(worker: worker) { Array(store.paths[$0]) }
  }

  /// Starts to read the files of photos that have not been read, in order.
  func want(_ photos: [Photo.ID]) {
    finder.want(photos.filter { found[$0] == nil }, at: MonotonicClock.now)
  }

  /// What a photo's file tells, which has to be one of those wanted; nil where it cannot be read.
  func info(of photo: Photo.ID) -> PhotoInfo? {
    while found[photo] == nil {
      for finding in finder.service(at: MonotonicClock.now) { found[finding.photo] = finding.info }
      if found[photo] != nil { break }
      let requests = finder.pollDescriptors.map {
        pollfd(fd: $0.descriptor, events: Int16(POLLIN | ($0.wantsWrite ? POLLOUT : 0)), revents: 0)
      }
      guard !requests.isEmpty || finder.nextDeadline != nil else { return nil }
      _ = Poll.wait(requests, until: finder.nextDeadline)
    }
    return found[photo] ?? nil
  }

  /// Ends what is still being read.
  func shutDown() { finder.shutDown() }
}
