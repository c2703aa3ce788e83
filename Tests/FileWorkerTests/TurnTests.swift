import Foundation
import Geometry
import ImageFormats
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
  func perform(
    _ change: PathTask, in folder: TemporaryFolder, _ operation: UInt32 = 1, session: Int = 1
  ) -> FileOutcome {
    var files = FileOperator()
    return files.perform(
      .init(
        batch: operation, journal: folder.path("state/undo/\(session)"), change))
  }

  /// Rotates photos, and returns the files that were changed.
  func turn(
    _ photos: [[UInt8]], by turning: Orientation = .quarterTurn, in folder: TemporaryFolder,
    _ operation: UInt32 = 1, session: Int = 1
  ) -> [FileStep] {
    let outcome = perform(.turn(photos, by: turning), in: folder, operation, session: session)
    guard case .done(let files) = outcome else {
      Issue.record("\(outcome)")
      return []
    }
    return files
  }

  /// All files in a folder below a temporary one: their contents by their names.
  func files(_ folder: TemporaryFolder, _ name: String = "photos") -> [String: [UInt8]] {
    let path = "\(folder.path)/\(name)"
    return Dictionary(
      uniqueKeysWithValues: fileNames(path).map { ($0, contents(of: "\(path)/\($0)")) })
  }

  /// What exiftool reads as the orientation of a file; empty without one.
  func orientation(_ folder: TemporaryFolder, _ name: String) -> String {
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
      #expect(perform(.turnBack(changed), in: folder, 2) == .done([]))
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
      #expect(changed.map(\.target) == [path])
      let after = before.followed(by: .quarterTurn)
      #expect(orientation(folder, "photos/\(name)") == "\(after.number)")
      #expect(fileNames("\(folder.path)/photos") == [name])
      let outcome = perform(
        isRestarted ? .undoRecorded() : .turnBack(changed), in: folder, 2,
        session: isRestarted ? 2 : 1)
      #expect(
        outcome == .done([])
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
    #expect(changed.map(\.target) == [path + ".xmp".utf8])
    #expect(files(folder)[name] == bytes)
    #expect(orientation(folder, "photos/\(name).xmp") == "6")
    // A second turn starts from the sidecar.
    let again = turn([path], in: folder, 2)
    #expect(orientation(folder, "photos/\(name).xmp") == "3")
    #expect(perform(.turnBack(again), in: folder, 3) == .done([]))
    #expect(orientation(folder, "photos/\(name).xmp") == "6")
    #expect(perform(.turnBack(changed), in: folder, 4) == .done([]))
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
    #expect(
      changed.map { Sidecar.isSidecar($0.target) } == (before == nil ? [false] : [false, true]))
    #expect(perform(.turnBack(changed), in: folder, 2) == .done([]))
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
    #expect(perform(.turnBack(changed), in: folder, 2) == .done([]))
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
    #expect(perform(.turnBack(changed), in: folder, 2) == .done([]))
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
    #expect(changed.map(\.target) == [photo])
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
    #expect(changed.map { Sidecar.isSidecar($0.target) } == [true])
    #expect(fileNames("\(folder.path)/photos") == ["a.jpg", "a.jpg.xmp", "b.jpg"])
    #expect(files(folder)["a.jpg"] == TurnablePhoto.jpeg(1))
    var status = stat()
    #expect(stat("\(folder.path)/photos/b.jpg", &status) == 0 && status.st_nlink == 2)
  }

  @Test func `a sidecar with several names stays one file`() {
    let folder = TemporaryFolder()
    let path = folder.write(image("card.gif"), to: "photos/a.gif")
    folder.write(sidecar(Self.sidecars[2].text), to: "photos/a.gif.xmp")
    link("\(folder.path)/photos/a.gif.xmp", "\(folder.path)/photos/b.xmp")
    let before = files(folder)
    #expect(
      perform(.turn([path], by: .quarterTurn), in: folder)
        == .refused("it has other names (hard links)"))
    #expect(files(folder) == before)
    var status = stat()
    #expect(stat("\(folder.path)/photos/b.xmp", &status) == 0 && status.st_nlink == 2)
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
      guard case .done = sessions.run(task, client) else {
        Issue.record("\(number)")
        return
      }
      #expect(orientation(folder, "\(number)/a.jpg") == "6")
    }
    sessions.end(client)
  }
}
