import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import FileWorker

/// Random operations, and their undo.
extension TransferTests {
  @Test(arguments: seeds(1...30))
  func `random operations are undone to the same bytes, by the session and by the next one`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let disk = try TransferDisk()
    let roots = ["\(disk.folder.path)/photos", "\(disk.folder.path)/b", disk.other?.path ?? ""]
      .filter { !$0.isEmpty }
    for name in ["1.jpg", "1.dng", "2.jpg", "3.jpg", "4.png", "5", "6.heic", "6.MOV", "2.mov"] {
      disk.folder.write(Array(name.utf8), to: "photos/\(name)")
    }
    for name in ["1.xmp", "2.jpg.xmp", "2.xmp", "5.xmp", "6.MOV.xmp"] {
      disk.folder.write(Array("xmp \(name)".utf8), to: "photos/\(name)")
    }
    disk.folder.write(Array("other".utf8), to: "b/2.jpg")
    func state() -> [[String: String]] { roots.map { disk.state($0) } }
    let before = state()
    var keepsFormats = true

    var undo: [PathTask] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let photos = disk.photos(below: roots)
      let chosen = photos.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
      let target = roots.randomElement(using: &random) ?? ""
      let folder = FileDestination(
        folder: Array("\(target)\(Bool.random(using: &random) ? "/new" : "")".utf8),
        isCreated: true)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        // The trash of another disk is in its topmost folder.
        let here = chosen.filter { $0.starts(with: disk.folder.path.utf8) }
        guard !here.isEmpty else { continue }
        let change = PathTask.trash(here, home: disk.folder.path("Trash"))
        if case .done(let files) = disk.perform(change) { undo.append(.restore(files)) }
      case 1:
        if case .done(let files) = disk.perform(.move(Array(chosen), into: folder)) {
          undo.append(.rename(files.map(\.reversed), isUndo: true))
        }
      case 2:
        if case .done(let files) = disk.perform(.copy(Array(chosen), into: folder)) {
          undo.append(.removeCopies(files))
        }
      default:
        let rotated = chosen.dropFirst() + chosen.prefix(1)
        let prefix = Bool.random(using: &random) ? Array("x".utf8) : []
        let files = zip(chosen, rotated).map { source, other -> FileStep in
          FileStep(from: source, to: source.split.folder + prefix + other.split.name)
        }
        // What keeps its name is nothing to undo.
        guard files.contains(where: { $0.source != $0.target }) else { continue }
        let change = PathTask.rename(files, isUndo: false)
        if case .done(let files) = disk.perform(change) {
          undo.append(.rename(files.map(\.reversed), isUndo: true))
        }
      }
      // A film beside a photo that is called a JPEG now stays where it is.
      keepsFormats = keepsFormats && !state().contains { Self.hasRenamedFormat($0) }
      if keepsFormats {
        try #require(state().allSatisfy { Self.isWhole($0) }, "seed \(seed): \(state())")
      }
    }
    if seed.isMultiple(of: 2) {
      for change in undo.reversed() {
        if case .refused(let message) = disk.perform(change) {
          Issue.record("seed \(seed): \(change): \(message)")
        }
      }
    } else {
      // As another session after this one has ended.
      disk.files = FileOperator()
      for _ in undo {
        guard case .undone(let undone) = disk.perform(.undoRecorded(), in: 2) else { continue }
        #expect(undone.failureCount == 0 && undone.count > 0, "seed \(seed): \(undone)")
      }
    }
    #expect(state() == before, "seed \(seed)")
  }

  /// Whether the live photo has the extension of another format.
  private static func hasRenamedFormat(_ files: [String: String]) -> Bool {
    files.contains { $1.hasPrefix("6.heic ") && !$0.hasSuffix(".heic") }
  }

  /// Whether the live photo has its film beside it, and the film its photo.
  private static func isWhole(_ files: [String: String]) -> Bool {
    files.allSatisfy { path, text in
      if text.hasPrefix("6.heic ") {
        return files[path.dropLast(4) + "MOV"]?.hasPrefix("6.MOV ") == true
      }
      guard text.hasPrefix("6.MOV ") else { return true }
      return files[path.dropLast(3) + "heic"]?.hasPrefix("6.heic ") == true
    }
  }
}
