import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

@testable import FileWorker

/// Journals that another user may have written move no files.
@Suite struct JournalTrustTests {
  private let folder = TemporaryFolder()
  private var undo: String { "\(folder.path)/state/photogrid/undo" }

  init() { folder.write(Array("secret".utf8), to: "private/a") }

  /// Records that a file was moved out of the attacker's folder, to which an undo would move it.
  private func record() throws {
    let file = try #require(FileIdentity(at: folder.path("private/a")))
    let group = FileGroup.ID(batch: 1, number: 1, count: 1)
    let entry = JournalEntry(
      .rename, group, .exclusiveRename, file, from: folder.path("stolen"),
      to: folder.path("private/a"))
    folder.write(
      Array("\(entry.line)\nend \(group)\n".utf8), to: "state/photogrid/undo/1", mode: 0o600)
    chmod(undo, 0o700)
    chmod("\(folder.path)/state/photogrid", 0o700)
  }

  private func undoRecorded() -> (outcome: FileOutcome, fault: FileFault?) {
    var files = FileOperator()
    let outcome = files.perform(
      .init(batch: 1, journal: Array("\(undo)/2".utf8), .undoRecorded()))
    return (outcome, files.historyFault)
  }

  private var isStolen: Bool { FileManager.default.fileExists(atPath: "\(folder.path)/stolen") }

  private var examination: JournalFolder.Examination {
    JournalFolder.examine(journal: Array("\(undo)/2".utf8))
  }

  @Test(arguments: [0o700, 0o755, 0o1777])
  func `a journal counts in a state folder that only the user can change`(mode: mode_t) throws {
    try record()
    chmod("\(folder.path)/state", mode)
    #expect(examination.count == 1 && examination.ignored == [])
    guard case .undone(let undone) = undoRecorded().outcome else { return }
    #expect(undone.count == 1 && isStolen)
  }

  @Test func `a state folder may be a link, and is created`() throws {
    try record()
    rename("\(folder.path)/state", "\(folder.path)/elsewhere")
    symlink("elsewhere", "\(folder.path)/state")
    #expect(examination.count == 1)
    let new = folder.path("new/state/photogrid/undo/1")
    #expect(JournalFolder.examine(journal: new).ignored == [])
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/new"), "nothing is created")
    _ = try Journal(new)
    #expect(JournalFolder.examine(journal: new).count == 1)
  }

  /// The right to write of a group is also that of everyone in an access control list.
  @Test(arguments: ["", "/photogrid", "/photogrid/undo", "/photogrid/undo/1"], [0o020, 0o002])
  func `where others may write, nothing is undone, and the doctor says so`(
    name: String, right: mode_t
  ) throws {
    try record()
    let path = "\(folder.path)/state\(name)"
    var status = stat()
    stat(path, &status)
    chmod(path, status.st_mode & 0o7777 | right)
    #expect(examination.ignored == ["others may write to it (\(path))"] && examination.count == 0)
    let (outcome, fault) = undoRecorded()
    #expect(outcome == .undone(RecordedUndo()) && !isStolen)
    if name != "/photogrid/undo/1" {
      #expect(fault?.message == "others may write to it (\(path))")
    }
  }

  @Test(arguments: ["", "/photogrid", "/photogrid/undo", "/photogrid/undo/1"])
  func `what belongs to another user is not used`(name: String) throws {
    // Only root can give files away.
    guard geteuid() == 0 else { return }
    try record()
    let path = "\(folder.path)/state\(name)"
    chown(path, 4711, 4711)
    #expect(examination.ignored == ["it belongs to another user (\(path))"])
    #expect(undoRecorded().outcome == .undone(RecordedUndo()) && !isStolen)
  }

  @Test(arguments: ["photogrid", "photogrid/undo", "photogrid/undo/1"])
  func `a link is not followed`(name: String) throws {
    try record()
    let path = "\(folder.path)/state/\(name)"
    rename(path, "\(folder.path)/planted")
    symlink("\(folder.path)/planted", path)
    #expect(examination.ignored == ["it is a symbolic link (\(path))"] && examination.count == 0)
    #expect(undoRecorded().outcome == .undone(RecordedUndo()) && !isStolen)
  }

  @Test func `a journal with another name, a pipe and a folder are not used`() throws {
    try record()
    link("\(undo)/1", "\(folder.path)/other")
    #expect(examination.ignored == ["it has other names (hard links) (\(undo)/1)"])
    unlink("\(undo)/1")
    mkfifo("\(undo)/1", 0o600)
    mkdir("\(undo)/0", 0o700)
    #expect(examination.ignored.contains("it is not a file (\(undo)/1)") && examination.count == 0)
    #expect(undoRecorded().outcome == .undone(RecordedUndo()) && !isStolen)
  }
}
