import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Listers that fail, are silent or are missing.
extension ListingClientTests {
  @Test
  func `a lister that dies, sends invalid messages or has another version fails with a message`()
    throws
  {
    let hello = Hello(wireFormat: 1, programVersion: "0.0.9").encoded()
    folder.write(hello, to: "hello")
    let request = ListingRequest(roots: [root])

    let dead = try list(request, worker: folder.script("exit 0"))
    let nonsense = try list(request, worker: folder.script("echo nonsense >&0; exec sleep 100"))
    let other = try list(
      request, worker: folder.script("cat \(folder.path)/hello >&0; exec sleep 100"))

    #expect(dead.failure == "the listing worker stopped")
    #expect(nonsense.failure == "the listing worker sent an invalid response")
    #expect(other.failure == "photogrid-worker is version 0.0.9, photogrid is 0.1.0")
  }

  @Test func `a group of changes without end ends the lister`() throws {
    let path = PhotoPath(root: 0, path: [UInt8](repeating: 0x61, count: 1000))
    let changes = [PhotoChange](repeating: .present(path), count: 100)
    folder.write(Hello.current.encoded(), to: "hello")
    folder.write(ListingEvent.changed(changes, isLast: false).encoded(), to: "changed")

    let listing = try list(
      ListingRequest(roots: [root]),
      worker: folder.script(
        "cd \(folder.path); cat hello >&0; while cat changed >&0; do :; done"))

    #expect(listing.failure == "the listing worker sent an invalid response")
    #expect(listing.paths.isEmpty && listing.summary == nil)
  }

  @Test func `groups of changes that arrive together are one event, in their order`() throws {
    let paths = ["a", "b", "c", "d"].map { PhotoPath(root: 0, path: Array($0.utf8)) }
    let messages: [ListingEvent] = [
      .changed([.present(paths[0])], isLast: false), .changed([.absent(paths[1])], isLast: true),
      .changed([.renamed(paths[0], to: paths[2])], isLast: true),
      .found(PhotoBatch(root: 0, path: paths[3].path)),
      .changed([.present(paths[1])], isLast: true),
    ]
    folder.write(
      messages.reduce(Hello.current.encoded()) { $0 + $1.encoded() }, to: "messages")
    let lister = try ListingClient(
      worker: folder.script("cat \(folder.path)/messages >&0; exec sleep 100"),
      ListingRequest(roots: [root]))
    defer { lister.shutDown() }

    var groups: [[PhotoChange]] = []
    while groups.joined().count < 4, !lister.pollRequests.isEmpty {
      wait(for: lister.pollRequests, until: nil)
      for case .changed(let changes, _) in lister.service(at: now()) { groups.append(changes) }
    }

    #expect(
      groups == [
        [.present(paths[0]), .absent(paths[1]), .renamed(paths[0], to: paths[2])],
        [.present(paths[1])],
      ])
  }

  @Test func `the deadline of a silent lister stays until a call has noticed it`() throws {
    let lister = try ListingClient(
      worker: folder.script("exec sleep 100"), ListingRequest(roots: [root]))
    defer { lister.shutDown() }
    let begin = now()
    _ = lister.service(at: begin)
    let end = try #require(lister.nextDeadline)

    #expect(!lister.isSilent(at: begin))
    // It does not depend on the time, as no call was made.
    #expect(lister.nextDeadline == end)
    _ = lister.service(at: end)
    #expect(lister.isSilent(at: end))
    #expect(lister.nextDeadline == nil)
  }

  @Test func `without a worker's executable the message names the searched paths`() {
    #expect(throws: LibraryError.workerMissing(searched: ["/nowhere/photogrid-worker"])) {
      try ListingClient(
        worker: WorkerExecutable(path: "/nowhere/photogrid-worker"), ListingRequest(roots: []))
    }
    #expect(
      LibraryError.workerMissing(searched: ["/a", "/b"]).message
        == "photogrid-worker is missing (looked for /a, /b)")
  }
}
