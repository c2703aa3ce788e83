import Geometry
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

/// The lister whose reports are checked.
extension FolderWatchTests {
  /// A lister that watches, and its events since the last check.
  final class Watcher {
    let lister: ListingClient
    private let folder: String
    var events: [ListingEvent] = []

    init(_ folder: TemporaryFolder, _ change: (inout ListingRequest) -> Void = { _ in }) throws {
      var request = ListingRequest(roots: [Array(folder.path.utf8)])
      request.isWatched = true
      change(&request)
      self.folder = folder.path
      lister = try ListingClient(worker: .program(), request)
      wait("the listing") { events in
        events.contains { if case .listed = $0 { true } else { false } }
      }
      events = []
    }

    deinit { lister.shutDown() }

    /// Waits until the events satisfy a condition.
    func wait(
      _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
      until isThere: ([ListingEvent]) -> Bool
    ) {
      let start = now()
      while !isThere(events) {
        guard now().seconds(since: start) < 90, !lister.pollRequests.isEmpty else {
          Issue.record("never told: \(what); only \(events)", sourceLocation: sourceLocation)
          return
        }
        TestSupport.wait(
          for: lister.pollRequests, until: TestSupport.now().advanced(bySeconds: 0.2))
        events += lister.service(at: now())
      }
    }

    /// Waits for changes, and compares them with the expected ones.
    ///
    /// On a busy machine a file that is created and then written is reported twice in a row, the
    /// second time perhaps only after this.
    func expect(
      _ expected: [PhotoChange], sourceLocation: SourceLocation = #_sourceLocation
    ) {
      func distinct() -> [PhotoChange] {
        changes.reduce(into: []) { result, change in
          let isRepeated = change == result.last ?? lastExpected && change != expected.first
          if !isRepeated, change != result.last { result.append(change) }
        }
      }
      wait("\(expected)", sourceLocation: sourceLocation) { _ in
        distinct().count >= expected.count
      }
      #expect(distinct() == expected, sourceLocation: sourceLocation)
      (events, lastExpected) = ([], expected.last)
    }

    /// The last change of the previous expectation.
    private var lastExpected: PhotoChange?

    var changes: [PhotoChange] {
      events.flatMap { if case .changed(let changes, _) = $0 { changes } else { [PhotoChange]() } }
    }

    func path(_ name: String, root: Int = 0) -> PhotoPath {
      PhotoPath(root: root, path: Array("\(folder)/\(name)".utf8))
    }
  }
}
