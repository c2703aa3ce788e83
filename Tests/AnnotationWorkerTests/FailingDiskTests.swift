import Foundation
import Geometry
import PhotoLibrary
import Photos
import PseudoTerminal
import TestSupport
import Testing
import WorkerProtocol

@testable import AnnotationWorker

/// Ratings and rotations on a disk of which any step fails, and which has no files without names: there
/// is always the old file or the new one.
@Suite(.enabled(if: FaultyDisks.areUsable, "no disk can be mounted here: /dev/fuse is missing"))
struct FailingDiskTests {
  private let folder = RatedFolder()

  enum Writing: CaseIterable {
    case embedded, newSidecar, oldSidecar, turn, newTurnedSidecar, oldTurnedSidecar

    var photo: String {
      [.newTurnedSidecar, .oldTurnedSidecar].contains(self) ? "a.gif" : "a.jpg"
    }

    var hasSidecar: Bool { [.oldSidecar, .oldTurnedSidecar].contains(self) }
  }

  /// Makes the change on the disk, and returns why it failed; nil if it did not.
  private func failure(
    of writing: Writing, on disks: FaultyDisks, isFaulty: Bool = false
  ) -> String? {
    switch writing {
    case .embedded, .newSidecar, .oldSidecar:
      let process = RatedProcess(launcher: disks.running([]), in: folder)
      // The remains of an earlier process are removed after the result.
      let result = process.rate(
        "disk/\(writing.photo)", .stars(5), isEmbedded: writing == .embedded
      ) { isFaulty || !folder.names(in: "store-disk").contains { $0.hasPrefix(".photogrid") } }
      return result.map { $0.sidecarReason ?? $0.failure } ?? "no result"
    case .turn, .newTurnedSidecar, .oldTurnedSidecar:
      let words = disks.running([WorkerExecutable.beside("photogrid"), "--file-worker"])
      let client = FileOperationClient(
        executable: WorkerExecutable(path: words[0], arguments: Array(words.dropFirst())))
      defer { client.shutDown() }
      let turn = FileOperation.turn([Photo.ID(0)], by: .quarterTurn).located { _ in
        folder.path("disk/\(writing.photo)")
      }
      client.request([turn], trash: [], here: [], at: now())
      let end = Date().addingTimeInterval(60)
      while Date() < end {
        switch client.service(at: now()).first?.outcome {
        case nil: usleep(500)
        case .done: return nil
        case .refused(let message): return message
        case let outcome?: return "\(outcome)"
        }
      }
      return "no result"
    }
  }

  /// The contents of the disk's files, by their names.
  private var files: [String: [UInt8]] {
    Dictionary(
      uniqueKeysWithValues: folder.names(in: "store-disk").map {
        ($0, folder.bytes("store-disk/\($0)") ?? [])
      })
  }

  private func waitForEnd(_ disks: FaultyDisks) {
    while !disks.processes.isEmpty { usleep(1000) }
  }

  @Test(
    arguments: Writing.allCases,
    [
      ("ENOSPC", "the disk is full"), ("EROFS", "the disk is read-only"),
      ("EIO", "Input/output error"),
    ])
  func `wherever a disk fails, the old files stay or the new ones are whole`(
    writing: Writing, fault: (name: String, message: String)
  ) throws {
    let name = "store-disk/\(writing.photo)"
    folder.write(RatedFolder.picture(writing.photo == "a.gif" ? "card.gif" : "card.jpg"), to: name)
    if writing.hasSidecar {
      folder.write(RatedFolder.sidecar("xmp:Rating=\"2\""), to: "\(name).xmp")
    }
    let old = files
    // What the change makes of the files.
    let disks = try FaultyDisks(in: folder.folder.path)
    #expect(failure(of: writing, on: disks) == nil)
    waitForEnd(disks)
    let new = files
    #expect(new != old && Set(new.keys).isSubset(of: ["a.jpg", "a.gif", "a.jpg.xmp", "a.gif.xmp"]))
    var (failures, step, wasReached) = (0, 0, true)
    while wasReached, step < 60 {
      for name in folder.names(in: "store-disk") {
        unlink("\(folder.folder.path)/store-disk/\(name)")
      }
      for (name, bytes) in old { folder.write(bytes, to: "store-disk/\(name)") }
      // A disk that has failed once fails until the end, so that nothing is tidied either.
      disks.obey("\(fault.name) change \(step) 0")
      let failed = failure(of: writing, on: disks, isFaulty: true)
      waitForEnd(disks)
      disks.obey("clear")
      let found = files.filter { !$0.key.hasPrefix(".photogrid-") }
      #expect(found == old || found == new, "step \(step), \(failed ?? "done")")
      if failed == nil { #expect(found == new, "step \(step)") }
      if let failed {
        #expect(failed == fault.message, "step \(step)")
        failures += 1
      }
      // What it could not remove is removed by the next change.
      let isRepeated = found == old
      if isRepeated { #expect(failure(of: writing, on: disks) == nil, "step \(step)") }
      waitForEnd(disks)
      if isRepeated { #expect(files == new, "step \(step)") }
      wasReached = failed != nil
      step += 1
    }
    #expect(failures > 1 && !wasReached)
  }
}
