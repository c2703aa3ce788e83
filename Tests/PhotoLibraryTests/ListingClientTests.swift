import Geometry
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

@Suite(.serialized) struct ListingClientTests {
  let folder = TemporaryFolder()

  /// All events of a listing.
  struct Listing {
    var paths: [[UInt8]] = []
    /// Whether the first path that exists is a folder; nil if there is none.
    var isFolder: Bool?
    var summary: ListingSummary?
    var failure: String?
    var maxBatch = 0
  }

  func list(_ request: ListingRequest, worker: WorkerExecutable? = nil) throws -> Listing {
    let lister = try ListingClient(worker: try worker ?? .program(), request)
    var listing = Listing()
    while !lister.pollRequests.isEmpty {
      wait(for: lister.pollRequests, until: nil)
      for event in lister.service(at: now()) {
        switch event {
        case .found(let batch):
          listing.paths += batch.paths
          listing.maxBatch = max(listing.maxBatch, batch.byteCount)
        case .located(let isFolder): listing.isFolder = isFolder
        case .listed(let summary): listing.summary = summary
        case .failed(let words): listing.failure = words
        case .relisting, .relisted, .changed, .lost, .previewed, .known, .checked:
          Issue.record("told of a change: \(event)")
        }
      }
    }
    return listing
  }

  /// The names below the folder, as found from it.
  func names(_ listing: Listing) -> [String] {
    listing.paths.map {
      String(decoding: $0.dropFirst(folder.path.utf8.count + 1), as: UTF8.self)
    }
  }

  var root: [UInt8] { Array(folder.path.utf8) }

  @Test func `photos are found by their extensions or their first bytes, in natural order`()
    throws
  {
    let found = ["B.JPEG", "a2.jpg", "a10.png", "c.heic", "d.avif", "photo", "z.TIFF"]
    for name in found.shuffled() where name != "photo" { folder.write(to: name) }
    folder.write(image("alpha.png"), to: "photo")
    for name in ["notes.txt", "README", "movie.mp4", "old.mpg", "a.jpg.part"] {
      folder.write(to: name)
    }
    folder.write(to: ".hidden.jpg")
    folder.write(to: "below/deep.jpg")

    let listing = try list(ListingRequest(roots: [root]))

    #expect(
      names(listing) == [
        "a2.jpg", "a10.png", "B.JPEG", "c.heic", "d.avif", "movie.mp4", "photo", "z.TIFF",
      ])
    #expect(listing.summary?.skipped == 3 && listing.summary?.videos == 1)
    #expect(listing.summary?.wentDeeper == false)
    #expect(listing.summary?.problems == [])
  }

  @Test func `hidden names are found only on request`() throws {
    folder.write(to: ".hidden.jpg")
    folder.write(to: ".cache/in.jpg")
    folder.write(to: "seen.jpg")

    let all = try list(ListingRequest(roots: [root], isRecursive: true, includesHidden: true))
    let seen = try list(ListingRequest(roots: [root], isRecursive: true))

    #expect(names(all) == [".hidden.jpg", "seen.jpg", ".cache/in.jpg"])
    #expect(names(seen) == ["seen.jpg"])
  }

  @Test func `a folder's photos come before those of its subfolders, down to the requested depth`()
    throws
  {
    for name in ["z.jpg", "a/1.jpg", "a/b/2.jpg", "a10/4.jpg", "a2/3.jpg"] {
      folder.write(to: name)
    }

    let all = try list(ListingRequest(roots: [root], isRecursive: true))
    let two = try list(ListingRequest(roots: [root], isRecursive: true, maxDepth: 2))
    let one = try list(ListingRequest(roots: [root], isRecursive: true, maxDepth: 1))

    #expect(names(all) == ["z.jpg", "a/1.jpg", "a/b/2.jpg", "a2/3.jpg", "a10/4.jpg"])
    #expect(names(two) == ["z.jpg", "a/1.jpg", "a2/3.jpg", "a10/4.jpg"])
    #expect(names(one) == ["z.jpg"])
    #expect(all.summary?.wentDeeper == false)
  }

  @Test func `sidecars of photos and films are not counted, videos that are not shown are`()
    throws
  {
    let names = [
      "a.jpg", "a.jpg.xmp", "b.c.CR2", "b.c.xmp", "d.HEIC", "d.MOV", "d.MOV.xmp", "d.HEIC.xmp",
      "e.jpg", "e.mov", "f.mp4", "g.mpg", "gone.jpg.xmp", "gone.xmp", "notes.txt",
    ]
    for name in names { folder.write(to: name) }
    let listing = try list(ListingRequest(roots: [root]))
    #expect(
      self.names(listing) == ["a.jpg", "b.c.CR2", "d.HEIC", "d.MOV", "e.jpg", "e.mov", "f.mp4"])
    #expect(listing.summary?.videos == 1)
    #expect(listing.summary?.skipped == 3, "two lost sidecars and a text")
  }

  @Test func `a folder with nothing but subfolders is searched with them`() throws {
    folder.write(to: "2023/a/1.jpg")
    folder.write(to: "2024/2.jpg")
    folder.write(to: "notes.txt")

    let listing = try list(ListingRequest(roots: [root]))

    #expect(names(listing) == ["2023/a/1.jpg", "2024/2.jpg"])
    #expect(listing.summary?.wentDeeper == true)
    #expect(listing.summary?.skipped == 1)
  }

  @Test func `an empty folder has no photos and no problems`() throws {
    let listing = try list(ListingRequest(roots: [root]))

    #expect(listing.paths.isEmpty)
    #expect(listing.summary == ListingSummary())
  }

  @Test func `roots keep their order and are found as they were given`() throws {
    folder.write(to: "a/1.jpg")
    folder.write(to: "b/2.jpg")
    let file = folder.write(to: "notes.txt")
    let missing = folder.path("missing.jpg")

    let listing = try list(
      ListingRequest(roots: [
        folder.path("b/"), file, missing, folder.path("a"), file, folder.path("./b"),
      ]))

    // A folder that is given twice is listed once; a file that is given twice has two tiles.
    // A missing file gets a tile with a message.
    #expect(names(listing) == ["b/2.jpg", "notes.txt", "missing.jpg", "a/1.jpg", "notes.txt"])
    #expect(listing.summary?.problems == [])
    #expect(listing.summary?.missing == [.init(path: missing, reason: .vanished)])
    #expect(listing.isFolder == true)
  }

  @Test func `the first path that exists is looked up first, and missing ones are counted`()
    throws
  {
    let file = folder.write(to: "notes.txt")
    let missing = (0..<20).map { folder.path("none\($0).jpg") }

    let one = try list(ListingRequest(roots: missing + [file, root]))
    #expect(one.isFolder == false && one.summary?.missingCount == 20)
    let none = try list(ListingRequest(roots: missing))
    #expect(none.isFolder == nil && none.summary?.missingCount == 20)
    #expect(none.summary?.missing.map(\.path) == Array(missing.prefix(16)))
  }

  @Test func `a folder that was removed after it was entered is a problem, not a tile`() throws {
    let missing = folder.path("missing/")
    let listing = try list(ListingRequest(roots: [missing]))

    #expect(listing.paths.isEmpty)
    #expect(listing.summary?.problems == [.init(path: missing, reason: .vanished)])
  }

  @Test func `an empty root is the current folder, with bare names`() throws {
    let listing = try list(ListingRequest(roots: [[]]))

    #expect(listing.failure == nil)
    #expect(listing.summary?.problems == [])
    #expect(listing.paths.allSatisfy { $0.first != 0x2f })
  }

  @Test func `names of any bytes are found unchanged`() throws {
    let odd: [[UInt8]] = [
      Array("\u{1b}]52;c;ZXZpbA==\u{07}.jpg".utf8), Array("new\nline.jpg".utf8),
      [0xff, 0xfe, 0x9b] + Array(".jpg".utf8), Array("-rf.jpg".utf8), Array("x.jpg[n=-1]".utf8),
      Array(" .jpg".utf8), Array("\u{202e}gpj.jpg".utf8),
      Array(repeating: 0x61, count: 251) + Array(".jpg".utf8),
    ]
    for name in odd { folder.write(to: name) }

    let listing = try list(ListingRequest(roots: [root]))

    let expected = odd.filter { $0.suffix(4) == Array(".jpg".utf8)[...] }
      .map { root + [0x2f] + $0 }
    #expect(Set(listing.paths) == Set(expected))
    #expect(listing.summary?.skipped == 1)
  }

  @Test func `many photos arrive in order and in small batches`() throws {
    let padding = String(repeating: "x", count: 100)
    for number in 0..<2000 { folder.write(to: "\(padding)\(number).jpg") }

    let listing = try list(ListingRequest(roots: [root]))

    #expect(names(listing) == (0..<2000).map { "\(padding)\($0).jpg" })
    #expect(listing.maxBatch <= ListingEvent.maxBatchLength)
    #expect(listing.maxBatch > 0)
  }

  @Test func `roots that need several messages are one listing`() throws {
    let file = folder.write(to: String(repeating: "y", count: 200))

    let listing = try list(
      ListingRequest(roots: Array(repeating: file, count: 1000) + [folder.path("none")]))

    #expect(listing.paths == Array(repeating: file, count: 1000) + [folder.path("none")])
    #expect(listing.summary?.problemCount == 0)
  }
}
