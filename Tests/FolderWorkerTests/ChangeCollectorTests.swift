@testable import FolderWorker
import Geometry
import TestSupport
import Testing
import WorkerProtocol

struct ChangeCollectorTests {
  /// A collector with a clock, and the changes that it has reported.
  private struct Story {
    var collector = ChangeCollector()
    var now = Instant(seconds: 50)
    var reports: [[PhotoChange]] = []

    mutating func see(_ event: ChangeCollector.FileEvent, _ name: String) {
      collector.record(event, of: path(name), at: now)
    }

    /// Lets time pass as the lister does, which wakes at each deadline.
    mutating func wait(_ seconds: Double) {
      let end = now.advanced(bySeconds: seconds)
      while let deadline = collector.deadline, deadline <= end {
        now = max(now, deadline)
        take()
        if !collector.filesToMeasure(at: now).isEmpty { return }
        if collector.deadline == deadline { break }
      }
      now = end
      take()
    }

    private mutating func take() {
      let changes = collector.changes(at: now)
      if !changes.isEmpty { reports.append(changes) }
    }
  }

  private static func path(_ name: String) -> PhotoPath {
    PhotoPath(root: 0, path: Array("/p/\(name)".utf8))
  }
  private func present(_ name: String) -> PhotoChange { .present(Self.path(name)) }
  private func absent(_ name: String) -> PhotoChange { .absent(Self.path(name)) }
  private func renamed(_ old: String, _ new: String) -> PhotoChange {
    .renamed(Self.path(old), to: Self.path(new))
  }

  @Test func `one change is reported after a moment`() {
    var story = Story()
    story.see(.deleted, "a.jpg")
    story.wait(0.04)
    #expect(story.reports == [])
    story.wait(0.02)
    #expect(story.reports == [[absent("a.jpg")]])
    #expect(story.collector.deadline == nil)
  }

  @Test func `a name that is moved away and created again is present`() {
    var story = Story()
    story.see(.movedAway(cookie: 1), "a.jpg")
    story.see(.movedHere(cookie: 2), "a.jpg")
    story.wait(0.5)
    #expect(story.reports == [[present("a.jpg")]])
    story.see(.movedAway(cookie: 3), "a.jpg")
    story.see(.created(isComplete: true), "a.jpg")
    story.see(.movedHere(cookie: 3), "b.jpg")
    story.wait(0.5)
    #expect(story.reports.last == [present("a.jpg"), present("b.jpg")])
  }

  @Test func `a burst is one report, in its order`() {
    var story = Story()
    for number in 0..<10_000 {
      story.see(number % 2 == 0 ? .created(isComplete: true) : .deleted, "\(number).jpg")
      story.now = story.now.advanced(bySeconds: 0.000_02)
    }
    story.wait(1)
    #expect(
      story.reports == [
        (0..<10_000).map { $0 % 2 == 0 ? present("\($0).jpg") : absent("\($0).jpg") }
      ])
  }

  @Test func `continuous changes are reported twice a second`() {
    var story = Story()
    for number in 0..<300 {
      story.see(.created(isComplete: true), "\(number).jpg")
      story.wait(0.01)
    }
    story.wait(1)
    #expect((5...8).contains(story.reports.count))
    #expect(story.reports.joined().count == 300)
  }

  @Test func `a file that is being written is reported when it is closed`() {
    var story = Story()
    story.see(.created(isComplete: false), "a.jpg")
    story.wait(1)
    #expect(story.reports == [])
    story.see(.written, "a.jpg")
    story.wait(1)
    #expect(story.reports == [[present("a.jpg")]])
  }

  @Test func `a file that stops growing is reported although no program closes it`() {
    var story = Story()
    story.see(.created(isComplete: false), "a.jpg")
    for byteCount in [10, 20, 30] {
      story.wait(3)
      #expect(story.collector.filesToMeasure(at: story.now) == [Self.path("a.jpg")])
      story.collector.record(size: byteCount, of: Self.path("a.jpg"), at: story.now)
    }
    #expect(story.reports == [])
    story.wait(3)
    story.collector.record(size: 30, of: Self.path("a.jpg"), at: story.now)
    story.wait(1)
    #expect(story.reports == [[present("a.jpg")]])
    #expect(story.collector.deadline == nil)
  }

  @Test func `a file that is deleted before it is complete is reported as absent`() {
    var story = Story()
    story.see(.created(isComplete: false), "a.jpg")
    story.see(.deleted, "a.jpg")
    story.wait(1)
    #expect(story.reports == [[absent("a.jpg")]])
    story.see(.created(isComplete: false), "b.jpg")
    story.wait(3)
    story.collector.record(size: nil, of: Self.path("b.jpg"), at: story.now)
    #expect(story.collector.deadline == nil)
  }

  @Test func `the last change of a name counts`() {
    var story = Story()
    story.see(.written, "a.jpg")
    story.see(.deleted, "a.jpg")
    story.see(.written, "a.jpg")
    story.see(.written, "b.jpg")
    story.see(.deleted, "b.jpg")
    story.wait(1)
    #expect(story.reports == [[present("a.jpg"), absent("b.jpg")]])
  }

  @Test func `the two events of a rename are one change`() {
    var story = Story()
    story.see(.movedAway(cookie: 7), "a.jpg")
    story.see(.movedHere(cookie: 7), "b.jpg")
    story.see(.movedAway(cookie: 8), "b.jpg")
    story.see(.movedHere(cookie: 8), "c.jpg")
    story.see(.deleted, "a.jpg")
    story.wait(1)
    #expect(
      story.reports == [[renamed("a.jpg", "b.jpg"), renamed("b.jpg", "c.jpg"), absent("a.jpg")]])
  }

  @Test func `one event of a rename is an addition or a removal`() {
    var story = Story()
    story.see(.movedAway(cookie: 7), "a.jpg")
    story.see(.movedHere(cookie: 9), "b.jpg")
    story.wait(1)
    #expect(story.reports == [[present("b.jpg")], [absent("a.jpg")]])
  }

  @Test func `the first event of a rename waits for the second`() {
    var story = Story()
    for number in 0..<50 {
      story.see(.written, "\(number).jpg")
      story.wait(0.0099)
    }
    story.see(.movedAway(cookie: 1), "x.jpg")
    // The process that renames may be interrupted between the two.
    story.now = story.now.advanced(bySeconds: 0.2)
    _ = story.collector.changes(at: story.now)
    story.see(.movedHere(cookie: 1), "y.jpg")
    story.wait(1)
    #expect(story.reports.last == [renamed("x.jpg", "y.jpg")])
  }

  @Test func `changes in a removed folder are dropped`() {
    var story = Story()
    story.see(.deleted, "sub/a.jpg")
    story.see(.created(isComplete: false), "sub/b.jpg")
    story.see(.movedAway(cookie: 1), "sub/c.jpg")
    story.see(.movedHere(cookie: 1), "c.jpg")
    story.see(.movedAway(cookie: 2), "d.jpg")
    story.see(.movedHere(cookie: 2), "sub/d.jpg")
    story.see(.deleted, "subway.jpg")
    story.collector.forget(root: 0, folder: Array("/p/sub/".utf8))
    story.wait(5)
    #expect(story.reports == [[present("c.jpg"), absent("d.jpg"), absent("subway.jpg")]])
    #expect(story.collector.deadline == nil)
  }

  @Test func `what was noticed about files is dropped, but not about others and sidecars`() {
    var story = Story()
    story.see(.movedAway(cookie: 1), "a.jpg")
    story.see(.movedHere(cookie: 1), "b.jpg")
    story.see(.annotated, "b.jpg")
    story.see(.deleted, "c.jpg")
    story.see(.movedAway(cookie: 2), "d.jpg")
    story.see(.created(isComplete: false), "e.jpg")
    let dropped = Set(["a.jpg", "b.jpg", "d.jpg", "e.jpg"].map(Self.path))
    story.collector.forget { dropped.contains($0) }
    story.wait(5)
    #expect(story.reports == [[.annotated(Self.path("b.jpg")), absent("c.jpg")]])
  }

  @Test func `too many changes are detected`() {
    var story = Story()
    for number in 0...ChangeCollector.maxCount { story.see(.deleted, "\(number)") }
    #expect(story.collector.isOverwhelmed)
  }

  @Test(arguments: seeds(1...30))
  func `the reported changes, applied in order, make the folder what it is`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = Story()
    var disk: Set<String> = ["0", "1", "2"]
    var shown = disk
    var cookie: UInt32 = 0
    for _ in 0..<400 {
      let name = String(Int.random(in: 0..<6, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        disk.insert(name)
        story.see(.created(isComplete: true), name)
      case 1:
        disk.insert(name)
        story.see(.created(isComplete: false), name)
        story.see(.written, name)
      case 2 where disk.contains(name):
        disk.remove(name)
        story.see(.deleted, name)
      case 3 where disk.contains(name):
        let other = String(Int.random(in: 6..<9, using: &random))
        cookie += 1
        story.see(.movedAway(cookie: cookie), name)
        story.see(.movedHere(cookie: cookie), other)
        disk.remove(name)
        disk.insert(other)
      default: story.wait(Double.random(in: 0...0.2, using: &random))
      }
    }
    story.wait(2)
    func name(_ path: PhotoPath) -> String {
      String(decoding: path.path.dropFirst(3), as: UTF8.self)
    }
    for change in story.reports.joined() {
      switch change {
      case .present(let path): shown.insert(name(path))
      case .absent(let path): shown.remove(name(path))
      case .renamed(let old, let new):
        shown.remove(name(old))
        shown.insert(name(new))
      case .annotated: break
      }
    }
    #expect(shown == disk, "seed \(seed)")
  }
}
