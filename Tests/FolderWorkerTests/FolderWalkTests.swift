import Foundation
import Geometry
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import FolderWorker

/// Walks through real folders within this process.
@Suite(.serialized) final class FolderWalkTests {
  private let temporary = TemporaryFolder()
  private var folder: String { temporary.path }
  private var events: [ListingEvent] = []

  private func add(_ name: String) {
    let path = "\(folder)/\(name)"
    let above = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: path, contents: nil)
  }

  private var start: FolderWalk.Start {
    FolderWalk.Start(root: 0, folder: Array("\(folder)/".utf8), level: 1)
  }

  private func request(_ change: (inout ListingRequest) -> Void = { _ in }) -> ListingRequest {
    var request = ListingRequest(roots: [Array(folder.utf8)])
    change(&request)
    return request
  }

  private func walk(interval: Double = 10) -> FolderWalk {
    FolderWalk(interval: interval) { [unowned self] in events.append($0) }
  }

  /// The names of each batch that was found.
  private var batches: [[String]] {
    events.compactMap { event in
      guard case .found(let batch) = event else { return nil }
      return batch.names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func isInOrder(_ names: [String]) -> Bool {
    zip(names, names.dropFirst()).allSatisfy {
      NaturalOrder.precedes(Array($0.utf8), Array($1.utf8))
    }
  }

  @Test(arguments: [0, 10])
  func `sidecars without an image and videos are counted, whenever images are reported`(
    interval: Double
  ) {
    for number in 0..<1500 { add("\(number).jpg") }
    for name in ["0.xmp", "1499.jpg.xmp", "7.png.xmp", "none.xmp", "none.jpg.xmp"] { add(name) }
    for name in ["a.mts", "b.txt"] { add(name) }
    var walk = walk(interval: interval)
    var watch = FolderWatch()

    let summary = walk.list(request { $0.isWatched = true }, watch: &watch)

    #expect(summary.skipped == 3 && summary.videos == 1)
    #expect(Set(batches.joined()).count == 1500)
  }

  @Test func `a folder that is read slowly is reported piece by piece`() {
    for number in 0..<1500 { add("\(number).jpg") }
    var walk = walk(interval: 0)
    var watch = FolderWatch()

    let summary = walk.list(request { $0.isWatched = true }, watch: &watch)

    #expect(summary.unwatchedFolders == 0)
    #expect(batches.count > 4)
    #expect(batches.allSatisfy { Self.isInOrder($0) })
    #expect(Set(batches.joined()).count == 1500)
    #expect(batches.joined().count == 1500)
  }

  @Test func `without a later sort all names are in order`() {
    for number in 0..<1500 { add("\(number).jpg") }
    var walk = walk(interval: 0)
    var watch: FolderWatch?

    _ = walk.list(request(), watch: &watch)
    #expect(batches.flatMap { $0 } == (0..<1500).map { "\($0).jpg" })

    events = []
    watch = FolderWatch()
    let again = request {
      $0.isWatched = true
      $0.isRepeated = true
    }
    _ = walk.list(again, watch: &watch)
    #expect(batches.flatMap { $0 } == (0..<1500).map { "\($0).jpg" })
    #expect(events.first == .relisting(ListedFolder(root: 0, folder: start.folder, isDeep: true)))
    #expect(events.last == .relisted(isComplete: true))
  }

  @Test func `very many names are reported in order, the first before the rest is sorted`() {
    var random = SeededGenerator(seed: 7)
    var list = NameList()
    let names = (0..<40_000).map { "IMG_\($0).jpg" }
    for name in names.shuffled(using: &random) {
      var bytes = Array(name.utf8)
      bytes.withUnsafeMutableBufferPointer { list.append(UnsafeBufferPointer($0)) }
    }
    var visited: [String] = []
    var pauses: [Int] = []

    list.forEachInOrder(
      { visited.append(String(decoding: $1, as: UTF8.self)) },
      pause: { pauses.append(visited.count) })

    #expect(visited == names)
    #expect(pauses.count == 1)
    // About a thousand: enough for a screen, few enough to be sorted at once.
    #expect(pauses.allSatisfy { (300...5000).contains($0) }, "\(pauses)")
  }

  @Test func `one folder is listed again without its subfolders`() {
    add("2.jpg")
    add("1.jpg")
    add("sub/3.jpg")

    walk().relist(start, request())

    #expect(batches == [["1.jpg", "2.jpg"]])
    #expect(events.first == .relisting(ListedFolder(root: 0, folder: start.folder, isDeep: false)))
    #expect(events.last == .relisted(isComplete: true))
    events = []
    var gone = start
    gone.folder = Array("\(folder)/none/".utf8)
    walk().relist(gone, request())
    #expect(
      events == [
        .relisting(ListedFolder(root: 0, folder: gone.folder, isDeep: false)),
        .relisted(isComplete: false),
      ])
  }

  @Test func `folders whose changes the kernel does not report are polled every other second`() {
    var poller = FolderPoller()
    var now = Instant(seconds: 10)
    #expect(poller.deadline == nil)
    let isAdded = poller.add(start)
    #expect(isAdded)

    #expect(poller.deadline.map { $0 <= now } ?? false)
    var changed = poller.changed(at: now)
    #expect(changed.isEmpty)
    // The clock of the disk's times may be coarse.
    usleep(20_000)
    add("new.jpg")
    now = now.advanced(bySeconds: 1)
    changed = poller.changed(at: now)
    #expect(changed.isEmpty)
    now = now.advanced(bySeconds: 1.1)
    changed = poller.changed(at: now)
    #expect(changed.map(\.folder) == [start.folder])
    now = now.advanced(bySeconds: 3)
    changed = poller.changed(at: now)
    #expect(changed.isEmpty)
  }

  @Test func `the number of polled folders is limited`() {
    var poller = FolderPoller()
    var count = 0
    func number(_ count: Int) -> FolderWalk.Start {
      FolderWalk.Start(root: 0, folder: start.folder + "\(count)/".utf8, level: 2)
    }
    while poller.add(number(count)), count < 10_000 { count += 1 }
    #expect((1..<10_000).contains(count))
    let isAddedAgain = poller.add(number(0))
    #expect(isAddedAgain)
  }

  @Test func `a folder that is listed again after it was removed is polled only once`() {
    var poller = FolderPoller()
    for _ in 0..<2 {
      let isAdded = poller.add(start)
      #expect(isAdded)
    }
    // The clock of the disk's times may be coarse.
    usleep(20_000)
    add("new.jpg")
    let changed = poller.changed(at: Instant(seconds: 10))
    #expect(changed.map(\.folder) == [start.folder])
  }

  @Test func `changes in a folder are reported as long as it is watched`() throws {
    add("sub/1.jpg")
    var walk = walk()
    var watch = FolderWatch()
    _ = walk.list(request { $0.isRecursive = true }, watch: &watch)
    var kernel = try #require(watch)
    #expect(kernel.roots.map(\.folder) == [start.folder])

    add("sub/2.jpg")
    let happenings = kernel.read() ?? []
    #expect(happenings.contains { $0.name == Array("2.jpg".utf8) && $0.folder.whole?.level == 2 })
    let removed = kernel.remove(below: Array("\(folder)/sub/".utf8))
    #expect(removed.count == 1)
    add("sub/3.jpg")
    let later = kernel.read() ?? []
    #expect(later.allSatisfy { $0.name.isEmpty })
  }
}
