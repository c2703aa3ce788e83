import Foundation
import Photos
import TestSupport
import Testing

@testable import FileWorker

/// A HEIC and the film of its name are moved, copied, renamed, trashed and restored together.
@Suite struct LivePhotoTests {
  private let disk: TransferDisk
  private let photos: String
  private let before: [String: String]

  init() throws {
    disk = try TransferDisk()
    photos = "\(disk.folder.path)/photos"
    for name in ["sea.HEIC", "sea.MOV", "sea.HEIC.xmp", "sea.MOV.xmp", "hill.jpg", "hill.MOV"] {
      disk.folder.write(Array(name.utf8), to: "photos/\(name)")
    }
    before = disk.state(photos)
  }

  private func path(_ name: String) -> [UInt8] { disk.folder.path("photos/\(name)") }

  private static let live = ["sea.HEIC", "sea.HEIC.xmp", "sea.MOV", "sea.MOV.xmp"]

  /// Undoes the last operation as a session after the one that did it.
  private func undoInNextSession() -> Bool {
    disk.files = FileOperator()
    guard case .undone(let undone) = disk.perform(.undoRecorded(), in: 2) else { return false }
    return undone.count == 1 && undone.failureCount == 0
  }

  @Test(arguments: TransferDisk.Place.allCases, [false, true])
  func `a live photo moves with its film and their sidecars, and back`(
    place: TransferDisk.Place, isInNextSession: Bool
  ) throws {
    let target = try disk.target(place)
    let outcome = disk.perform(
      .move([path("sea.HEIC"), path("hill.jpg")], into: destination(target)))
    guard case .done(let files) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(fileNames(target) == (["hill.jpg"] + Self.live).sorted())
    #expect(fileNames(photos) == ["hill.MOV"], "the film beside a JPEG stays")
    if isInNextSession {
      disk.files = FileOperator()
      guard case .undone(let undone) = disk.perform(.undoRecorded(), in: 2) else { return }
      #expect(undone.count == 2 && undone.failureCount == 0, "two photos")
    } else {
      _ = disk.perform(.rename(files.map(\.reversed), isUndo: true))
    }
    #expect(disk.state(photos) == before)
  }

  @Test func `a copy of a live photo has its film, and both copies are removed`() throws {
    let target = try disk.target(.sameDisk)
    let outcome = disk.perform(.copy([path("sea.HEIC")], into: destination(target)))
    guard case .done(let copies) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(fileNames(target) == Self.live && disk.state(photos) == before)
    #expect(disk.perform(.removeCopies(copies)) == .done([]))
    #expect(fileNames(target) == [] && disk.state(photos) == before)
  }

  @Test func `a film gets the new name of its photo`() {
    let file = FileStep(from: path("sea.HEIC"), to: path("lake.HEIC"))
    _ = disk.perform(.rename([file], isUndo: false))
    #expect(
      fileNames(photos)
        == ["hill.MOV", "hill.jpg"] + Self.live.map { "lake" + $0.dropFirst(3) })
    #expect(undoInNextSession())
    #expect(disk.state(photos) == before)
  }

  @Test(arguments: [false, true])
  func `a live photo is trashed and restored as a whole`(isInNextSession: Bool) {
    let home = disk.folder.path("Trash")
    let outcome = disk.perform(.trash([path("sea.HEIC"), path("hill.jpg")], home: home))
    guard case .done(let files) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(fileNames(photos) == ["hill.MOV"])
    #expect(fileNames("\(disk.folder.path)/Trash/files") == (["hill.jpg"] + Self.live).sorted())
    if isInNextSession {
      disk.files = FileOperator()
      _ = disk.perform(.undoRecorded(), in: 2)
    } else {
      #expect(disk.perform(.restore(files)) == .done([]))
    }
    #expect(disk.state(photos) == before)
    #expect(fileNames("\(disk.folder.path)/Trash/info") == [])
  }

  @Test func `a photo does not keep a film that somebody removed from the trash`() throws {
    let outcome = disk.perform(.trash([path("sea.HEIC")], home: disk.folder.path("Trash")))
    guard case .done(let files) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    try FileManager.default.removeItem(atPath: "\(disk.folder.path)/Trash/files/sea.MOV")
    #expect(disk.perform(.restore(files)) == .done([]))
    #expect(
      fileNames(photos) == ["hill.MOV", "hill.jpg", "sea.HEIC", "sea.HEIC.xmp", "sea.MOV.xmp"])
  }

  @Test func `no photo gets the film of another`() {
    let file = FileStep(from: path("sea.HEIC"), to: path("hill.HEIC"))
    #expect(
      disk.perform(.rename([file], isUndo: false))
        == .refused("a file with that name exists (hill.MOV)"))
    #expect(disk.state(photos) == before)

    let other = disk.folder.write([1], to: "other/hill.heic")
    _ = disk.perform(.move([other], into: destination(photos)))
    #expect(fileNames(photos).contains("hill-1.heic"))
  }

  @Test func `two live photos exchange their names with their films`() {
    for name in ["lake.heic", "lake.mov"] {
      disk.folder.write(Array(name.utf8), to: "photos/\(name)")
    }
    let files = [
      FileStep(from: path("sea.HEIC"), to: path("lake.heic")),
      FileStep(from: path("lake.heic"), to: path("sea.HEIC")),
    ]
    let whole = disk.state(photos)
    guard case .done(let moved) = disk.perform(.rename(files, isUndo: false)) else {
      Issue.record("not renamed")
      return
    }
    #expect(contents(of: "\(photos)/lake.MOV") == Array("sea.MOV".utf8))
    #expect(contents(of: "\(photos)/sea.mov") == Array("lake.mov".utf8))
    _ = disk.perform(.rename(moved.map(\.reversed), isUndo: true))
    #expect(disk.state(photos) == whole)
  }

  @Test func `a folder or a link named like a film stays`() throws {
    disk.folder.write([1], to: "photos/lake.heic")
    disk.folder.write([2], to: "photos/lake.mov/inside")
    let target = try disk.target(.sameDisk)
    _ = disk.perform(.move([path("lake.heic")], into: destination(target)))
    #expect(fileNames(target) == ["lake.heic"])
    #expect(fileNames("\(photos)/lake.mov") == ["inside"])
  }
}
