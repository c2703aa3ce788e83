import Foundation
import Geometry
import ImageFormats
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import FolderWorker

/// What headers say about photos, file by file.
@Suite struct HeaderFactReaderTests {
  private let folder = TemporaryFolder()

  /// What files in a folder say, whose path ends with a slash.
  private func read(_ names: [String], in path: String) -> InfoBlock {
    var reader = HeaderFactReader()
    reader.enter(Array(path.utf8))
    for name in names { reader.add(Array(name.utf8)[...]) }
    return reader.drain()
  }

  private func read(_ names: String...) -> InfoBlock {
    read(names, in: folder.path + "/")
  }

  /// Sets the time of a file's last change.
  private func age(_ name: String, to seconds: Double = 1_600_000_000.25) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)],
      ofItemAtPath: "\(folder.path)/\(name)")
  }

  @Test func `an orientation in a sidecar takes the place of the photo's own`() {
    folder.write(image("card.jpg").insertingExif(thumbnail: [], orientation: 3), to: "a.jpg")
    #expect(read("a.jpg").rows[0].orientation == 3)
    folder.write(SidecarOrientation.document(.quarterTurn), to: "a.xmp")
    let facts = read("a.jpg").rows[0]
    #expect(facts.orientation == 6 && facts.width == 32 && facts.height == 64)
    let text = String(decoding: SidecarOrientation.document(.quarterTurn), as: UTF8.self)
      .replacing(
        " tiff:",
        with: " xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\""
          + " photoshop:SidecarForExtension=\"CR2\" tiff:")
    folder.write(Array(text.utf8), to: "a.xmp")
    #expect(read("a.jpg").rows[0].orientation == 3)
  }

  @Test func `a JPEG is described, with what identifies its state`() throws {
    let bytes = image("card.jpg")
    folder.write(bytes, to: "a.jpg")
    try age("a.jpg")
    symlink("a.jpg", "\(folder.path)/link.jpg")

    let facts = read("a.jpg", "link.jpg")

    var status = stat()
    #expect(stat("\(folder.path)/a.jpg", &status) == 0)
    for place in 0..<2 {
      let info = try #require(facts.info(at: place))
      #expect(info.size == PixelSize(width: 64, height: 32) && info.format == .jpeg)
      #expect(info.stamp == FileStamp(status) && info.stamp.isSettled)
      #expect(info.stamp.byteCount == bytes.count)
      #expect(info.stamp.modified == 1_600_000_000_250_000_000)
    }
  }

  @Test func `a change under the same size and time is recognized`() throws {
    for (number, name) in ["a.jpg", "b.jpg"].enumerated() {
      let exif = OddHeader.exif(orientation: number == 0 ? 6 : 1)
      folder.write(image("card.jpg").inserting(exif), to: name)
      try age(name)
    }
    let before = read("a.jpg", "b.jpg")
    // Two files swap their names.
    for (old, new) in [("a.jpg", "c.jpg"), ("b.jpg", "a.jpg"), ("c.jpg", "b.jpg")] {
      rename("\(folder.path)/\(old)", "\(folder.path)/\(new)")
    }
    let swapped = read("a.jpg", "b.jpg")
    for place in 0..<2 {
      let (old, new) = (before.info(at: place), swapped.info(at: place))
      #expect(old?.orientation == swapped.info(at: 1 - place)?.orientation)
      #expect(old?.stamp.byteCount == new?.stamp.byteCount)
      #expect(old?.stamp.modified == new?.stamp.modified && old?.stamp != new?.stamp)
    }
    // A file is written in place, and its time is set back.
    let file = try #require(fopen("\(folder.path)/a.jpg", "r+"))
    fputs("\u{7f}", file)
    fseek(file, 0, SEEK_SET)
    fwrite([0xff] as [UInt8], 1, 1, file)
    fclose(file)
    try age("a.jpg")
    let written = read("a.jpg")
    #expect(written.info(at: 0)?.stamp != swapped.info(at: 0)?.stamp)
    #expect(written.info(at: 0)?.stamp.modified == swapped.info(at: 0)?.stamp.modified)
  }

  @Test(arguments: ["a.jpg.xmp", "a.xmp", "a.jpg.XMP", "a.XMP"])
  func `a sidecar in upper case is found`(name: String) throws {
    folder.write(image("card.jpg"), to: "a.jpg")
    try age("a.jpg")
    #expect(read("a.jpg").info(at: 0)?.metadata?.words == nil)
    let sidecar = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>Rome</rdf:li></rdf:Bag>
      </dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    folder.write(Array(sidecar.utf8), to: name)
    try age(name)
    #expect(read("a.jpg").info(at: 0)?.metadata?.words?.keywords == ["Rome"])
  }

  @Test func `a motion photo holds its film`() throws {
    let film = TestFilm.small("short.mp4")
    folder.write(MotionPhoto.google(image("card.jpg"), film), to: "a.jpg")
    folder.write(MotionPhoto.samsung(image("card.jpg"), film), to: "b.jpg")
    folder.write(image("card.jpg") + film, to: "c.jpg")
    let facts = read("a.jpg", "b.jpg", "c.jpg")
    #expect((0..<3).map { facts.info(at: $0)?.holdsFilm } == [true, true, false])
  }

  @Test func `a sidecar adds words and a date, and a change of it is recognized`() throws {
    folder.write(image("card.jpg"), to: "a.jpg")
    folder.write(image("card.jpg"), to: "b.jpg")
    func write(_ keyword: String, to name: String) {
      let sidecar = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmp:CreateDate="2017-03-04T05:06:07"><dc:subject><rdf:Bag><rdf:li>\(keyword)</rdf:li>
        </rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
        """
      folder.write(Array(sidecar.utf8), to: name)
    }
    for name in ["a.jpg", "b.jpg"] { try age(name) }
    let before = read("a.jpg", "b.jpg")
    write("one", to: "a.xmp")
    write("two", to: "b.jpg.xmp")
    write("hidden", to: "b.xmp")
    for name in ["a.xmp", "b.jpg.xmp"] { try age(name) }
    let facts = read("a.jpg", "b.jpg")
    for (place, keyword) in ["one", "two"].enumerated() {
      let info = try #require(facts.info(at: place))
      #expect(info.metadata?.words?.keywords == [keyword])
      #expect(info.taken?.record == "2017-03-04T05:06:07 sidecar")
      #expect(info.stamp != before.info(at: place)?.stamp && info.stamp.isSettled)
      #expect(before.info(at: place)?.metadata?.words == nil)
    }
    try age("a.xmp", to: 1_600_000_009)
    #expect(read("a.jpg").info(at: 0)?.stamp != facts.info(at: 0)?.stamp)
  }

  @Test func `the state of a file that has just changed cannot be identified`() throws {
    folder.write(image("card.jpg"), to: "new.jpg")
    // As if it changed at this moment, however late it is read.
    try age("new.jpg", to: Date().timeIntervalSince1970 + 1)
    let facts = read("new.jpg")
    #expect(facts.info(at: 0)?.stamp.isSettled == false)
  }

  @Test func `what needs a decoder, and what is no photo, stays unknown`() throws {
    let photo = image("card.jpg")
    folder.write(image("texture.png"), to: "other format.jpg")
    folder.write(image("swapped.png"), to: "a.png")
    folder.write(photo.prefix(photo.count / 8).map { $0 }, to: "cut.jpg")
    folder.write([], to: "empty.jpg")
    folder.write(Array("text".utf8), to: "text.jpg")
    folder.write(profiled(photo), to: "profile.jpg")
    mkdir("\(folder.path)/folder.jpg", 0o755)
    mkfifo("\(folder.path)/pipe.jpg", 0o644)
    symlink("nowhere", "\(folder.path)/broken.jpg")
    symlink("/dev/zero", "\(folder.path)/device.jpg")
    let names = [
      "other format.jpg", "a.png", "cut.jpg", "empty.jpg", "text.jpg", "profile.jpg", "folder.jpg",
      "pipe.jpg", "broken.jpg", "device.jpg", "missing.jpg",
    ]

    let facts = read(names, in: folder.path + "/")

    #expect(facts.rows.count == names.count && facts.knownCount == 0)
  }

  /// A JPEG with a segment that holds a whole profile.
  private func profiled(_ photo: [UInt8]) -> [UInt8] {
    let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 200)
    let segment = [0xff, 0xe2, 0, UInt8(profile.count + 2)] + profile
    return Array(photo[..<2] + segment + photo[2...])
  }

  @Test func `a JPEG cut or changed anywhere in its header is read as far as it goes, or not`() {
    let photo = image("card.jpg")
    var generator = SeededGenerator(seed: 7)
    for round in 0..<400 {
      var bytes = photo
      if round % 2 == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
      } else {
        for _ in 0..<4 {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
      }
      folder.write(bytes, to: "a.jpg")
      if let info = read("a.jpg").info(at: 0) {
        #expect(info.size.width >= 1 && info.size.height >= 1 && (1...8).contains(info.orientation))
      }
    }
  }

  @Test func `photos of a folder that cannot be entered, or is none, stay unknown`() {
    folder.write(image("card.jpg"), to: "a.jpg")
    #expect(read(["a.jpg"], in: folder.path + "/none/").knownCount == 0)
    #expect(read(["b.jpg"], in: folder.path + "/a.jpg/").knownCount == 0)
    // After a folder that cannot be opened, the next one is.
    var reader = HeaderFactReader()
    reader.enter(folder.path("none/"))
    reader.enter(Array("\(folder.path)/".utf8))
    reader.add(Array("a.jpg".utf8)[...])
    #expect(reader.drain().knownCount == 1)
  }
}

/// Metadata of the tests.
private enum OddHeader {
  /// The segment of a JPEG that has an orientation.
  static func exif(orientation: Int) -> [UInt8] {
    let directory = TIFFBuilder.Directory([(0x112, 3, .numbers([orientation]))])
    return segment(0xe1, Array("Exif\0\0".utf8) + TIFFBuilder().file(directory))
  }
}
