import Geometry
import Glibc
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

@testable import photogrid

/// The outcomes of a listing, in their order.
struct LibraryControllerTests {
  private let now = Instant(nanoseconds: 0)

  @Test func `a list is read as far as it is written, without waiting`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var library = try library("--private", "--files-from", "/dev/fd/\(ends[0])")

    #expect(library.service(at: now).isEmpty)

    #expect(write(ends[1], "a.jpg\nb.jpg\nc.j", 15) == 15)
    #expect(library.service(at: now).map(summary) == ["names 2", "found 2", "added"])
    #expect(library.service(at: now).isEmpty)

    #expect(write(ends[1], "pg\n", 3) == 3)
    close(ends[1])
    #expect(library.service(at: now).map(summary) == ["names 1", "found 1", "added"])
    // The end comes late while another test starts a process, which has the pipe until it runs.
    var end: [String] = []
    for _ in 0..<60_000 where end.isEmpty {
      end = library.service(at: now).map(summary)
      usleep(1000)
    }
    #expect(end == ["problems 0", "event listed", "listed"])
    #expect(library.pollRequests.isEmpty && library.service(at: now).isEmpty)
  }

  @Test func `a list has no folders to enter, and cannot be reloaded`() throws {
    var library = try library("--files-from", "/dev/null")

    #expect(
      library.goUp().map(summary) == ["event notice(\"A list of names has no parent folder\")"])
    library.reload(at: now)
    #expect(library.problemMessage(at: now) == "Cannot reload a list")
  }

  @Test(arguments: [
    PathTable.Limits(count: 2500), PathTable.Limits(byteCount: 2500 * 10 + 130),
  ])
  func `a lister that finds photos without end is stopped, and the bar says how many are shown`(
    limits: PathTable.Limits
  ) throws {
    let folder = TemporaryFolder()
    var batch = PhotoBatch(root: 0, folder: Array("p/".utf8))
    for number in 10_000..<11_000 { batch.append("\(number).jpg".utf8) }
    folder.write(Hello.current.encoded(), to: "hello")
    folder.write(ListingEvent.found(batch).encoded(), to: "found")
    let configuration = try Configuration(ParsedArguments([Array(folder.path.utf8)]))
    let lister = folder.script(
      "cd \(folder.path); cat hello >&0; while cat found >&0; do :; done")
    var library = LibraryController(
      try PhotoSource(configuration, isWatched: true, lister: lister),
      index: PathIndex(limits: limits), isRecursive: false)

    var outcomes: [String] = []
    while !library.pollRequests.isEmpty {
      var requests = library.pollRequests
      poll(&requests, nfds_t(requests.count), 60_000)
      outcomes += library.service(at: now).map(summary)
    }

    #expect(outcomes.suffix(3) == ["problems 0", "event listed", "listed"])
    #expect(library.catalog.listing.count == 2500 && library.index.count == 2500)
    #expect(library.problemMessage(at: now) == "too many photos: only 2500 are shown")
  }

  private func library(_ arguments: String...) throws -> LibraryController {
    let configuration = try Configuration(ParsedArguments(arguments.map { Array($0.utf8) }))
    return LibraryController(
      try PhotoSource(configuration, isWatched: true), index: PathIndex(), isRecursive: false)
  }

  private func summary(_ outcome: LibraryController.Outcome) -> String {
    switch outcome {
    case .event(.found(let photos)): "found \(photos.count)"
    case .event(.listed): "event listed"
    case .event(let event): "event \(event)"
    case .names(let batch): "names \(batch.count)"
    case .message(let message, let tile): "message \(message ?? "none") of \(tile.index)"
    case .changed(let photos): "changed \(photos.count)"
    case .annotated(let photos): "annotated \(photos.count)"
    case .added: "added"
    case .listed: "listed"
    case .problems(let problems): "problems \(problems.count)"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}
