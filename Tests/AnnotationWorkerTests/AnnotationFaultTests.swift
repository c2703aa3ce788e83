import Foundation
import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing

@testable import AnnotationWorker

/// Ratings that cannot be written, because of the disk or of other programs.
@Suite struct AnnotationFaultTests {
  private let folder = RatedFolder()

  private func write(_ edit: AnnotationEdit, _ name: String) -> String? {
    AnnotationFiles.write(edit, ofPhoto: folder.path(name), isEmbedded: false).failure
  }

  private func rating(_ name: String) -> Rating {
    AnnotationFiles.rating(ofPhoto: folder.path(name))
  }

  @Test func `a sidecar of 100 MB is neither read nor touched`() {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(RatedFolder.sidecar("xmp:Rating=\"2\""), to: "a.jpg.xmp")
    let path = "\(folder.folder.path)/a.jpg.xmp"
    #expect(truncate(path, 100 << 20) == 0)
    var before = stat()
    #expect(stat(path, &before) == 0)
    #expect(rating("a.jpg") == .none)
    #expect(write(.stars(3), "a.jpg") == AnnotationFault.largeSidecar.message)
    var after = stat()
    #expect(stat(path, &after) == 0)
    #expect(after.st_ino == before.st_ino && after.st_size == 100 << 20)
    #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    #expect(folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  @Test func `while another program writes a sidecar again and again, it is whole all the time`()
    async throws
  {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let start = RatedFolder.sidecar("xmp:Rating=\"1\"")
    folder.write(start, to: "a.jpg.xmp")
    let path = "\(folder.folder.path)/a.jpg.xmp"
    let other = Task.detached {
      for number in 0..<200 {
        let text = String(decoding: start, as: UTF8.self)
          .split(separator: "one &amp; two").joined(separator: "note \(number)")
        _ = FileManager.default.createFile(atPath: path + ".new", contents: Data(text.utf8))
        rename(path + ".new", path)
      }
    }
    for number in 0..<100 {
      let failure = write(.stars(number % 6), "a.jpg")
      #expect(failure == nil || failure == AnnotationFault.contendedSidecar.message)
      let packet = XMPPacket(parsing: folder.bytes("a.jpg.xmp") ?? [])
      try #require(packet?.properties.contains { $0.path == "dc:subject[2]" } == true)
    }
    await other.value
    #expect(write(.stars(3), "a.jpg") == nil)
    let packet = try #require(XMPPacket(parsing: folder.bytes("a.jpg.xmp") ?? []))
    #expect(packet.rating == "3" && packet.properties.contains { $0.value.hasPrefix("note ") })
    #expect(folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  @Test func `of a photo that another program writes again and again, that is said`() {
    let path = folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let name = "\(folder.folder.path)/a.jpg"
    let other = Thread {
      var seconds = 1_600_000_000
      while !Thread.current.isCancelled {
        seconds += 1
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        utimensat(AT_FDCWD, name, [time, time], 0)
      }
    }
    other.start()
    defer { other.cancel() }

    // Until the other thread has had its turn in each attempt.
    var failure: String?
    for number in 0..<1000 where failure == nil {
      failure = AnnotationFiles.write(.stars(number % 6), ofPhoto: path, isEmbedded: true).failure
    }

    #expect(failure == "another program is writing to the photo")
  }

  @Test func `a sidecar with several names stays one file`() throws {
    let photo = RatedFolder.picture("card.jpg")
    folder.write(photo, to: "a.jpg")
    let old = RatedFolder.sidecar("xmp:Rating=\"2\"")
    folder.write(old, to: "a.jpg.xmp")
    #expect(link("\(folder.folder.path)/a.jpg.xmp", "\(folder.folder.path)/b.xmp") == 0)
    for isEmbedded in [false, true] {
      let result = AnnotationFiles.write(
        .stars(4), ofPhoto: folder.path("a.jpg"), isEmbedded: isEmbedded)
      #expect(result.failure == "its sidecar has several names (hard links)")
    }
    #expect(folder.names == ["a.jpg", "a.jpg.xmp", "b.xmp"] && folder.bytes("a.jpg") == photo)
    #expect(folder.bytes("a.jpg.xmp") == old && folder.bytes("b.xmp") == old)
    // The rest goes on.
    folder.write(photo, to: "c.jpg")
    #expect(write(.stars(4), "c.jpg") == nil)
  }

  @Test func `a photo that is larger than the process may write gets a sidecar at once`() throws {
    let photo = RatedFolder.picture("card.jpg")
    folder.write(photo, to: "a.jpg")
    let path = "\(folder.folder.path)/a.jpg"
    // It has no blocks, of which a copy would have many.
    #expect(truncate(path, 600 << 20) == 0)
    let result = try #require(
      RatedProcess(in: folder).rate("a.jpg", .stars(4), isEmbedded: true))
    #expect(result.failure == nil)
    #expect(result.sidecarReason == "the photo is too large to be replaced")
    #expect(folder.names == ["a.jpg", "a.jpg.xmp"] && rating("a.jpg").stars == 4)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == 600 << 20)
    #expect(status.st_blocks * 512 < 1 << 20)
  }

  @Test(arguments: ["linkat", "renameat", "renameat2"])
  func `a rename that fails as between disks leaves the old files`(call: String) throws {
    let (photo, sidecar) = (
      RatedFolder.picture("card.jpg"), RatedFolder.sidecar("xmp:Rating=\"2\"")
    )
    for name in ["a.jpg", "b.jpg", "c.jpg"] { folder.write(photo, to: name) }
    folder.write(sidecar, to: "c.jpg.xmp")
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let process = RatedProcess("\(programs)/without-call", "\(call):EXDEV", in: folder)
    // A file without a name is linked first, for which there is another way; a new file is renamed by
    // a call of its own.
    let failing = ["renameat": ["a.jpg", "c.jpg"], "renameat2": ["b.jpg"]][call] ?? []
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
      let result = try #require(process.rate(name, .stars(4), isEmbedded: name == "a.jpg"))
      let isFailing = failing.contains(name)
      #expect(result.failure == (isFailing ? "Invalid cross-device link" : nil), "\(name)")
      #expect(rating(name).stars == (!isFailing ? 4 : name == "c.jpg" ? 2 : 0), "\(name)")
    }
    #expect(!failing.contains("a.jpg") || folder.bytes("a.jpg") == photo)
    #expect(!failing.contains("c.jpg") || folder.bytes("c.jpg.xmp") == sidecar)
    #expect(!folder.names.contains { $0.hasPrefix(".photogrid") })
  }

  @Test func `on a full disk the old sidecar stays`() throws {
    guard let disk = SmallDisk(in: folder) else { return }
    folder.write(RatedFolder.picture("card.jpg"), to: "disk/a.jpg")
    folder.write(RatedFolder.picture("card.jpg"), to: "disk/b.jpg")
    let old = RatedFolder.sidecar("xmp:Rating=\"2\"")
    folder.write(old, to: "disk/a.jpg.xmp")
    disk.fill(leaving: 0)
    #expect(write(.stars(4), "disk/a.jpg") == "the disk is full")
    #expect(write(.stars(4), "disk/b.jpg") == "the disk is full")
    #expect(folder.bytes("disk/a.jpg.xmp") == old)
    #expect(folder.names(in: "disk") == ["a.jpg", "a.jpg.xmp", "b.jpg", "fill"])
  }

  @Test(arguments: [false, true])
  func `wherever a disk becomes full, the old files stay or the new ones are whole`(
    isEmbedded: Bool
  ) throws {
    // Ordinary users may not mount file systems.
    guard let disk = SmallDisk(in: folder) else { return }
    let photo = RatedFolder.picture("card.jpg")
    let sidecar = RatedFolder.sidecar("xmp:Rating=\"2\"")
    folder.write(photo, to: "disk/a.jpg")
    if !isEmbedded { folder.write(sidecar, to: "disk/a.jpg.xmp") }
    let names = folder.names(in: "disk")
    var failures = 0
    for pages in 0... {
      disk.fill(leaving: pages)
      let result = AnnotationFiles.write(
        .stars(4), ofPhoto: folder.path("disk/a.jpg"), isEmbedded: isEmbedded)
      #expect(folder.names(in: "disk").filter { $0 != "fill" } == names)
      guard result.failure != nil else { break }
      failures += 1
      #expect(result.failure == "the disk is full")
      #expect(folder.bytes("disk/a.jpg") == photo)
      #expect(isEmbedded || folder.bytes("disk/a.jpg.xmp") == sidecar)
    }
    #expect(failures > 0 && rating("disk/a.jpg").stars == 4)
  }

  @Test func `on a disk that has become read-only, that is said`() throws {
    // Ordinary users may not mount file systems.
    guard let disk = SmallDisk(in: folder) else { return }
    folder.write(RatedFolder.picture("card.jpg"), to: "disk/a.jpg")
    disk.makeReadOnly()
    for isEmbedded in [false, true] {
      let result = AnnotationFiles.write(
        .stars(4), ofPhoto: folder.path("disk/a.jpg"), isEmbedded: isEmbedded)
      #expect(result.failure == "the disk is read-only")
    }
    #expect(folder.names(in: "disk") == ["a.jpg"])
  }
}
