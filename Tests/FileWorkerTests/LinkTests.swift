import Foundation
import Geometry
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import FileWorker

/// Symbolic links that move or are copied lead to the same files as before.
@Suite struct LinkTests {
  private let disk: TransferDisk
  private var photos: String { "\(disk.folder.path)/photos" }

  init() throws {
    disk = try TransferDisk()
    for name in ["z.jpg", "sub/deep.jpg"] {
      disk.folder.write(Array(name.utf8), to: "photos/\(name)")
    }
    disk.folder.write(Array("outside".utf8), to: "outside.jpg")
  }

  private func path(_ name: String) -> [UInt8] { disk.folder.path("photos/\(name)") }

  private func link(_ name: String, to text: String) { symlink(text, "\(photos)/\(name)") }

  private func text(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// The path of the file that a link leads to; nil if it leads nowhere.
  private func file(_ path: String) -> String? {
    guard let file = realpath(path, nil) else { return nil }
    defer { free(file) }
    return String(cString: file)
  }

  private func move(_ names: String..., into target: String, operation: UInt32 = 50)
    -> [FileOutcome]
  {
    names.map { name in
      disk.files.perform(
        .init(
          batch: operation, journal: disk.folder.path("state/undo/1"),
          .move([path(name)], into: destination(target))))
    }
  }

  /// Undoes the last operation as a session after the one that did it.
  private func undoInNextSession() -> RecordedUndo? {
    disk.files = FileOperator()
    guard case .undone(let undone) = disk.perform(.undoRecorded(), in: 2) else { return nil }
    return undone
  }

  private static let texts = [
    "z.jpg", "./z.jpg", "sub/../z.jpg", "../photos/z.jpg", "sub/deep.jpg", "../outside.jpg",
    "turn/z.jpg",
  ]

  @Test(arguments: TransferDisk.Place.allCases, texts)
  func `a link moves to another folder and leads to the same file, and the undo restores its text`(
    place: TransferDisk.Place, text: String
  ) throws {
    // A link to a folder, behind which ".." is another folder than its name says.
    link("turn", to: "sub/..")
    link("a.jpg", to: text)
    let target = try disk.target(place)
    let before = try #require(file("\(photos)/a.jpg"))

    for isInNextSession in [false, true] {
      guard case .done(let files)? = move("a.jpg", into: target).first else {
        Issue.record("it is not moved")
        return
      }
      #expect(file("\(target)/a.jpg") == before)
      #expect(!FileManager.default.fileExists(atPath: "\(photos)/a.jpg"))
      #expect(disk.files.remark == nil)
      if isInNextSession {
        #expect(undoInNextSession()?.count == 1)
      } else {
        #expect(
          disk.perform(.rename(files.map(\.reversed), isUndo: true))
            == .done(files.map(\.reversed)))
      }
      #expect(self.text("\(photos)/a.jpg") == text)
      #expect(fileNames(target) == [])
    }
  }

  @Test(arguments: TransferDisk.Place.allCases)
  func `a copy of a link leads to the same file, and is removed`(place: TransferDisk.Place) throws {
    link("a.jpg", to: "z.jpg")
    let target = try disk.target(place)
    guard case .done(let copies) = disk.perform(.copy([path("a.jpg")], into: destination(target)))
    else {
      Issue.record("it is not copied")
      return
    }
    #expect(file("\(target)/a.jpg") == file("\(photos)/z.jpg"))
    #expect(text("\(photos)/a.jpg") == "z.jpg")
    #expect(disk.perform(.removeCopies(copies)) == .done([]))
    #expect(fileNames(target) == [])
  }

  @Test(arguments: TransferDisk.Place.allCases)
  func `an absolute link keeps its text, and one that leads nowhere is reported`(
    place: TransferDisk.Place
  ) throws {
    link("a.jpg", to: "\(photos)/z.jpg")
    link("gone.jpg", to: "none.jpg")
    link("lost.jpg", to: "none/none.jpg")
    let target = try disk.target(place)
    _ = move("a.jpg", into: target)
    #expect(text("\(target)/a.jpg") == "\(photos)/z.jpg" && disk.files.remark == nil)
    for (name, text) in [("gone.jpg", "none.jpg"), ("lost.jpg", "none/none.jpg")] {
      _ = move(name, into: target)
      #expect(self.text("\(target)/\(name)") == text)
      #expect(disk.files.remark == "'\(name)' is a link that leads nowhere")
    }
  }

  /// Whether the photo moves before the link or after it, and has to get a number.
  private static let together: [(names: [String], isNumbered: Bool)] = [
    (["a.jpg", "z.jpg"], false), (["z.jpg", "a.jpg"], false), (["a.jpg", "z.jpg"], true),
    (["z.jpg", "a.jpg"], true),
  ]

  @Test(arguments: TransferDisk.Place.allCases, together.indices)
  func `a link leads to a photo that moves together with it`(
    place: TransferDisk.Place, index: Int
  ) throws {
    let (names, isNumbered) = Self.together[index]
    for isInNextSession in [false, true] {
      unlink("\(photos)/a.jpg")
      link("a.jpg", to: "./z.jpg")
      let target = try disk.target(place)
      if isNumbered {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: "\(target)/z.jpg", contents: Data([1])))
      }
      let outcomes = names.flatMap { move($0, into: target, operation: isInNextSession ? 61 : 60) }
      let photo = try #require(realpath(target, nil).map { String(cString: $0) })
      #expect(file("\(target)/a.jpg") == "\(photo)/\(isNumbered ? "z-1" : "z").jpg")
      if !isNumbered { #expect(text("\(target)/a.jpg") == "./z.jpg") }

      if isInNextSession {
        #expect(undoInNextSession()?.count == 2)
      } else {
        for outcome in outcomes {
          guard case .done(let files) = outcome else {
            Issue.record("\(outcome)")
            return
          }
          _ = disk.files.perform(
            .init(
              batch: 62, journal: disk.folder.path("state/undo/1"),
              .rename(files.map(\.reversed), isUndo: true)))
        }
      }
      #expect(file("\(photos)/a.jpg") == file("\(photos)/z.jpg"))
      if !isNumbered { #expect(text("\(photos)/a.jpg") == "./z.jpg") }
      #expect(fileNames(target) == (isNumbered ? ["z.jpg"] : []))
    }
  }

  @Test(arguments: [["a.jpg", "z.jpg"], ["z.jpg", "a.jpg"]])
  func `after its process was killed, a link leads to the photo that moves with it`(
    names: [String]
  ) throws {
    var call = 0
    var wasKilled = true
    while wasKilled, call < 3000 {
      call += 1
      let folder = TemporaryFolder()
      folder.write([7], to: "photos/z.jpg")
      symlink("./z.jpg", "\(folder.path)/photos/a.jpg")
      let sessions = FileWorkerSessions(folder: folder)
      let client = sessions.client(1, killedAt: call)
      let target = destination("\(folder.path)/target")
      client.request(names.map { .move([folder.path("photos/\($0)")], into: target) }, at: now())
      let outcomes = sessions.outcomes(2, client)
      sessions.end(client)
      wasKilled = sessions.wasKilled
      let areMoved = outcomes.allSatisfy { if case .done = $0 { true } else { false } }
      try #require(outcomes.count == 2 && areMoved, "killed at call \(call): \(outcomes)")
      try #require(
        text("\(folder.path)/target/a.jpg") == "./z.jpg"
          && fileNames("\(folder.path)/target") == ["a.jpg", "z.jpg"], "killed at call \(call)")
    }
    #expect(call > 10 && !wasKilled)
  }

  @Test func `a link that is renamed in its folder, or trashed, keeps its text`() throws {
    link("a.jpg", to: "z.jpg")
    let renaming = FileStep(from: path("a.jpg"), to: path("b.jpg"))
    #expect(disk.perform(.rename([renaming], isUndo: false)) == .done([renaming]))
    #expect(text("\(photos)/b.jpg") == "z.jpg")
    guard
      case .done(let files) = disk.perform(
        .trash([path("b.jpg")], home: disk.folder.path("Trash")))
    else {
      Issue.record("it is not trashed")
      return
    }
    #expect(disk.perform(.restore(files)) == .done([]))
    #expect(text("\(photos)/b.jpg") == "z.jpg")
  }

  @Test func `relative paths`() {
    func relative(_ folder: String, _ file: String) -> String {
      String(
        decoding: SymbolicLink.relativePath(from: Array(folder.utf8), to: Array(file.utf8)),
        as: UTF8.self)
    }
    #expect(relative("/a/b/", "/a/b/c.jpg") == "c.jpg")
    #expect(relative("/a/b/", "/a/c.jpg") == "../c.jpg")
    #expect(relative("/a/b", "/x/y/c.jpg") == "../../x/y/c.jpg")
    #expect(relative("/", "/x/c.jpg") == "x/c.jpg")
    #expect(relative("/ab/", "/a/c.jpg") == "../a/c.jpg")
  }
}
