import FactIndex
import Foundation
import Geometry
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

/// The facts of an earlier session arrive with the names, as long as they are those of the files.
@Suite struct KnownFactsTests {
  /// The report of a listing.
  private struct Report {
    /// The names of all photos.
    var names: [String] = []
    /// The names of photos whose facts arrived with them.
    var known: [String] = []
    /// The names of photos whose facts are out of date.
    var changed: [String] = []
  }

  /// Lists the photos of a disk; a watched listing continues until the given number of changes has
  /// been reported.
  private func list(
    _ disk: IndexDisk, _ folder: String = "", index: Bool = true, isWatched: Bool = false,
    changeCount: Int = 0, worker: WorkerExecutable? = nil, root: [UInt8] = []
  ) throws -> Report {
    var request = ListingRequest(roots: [disk.folder.path("photos/\(folder)")], isRecursive: true)
    request.isWatched = isWatched
    request.indexFolder = index ? root + disk.cache : []
    let lister = try ListingClient(worker: worker ?? .program(), request)
    defer { lister.shutDown() }
    var report = Report()
    var isDone = false
    let end = Date().addingTimeInterval(90)
    while !isDone || report.changed.count < changeCount, Date() < end {
      var polled = lister.pollRequests
      poll(&polled, nfds_t(polled.count), 100)
      for event in lister.service(at: now()) {
        switch event {
        case .found(let batch):
          for (place, path) in batch.paths.enumerated() {
            report.names.append(name(path))
            if batch.facts?.rows[place].isKnown == true { report.known.append(name(path)) }
          }
        case .changed(let changes, _):
          for case .present(let path) in changes { report.changed.append(name(path.path)) }
        case .listed: isDone = true
        case .failed(let words): throw LibraryFailure(words: words)
        default: break
        }
      }
    }
    return report
  }

  /// The names of a report in the order in which they can be compared.
  ///
  /// If changes are watched, what a slow disk has returned after a while is reported before the rest.
  private func ordered(_ names: [String], isWatched: Bool) -> [String] {
    isWatched ? names.sorted() : names
  }

  private struct LibraryFailure: Error { var words: String }

  private func name(_ path: [UInt8]) -> String {
    String(decoding: path[path.nameStart...], as: UTF8.self)
  }

  @Test(arguments: [false, true])
  func `known facts arrive with the names, in any order`(isWatched: Bool) throws {
    let disk = IndexDisk()
    // Natural order, which differs from that of the bytes, of more names than fit into a message.
    let names = (1...2500).map { "a\($0).jpg" } + ["b.jpg", "Z.jpg"]
    try disk.write(names + ["sub/c.jpg", "sub/new.jpg"])
    try disk.record(names.filter { $0 != "b.jpg" } + ["sub/c.jpg"])

    let report = try list(disk, isWatched: isWatched)

    #expect(
      ordered(report.names, isWatched: isWatched)
        == ordered(names + ["c.jpg", "new.jpg"], isWatched: isWatched))
    #expect(
      ordered(report.known, isWatched: isWatched)
        == ordered(names.filter { $0 != "b.jpg" } + ["c.jpg"], isWatched: isWatched))
    #expect(report.changed.isEmpty)
  }

  @Test func `one known photo after very many unknown ones makes no message too long`() throws {
    let disk = IndexDisk()
    let names = (0..<30_000).map { "\($0).jpg" }
    try disk.write(names)
    try disk.record([names[29_999]])

    let report = try list(disk, isWatched: true)

    #expect(report.names.count == 30_000)
    let isSame = ordered(report.names, isWatched: true) == ordered(names, isWatched: true)
    #expect(isSame)
    #expect(report.known == [names[29_999]])
  }

  @Test(arguments: [false, true])
  func `facts arrive with the names, whatever was added and removed since`(
    isWatched: Bool
  ) throws {
    let disk = IndexDisk()
    let names = (1...9000).map { "a\($0).jpg" }
    try disk.write(names)
    try disk.record(names.filter { !$0.hasSuffix("7.jpg") })
    // Photos that were recorded later, one that was removed, and one that the index does not know.
    try disk.record(["a17.jpg", "a9.jpg"])
    try FileManager.default.removeItem(atPath: "\(disk.folder.path)/photos/a4000.jpg")
    try disk.write(["a4000b.jpg"])
    let here = names.map { $0 == "a4000.jpg" ? "a4000b.jpg" : $0 }

    let report = try list(disk, isWatched: isWatched)

    let isSame = ordered(report.names, isWatched: isWatched) == ordered(here, isWatched: isWatched)
    #expect(isSame)
    let known = here.filter { $0 == "a17.jpg" || !$0.hasSuffix("7.jpg") && $0 != "a4000b.jpg" }
    let isKnown =
      ordered(report.known, isWatched: isWatched) == ordered(known, isWatched: isWatched)
    #expect(isKnown)
    #expect(report.changed.isEmpty)
  }

  @Test func `the process that lists needs no temporary file, however much is known`() throws {
    let disk = IndexDisk()
    let names = (1...9000).map { "a\($0)" + String(repeating: "long", count: 55) + ".jpg" }
    try disk.write(names)
    for start in stride(from: 0, to: names.count, by: 3000) {
      try disk.record(Array(names[start..<(start + 3000)]))
    }
    let isKnown = try list(disk).known == names
    #expect(isKnown)
  }

  @Test func `without an index nothing is known`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg"])
    #expect(try list(disk).known.isEmpty)
    try disk.record(["a.jpg"])
    #expect(try list(disk, index: false).known.isEmpty)
    #expect(try list(disk).known == ["a.jpg"])
  }

  /// Changes of files of which the index knows.
  private func change(_ disk: IndexDisk) throws {
    let folder = disk.folder.path + "/photos/"
    // Longer, with the same time.
    try disk.write(["longer.jpg"], length: 11)
    // Another file with the same time and length.
    try disk.write(["other.jpg"])
    #expect(rename("\(folder)other.jpg", "\(folder)replaced.jpg") == 0)
    // Written again.
    try disk.age("photos/touched.jpg", to: 1_600_000_100)
    try FileManager.default.removeItem(atPath: "\(folder)removed.jpg")
  }

  private let names = ["longer.jpg", "removed.jpg", "replaced.jpg", "same.jpg", "touched.jpg"]

  @Test func `a listing that is not watched reports only the facts of unchanged files`() throws {
    let disk = IndexDisk()
    try disk.write(names)
    try disk.record(names)
    try change(disk)

    let report = try list(disk)

    #expect(report.names == names.filter { $0 != "removed.jpg" })
    #expect(report.known == ["same.jpg"])
  }

  @Test func `a watched listing reports the files that have changed, after the names`() throws {
    let disk = IndexDisk()
    try disk.write(names + [".hidden.jpg"])
    try disk.record(names + [".hidden.jpg"])
    try change(disk)
    try disk.write([".hidden.jpg"], length: 12)

    let report = try list(disk, isWatched: true, changeCount: 3)

    #expect(report.names == names.filter { $0 != "removed.jpg" })
    #expect(report.known == report.names)
    #expect(report.changed == ["longer.jpg", "replaced.jpg", "touched.jpg"])
  }

  @Test func `a folder has the same facts whatever path leads to it`() throws {
    let disk = IndexDisk()
    try disk.write(["real/a.jpg"])
    try disk.record(["real/a.jpg"])
    try FileManager.default.createSymbolicLink(
      atPath: disk.folder.path + "/photos/link", withDestinationPath: "real")

    #expect(try list(disk, "link/").known == ["a.jpg"])
    #expect(try list(disk, "real/../real").known == ["a.jpg"])
  }

  @Test func `photos of a list that have not changed are looked up`() throws {
    let disk = IndexDisk()
    try disk.write(names)
    try disk.record(names)
    try change(disk)
    var request = ListingRequest(roots: [])
    (request.isWatched, request.indexFolder) = (true, disk.cache)
    let lister = try ListingClient(worker: .program(), request)
    defer { lister.shutDown() }
    let lists = [
      (disk.folder.path("photos/"), names + ["unknown.jpg"]), (Array("none/".utf8), ["a"]),
    ]
    for (place, (folder, names)) in lists.enumerated() {
      let batch = PhotoBatch(
        root: 0, folder: folder, names: names.flatMap { Array($0.utf8) + [0] }, facts: nil)
      for piece in batch.lookups(from: 100 * place) { lister.lookUp(piece, at: now()) }
    }
    var found: [PhotoBatch] = []
    let end = Date().addingTimeInterval(90)
    while found.count < 2, Date() < end {
      var polled = lister.pollRequests
      poll(&polled, nfds_t(polled.count), 100)
      for case .known(let batch) in lister.service(at: now()) { found.append(batch) }
    }

    #expect(found.map(\.root) == [0, 100])
    #expect(found.first?.facts?.rows.map(\.isKnown) == names.map { $0 == "same.jpg" } + [false])
    #expect(found.last?.facts == nil)
  }

  @Test(arguments: ["cache", "a?b#c%41 é", "readonly_shm=0&x"])
  func `an index is read whatever characters its path has`(name: String) throws {
    let disk = IndexDisk(cache: name)
    try disk.write(["a.jpg"])
    try disk.record(["a.jpg"])

    #expect(try list(disk).known == ["a.jpg"])
    // As with HOME=/.
    #expect(try list(disk, root: Array("/".utf8)).known == ["a.jpg"])
  }

  @Test(arguments: [nil, "landlock"])
  func `the listing process does not write to the folder of the index`(missing: String?) throws {
    var worker = try WorkerExecutable.program()
    if let missing {
      let programs = URL(fileURLWithPath: worker.path).deletingLastPathComponent().path
      worker = WorkerExecutable(
        path: "\(programs)/without-call", arguments: [missing] + worker.arguments)
    }
    let disk = IndexDisk()
    try disk.write(["a.jpg"])
    try disk.record(["a.jpg"])
    func state() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "\(disk.folder.path)/cache").sorted().map
      {
        let path = "\(disk.folder.path)/cache/\($0)"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return "\($0) \(bytes.count) \(bytes.hashValue)"
      }
    }
    let before = try state()

    #expect(try list(disk, worker: worker).known == ["a.jpg"])

    #expect(try state() == before)
  }
}
