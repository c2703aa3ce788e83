import Foundation
import PhotoLibrary
import Photos
import PseudoTerminal
import TestSupport
import Testing
import WorkerProtocol

/// What is on the disks after a power cut, or when they cannot keep what is written.
@Suite(
  .enabled(if: FaultyDisks.areUsable, "no disk can be mounted here: /dev/fuse is missing"))
struct PowerCutTests {
  /// Two disks with a photo and its sidecar, and another photo.
  private final class Disks {
    let folder: TemporaryFolder
    let disks: FaultyDisks
    /// What the last change must be known for although it succeeded.
    private(set) var remark: String?

    /// Sets up disks, with the files that are in the folder already.
    init(in folder: TemporaryFolder? = nil) throws {
      self.folder = folder ?? TemporaryFolder()
      if folder == nil {
        self.folder.write(Array("photo".utf8), to: "store-a/photos/a.jpg")
        self.folder.write(Array("sidecar".utf8), to: "store-a/photos/a.jpg.xmp")
        self.folder.write(Array("other".utf8), to: "store-a/photos/b.jpg")
        self.folder.write([], to: "store-b/target/.keep")
      }
      disks = try FaultyDisks(in: self.folder.path, ["a", "b"])
    }

    /// Requests a change of a session, and waits for its outcome, or until the disks are stopped.
    func perform(
      _ change: PathTask, session: Int = 1, meanwhile: () -> Void = {}
    ) -> FileOutcome? {
      let words = disks.running([WorkerExecutable.beside("photogrid"), "--file-worker"])
      let client = FileOperationClient(
        executable: WorkerExecutable(path: words[0], arguments: Array(words.dropFirst())),
        journal: folder.path("a/state/undo/\(session)"))
      client.request([change], at: now())
      let end = now().advanced(bySeconds: 60)
      while now() < end, disks.obey("stopped") == 0 {
        if let result = client.service(at: now()).first {
          remark = result.remark
          client.shutDown()
          while !disks.processes.isEmpty { usleep(1000) }
          return result.outcome
        }
        meanwhile()
        usleep(500)
      }
      return nil
    }

    /// Cuts the power, and ends what ran.
    func cut(seed: Int) {
      disks.obey("cut \(seed)")
      for process in disks.processes { kill(process, SIGKILL) }
      while !disks.processes.isEmpty { usleep(1000) }
      disks.end()
    }

    /// The contents of all files but journals, hidden ones too, by their paths.
    var state: [String: String] {
      var state: [String: String] = [:]
      for name in FileManager.default.subpaths(atPath: folder.path) ?? [] {
        var status = stat()
        guard name.hasPrefix("store-a/") || name.hasPrefix("store-b/"), !name.contains("undo"),
          !name.hasSuffix(".keep"),
          lstat("\(folder.path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { continue }
        let bytes = contents(of: "\(folder.path)/\(name)")
        state[String(name.dropFirst("store-".count))] = String(decoding: bytes, as: UTF8.self)
      }
      return state
    }

    var a: [UInt8] { folder.path("a/photos/a.jpg") }
    var b: [UInt8] { folder.path("a/photos/b.jpg") }
    var target: FileDestination {
      FileDestination(folder: folder.path("b/target"), isCreated: false)
    }
  }

  @Test(arguments: 1...8)
  func `after a power cut, every file in the trash has its path`(seed: Int) throws {
    let disks = try Disks()
    disks.disks.obey("sync")
    let change = PathTask.trash([disks.a, disks.b], home: disks.folder.path("a/Trash"))
    guard case .done? = disks.perform(change) else {
      Issue.record("not trashed")
      return
    }
    disks.cut(seed: seed)
    let state = disks.state
    for (path, _) in state where path.contains("/files/") {
      let info = path.replacing("/files/", with: "/info/") + ".trashinfo"
      #expect(state[info]?.contains("Path=") ?? false, "\(path): \(state[info] ?? "no info file")")
    }
    #expect(Set(state.values).isSuperset(of: ["photo", "sidecar", "other"]))
  }

  @Test func `an original that stays on the other disk is reported`() throws {
    let disks = try Disks()
    disks.disks.obey("EACCES remove 0 0 a.jpg.xmp")
    guard case .done(let files)? = disks.perform(.move([disks.a], into: disks.target)) else {
      Issue.record("not moved")
      return
    }
    #expect(files.count == 2)
    #expect(disks.remark == "the original 'a.jpg.xmp' could not be removed: no permission")
    #expect(
      disks.state == [
        "a/photos/a.jpg.xmp": "sidecar", "a/photos/b.jpg": "other", "b/target/a.jpg": "photo",
        "b/target/a.jpg.xmp": "sidecar",
      ])
  }

  @Test func `a path in the trash that another session removes meanwhile is written again`() throws
  {
    let disks = try Disks()
    disks.disks.obey("hang rename 0 1")
    let info = "\(disks.folder.path)/store-a/Trash/info/b.jpg.trashinfo"
    let change = PathTask.trash([disks.b], home: disks.folder.path("a/Trash"))
    let outcome = disks.perform(change) {
      guard disks.disks.obey("held") > 0 else { return }
      unlink(info)
      disks.disks.obey("clear")
    }
    guard case .done? = outcome else {
      Issue.record("not trashed")
      return
    }
    #expect(disks.state["a/Trash/info/b.jpg.trashinfo"]?.contains("Path=") ?? false)
  }

  /// The power goes before any of the calls that change the disks.
  @Test(arguments: 0...9)
  func `photos that exchange their names never keep a temporary one`(call: Int) throws {
    for seed in [1, 2, 3] {
      let disks = try Disks()
      disks.disks.obey("sync")
      disks.disks.obey("stop rename \(call % 5) 1")
      let files = [FileStep(from: disks.a, to: disks.b), FileStep(from: disks.b, to: disks.a)]
      _ = disks.perform(.rename(files, isUndo: false))
      disks.cut(seed: seed + call)
      let next = try Disks(in: disks.folder)
      _ = next.perform(.findRecorded(), session: 2)
      let state = next.state
      #expect(
        !state.keys.contains { $0.contains(".photogrid-") } && state.count == 3,
        "call \(call), seed \(seed): \(state)")
    }
  }

  @Test func `a photo stays where it is if the other disk cannot keep the name of its copy`() throws
  {
    let disks = try Disks()
    let before = disks.state
    disks.disks.obey("EIO sync 0 0 target")
    #expect(disks.perform(.move([disks.a], into: disks.target)) == .refused("Input/output error"))
    #expect(disks.state == before)
    disks.disks.obey("clear")
    guard case .done? = disks.perform(.move([disks.a], into: disks.target), session: 2) else {
      Issue.record("not moved")
      return
    }
    #expect(disks.state["b/target/a.jpg"] == "photo" && disks.state["a/photos/a.jpg"] == nil)
  }

  /// Each call that changes a disk fails, for each reason.
  @Test(arguments: ["ENOSPC", "EDQUOT", "EROFS", "EIO", "ESTALE"])
  func `a move that fails at any call leaves the photo and its sidecar in one place`(
    fault: String
  ) throws {
    let disks = try Disks()
    var call = 0
    while true {
      let before = disks.disks.obey("count change")
      let name = disks.folder.path("a/photos/a.jpg")
      disks.disks.obey("\(fault) change \(call) 1")
      let outcome = disks.perform(.move([name], into: disks.target), session: call + 1)
      let count = disks.disks.obey("count change") - before
      disks.disks.obey("clear")
      let places = disks.state.filter { $0.value == "photo" || $0.value == "sidecar" }.keys.sorted()
      let isMoved = places == ["b/target/a.jpg", "b/target/a.jpg.xmp"]
      let isThere = places == ["a/photos/a.jpg", "a/photos/a.jpg.xmp"]
      if case .done? = outcome {
        // An original that cannot be removed is left beside its copy.
        try #require(isMoved || places.count == 3, "\(fault) at call \(call): \(places)")
      } else {
        try #require(isThere, "\(fault) at call \(call): \(String(describing: outcome)), \(places)")
      }
      guard call < count, call < 200 else { break }
      call += 1
      // As before the next attempt.
      for (from, to) in [
        ("b/target/a.jpg", "a/photos/a.jpg"), ("b/target/a.jpg.xmp", "a/photos/a.jpg.xmp"),
      ] {
        let (source, target) = (
          "\(disks.folder.path)/store-\(from)", "\(disks.folder.path)/store-\(to)"
        )
        if access(source, F_OK) == 0 {
          unlink(target)
          try FileManager.default.moveItem(atPath: source, toPath: target)
        }
      }
    }
    #expect(call > 10)
  }
}
