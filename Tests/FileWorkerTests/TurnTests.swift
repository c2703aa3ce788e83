import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

@testable import FileWorker

/// The smallest files with an orientation.
enum TurnablePhoto {
  /// A TIFF with one field.
  static func tiff(_ orientation: UInt8, isBigEndian: Bool = false) -> [UInt8] {
    isBigEndian
      ? [
        0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0,
        0, 0,
      ]
      : [
        0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0,
        0, 0,
      ]
  }

  /// The segments of a JPEG up to its first scan, with an EXIF block.
  static func jpeg(_ orientation: UInt8, isBigEndian: Bool = false) -> [UInt8] {
    let exif = Array("Exif\0\0".utf8) + tiff(orientation, isBigEndian: isBigEndian)
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
      + [0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
      + [1, 2, 3, 0xFF, 0xD9]
  }
}

/// Turning photos by the orientation in their files.
@Suite struct TurnTests {
  private func perform(
    _ change: PathTask, in folder: TemporaryFolder, _ operation: UInt32, session: Int = 1
  ) -> FileOutcome {
    var files = FileOperator()
    return files.perform(
      .init(
        operation: operation, journal: folder.path("state/undo/\(session)"), change))
  }

  @Test(arguments: 1...8, [false, true])
  func `two bytes change, and undo restores the same bytes`(number: Int, isBigEndian: Bool) {
    let start = UInt8(number)
    for (name, bytes) in [
      ("a.jpg", TurnablePhoto.jpeg(start, isBigEndian: isBigEndian)),
      ("a.tif", TurnablePhoto.tiff(start, isBigEndian: isBigEndian)),
    ] {
      for turning in (2...8).map({ Orientation(number: $0) }) {
        let folder = TemporaryFolder()
        let path = folder.write(bytes, to: name)
        let file = "\(folder.path)/\(name)"
        #expect(perform(.turn(path, by: turning, isUndo: false), in: folder, 1) == .done)
        let turned = contents(of: file)
        let new = UInt8(Orientation(number: number).followed(by: turning).number)
        let expected =
          name == "a.jpg"
          ? TurnablePhoto.jpeg(new, isBigEndian: isBigEndian)
          : TurnablePhoto.tiff(new, isBigEndian: isBigEndian)
        #expect(turned == expected)

        #expect(perform(.turn(path, by: turning.inverse, isUndo: true), in: folder, 2) == .done)
        #expect(contents(of: file) == bytes)
      }
    }
  }

  @Test func `a turn is undone after a restart, once`() {
    let folder = TemporaryFolder()
    let bytes = TurnablePhoto.jpeg(6)
    let path = folder.write(bytes, to: "a.jpg")
    #expect(perform(.turn(path, by: .quarterTurn, isUndo: false), in: folder, 1) == .done)
    let undone = RecordedUndo(
      kind: .rotation, count: 1, name: Array("a.jpg".utf8), folder: folder.path(""))
    #expect(perform(.undoRecorded(), in: folder, 1, session: 2) == .undone(undone))
    #expect(contents(of: "\(folder.path)/a.jpg") == bytes)
    #expect(perform(.undoRecorded(), in: folder, 1, session: 3) == .undone(RecordedUndo()))
  }

  @Test(arguments: [false, true])
  func `after a turn and its undo, u goes on to what was done before`(isInOneSession: Bool) throws {
    let folder = TemporaryFolder()
    let bytes = TurnablePhoto.jpeg(1)
    let path = folder.write(bytes, to: "photos/a.jpg")
    let trashed = folder.write([7], to: "photos/c.jpg")
    let file = "\(folder.path)/photos/a.jpg"
    #expect(perform(.trash([trashed], home: folder.path("T")), in: folder, 1) != .done)
    // Turned twice, so that the photo has the orientation of both turns.
    for (operation, turning) in zip(2..., [Orientation.quarterTurn, .quarterTurnBack]) {
      #expect(
        perform(.turn(path, by: turning, isUndo: false), in: folder, UInt32(operation)) == .done)
    }
    if isInOneSession {
      for (operation, turning) in zip(4..., [Orientation.quarterTurn, .quarterTurnBack]) {
        #expect(
          perform(.turn(path, by: turning, isUndo: true), in: folder, UInt32(operation)) == .done)
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

  static let unsuitable: [[UInt8]] = [
    [], [0xFF, 0xD8], Array("\u{89}PNG".utf8), TurnablePhoto.jpeg(0), TurnablePhoto.jpeg(9),
    Array(TurnablePhoto.jpeg(1).prefix(40)), Array(TurnablePhoto.tiff(1).prefix(12)),
    // A raw photo in the format of TIFF, whose header is its maker's.
    [0x49, 0x49, 0x55, 0] + TurnablePhoto.tiff(1).dropFirst(4),
  ]

  @Test(arguments: unsuitable)
  func `a file without an orientation is refused, and stays as it is`(bytes: [UInt8]) {
    let folder = TemporaryFolder()
    let path = folder.write(bytes, to: "a.jpg")
    #expect(
      perform(.turn(path, by: .quarterTurn, isUndo: false), in: folder, 1)
        == .refused("it has no orientation tag (only TIFFs and JPEGs with EXIF do)"))
    #expect(contents(of: "\(folder.path)/a.jpg") == bytes)
  }

  @Test(arguments: seeds(1...50)) func `random changes of a file never change more than two bytes`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<20 {
      let folder = TemporaryFolder()
      var bytes = TurnablePhoto.jpeg(1, isBigEndian: seed.isMultiple(of: 2))
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let path = folder.write(bytes, to: "a.jpg")
      let outcome = perform(.turn(path, by: .quarterTurn, isUndo: false), in: folder, 1)
      let after = contents(of: "\(folder.path)/a.jpg")
      #expect(after.count == bytes.count)
      #expect(zip(after, bytes).count { $0 != $1 } <= (outcome == .done ? 2 : 0))
    }
  }
}
