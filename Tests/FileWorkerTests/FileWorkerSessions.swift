import Foundation
import Geometry
import PhotoLibrary
import Photos
import TestSupport
import WorkerProtocol

/// The sessions of a program one after the other, each with a file worker that can be killed at one
/// of its system calls.
struct FileWorkerSessions {
  /// The folder in which the journals are.
  let folder: TemporaryFolder

  /// Undoes the last change of an earlier session.
  static let undo = PathTask.undoRecorded()

  /// The file that exists once a process was killed.
  private var killed: String { "\(folder.path)/killed" }

  /// Whether a process was killed.
  var wasKilled: Bool { FileManager.default.fileExists(atPath: killed) }

  /// A client of a session, whose process is killed once at a system call.
  func client(_ session: Int, killedAt call: Int? = nil) -> FileOperationClient {
    let programs = URL(fileURLWithPath: WorkerExecutable.tests).deletingLastPathComponent().path
    let fileWorker = ["\(programs)/photogrid", "--file-worker"]
    let executable =
      call.map {
        WorkerExecutable(
          path: "\(programs)/kill-at-call", arguments: [killed, "-", "\($0)"] + fileWorker)
      } ?? WorkerExecutable(path: fileWorker[0], arguments: ["--file-worker"])
    return FileOperationClient(
      executable: executable, journal: folder.path("state/undo/\(session)"))
  }

  /// Runs a request to its outcome; nil if a process is killed before and nobody waits for more.
  func run(
    _ request: PathTask, _ client: FileOperationClient, untilKilled: Bool = false
  ) -> FileOutcome? {
    client.request([request], at: now())
    return outcomes(1, client, untilKilled: untilKilled).first
  }

  /// Waits for the outcomes of requests, or until a process is killed.
  func outcomes(
    _ count: Int, _ client: FileOperationClient, untilKilled: Bool = false
  ) -> [FileOutcome] {
    var outcomes: [FileOutcome] = []
    let end = Date().addingTimeInterval(90)
    while outcomes.count < count, Date() < end, !(untilKilled && wasKilled) {
      outcomes += client.service(at: now()).compactMap(\.outcome)
      usleep(500)
    }
    return outcomes
  }

  /// Ends a client, and waits until its process has ended too.
  func end(_ client: FileOperationClient) {
    client.shutDown()
    let journals = "\(folder.path)/state/undo"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: journals)) ?? [] {
      let journal = open("\(journals)/\(name)", O_RDWR | O_CLOEXEC)
      flock(journal, LOCK_EX)
      // Closing is not enough while a process that another test starts has a copy.
      flock(journal, LOCK_UN)
      close(journal)
    }
  }
}
