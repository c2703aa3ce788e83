import Foundation
import Geometry
import Photos
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

@testable import FileWorker

/// Undoing rotations, and what happens to photos that other sessions change meanwhile.
extension TurnTests {
  @Test func `a photo that was changed since gets its orientation back, one turned again does not`()
  {
    let folder = TemporaryFolder()
    let path = folder.write(TurnablePhoto.jpeg(6), to: "photos/a.jpg")
    let changed = turn([path], in: folder)
    let longer = contents(of: "\(folder.path)/photos/a.jpg") + [0]
    folder.write(longer, to: "photos/a.jpg")
    #expect(perform(.turnBack(changed), in: folder, 2) == .done([]))
    #expect(files(folder) == ["a.jpg": TurnablePhoto.jpeg(6) + [0]])

    let again = turn([path], in: folder, 3)
    folder.write(TurnablePhoto.jpeg(8) + [0], to: "photos/a.jpg")
    #expect(
      perform(.turnBack(again), in: folder, 4) == .refused("it has been rotated again since"))
    #expect(files(folder) == ["a.jpg": TurnablePhoto.jpeg(8) + [0]])
  }

  @Test func `a sidecar that was rated since keeps the rating`() {
    let folder = TemporaryFolder()
    let path = folder.write(image("card.gif"), to: "photos/a.gif")
    let changed = turn([path], in: folder)
    let text = String(decoding: files(folder)["a.gif.xmp"] ?? [], as: UTF8.self)
    let rated = text.replacing(
      "tiff:Orientation=",
      with: "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmp:Rating=\"5\" tiff:Orientation=")
    folder.write(Array(rated.utf8), to: "photos/a.gif.xmp")
    #expect(perform(.turnBack(changed), in: folder, 2) == .done([]))
    #expect(orientation(folder, "photos/a.gif.xmp") == "1")
    #expect(
      String(decoding: files(folder)["a.gif.xmp"] ?? [], as: UTF8.self).contains("xmp:Rating=\"5\"")
    )
  }

  @Test func `a turn is undone after a restart, once`() {
    let folder = TemporaryFolder()
    let bytes = TurnablePhoto.jpeg(6)
    let path = folder.write(bytes, to: "a.jpg")
    _ = turn([path], in: folder)
    let undone = RecordedUndo(
      kind: .rotation, count: 1, name: Array("a.jpg".utf8), folder: folder.path(""))
    #expect(perform(.undoRecorded(), in: folder, session: 2) == .undone(undone))
    #expect(contents(of: "\(folder.path)/a.jpg") == bytes)
    #expect(perform(.undoRecorded(), in: folder, session: 3) == .undone(RecordedUndo()))
  }

  @Test func `photos that were turned together are undone together after a restart`() {
    let folder = TemporaryFolder()
    let jpeg = folder.write(TurnablePhoto.untagged, to: "photos/a.jpg")
    let heic = folder.write(image("card.heic"), to: "photos/b.heic")
    let before = files(folder)
    var operation = FileOperator()
    for photo in [jpeg, heic] {
      _ = operation.perform(
        .init(
          batch: 1, journal: folder.path("state/undo/1"),
          .turn([photo], by: .quarterTurn)))
    }
    operation = FileOperator()
    #expect(files(folder).count == 3)
    let undone = RecordedUndo(
      kind: .rotation, count: 2, name: Array("a.jpg".utf8), folder: folder.path("photos/"))
    #expect(perform(.undoRecorded(), in: folder, session: 2) == .undone(undone))
    #expect(files(folder) == before)
  }

  @Test(arguments: [false, true])
  func `after a turn and its undo, u goes on to what was done before`(isInOneSession: Bool) throws {
    let folder = TemporaryFolder()
    let bytes = TurnablePhoto.jpeg(1)
    let path = folder.write(bytes, to: "photos/a.jpg")
    let trashed = folder.write([7], to: "photos/c.jpg")
    let file = "\(folder.path)/photos/a.jpg"
    #expect(perform(.trash([trashed], home: folder.path("T")), in: folder, 1) != .done([]))
    // Turned twice, so that the photo has the orientation of both turns.
    let changed = zip(2..., [Orientation.quarterTurn, .quarterTurn]).map { operation, turning in
      turn([path], by: turning, in: folder, UInt32(operation))
    }
    if isInOneSession {
      for (operation, files) in zip(4..., changed.reversed()) {
        #expect(perform(.turnBack(files), in: folder, UInt32(operation)) == .done([]))
      }
    } else {
      for session in 2...3 {
        guard case .undone(let undone) = perform(.undoRecorded(), in: folder, 1, session: session)
        else { return }
        #expect(undone.kind == .rotation && undone.count == 1)
        #expect(contents(of: file) == (session == 2 ? TurnablePhoto.jpeg(6) : bytes))
      }
    }
    for _ in 0..<2 {
      guard case .undone(let undone) = perform(.undoRecorded(), in: folder, 1, session: 4) else {
        return
      }
      #expect(undone.kind != .rotation && contents(of: file) == bytes)
    }
    #expect(fileNames("\(folder.path)/photos") == ["a.jpg", "c.jpg"])
  }

  @Test func `turns in the journal of the version before are undone`() throws {
    let folder = TemporaryFolder()
    let path = folder.write(TurnablePhoto.jpeg(6), to: "a.jpg")
    let file = try #require(FileIdentity(at: path))
    let place = TrashInfo.encoded(path)
    let line = "rotate 1.1.1 move \(file.device) \(file.inode) \(place) \(place) 1 6\nend 1.1.1\n"
    folder.write(Array(line.utf8), to: "state/undo/1")
    let undone = RecordedUndo(
      kind: .rotation, count: 1, name: Array("a.jpg".utf8), folder: folder.path(""))
    #expect(perform(.undoRecorded(), in: folder, session: 2) == .undone(undone))
    #expect(contents(of: "\(folder.path)/a.jpg") == TurnablePhoto.jpeg(1))
  }

  @Test func `in the journal of an earlier version, a turn that turns back is an undo`() throws {
    let folder = TemporaryFolder()
    let path = folder.write(TurnablePhoto.jpeg(6), to: "a.jpg")
    let other = folder.write(TurnablePhoto.jpeg(1), to: "b.jpg")
    func lines(_ group: String, _ path: [UInt8], _ turn: String) throws -> String {
      let file = try #require(FileIdentity(at: path))
      let place = TrashInfo.encoded(path)
      return
        "turn \(group) move \(file.device) \(file.inode) \(place) \(place) \(turn)\nend \(group)\n"
    }
    // One turn that was undone, and one that was undone and turned by that undo's undo.
    let text = try [
      lines("1.1.1", other, "1 6"), lines("2.2.1", other, "6 1"), lines("3.3.1", path, "1 6"),
      lines("4.4.1", path, "6 1"), lines("5.5.1", path, "1 6"),
    ].joined()
    folder.write(Array(text.utf8), to: "state/undo/1")
    let undone = RecordedUndo(
      kind: .rotation, count: 1, name: Array("a.jpg".utf8), folder: folder.path(""))
    #expect(perform(.undoRecorded(), in: folder, 1, session: 2) == .undone(undone))
    #expect(contents(of: "\(folder.path)/a.jpg") == TurnablePhoto.jpeg(1))
    #expect(perform(.undoRecorded(), in: folder, 1, session: 3) == .undone(RecordedUndo()))
    #expect(contents(of: "\(folder.path)/b.jpg") == TurnablePhoto.jpeg(1))
  }

  // MARK: - Several sessions

  /// Leaves the journal of a process that was killed before it recorded the end of its last group.
  private func interrupt(_ folder: TemporaryFolder) {
    let lines = String(
      decoding: contents(of: "\(folder.path)/state/undo/1"), as: UTF8.self
    ).split(separator: "\n").filter { !$0.hasPrefix("end ") }
    folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "state/undo/1")
  }

  @Test(arguments: [false, true])
  func `a turn whose process was killed is not repeated on what others made of the photo`(
    isSidecar: Bool
  ) {
    let folder = TemporaryFolder()
    let bytes = isSidecar ? image("card.gif") : TurnablePhoto.untagged
    let path = folder.write(bytes, to: "photos/a")
    let name = isSidecar ? "photos/a.xmp" : "photos/a"
    let changed = turn([path], in: folder)
    interrupt(folder)
    // Another session turns it too, by which it has neither of the orientations that are recorded.
    _ = turn([path], in: folder, 1, session: 2)
    #expect(orientation(folder, name) == "3")
    #expect(turn([path], in: folder).map(\.target) == changed.map(\.target))
    #expect(orientation(folder, name) == "3")
  }

  @Test func `what another session makes of a photo meanwhile is not taken back`() throws {
    let folder = TemporaryFolder()
    let path = folder.write(TurnablePhoto.jpeg(1), to: "photos/a.jpg")
    let step = try #require(try PhotoTurn([path], by: .quarterTurn).steps.first)
    // The same turn, after this one was planned.
    _ = turn([path], in: folder, 1, session: 2)
    var files = FileOperator()
    let fault = #expect(throws: FileFault.self) {
      try files.inGroup(.rotate, 1, 1) { (group) throws(FileFault) in
        _ = try group.rotate(step.file, of: step.photo, at: step.path, step.rotation)
      }
    }
    #expect(fault == .changed && orientation(folder, "photos/a.jpg") == "6")
  }

  // MARK: - Bad input

  static let noPhotos: [[UInt8]] = [[], [0], Array("text".utf8), [0x1F, 0x8B, 8, 0]]

  @Test(arguments: noPhotos)
  func `a file that is not a photo is refused, and gets no sidecar`(bytes: [UInt8]) {
    let folder = TemporaryFolder()
    let path = folder.write(bytes, to: "photos/a")
    #expect(
      perform(.turn([path], by: .quarterTurn), in: folder) == .refused("it is not a photo"))
    #expect(files(folder) == ["a": bytes])
  }

  @Test func `a sidecar that is not XMP is left alone`() {
    let folder = TemporaryFolder()
    let path = folder.write(image("card.gif"), to: "photos/a.gif")
    folder.write(Array("<x".utf8), to: "photos/a.gif.xmp")
    let before = files(folder)
    #expect(
      perform(.turn([path], by: .quarterTurn), in: folder)
        == .refused("its sidecar is not valid XMP and was left alone"))
    #expect(files(folder) == before)
  }

  @Test(arguments: seeds(1...50)) func `random changes of a file never lose a byte`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<20 {
      let folder = TemporaryFolder()
      var bytes = TurnablePhoto.jpeg(1, isBigEndian: seed.isMultiple(of: 2))
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let path = folder.write(bytes, to: "photos/a.jpg")
      let outcome = perform(.turn([path], by: .quarterTurn), in: folder, 1)
      if case .done(let changed) = outcome {
        #expect(perform(.turnBack(changed), in: folder, 2) == .done([]))
      }
      #expect(files(folder) == ["a.jpg": bytes])
    }
  }

  @Test(arguments: seeds(1...20))
  func `a damaged record is not an entry, or one that harms nothing`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = TemporaryFolder()
    let path = folder.write(TurnablePhoto.untagged, to: "photos/a.jpg")
    guard let changed = turn([path], in: folder).first else { return }
    let turned = files(folder)
    for _ in 0..<200 {
      var file = changed
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        file.record[Int.random(in: 0..<file.record.count, using: &random)] =
          Array("0123456789abcdef,:- ".utf8).randomElement(using: &random) ?? 0
      }
      if perform(.turnBack([file]), in: folder, 2) == .done([]) { return }
      #expect(files(folder) == turned)
    }
  }
}
