import Foundation
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The file worker is killed at every one of its system calls, and no file is ever lost,
/// misreported or beyond the reach of undo.
@Suite struct KilledFileWorkerTests {
  enum Change: String, CaseIterable { case trash, restore, rename, undo }

  /// A folder with one photo, a trash, and journals.
  private struct Disk {
    let folder = TemporaryFolder()
    var photo: String { "\(folder.path)/photos/a.jpg" }
    var renamed: String { "\(folder.path)/photos/b.jpg" }
    var sessions: FileWorkerSessions { FileWorkerSessions(folder: folder) }
    var trashed: FileStep {
      FileStep(
        trash: folder.path("Trash"), name: name, originalPath: folder.path("photos/a.jpg"))
    }
    var renaming: FileStep {
      FileStep(from: folder.path("photos/a.jpg"), to: Array(renamed.utf8))
    }
    let name = Array("a.jpg".utf8)

    init() { folder.write(Array("bytes".utf8), to: "photos/a.jpg") }

    func names(_ path: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(path)"))?.sorted()
        ?? []
    }

    /// The names of all files in the photos' folder and in the trash.
    var state: [String] {
      ["photos", "Trash/files", "Trash/info"].flatMap { place in
        names(place).map { "\(place)/\($0)" }
      }
    }

    func request(_ change: Change) -> PathTask {
      switch change {
      case .trash: return .trash([folder.path("photos/a.jpg")], home: folder.path("Trash"))
      case .restore: return .restore([trashed])
      case .rename: return .rename([renaming], isUndo: false)
      case .undo: return FileWorkerSessions.undo
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `a file worker killed at any system call is replaced, and its work is finished`(
    change: Change
  ) throws {
    var call = 0
    var wasKilled = true
    while wasKilled, call < 2000 {
      call += 1
      let disk = Disk()
      let sessions = disk.sessions
      if change == .restore || change == .undo {
        let before = sessions.client(1)
        try #require(sessions.run(disk.request(.trash), before) == .done([disk.trashed]))
        sessions.end(before)
      }
      let session = change == .restore ? 1 : 2
      let client = sessions.client(session, killedAt: call)

      let outcome = sessions.run(disk.request(change), client)

      sessions.end(client)
      wasKilled = sessions.wasKilled
      let path = Array("\(disk.folder.path)/photos/".utf8)
      switch change {
      case .trash:
        try #require(outcome == .done([disk.trashed]), "killed at call \(call)")
        try #require(disk.state == ["Trash/files/a.jpg", "Trash/info/a.jpg.trashinfo"])
      case .rename:
        try #require(outcome == .done([disk.renaming]), "killed at call \(call)")
        try #require(disk.state == ["photos/b.jpg"], "killed at call \(call)")
      case .restore:
        try #require(outcome == .done([]), "killed at call \(call)")
        try #require(disk.state == ["photos/a.jpg"], "killed at call \(call)")
      case .undo:
        // If it was killed after the move, nothing is left to do.
        let done = RecordedUndo(kind: .trash, count: 1, name: disk.name, folder: path)
        try #require(
          outcome == .undone(done) || wasKilled && outcome == .undone(RecordedUndo()),
          "killed at call \(call)")
        try #require(disk.state == ["photos/a.jpg"], "killed at call \(call)")
      }
      guard change == .trash || change == .rename else { continue }
      let next = sessions.client(3)
      let undone = RecordedUndo(
        kind: change == .trash ? .trash : .rename, count: 1, name: disk.name, folder: path)
      try #require(
        sessions.run(FileWorkerSessions.undo, next) == .undone(undone), "killed at call \(call)")
      try #require(disk.state == ["photos/a.jpg"], "killed at call \(call)")
      try #require(contents(of: disk.photo) == Array("bytes".utf8))
      try #require(
        sessions.run(FileWorkerSessions.undo, next) == .undone(RecordedUndo()),
        "nothing is undone twice")
      sessions.end(next)
    }
    #expect(call > 10, "\(change): \(call) calls")
    #expect(!wasKilled, "it ends before the last call that was tried")
  }
}
