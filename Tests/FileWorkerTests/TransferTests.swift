import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import FileWorker

/// Moving and copying files into folders, with their sidecars, and back.
@Suite struct TransferTests {
  @Test(arguments: TransferDisk.Place.allCases)
  func `a photo moves with its sidecars, and back`(place: TransferDisk.Place) throws {
    let disk = try TransferDisk()
    let photo = disk.folder.write(Array("photo".utf8), to: "photos/sea.jpg", mode: 0o640)
    disk.folder.write(Array("one".utf8), to: "photos/sea.jpg.xmp")
    disk.folder.write(Array("two".utf8), to: "photos/sea.xmp")
    utimes(
      "\(disk.folder.path)/photos/sea.jpg",
      [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)])
    let photos = "\(disk.folder.path)/photos"
    let before = disk.state(photos)
    let target = try disk.target(place)

    let moved = ["sea.jpg", "sea.jpg.xmp", "sea.xmp"].map {
      FileStep(from: disk.folder.path("photos/\($0)"), to: Array("\(target)/\($0)".utf8))
    }
    #expect(disk.perform(.move([photo], into: destination(target))) == .done(moved))
    #expect(disk.state(target) == before)
    #expect(fileNames(photos) == [])

    let back = moved.map(\.reversed)
    #expect(disk.perform(.rename(back, isUndo: true)) == .done(back))
    #expect(disk.state(photos) == before)
    #expect(!FileManager.default.fileExists(atPath: target), "the folder that was made is gone")
  }

  @Test(arguments: TransferDisk.Place.allCases)
  func
    `a copy has the contents, times and permissions, and is removed if it is still like its original`(
      place: TransferDisk.Place
    ) throws
  {
    let disk = try TransferDisk()
    let photo = disk.folder.write(Array("photo".utf8), to: "photos/sea.jpg", mode: 0o640)
    disk.folder.write(Array("one".utf8), to: "photos/sea.jpg.xmp")
    let photos = "\(disk.folder.path)/photos"
    let before = disk.state(photos)
    let target = try disk.target(place)
    let copies = ["sea.jpg", "sea.jpg.xmp"].map {
      FileStep(from: disk.folder.path("photos/\($0)"), to: Array("\(target)/\($0)".utf8))
    }

    #expect(disk.perform(.copy([photo], into: destination(target))) == .done(copies))
    #expect(disk.state(target) == before && disk.state(photos) == before)

    let changed = try #require(fopen("\(target)/sea.jpg", "a"))
    fputs("!", changed)
    fclose(changed)
    #expect(
      disk.perform(.removeCopies(copies)) == .refused("it now differs from its original"))
    #expect(fileNames(target) == ["sea.jpg", "sea.jpg.xmp"])
    truncate("\(target)/sea.jpg", 5)
    #expect(disk.perform(.removeCopies(copies)) == .done([]))
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(disk.state(photos) == before)
  }

  @Test(arguments: TransferDisk.Place.allCases)
  func `names that are taken get a number, together with their sidecars`(place: TransferDisk.Place)
    throws
  {
    let disk = try TransferDisk()
    let target = try disk.target(place)
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    for name in ["sea.jpg", "sea-2.jpg.xmp"] {
      _ = FileManager.default.createFile(atPath: "\(target)/\(name)", contents: Data("old".utf8))
    }
    let photo = disk.folder.write(Array("new".utf8), to: "photos/sea.jpg")
    disk.folder.write(Array("x".utf8), to: "photos/sea.jpg.xmp")

    func moved(_ name: String) -> FileOutcome {
      .done([
        FileStep(from: photo, to: Array("\(target)/\(name)".utf8)),
        FileStep(from: photo + ".xmp".utf8, to: Array("\(target)/\(name).xmp".utf8)),
      ])
    }
    #expect(disk.perform(.copy([photo], into: destination(target))) == moved("sea-1.jpg"))
    #expect(disk.perform(.move([photo], into: destination(target))) == moved("sea-3.jpg"))

    #expect(contents(of: "\(target)/sea.jpg") == Array("old".utf8))
    #expect(
      fileNames(target) == [
        "sea-1.jpg", "sea-1.jpg.xmp", "sea-2.jpg.xmp", "sea-3.jpg", "sea-3.jpg.xmp", "sea.jpg",
      ])
  }

  @Test func `a sidecar of two photos stays with the one that stays, and follows both`() throws {
    let disk = try TransferDisk()
    let photos = "\(disk.folder.path)/photos"
    let (jpeg, raw) = (
      disk.folder.write([1], to: "photos/a.jpg"), disk.folder.write([2], to: "photos/a.dng")
    )
    disk.folder.write([3], to: "photos/a.xmp")
    let target = "\(disk.folder.path)/target"
    _ = disk.perform(.move([jpeg], into: destination(target)))
    #expect(fileNames(photos) == ["a.dng", "a.xmp"])
    _ = disk.perform(
      .rename([FileStep(from: Array("\(target)/a.jpg".utf8), to: jpeg)], isUndo: true))
    _ = disk.perform(.move([jpeg, raw], into: destination(target)))
    #expect(fileNames(photos) == [] && fileNames(target) == ["a.dng", "a.jpg", "a.xmp"])
  }

  @Test func `files that belong together move together or not at all`() throws {
    let disk = try TransferDisk()
    let photo = disk.folder.write([1], to: "photos/a.jpg")
    disk.folder.write([2], to: "photos/a.jpg.xmp")
    disk.folder.write([3], to: "photos/b.jpg.xmp")
    let renamed = FileStep(from: photo, to: disk.folder.path("photos/b.jpg"))
    #expect(
      disk.perform(.rename([renamed], isUndo: false))
        == .refused("a file with that name exists (b.jpg.xmp)"))
    #expect(fileNames("\(disk.folder.path)/photos") == ["a.jpg", "a.jpg.xmp", "b.jpg.xmp"])

    let missing = disk.folder.path("photos/missing.jpg")
    #expect(
      disk.perform(.trash([photo, missing], home: disk.folder.path("Trash")))
        == .refused("no such file or folder"))
    #expect(fileNames("\(disk.folder.path)/photos") == ["a.jpg", "a.jpg.xmp", "b.jpg.xmp"])
    #expect(fileNames("\(disk.folder.path)/Trash/info") == [])
  }

  @Test func `files exchange their names in any cycle, and get them back`() throws {
    let disk = try TransferDisk()
    let letters = ["a", "b", "c", "d", "e"]
    for letter in letters {
      disk.folder.write(Array(letter.utf8), to: "photos/\(letter).jpg")
      disk.folder.write(Array("\(letter) xmp".utf8), to: "photos/\(letter).jpg.xmp")
    }
    let photos = "\(disk.folder.path)/photos"
    let before = disk.state(photos)
    // a and b exchange their names; c, d, e move on by one, e to a new name.
    let targets = ["b", "a", "d", "e", "f"]
    let files = zip(letters, targets).map {
      FileStep(
        from: disk.folder.path("photos/\($0).jpg"), to: disk.folder.path("photos/\($1).jpg"))
    }
    guard case .done(let all) = disk.perform(.rename(files, isUndo: false)) else {
      Issue.record("nothing is renamed")
      return
    }
    #expect(Array(all.prefix(5)) == files && all.count == 10)
    for (letter, target) in zip(letters, targets) {
      #expect(contents(of: "\(photos)/\(target).jpg") == Array(letter.utf8))
      #expect(contents(of: "\(photos)/\(target).jpg.xmp") == Array("\(letter) xmp".utf8))
    }
    #expect(fileNames(photos).count == 10)
    guard case .undone(let undone) = disk.perform(.undoRecorded()) else {
      Issue.record("nothing is undone")
      return
    }
    #expect(undone.count == 5 && undone.failureCount == 0)
    #expect(disk.state(photos) == before)
  }

  @Test func `an exchange of names is undone by the next session after a file was on another disk`()
    throws
  {
    let disk = try TransferDisk()
    let other = try #require(disk.other, "/dev/shm and /tmp are one disk here")
    let photos = "\(disk.folder.path)/photos"
    let (a, b) = (
      disk.folder.write(Array("a".utf8), to: "photos/a.jpg"),
      disk.folder.write(Array("b".utf8), to: "photos/b.jpg")
    )
    let before = disk.state(photos)
    let exchange = [FileStep(from: a, to: b), FileStep(from: b, to: a)]
    #expect(disk.perform(.rename(exchange, isUndo: false)) == .done(exchange))
    let there = Array("\(other.path)/a.jpg".utf8)
    let away = FileDestination(folder: Array(other.path.utf8), isCreated: false)
    #expect(disk.perform(.move([a], into: away)) == .done([FileStep(from: a, to: there)]))
    // Another file takes the number of the one that left, so that its copy gets a new one.
    disk.folder.write(Array("c".utf8), to: "c.jpg")

    disk.files = FileOperator()
    for _ in 0..<2 {
      guard case .undone(let undone) = disk.perform(.undoRecorded(), in: 2) else {
        Issue.record("nothing is undone")
        return
      }
      #expect(undone.failureCount == 0 && undone.count > 0)
    }
    #expect(disk.state(photos) == before)
    #expect(fileNames(other.path) == [])
  }

  @Test func `a missing folder, the own folder and a file as folder are refused`() throws {
    let disk = try TransferDisk()
    let photo = disk.folder.write([1], to: "photos/a.jpg")
    func move(_ folder: String) -> FileOutcome {
      disk.perform(
        .move([photo], into: FileDestination(folder: disk.folder.path(folder), isCreated: false)))
    }
    #expect(move("none") == .refused("no such folder; end the name with / to create it"))
    #expect(move("photos") == .refused("it is already in that folder"))
    #expect(move("photos/../photos/") == .refused("it is already in that folder"))
    #expect(
      move("photos/a.jpg")
        == .refused("no such folder; end the name with / to create it"))
    #expect(fileNames("\(disk.folder.path)/photos") == ["a.jpg"])
  }

  @Test func `a disk that is full keeps no part of a copy, and the photo stays`() throws {
    let disk = try TransferDisk()
    let size = 3 << 20
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 >> 4) }
    let photo = disk.folder.write(bytes, to: "photos/a.jpg")
    disk.folder.write([7], to: "photos/a.jpg.xmp")
    let target = try disk.target(.otherDisk)
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    // Ordinary users may not mount file systems; for them a file is too large instead.
    guard let small = SmallDisk(target) else { return }
    defer { small.unmount() }

    let outcome = disk.perform(.move([photo], into: destination(target)))

    #expect(outcome == .refused("the disk is full"))
    #expect(fileNames(target) == [])
    #expect(contents(of: "\(disk.folder.path)/photos/a.jpg") == bytes)
  }
}
