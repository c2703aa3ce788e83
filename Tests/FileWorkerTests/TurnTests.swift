import Foundation
import ImageFormats
import Geometry
import Photos
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

  /// A JPEG without an EXIF block.
  static let untagged = [0xFF, 0xD8] + scan

  private static let scan: [UInt8] =
    [0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    + [1, 2, 3, 0xFF, 0xD9]

  /// The segments of a JPEG up to its first scan, with an EXIF block.
  static func jpeg(_ orientation: UInt8, isBigEndian: Bool = false) -> [UInt8] {
    let exif = Array("Exif\0\0".utf8) + tiff(orientation, isBigEndian: isBigEndian)
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + scan
  }
}

/// Rotating photos by the orientation in their files and sidecars.
@Suite struct TurnTests {
  private func perform(
    _ change: PathTask, in folder: TemporaryFolder, _ operation: UInt32 = 1, session: Int = 1
  ) -> FileOutcome {
    var files = FileOperator()
    return files.perform(
      .init(
        operation: operation, journal: folder.path("state/undo/\(session)"), change))
  }

  /// Rotates photos, and returns the files that were changed.
  private func turn(
    _ photos: [[UInt8]], by turning: Orientation = .quarterTurn, in folder: TemporaryFolder,
    _ operation: UInt32 = 1, session: Int = 1
  ) -> [TurnedFile] {
    let outcome = perform(.turn(photos, by: turning), in: folder, operation, session: session)
    guard case .turned(let files) = outcome else {
      Issue.record("\(outcome)")
      return []
    }
    return files
  }

  /// All files in a folder below a temporary one: their contents by their names.
  private func files(_ folder: TemporaryFolder, _ name: String = "photos") -> [String: [UInt8]] {
    let path = "\(folder.path)/\(name)"
    return Dictionary(
      uniqueKeysWithValues: fileNames(path).map { ($0, contents(of: "\(path)/\($0)")) })
  }

  /// What exiftool reads as the orientation of a file; empty without one.
  private func orientation(_ folder: TemporaryFolder, _ name: String) -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
    process.arguments = ["-s3", "-n", "-Orientation", "\(folder.path)/\(name)"]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "not run" }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // MARK: - Photos that carry an orientation

  @Test(arguments: 1...8, [false, true])
  func `two bytes change, and undo restores the same bytes`(number: Int, isBigEndian: Bool) {
    let start = UInt8(number)
    for turning in (2...8).map({ Orientation(number: $0) }) {
      let folder = TemporaryFolder()
      let bytes = TurnablePhoto.jpeg(start, isBigEndian: isBigEndian)
      let path = folder.write(bytes, to: "photos/a.jpg")
      let changed = turn([path], by: turning, in: folder)
      let new = UInt8(Orientation(number: number).followed(by: turning).number)
      #expect(files(folder) == ["a.jpg": TurnablePhoto.jpeg(new, isBigEndian: isBigEndian)])
      #expect(perform(.turnBack(changed), in: folder, 2) == .done)
      #expect(files(folder) == ["a.jpg": bytes])
    }
  }

  /// A JPEG without EXIF, one with EXIF but without the tag, and pictures in other formats.
  static let photos: [(name: String, bytes: [UInt8])] = [
    ("a.jpg", image("card.jpg")), ("b.jpg", image("card.jpg").insertingExif(thumbnail: [])),
    ("a.png", image("alpha.png")), ("turned.png", image("turned.png")),
    ("a.webp", image("card.webp")), ("alpha.webp", image("alpha.webp")),
    ("turned.webp", image("turned.webp")), ("film.webp", image("film.webp")),
    ("a.tif", image("card.tif")), ("turned.tif", image("turned.tif")),
    ("big.tif", image("big-endian.tif")),
  ]

  @Test(arguments: photos)
  func `a photo gets the orientation, and undo restores it byte for byte, after a restart too`(
    name: String, bytes: [UInt8]
  ) throws {
    for isRestarted in [false, true] {
      let folder = TemporaryFolder()
      let path = folder.write(bytes, to: "photos/\(name)")
      let before = try #require(StoredOrientation(ByteSource(bytes), name: path)?.orientation)
      let changed = turn([path], in: folder)
      #expect(changed.map(\.path) == [path] && changed.allSatisfy { !$0.isSidecar })
      let after = before.followed(by: .quarterTurn)
      #expect(orientation(folder, "photos/\(name)") == "\(after.number)")
      #expect(fileNames("\(folder.path)/photos") == [name])
      let outcome = perform(
        isRestarted ? .undoRecorded() : .turnBack(changed), in: folder, 2,
        session: isRestarted ? 2 : 1)
      #expect(
        outcome == .done
          || outcome
            == .undone(
              RecordedUndo(
                kind: .rotation, count: 1, name: Array(name.utf8), folder: folder.path("photos/")))
      )
      #expect(files(folder) == [name: bytes])
    }
  }

  // MARK: - Sidecars

  static let untaggable = [
    "card.heic", "card.avif", "card.gif", "card.bmp", "card.jxl", "card.jp2", "card.psd",
  ]

  @Test(arguments: untaggable)
  func `a format without a place for the orientation gets it in a sidecar`(name: String) {
    let folder = TemporaryFolder()
    let bytes = image(name)
    let path = folder.write(bytes, to: "photos/\(name)")
    let changed = turn([path], in: folder)
    #expect(changed.map(\.isSidecar) == [true] && changed[0].path == path + ".xmp".utf8)
    #expect(files(folder)[name] == bytes)
    #expect(orientation(folder, "photos/\(name).xmp") == "6")
    // A second turn starts from the sidecar.
    let again = turn([path], in: folder, 2)
    #expect(orientation(folder, "photos/\(name).xmp") == "3")
    #expect(perform(.turnBack(again), in: folder, 3) == .done)
    #expect(orientation(folder, "photos/\(name).xmp") == "6")
    #expect(perform(.turnBack(changed), in: folder, 4) == .done)
    #expect(files(folder) == [name: bytes])
  }

  @Test func `a raw photo gets a sidecar, whose orientation follows the file's`() {
    let folder = TemporaryFolder()
    let bytes = RawFile.nef.file(
      small: image("card.jpg"), large: image("card.jpg"), orientation: 8)
    let path = folder.write(bytes, to: "photos/a.nef")
    _ = turn([path], in: folder)
    #expect(files(folder)["a.nef"] == bytes)
    #expect(orientation(folder, "photos/a.nef.xmp") == "1")
  }

  /// Sidecars of other programs, with the orientation as an attribute, as an element, and without.
  static let sidecars: [(text: String, orientation: Int?)] = [
    (" xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='8' xmp:Rating='3'/>", 8),
    (
      " xmlns:t='http://ns.adobe.com/tiff/1.0/'>\n<t:Orientation>8</t:Orientation>"
        + "<xmp:Label>Rot</xmp:Label></rdf:Description>", 8
    ),
    (" xmp:Rating='3'><!-- été --></rdf:Description>", nil),
  ]

  private func sidecar(_ properties: String) -> [UInt8] {
    Array(
      ("<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF"
        + " xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        + "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/'" + properties
        + "</rdf:RDF></x:xmpmeta>").utf8)
  }

  @Test(arguments: sidecars)
  func `a sidecar's orientation takes precedence, and changes with the photo's own`(
    text: String, before: Int?
  ) {
    let folder = TemporaryFolder()
    let (photo, old) = (TurnablePhoto.jpeg(3), sidecar(text))
    let path = folder.write(photo, to: "photos/a.jpg")
    folder.write(old, to: "photos/a.xmp")
    let changed = turn([path], in: folder)
    let after = Orientation(number: before ?? 3).followed(by: .quarterTurn).number
    #expect(orientation(folder, "photos/a.jpg") == "\(after)")
    #expect(orientation(folder, "photos/a.xmp") == (before == nil ? "" : "\(after)"))
    #expect(changed.map(\.isSidecar) == (before == nil ? [false] : [false, true]))
    #expect(perform(.turnBack(changed), in: folder, 2) == .done)
    #expect(files(folder) == ["a.jpg": photo, "a.xmp": old])
  }

  @Test(arguments: sidecars)
  func `a sidecar that exists keeps everything else`(text: String, before: Int?) {
    let folder = TemporaryFolder()
    let old = sidecar(text)
    let path = folder.write(image("card.heic"), to: "photos/a.heic")
    folder.write(old, to: "photos/a.heic.xmp")
    let changed = turn([path], in: folder)
    let after = Orientation(number: before ?? 1).followed(by: .quarterTurn).number
    #expect(orientation(folder, "photos/a.heic.xmp") == "\(after)")
    // Without the orientation, both are the same text.
    func rest(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self)
        .replacing(" xmlns:tiff='http://ns.adobe.com/tiff/1.0/'", with: "")
        .replacing("tiff:Orientation='\(after)'", with: "tiff:Orientation='8'")
        .replacing("<t:Orientation>\(after)<", with: "<t:Orientation>8<")
        .replacing(before == nil ? " tiff:Orientation='8'" : "\0", with: "")
    }
    #expect(rest(files(folder)["a.heic.xmp"] ?? []) == rest(old))
    #expect(perform(.turnBack(changed), in: folder, 2) == .done)
    #expect(files(folder)["a.heic.xmp"] == old)
  }

  @Test func `a pair whose sidecar is shared is turned once`() {
    let folder = TemporaryFolder()
    let jpeg = folder.write(TurnablePhoto.jpeg(1), to: "photos/a.jpg")
    let raw = folder.write(
      RawFile.nef.file(
        small: image("card.jpg"), large: image("card.jpg"), orientation: 1), to: "photos/a.nef")
    folder.write(sidecar(Self.sidecars[0].text), to: "photos/a.xmp")
    let before = files(folder)
    let changed = turn([jpeg, raw], in: folder)
    #expect(orientation(folder, "photos/a.jpg") == "1")
    #expect(orientation(folder, "photos/a.xmp") == "1")
    #expect(perform(.turnBack(changed), in: folder, 2) == .done)
    #expect(files(folder) == before)
  }

  @Test func `the sidecar of a raw photo is not that of the picture which was made of it`() {
    let folder = TemporaryFolder()
    let text =
      " xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='8'"
      + " xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'"
      + " photoshop:SidecarForExtension='NEF'/>"
    let jpeg = folder.write(TurnablePhoto.jpeg(1), to: "photos/a.jpg")
    let gif = folder.write(image("card.gif"), to: "photos/a.gif")
    folder.write(sidecar(text), to: "photos/a.xmp")
    _ = turn([jpeg], in: folder)
    _ = turn([gif], in: folder, 2)
    #expect(orientation(folder, "photos/a.jpg") == "6")
    #expect(orientation(folder, "photos/a.gif.xmp") == "6")
    #expect(files(folder)["a.xmp"] == sidecar(text))
    let raw = RawFile.nef.file(small: image("card.jpg"), large: image("card.jpg"), orientation: 1)
    _ = turn([folder.write(raw, to: "photos/a.nef")], in: folder, 3)
    #expect(orientation(folder, "photos/a.xmp") == "1")
  }

  @Test func `of a live photo only the picture is turned, and a video is refused`() {
    let folder = TemporaryFolder()
    let heic = folder.write(image("card.heic"), to: "photos/a.heic")
    let film = folder.write(TestFilm.small("short.mp4"), to: "photos/a.mov")
    _ = turn([heic, film], in: folder)
    #expect(fileNames("\(folder.path)/photos") == ["a.heic", "a.heic.xmp", "a.mov"])
    #expect(
      perform(.turn([film], by: .quarterTurn), in: folder, 2)
        == .refused("videos cannot be rotated"))
  }

  // MARK: - Links

  @Test func `a symbolic link stays, and the photo that it leads to is turned`() {
    let folder = TemporaryFolder()
    let photo = folder.write(TurnablePhoto.untagged, to: "elsewhere/b.jpg")
    folder.write([], to: "photos/x")
    let link = folder.path("photos/a.jpg")
    symlink("../elsewhere/b.jpg", "\(folder.path)/photos/a.jpg")
    let changed = turn([link], in: folder)
    #expect(changed.map(\.path) == [photo])
    #expect(orientation(folder, "elsewhere/b.jpg") == "6")
    var status = stat()
    #expect(
      lstat("\(folder.path)/photos/a.jpg", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    let undone = RecordedUndo(
      kind: .rotation, count: 1, name: Array("a.jpg".utf8), folder: folder.path("photos/"))
    #expect(perform(.undoRecorded(), in: folder, session: 2) == .undone(undone))
    #expect(files(folder, "elsewhere") == ["b.jpg": TurnablePhoto.untagged])
  }

  @Test func `a photo with several names gets a sidecar and keeps them`() {
    let folder = TemporaryFolder()
    let path = folder.write(TurnablePhoto.jpeg(1), to: "photos/a.jpg")
    link("\(folder.path)/photos/a.jpg", "\(folder.path)/photos/b.jpg")
    let changed = turn([path], in: folder)
    #expect(changed.map(\.isSidecar) == [true])
    #expect(fileNames("\(folder.path)/photos") == ["a.jpg", "a.jpg.xmp", "b.jpg"])
    #expect(files(folder)["a.jpg"] == TurnablePhoto.jpeg(1))
    var status = stat()
    #expect(stat("\(folder.path)/photos/b.jpg", &status) == 0 && status.st_nlink == 2)
  }

  @Test func `links to other folders are turned in the sandbox`() throws {
    let folder = TemporaryFolder()
    for number in 0..<3 {
      folder.write(TurnablePhoto.untagged, to: "\(number)/a.jpg")
      folder.write([], to: "photos/x")
      symlink("../\(number)/a.jpg", "\(folder.path)/photos/\(number).jpg")
    }
    let sessions = FileWorkerSessions(folder: folder)
    let client = sessions.client(1)
    for number in 0..<3 {
      let task = PathTask.turn([folder.path("photos/\(number).jpg")], by: .quarterTurn)
      guard case .turned = sessions.run(task, client) else {
        Issue.record("\(number)")
        return
      }
      #expect(orientation(folder, "\(number)/a.jpg") == "6")
    }
    sessions.end(client)
  }

  // MARK: - Undoing

  @Test func `a photo that was changed since gets its orientation back, one turned again does not`()
  {
    let folder = TemporaryFolder()
    let path = folder.write(TurnablePhoto.jpeg(6), to: "photos/a.jpg")
    let changed = turn([path], in: folder)
    let longer = contents(of: "\(folder.path)/photos/a.jpg") + [0]
    folder.write(longer, to: "photos/a.jpg")
    #expect(perform(.turnBack(changed), in: folder, 2) == .done)
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
    #expect(perform(.turnBack(changed), in: folder, 2) == .done)
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
          operation: 1, journal: folder.path("state/undo/1"),
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
    #expect(perform(.trash([trashed], home: folder.path("T")), in: folder, 1) != .done)
    // Turned twice, so that the photo has the orientation of both turns.
    let changed = zip(2..., [Orientation.quarterTurn, .quarterTurn]).map { operation, turning in
      turn([path], by: turning, in: folder, UInt32(operation))
    }
    if isInOneSession {
      for (operation, files) in zip(4..., changed.reversed()) {
        #expect(perform(.turnBack(files), in: folder, UInt32(operation)) == .done)
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

  // MARK: - Bad input

  static let noPhotos: [[UInt8]] = [[], [0], Array("text".utf8), [0x1F, 0x8B, 8, 0]]

  @Test(arguments: noPhotos)
  func `a file that is no photo is refused, and gets no sidecar`(bytes: [UInt8]) {
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
      if case .turned(let changed) = outcome {
        #expect(perform(.turnBack(changed), in: folder, 2) == .done)
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
      if perform(.turnBack([file]), in: folder, 2) == .done { return }
      #expect(files(folder) == turned)
    }
  }
}
