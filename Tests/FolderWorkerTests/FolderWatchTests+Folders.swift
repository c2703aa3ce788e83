import Geometry
import Glibc
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

/// Folders: created, deleted, renamed and previewed ones.
extension FolderWatchTests {
  @Test func `created subfolders are listed, and deleted ones are emptied`() throws {
    folder.write(to: "a/1.jpg")
    let watcher = try Watcher(folder) { $0.isRecursive = true }
    let (b, c) = (Array("\(folder.path)/b/".utf8), Array("\(folder.path)/c/".utf8))
    func place(_ path: [UInt8]) -> ListingEvent {
      .relisting(ListedFolder(root: 0, folder: path, isDeep: true))
    }
    func endings(_ events: [ListingEvent]) -> Int {
      events.count { $0 == .relisted(isComplete: true) }
    }

    folder.write(to: "staging")
    mkdir("\(folder.path)/b", 0o755)
    watcher.wait("the new folder") { endings($0) == 1 }
    #expect(watcher.events.first == place(b))
    watcher.events = []
    folder.write(to: "b/2.jpg")
    watcher.expect([.present(watcher.path("b/2.jpg"))])

    rename("b", "c")
    watcher.wait("the folder under its new name") { endings($0) == 2 }
    var found = PhotoBatch(root: 0, folder: c)
    found.append("2.jpg".utf8)
    #expect(
      watcher.events == [
        place(b), .relisted(isComplete: true), place(c), .found(found),
        .relisted(isComplete: true),
      ])
    watcher.events = []
    folder.write(to: "c/3.jpg")
    watcher.expect([.present(watcher.path("c/3.jpg"))])

    remove("c/2.jpg")
    remove("c/3.jpg")
    rmdir("\(folder.path)/c")
    watcher.wait("the folder's end") { endings($0) == 1 }
    #expect(watcher.changes == [])
    #expect(watcher.events.first == place(c))
  }

  @Test func `a removed folder is reported as lost, without its photos`() throws {
    folder.write(to: "photos/1.jpg")
    folder.write(to: "photos/2.jpg")
    let watcher = try Watcher(folder) { $0.roots = [Array("\(folder.path)/photos".utf8)] }
    remove("photos/1.jpg")
    remove("photos/2.jpg")
    rmdir("\(folder.path)/photos")
    watcher.wait("the loss") { $0.contains(.lost(root: 0, .vanished)) }
    #expect(watcher.changes == [])
  }

  @Test func `folders with tiles are created, deleted and renamed`() throws {
    folder.write(to: "a/1.jpg")
    let watcher = try Watcher(folder) { $0.namesFolders = true }
    #expect(mkdir("\(folder.path)/b", 0o755) == 0)
    watcher.expect([.present(watcher.path("b/"))])
    rename("b", "c")
    watcher.expect([.renamed(watcher.path("b/"), to: watcher.path("c/"))])
    #expect(rmdir("\(folder.path)/c") == 0)
    watcher.expect([.absent(watcher.path("c/"))])
    // Files in them are not reported, nor are hidden folders.
    #expect(mkdir("\(folder.path)/.h", 0o755) == 0)
    folder.write(to: "a/2.jpg")
    folder.write(to: "3.jpg")
    watcher.expect([.present(watcher.path("3.jpg"))])
  }

  @Test func `folders are previewed on request, after the listing`() throws {
    for name in ["a/1.jpg", "a/2.jpg", "b/notes"] { folder.write(to: name) }
    let watcher = try Watcher(folder) { $0.namesFolders = true }
    let folders = ["a/", "b/", "gone/"].map { Array("\(folder.path)/\($0)".utf8) }
    watcher.lister.requestPreviews(of: folders, at: now())
    #expect(watcher.lister.silenceEnd != nil)
    watcher.wait("three looks") { $0.count >= 3 }
    #expect(
      watcher.events == [
        .previewed(
          FolderSamples(
            folder: folders[0], samples: [folder.path("a/1.jpg"), folder.path("a/2.jpg")])),
        .previewed(FolderSamples(folder: folders[1])),
        .previewed(FolderSamples(folder: folders[2], failure: .vanished)),
      ])
    #expect(watcher.lister.silenceEnd == nil)
  }
}
