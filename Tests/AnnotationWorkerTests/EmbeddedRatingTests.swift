import CLinux
import Foundation
import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

@testable import AnnotationWorker

/// What a rating in a photo leaves of the rest of it, and photos that get sidecars instead.
@Suite struct EmbeddedRatingTests {
  private let folder = RatedFolder()

  private func write(_ edit: AnnotationEdit, _ name: String = "a.jpg") -> AnnotationFiles.Outcome {
    AnnotationFiles.write(edit, ofPhoto: folder.path(name), isEmbedded: true)
  }

  private func keywords(_ text: String) throws -> AnnotationEdit {
    .keywords(try #require(KeywordEdit(parsing: text)))
  }

  private func rating(_ name: String = "a.jpg") -> Rating {
    AnnotationFiles.rating(ofPhoto: folder.path(name))
  }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    try #require(lstat("\(folder.folder.path)/\(name)", &status) == 0)
    return status
  }

  // MARK: - The rest of the photo

  /// A JPEG with texts in encodings of old programs, in EXIF and IPTC.
  private func writeOldTexts(to name: String) {
    folder.write(RatedFolder.picture("card.jpg"), to: name)
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-charset", "exif=Latin", "-charset", "iptc=Latin",
      "-EXIF:Artist=Köhler", "-EXIF:ImageDescription=Über",
      "-EXIF:DateTimeOriginal=2020:01:02 08:09:00",
      "-IPTC:Keywords=Größe", "-IPTC:City=Köln", "-IPTC:Caption-Abstract=Süß",
      "-IPTC:ObjectName=Öl", name)
  }

  @Test func `a first rating inserts a packet, and changes no other byte`() throws {
    writeOldTexts(to: "a.jpg")
    let old = try #require(folder.bytes("a.jpg"))
    let before = folder.output(
      of: "exiftool", "-a", "-G1", "-s", "-b", "-EXIF:all", "-IPTC:all", "a.jpg")
    #expect(write(.stars(4)).sidecarReason == nil)
    let new = try #require(folder.bytes("a.jpg"))
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    #expect(start + end >= old.count && new.count > old.count)
    #expect(rating().stars == 4 && folder.names == ["a.jpg"])
    let after = folder.output(
      of: "exiftool", "-a", "-G1", "-s", "-b", "-EXIF:all", "-IPTC:all", "a.jpg")
    #expect(after == before && !before.isEmpty)
  }

  @Test func `another rating moves nothing, and its undo leaves every byte`() throws {
    writeOldTexts(to: "a.jpg")
    let first = folder.bytes("a.jpg")
    let rated = write(.stars(4))
    let second = try #require(folder.bytes("a.jpg"))
    let again = write(.stars(2))
    let third = try #require(folder.bytes("a.jpg"))
    #expect(third.count == second.count)
    #expect(zip(second, third).count { $0 != $1 } == 1, "the digit")
    for (result, bytes) in [(again, second), (rated, first)] {
      _ = AnnotationFiles.write(
        .stars(0), ofPhoto: folder.path("a.jpg"), isEmbedded: true, undoing: result.reversals)
      #expect(folder.bytes("a.jpg") == bytes)
    }
  }

  @Test func `a label is added to a packet of exiftool, whose other properties stay`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-XMP-dc:Title=Öl", "-XMP-dc:Subject=one",
      "-XMP-photoshop:City=Köln", "a.jpg")
    func properties() -> String {
      folder.output(of: "exiftool", "-a", "-G1", "-s", "-XMP:all", "--Label", "a.jpg")
    }
    let before = properties()
    #expect(write(.label(.red)).sidecarReason == nil)
    #expect(properties() == before && before.contains("Köln"))
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-xmp:Label", "a.jpg") == "Red")
  }

  @Test func `the first list of keywords has all of the IPTC`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let words = (0..<2500).map { "word \($0)" }
    folder.write(
      Array(words.map { "-IPTC:Keywords=\($0)" }.joined(separator: "\n").utf8), to: "arguments")
    _ = folder.output(of: "exiftool", "-overwrite_original", "-@", "arguments", "a.jpg")
    #expect(EmbeddedXMP.keywords(ofPhoto: folder.path("a.jpg")) == words)
    folder.write(try #require(folder.bytes("a.jpg")), to: "b.jpg")
    // They do not fit into a segment of XMP.
    #expect(write(try keywords("+new"), "a.jpg").sidecarReason == "the photo has no room for it")
    let result = AnnotationFiles.write(
      try keywords("+new"), ofPhoto: folder.path("b.jpg"), isEmbedded: false)
    #expect(result.failure == nil)
    for name in ["a.jpg.xmp", "b.jpg.xmp"] {
      #expect(XMPPacket(parsing: folder.bytes(name) ?? [])?.keywords == words + ["new"])
    }
  }

  @Test func `attributes and times of a photo stay, of a link too`() throws {
    let path = "\(folder.folder.path)/a.jpg"
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    symlink("a.jpg", "\(folder.folder.path)/b.jpg")
    #expect(setxattr(path, "user.xdg.tags", "rome", 4, 0) == 0)
    let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 5)
    utimensat(AT_FDCWD, path, [time, time], 0)
    #expect(write(.stars(4), "b.jpg").failure == nil)
    #expect(try status("b.jpg").st_mode & S_IFMT == S_IFLNK && rating("a.jpg").stars == 4)
    #expect(try status("a.jpg").st_mtim.tv_sec == time.tv_sec)
    #expect(getxattr(path, "user.xdg.tags", nil, 0) == 4 && folder.names == ["a.jpg", "b.jpg"])
  }

  // MARK: - Sidecars instead

  @Test func `a photo with several names stays one file`() throws {
    let photo = RatedFolder.picture("card.jpg")
    folder.write(photo, to: "a.jpg")
    #expect(link("\(folder.folder.path)/a.jpg", "\(folder.folder.path)/b.jpg") == 0)
    let result = write(.stars(4))
    #expect(result.failure == nil)
    #expect(result.sidecarReason == "the photo has several names (hard links)")
    #expect(folder.names == ["a.jpg", "a.jpg.xmp", "b.jpg"] && folder.bytes("b.jpg") == photo)
    #expect(try status("a.jpg").st_ino == status("b.jpg").st_ino && rating().stars == 4)
  }

  @Test func `another user's photo stays theirs`() throws {
    // Only the superuser can give files away, and then has to be without that right to be tested.
    guard geteuid() == 0 else { return }
    let photo = RatedFolder.picture("card.jpg")
    folder.write(photo, to: "a.jpg")
    #expect(chown("\(folder.folder.path)/a.jpg", 1234, 1234) == 0)
    let process = RatedProcess("/usr/bin/setpriv", "--bounding-set=-chown", in: folder)
    let result = try #require(process.rate("a.jpg", .stars(4), isEmbedded: true))
    #expect(result.failure == nil)
    #expect(result.sidecarReason == "the photo belongs to another user")
    #expect(try status("a.jpg").st_uid == 1234 && folder.bytes("a.jpg") == photo)
    #expect(folder.names == ["a.jpg", "a.jpg.xmp"] && rating().stars == 4)
  }

  @Test func `photos that are damaged or of other formats get sidecars`() {
    let cut = Array(RatedFolder.picture("card.jpg").prefix(100))
    folder.write(cut, to: "a.jpg")
    #expect(write(.stars(4)).sidecarReason == "the photo is damaged")
    #expect(folder.bytes("a.jpg") == cut && rating().stars == 4)
    folder.write(RatedFolder.picture("card.heic"), to: "b.heic")
    #expect(write(.stars(4), "b.heic").sidecarReason == "photos of its format are not changed")
    #expect(rating("b.heic").stars == 4)
    // Its sidecar exists from then on, and that is not said again.
    #expect(write(.stars(3), "b.heic").sidecarReason == nil)
  }

  @Test func `a property in extended XMP is not contradicted`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let text = String(repeating: "long text ", count: 9000)
    folder.write(Array("-XMP-dc:Description=\(text)".utf8), to: "arguments")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-@", "arguments", "-XMP-dc:Subject=one", "a.jpg")
    let printed = folder.output(of: "exiftool", "-s3", "-XMP-dc:Description", "a.jpg")
    #expect(printed.count > 80_000)
    #expect(write(.stars(4)).failure == nil)
    #expect(rating().stars == 4)
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-dc:Description", "a.jpg") == printed)
    #expect(EmbeddedXMP.keywords(ofPhoto: folder.path("a.jpg")) == ["one"])
    let result = write(try keywords("+two"))
    #expect(result.failure == nil)
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-dc:Description", "a.jpg") == printed)
  }

  // MARK: - Several sessions

  @Test(arguments: [false, true])
  func `sessions that add keywords at the same time lose none`(isEmbedded: Bool) async throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let path = folder.path("a.jpg")
    await withTaskGroup(of: Void.self) { group in
      for session in 0..<4 {
        group.addTask {
          for turn in 0..<20 {
            let edit = KeywordEdit(adding: ["word \(session) \(turn)"])
            let result = edit.map {
              AnnotationFiles.write(.keywords($0), ofPhoto: path, isEmbedded: isEmbedded)
            }
            if let result { #expect(result.failure == nil) }
          }
        }
      }
    }
    let found = RatedFolder.keywords(of: path)
    let all = (0..<4).flatMap { session in (0..<20).map { "word \(session) \($0)" } }
    #expect(Set(found) == Set(all) && found.count == all.count)
    #expect(folder.names == (isEmbedded ? ["a.jpg"] : ["a.jpg", "a.jpg.xmp"]))
  }

  // MARK: - Disks

  @Test(arguments: [
    "flock", "linkat", "fchown", "fchmod", "fsetxattr", "utimensat", "copy_file_range",
  ])
  func `what a disk lacks is no reason to refuse a rating`(call: String) throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(RatedFolder.picture("card.jpg"), to: "b.jpg")
    folder.write(RatedFolder.sidecar("xmp:Rating=\"1\""), to: "c.jpg.xmp")
    folder.write(RatedFolder.picture("card.jpg"), to: "c.jpg")
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let process = RatedProcess("\(programs)/without-call", call, in: folder)
    let embedded = try #require(process.rate("a.jpg", .stars(5), isEmbedded: true))
    #expect(embedded.failure == nil && embedded.sidecarReason == nil)
    for name in ["b.jpg", "c.jpg"] {
      let result = try #require(process.rate(name, .stars(5), isEmbedded: false))
      #expect(result.failure == nil)
    }
    for name in ["a.jpg", "b.jpg", "c.jpg"] { #expect(rating(name).stars == 5) }
    #expect(folder.names == ["a.jpg", "b.jpg", "b.jpg.xmp", "c.jpg", "c.jpg.xmp"])
    #expect(try status("a.jpg").st_mode & 0o077 == (call == "fchmod" ? 0 : 0o044))
  }

  // MARK: - Stamps

  @Test(arguments: [false, true])
  func `the stamp of a written rating is that of the new files`(isEmbedded: Bool) throws {
    let path = folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let request = AnnotationProtocol.Request(path: path, edit: .stars(4), isEmbedded: isEmbedded)
    let old = RatingStamp.of(photo: path)
    let response = AnnotationWorkerLoop.response(to: request)
    #expect(response.failure == nil && response.stamp != old)
    #expect(response.stamp == RatingStamp.of(photo: path))
    var other = request
    other.edit = .stars(3)
    other.reversals = response.reversals
    #expect(AnnotationWorkerLoop.response(to: other).stamp == RatingStamp.of(photo: path))
  }

  @Test func `a change of another program makes the stamp of a rating outdated`() throws {
    let path = folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let before = RatedFiles(ofPhoto: path)
    let written = try replaceSidecar(by: RatedFolder.sidecar("xmp:Rating=\"4\""))
    #expect(RatedFiles(ofPhoto: path).isChanged(from: before, onlyTo: [written]))
    #expect(!RatedFiles(ofPhoto: path).isChanged(from: before, onlyTo: []))
    folder.write(RatedFolder.sidecar("xmp:Rating=\"5\""), to: "a.jpg.xmp")
    #expect(!RatedFiles(ofPhoto: path).isChanged(from: before, onlyTo: [written]))
    try FileManager.default.removeItem(atPath: "\(folder.folder.path)/a.jpg.xmp")
    #expect(RatedFiles(ofPhoto: path).isChanged(from: before, onlyTo: [nil]))
  }

  /// Replaces the sidecar, which is closed then, and returns its new state.
  private func replaceSidecar(by bytes: [UInt8]) throws -> stat? {
    var file = try LockedFile(folder.path("a.jpg.xmp"))
    try file.replace(by: bytes, .text(mode: 0o600))
    return file.status
  }
}
