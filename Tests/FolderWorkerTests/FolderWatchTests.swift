import Geometry
import Glibc
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

/// Reports of the lister about real folders that change while they are watched.
@Suite(.serialized) struct FolderWatchTests {
  let folder = TemporaryFolder()

  /// Renames a file or folder in the folder.
  func rename(_ old: String, _ new: String) {
    #expect(Glibc.rename("\(folder.path)/\(old)", "\(folder.path)/\(new)") == 0)
  }

  /// Deletes a file in the folder.
  func remove(_ name: String) { unlink("\(folder.path)/\(name)") }

  @Test func `a check reports files as they are, and not what had happened to them before`() throws
  {
    for name in ["a.jpg", "b.jpg", "notes.txt"] { folder.write(to: name) }
    let watcher = try Watcher(folder) { $0.roots.append(self.folder.path("given.jpg")) }
    func path(_ name: String, root: Int = 0) -> PhotoPath {
      PhotoPath(root: root, path: folder.path(name))
    }
    // There and back again, and once more there: none of it has been reported when it is asked.
    for (old, new) in [("a.jpg", "z.jpg"), ("z.jpg", "a.jpg"), ("a.jpg", "z.jpg")] {
      rename(old, new)
    }
    unlink(folder.path + "/b.jpg")
    folder.write(to: ".hidden.jpg")
    let long = (0..<3000).map { path("missing \($0) \(String(repeating: "x", count: 50)).jpg") }
    let asked = ["a.jpg", "z.jpg", "b.jpg", "notes.txt", ".hidden.jpg"].map { path($0) }
    watcher.lister.check(asked + [path("given.jpg", root: 1)] + long, at: now())
    watcher.wait("the answer") { events in
      events.contains { if case .checked = $0 { true } else { false } }
    }
    // On a slow machine the first of what happened is reported before it is asked.
    let happened: [PhotoChange] = [
      .renamed(path("a.jpg"), to: path("z.jpg")), .renamed(path("z.jpg"), to: path("a.jpg")),
      .renamed(path("a.jpg"), to: path("z.jpg")), .absent(path("b.jpg")),
    ]
    #expect(happened.starts(with: watcher.changes))
    #expect(
      watcher.events.drop { if case .changed = $0 { true } else { false } } == [
        .checked(
          [.absent(path("a.jpg")), .present(path("z.jpg")), .absent(path("b.jpg"))]
            + long.map { .absent($0) })
      ])
    // Nothing of it follows.
    watcher.events = []
    folder.write(to: "c.jpg")
    watcher.expect([.present(path("c.jpg"))])
  }

  @Test func `files that are created, changed, renamed and deleted are reported one by one`() throws
  {
    folder.write(to: "a.jpg")
    let watcher = try Watcher(folder)

    folder.write([1], to: "b.jpg")
    watcher.expect([.present(watcher.path("b.jpg"))])
    folder.write([1, 2], to: "a.jpg")
    watcher.expect([.present(watcher.path("a.jpg"))])
    rename("a.jpg", "c.jpg")
    watcher.expect([.renamed(watcher.path("a.jpg"), to: watcher.path("c.jpg"))])
    remove("c.jpg")
    watcher.expect([.absent(watcher.path("c.jpg"))])
    symlink("b.jpg", "\(folder.path)/link.png")
    link("\(folder.path)/b.jpg", "\(folder.path)/hard.gif")
    watcher.expect([.present(watcher.path("link.png")), .present(watcher.path("hard.gif"))])
  }

  @Test func `a file that is being written is reported when it is closed`() throws {
    let watcher = try Watcher(folder)
    let file = open("\(folder.path)/slow.jpg", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    for _ in 0..<4 { write(file, [1, 2, 3], 3) }
    // A later change is reported earlier.
    folder.write([1], to: "quick.jpg")
    watcher.expect([.present(watcher.path("quick.jpg"))])
    close(file)
    watcher.expect([.present(watcher.path("slow.jpg"))])
  }

  @Test func `saving under another name and renaming is a change of the photo`() throws {
    folder.write(to: "a.jpg")
    let watcher = try Watcher(folder)
    folder.write([1], to: "a.jpg.tmp")
    rename("a.jpg.tmp", "a.jpg")
    watcher.expect([.present(watcher.path("a.jpg"))])
    rename("a.jpg", "a.jpg.bak")
    watcher.expect([.absent(watcher.path("a.jpg"))])
  }

  @Test func `other files and hidden ones are not reported`() throws {
    let watcher = try Watcher(folder)
    folder.write(to: "notes.txt")
    folder.write(to: ".hidden.jpg")
    folder.write(to: "README")
    mkdir("\(folder.path)/folder.jpg", 0o755)
    folder.write(image("alpha.png"), to: "unnamed")
    watcher.expect([.present(watcher.path("unnamed"))])
  }

  @Test func `names of any bytes are reported unchanged`() throws {
    let watcher = try Watcher(folder)
    let names: [[UInt8]] = [
      Array("new\nline.jpg".utf8), [0xff, 0x1b] + Array("[31m.jpg".utf8), Array("-rf.jpg".utf8),
    ]
    for name in names { folder.write(to: name) }
    let root = Array("\(folder.path)/".utf8)
    watcher.expect(names.map { .present(PhotoPath(root: 0, path: root + $0)) })
  }

  @Test func `ten thousand changes are reported in at most twenty messages a second`() throws {
    folder.write(to: "0.jpg")
    let watcher = try Watcher(folder)
    let start = now()
    for number in 1...10_000 {
      link("\(folder.path)/0.jpg", "\(folder.path)/\(number).jpg")
    }
    watcher.wait("all of them") { _ in watcher.changes.count >= 10_000 }
    #expect(
      Set(watcher.changes.map { "\($0)" }).count == 10_000 && watcher.changes.count == 10_000)
    // However slowly they arrive.
    let seconds = now().seconds(since: start)
    #expect(Double(watcher.events.count) <= 2 + 20 * seconds, "in \(seconds) s")
  }

  @Test func `a photo that was given by its path keeps its tile whatever happens to it`() throws {
    let named = folder.write(to: "a.jpg")
    folder.write(to: "other.jpg")
    let watcher = try Watcher(folder) { $0.roots = [named, named] }
    let both: [PhotoChange] = [
      .present(watcher.path("a.jpg", root: 0)), .present(watcher.path("a.jpg", root: 1)),
    ]
    folder.write([1], to: "a.jpg")
    watcher.expect(both)
    remove("a.jpg")
    folder.write([1], to: "other.jpg")
    watcher.expect(both)
  }

  @Test func `a repeated listing reports all photos`() throws {
    folder.write(to: "1.jpg")
    folder.write(to: "a/2.jpg")
    let watcher = try Watcher(folder) { $0.isRecursive = true }
    watcher.lister.repeatListing(at: now())
    watcher.wait("the end") { events in
      events.contains { if case .listed = $0 { true } else { false } }
    }
    let root = Array("\(folder.path)/".utf8)
    var (own, below) = (
      PhotoBatch(root: 0, folder: root), PhotoBatch(root: 0, folder: root + Array("a/".utf8))
    )
    own.append("1.jpg".utf8)
    below.append("2.jpg".utf8)
    #expect(
      watcher.events == [
        .relisting(ListedFolder(root: 0, folder: root, isDeep: true)), .found(own), .found(below),
        .relisted(isComplete: true), .listed(ListingSummary()),
      ])
    // And it continues to watch.
    watcher.events = []
    remove("1.jpg")
    // What had been written just before may be reported once more.
    watcher.wait("the removal") { _ in
      watcher.changes.contains(.absent(watcher.path("1.jpg")))
    }
  }

  @Test func `a stopped lister is silent, and another one answers`() throws {
    folder.write(to: "1.jpg")
    let watcher = try Watcher(folder)
    let start = now()
    watcher.lister.repeatListing(at: start)
    #expect(!watcher.lister.isSilent(at: start))
    #expect(watcher.lister.isSilent(at: start.advanced(bySeconds: 4)))
    watcher.wait("the end") { events in
      events.contains { if case .listed = $0 { true } else { false } }
    }
    #expect(!watcher.lister.isSilent(at: start.advanced(bySeconds: 100)))
  }
}
