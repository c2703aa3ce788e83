import Foundation
import Geometry
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// A folder of the home's disk that is mounted at a second place, between which no file can be moved.
@Suite(.enabled(if: BindMount.isPossible, "folders cannot be mounted here"))
struct BindMountTests {
  private let folder = TemporaryFolder()
  private let trash: [UInt8]

  init() {
    folder.write(Array("photo".utf8), to: "data/photos/a.jpg")
    for name in ["home", "mounted"] { mkdir("\(folder.path)/\(name)", 0o755) }
    trash = folder.path("home/Trash")
  }

  /// A process that sees the folder "data" at "mounted" too.
  private func client(_ options: String) -> FileOperationClient {
    let script =
      "mount --bind \(folder.path)/data \(folder.path)/mounted && \(options)"
      + "exec \(WorkerExecutable.beside("photogrid")) --file-worker"
    return FileOperationClient(
      executable: WorkerExecutable(
        path: "/usr/bin/env", arguments: ["unshare", "-rm", "sh", "-c", script]))
  }

  private func perform(_ task: PathTask, _ client: FileOperationClient) -> FileOutcome? {
    client.request([task], at: now())
    let end = Date().addingTimeInterval(90)
    while Date() < end {
      if let result = client.service(at: now()).first { return result.outcome }
      usleep(500)
    }
    return nil
  }

  @Test func `its photos go into a trash of its own, and back`() {
    let client = client("")
    defer { client.shutDown() }
    let photo = folder.path("mounted/photos/a.jpg")
    // The user is root there.
    let file = FileStep(
      trash: folder.path("mounted/.Trash-0"), name: Array("a.jpg".utf8), originalPath: photo)
    #expect(perform(.trash([photo], home: trash), client) == .done([file]))
    #expect(contents(of: "\(folder.path)/data/.Trash-0/files/a.jpg") == Array("photo".utf8))
    let info = contents(of: "\(folder.path)/data/.Trash-0/info/a.jpg.trashinfo")
    #expect(String(decoding: info, as: UTF8.self).contains("\nPath=photos/a.jpg\n"))
    #expect(perform(.restore([file]), client) == .done([]))
    #expect(contents(of: "\(folder.path)/data/photos/a.jpg") == Array("photo".utf8))
  }

  @Test func `if it can have none, the reason is not that it is on another disk`() {
    let client = client("mount -o remount,bind,ro \(folder.path)/mounted && ")
    defer { client.shutDown() }
    let path = "\(folder.path)/mounted"
    #expect(
      perform(.trash([Array("\(path)/photos/a.jpg".utf8)], home: trash), client)
        == .refused("the disk is read-only (\(path)/.Trash-0)"))
    #expect(fileNames("\(folder.path)/data/photos") == ["a.jpg"])
  }
}

/// Folders that are mounted at a second place.
private enum BindMount {
  /// Whether this system lets a test mount them.
  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare", "-rm", "mount", "--bind", "/tmp", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
