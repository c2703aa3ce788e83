import Foundation
import ImageFormats
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The file worker is killed at every one of its system calls while it moves and copies photos with
/// their sidecars: nothing is lost, doubled or torn apart.
@Suite struct KilledTransferTests {
  enum Change: String, CaseIterable {
    case move, moveToOtherDisk, moveLink, copy, exchange
    /// A photo with a tag is turned; one without, which gets one; one that has a sidecar with an
    /// orientation too; one that can have none, and gets a sidecar.
    case turn, turnUntagged, turnBoth, turnInSidecar
  }

  /// A folder with photos and sidecars, a folder to move them to, and journals.
  private final class Disk {
    let folder = TemporaryFolder()
    let other = TemporaryFolder(in: "/dev/shm")
    let change: Change
    var target: String {
      change == .move || change == .moveLink
        ? "\(folder.path)/target" : "\(other?.path ?? folder.path)/target"
    }
    var sessions: FileWorkerSessions { FileWorkerSessions(folder: folder) }

    init(_ change: Change) {
      self.change = change
      folder.write(photo, to: "photos/a.jpg")
      if change != .turnInSidecar { folder.write(sidecar, to: "photos/a.jpg.xmp") }
      folder.write(Array("other".utf8), to: "photos/b.jpg")
      guard change == .moveLink else { return }
      rename("\(folder.path)/photos/a.jpg", "\(folder.path)/original.jpg")
      symlink("../original.jpg", "\(folder.path)/photos/a.jpg")
    }

    /// The contents of all files in both folders, hidden ones too, by their names.
    var state: [String: String] {
      var state: [String: String] = [:]
      for (label, path) in [("photos", "\(folder.path)/photos"), ("target", target)] {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
          state["\(label)/\(name)"] = String(
            decoding: contents(of: "\(path)/\(name)"), as: UTF8.self)
        }
      }
      return state
    }

    private var photo: [UInt8] {
      switch change {
      case .turnUntagged: TurnablePhoto.untagged
      case .turnInSidecar: image("card.gif")
      default: TurnablePhoto.jpeg(1)
      }
    }

    private var sidecar: [UInt8] {
      change == .turnBoth ? SidecarOrientation.document(.upright) : Array("sidecar".utf8)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    var before: [String: String] {
      var files = ["photos/a.jpg": Self.text(photo), "photos/b.jpg": "other"]
      if change != .turnInSidecar { files["photos/a.jpg.xmp"] = Self.text(sidecar) }
      return files
    }

    var after: [String: String] {
      let moved = ["target/a.jpg": Self.text(photo), "target/a.jpg.xmp": "sidecar"]
      let turned = SidecarOrientation.document(.quarterTurn)
      switch change {
      case .move, .moveToOtherDisk, .moveLink:
        return moved.merging(["photos/b.jpg": "other"]) { $1 }
      case .copy: return before.merging(moved) { $1 }
      case .turn:
        return before.merging(["photos/a.jpg": Self.text(TurnablePhoto.jpeg(6))]) { $1 }
      case .turnUntagged:
        let patch = try? PhotoContainers.open(ByteSource(photo)).patch(.quarterTurn)
        let tagged = patch?.applied(to: photo) ?? []
        return before.merging(["photos/a.jpg": Self.text(tagged)]) { $1 }
      case .turnBoth:
        return before.merging([
          "photos/a.jpg": Self.text(TurnablePhoto.jpeg(6)), "photos/a.jpg.xmp": Self.text(turned),
        ]) { $1 }
      case .turnInSidecar:
        return before.merging(["photos/a.jpg.xmp": Self.text(turned)]) { $1 }
      case .exchange:
        return [
          "photos/a.jpg": "other", "photos/b.jpg": Self.text(photo), "photos/b.jpg.xmp": "sidecar",
        ]
      }
    }

    var request: PathTask {
      let (a, b) = (folder.path("photos/a.jpg"), folder.path("photos/b.jpg"))
      let place = FileDestination(folder: Array(target.utf8), isCreated: true)
      switch change {
      case .move, .moveToOtherDisk, .moveLink:
        return .move([a], into: place)
      case .copy: return .copy([a], into: place)
      case .turn, .turnUntagged, .turnBoth, .turnInSidecar: return .turn([a], by: .quarterTurn)
      case .exchange:
        let files = [FileStep(from: a, to: b), FileStep(from: b, to: a)]
        return .rename(files, isUndo: false)
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `a process killed at any system call is replaced, and its work is finished and undone`(
    change: Change
  ) throws {
    var call = 0
    var wasKilled = true
    while wasKilled, call < 3000 {
      call += 1
      let disk = Disk(change)
      let sessions = disk.sessions
      let client = sessions.client(1, killedAt: call)
      let outcome = sessions.run(disk.request, client)
      sessions.end(client)
      wasKilled = sessions.wasKilled
      let isDone = if case .done? = outcome { true } else { false }
      guard isDone else {
        Issue.record("killed at call \(call): \(String(describing: outcome))")
        return
      }
      try #require(disk.state == disk.after, "killed at call \(call)")
      let next = sessions.client(2)
      let undone = sessions.run(FileWorkerSessions.undo, next)
      sessions.end(next)
      guard case .undone(let undo) = undone, undo.count > 0, undo.failureCount == 0 else {
        Issue.record("killed at call \(call): \(String(describing: undone))")
        return
      }
      try #require(disk.state == disk.before, "killed at call \(call)")
    }
    #expect(call > 10, "\(change): \(call) calls")
    #expect(!wasKilled, "it ends before the last call that was tried")
  }

  @Test(arguments: Change.allCases)
  func `after the program was killed too, the next session leaves all or nothing done`(
    change: Change
  ) throws {
    var call = 0
    var wasKilled = true
    while wasKilled, call < 3000 {
      call += 1
      let disk = Disk(change)
      let sessions = disk.sessions
      let client = sessions.client(1, killedAt: call)
      _ = sessions.run(disk.request, client, untilKilled: true)
      sessions.end(client)
      wasKilled = sessions.wasKilled
      let next = sessions.client(2)
      // Any request settles what was left.
      let missing = FileStep(from: disk.folder.path("none"), to: disk.folder.path("none2"))
      _ = sessions.run(
        .rename([missing], isUndo: false), next)
      sessions.end(next)
      let state = disk.state
      try #require(state == disk.after || state == disk.before, "killed at call \(call): \(state)")
    }
    #expect(call > 10 && !wasKilled)
  }
}
