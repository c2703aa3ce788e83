import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import FileWorker

/// New names that other files have, and new names that only differ in their extensions.
@Suite struct RenameTests {
  private let disk: TransferDisk
  private var photos: String { "\(disk.folder.path)/photos" }

  init() throws { disk = try TransferDisk() }

  private func path(_ name: String) -> [UInt8] { disk.folder.path("photos/\(name)") }

  private func add(_ names: String...) {
    for name in names { disk.folder.write(Array(name.utf8), to: "photos/\(name)") }
  }

  private func renaming(_ names: KeyValuePairs<String, String>) -> PathTask {
    .rename(names.map { FileStep(from: path($0), to: path($1)) }, isUndo: false)
  }

  /// Undoes the last operation as a session after the one that did it.
  private func undoInNextSession() -> RecordedUndo? {
    disk.files = FileOperator()
    guard case .undone(let undone) = disk.perform(.undoRecorded(), in: 2) else { return nil }
    return undone
  }

  // MARK: - Names of others

  @Test(arguments: ["c.jpg", "C.JPG", "c.jpg.xmp", "sub"])
  func `if one new name belongs to a file that is not renamed, all keep their names`(other: String)
    throws
  {
    add("a.jpg", "a.jpg.xmp", "b.jpg", "sub/inside.jpg")
    disk.folder.write([9], to: "photos/\(other == "sub" ? "z.jpg" : other)")
    let before = disk.state(photos)
    let new = other.hasSuffix(".xmp") ? "c.jpg" : other
    let outcome = disk.perform(renaming(["a.jpg": "new.jpg", "b.jpg": new]))
    #expect(outcome == .refused("a file with that name exists (\(other))"))
    #expect(disk.state(photos) == before)
    #expect(undoInNextSession() == RecordedUndo(), "nothing was done, so nothing is undone")
    #expect(disk.state(photos) == before)
  }

  @Test func `a new name that differs in case alone is free where the disk tells them apart`() {
    add("a.jpg", "b.jpg", "B.jpg")
    let before = disk.state(photos)
    #expect(
      disk.perform(renaming(["a.jpg": "A.jpg", "b.jpg": "B.jpg"]))
        == .refused("a file with that name exists (B.jpg)"))
    #expect(disk.state(photos) == before)
    _ = disk.perform(renaming(["a.jpg": "A.jpg", "b.jpg": "B.JPG"]))
    #expect(fileNames(photos) == ["A.jpg", "B.JPG", "B.jpg"])
    #expect(undoInNextSession()?.count == 2)
    #expect(disk.state(photos) == before)
  }

  @Test func `a link that leads nowhere has its name too`() throws {
    add("a.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos)/b.jpg", withDestinationPath: "nowhere")
    #expect(
      disk.perform(renaming(["a.jpg": "b.jpg"])) == .refused("a file with that name exists (b.jpg)")
    )
    #expect(fileNames(photos) == ["a.jpg", "b.jpg"])
  }

  @Test func `a name of a marked photo is free if that one leaves it, and only then`() {
    add("1.jpg", "2.jpg", "3.jpg")
    let before = disk.state(photos)
    _ = disk.perform(renaming(["1.jpg": "2.jpg", "2.jpg": "3.jpg", "3.jpg": "4.jpg"]))
    #expect(contents(of: "\(photos)/4.jpg") == Array("3.jpg".utf8))
    #expect(undoInNextSession()?.count == 3)
    #expect(disk.state(photos) == before)
    #expect(
      disk.perform(renaming(["1.jpg": "2.jpg", "2.jpg": "3.jpg"]), in: 3)
        == .refused("a file with that name exists (3.jpg)"))
    #expect(disk.state(photos) == before)
  }

  // MARK: - Extensions

  @Test(arguments: [false, true])
  func `a sidecar without the photo's extension stays when only that changes`(
    isInNextSession: Bool
  ) throws {
    add("a.jpg", "a.xmp")
    let before = disk.state(photos)
    let files = [FileStep(from: path("a.jpg"), to: path("a.jpeg"))]
    #expect(disk.perform(.rename(files, isUndo: false)) == .done(files))
    #expect(fileNames(photos) == ["a.jpeg", "a.xmp"])
    let entries = disk.files.journal?.entries ?? []
    #expect(entries.count == 1 && entries[0].group.count == 1, "a step for each file of the group")
    #expect(Settlement(entries).isDone, "a killed process would not undo it")
    if isInNextSession {
      #expect(undoInNextSession()?.count == 1)
    } else {
      let undone = files.map(\.reversed)
      #expect(disk.perform(.rename(undone, isUndo: true)) == .done(undone))
    }
    #expect(disk.state(photos) == before)
  }

  @Test func `a sidecar with the photo's whole name gets the new one, its film stays`() {
    add("sea.HEIC", "sea.HEIC.xmp", "sea.MOV", "sea.MOV.xmp", "sea.xmp")
    let before = disk.state(photos)
    _ = disk.perform(renaming(["sea.HEIC": "sea.heic"]))
    #expect(
      fileNames(photos) == ["sea.MOV", "sea.MOV.xmp", "sea.heic", "sea.heic.xmp", "sea.xmp"])
    #expect((disk.files.journal?.entries ?? []).allSatisfy { $0.group.count == 2 })
    #expect(undoInNextSession()?.count == 1)
    #expect(disk.state(photos) == before)
  }

  // MARK: - Undoing

  @Test func `an undo reports no companion that is gone, also when it is asked for once more`() {
    add("a.jpg", "a.jpg.xmp", "a.xmp")
    guard case .done(let files) = disk.perform(renaming(["a.jpg": "b.jpg"])) else {
      Issue.record("it is not renamed")
      return
    }
    #expect(files.count == 3)
    unlink("\(photos)/b.jpg.xmp")
    let undo = FileProtocol.Request(
      batch: 9, journal: disk.folder.path("state/undo/1"),
      .rename(files.map(\.reversed), isUndo: true))
    let undone = [
      FileStep(from: path("b.jpg"), to: path("a.jpg")),
      FileStep(from: path("b.xmp"), to: path("a.xmp")),
    ]

    #expect(disk.files.perform(undo) == .done(undone))
    // As after the process was killed before it could answer.
    disk.files = FileOperator()
    #expect(disk.files.perform(undo) == .done(undone))

    #expect(fileNames(photos) == ["a.jpg", "a.xmp"])
  }
}
