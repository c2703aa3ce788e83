import CLinux
import Geometry
import Glibc
import WorkerProtocol
import WorkerRuntime

/// The process that moves and copies files, so that a hanging disk blocks nothing else.
///
/// It decodes no pictures, and finishes all requests even if the program has ended.
package enum FileWorkerLoop {
  /// Answers requests until the program closes the connection, then exits.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode, endsWithProgram: false)
    var isConfined = false
    /// The folders that the process can reach; nil for any.
    var reachable: [[UInt8]]?
    var isReplaced = false
    var hasReportedFault = false
    // Exceeding the file size limit is then a failed write instead of the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    var token: UInt32 = 0
    var reportTime = monotonic_nanoseconds()
    var files = FileOperator { percent in
      guard monotonic_nanoseconds() - reportTime >= 100_000_000 else { return }
      reportTime = monotonic_nanoseconds()
      channel.offer(FileProtocol.Response.progress(percent: percent), token: token)
    }
    var requests = RequestLoop<FileProtocol.Request>(channel, rest: .rest)
    // Kept, because the folders around them cannot be read once the process is confined.
    var destinations: [[UInt8]: [UInt8]] = [:]
    // Those from which the remains of killed processes were removed.
    var tidied: Set<[UInt8]> = []
    requests.run { request, requestToken in
      var request = request
      if let typed = request.operation.destination?.path {
        let destination = destinations[typed] ?? TypedPath.existing(typed)
        destinations[typed] = destination
        request.operation.destination?.path = destination
        request.folders = request.folders.map { $0 == typed ? destination : $0 }
      }
      if !isConfined {
        // Before the sandbox is set up, because killed processes may have left files in any folder.
        files.openJournal(request.journal)
        files.createFolder(for: request)
        let folders = folders(of: request)
        reachable = folders?.map { (try? Trash.resolved($0)) ?? $0 }
        confinement.finish(
          .moving(
            between: folders, removingFoldersBelow: folders.map { files.parents(of: $0) } ?? []))
        isConfined = true
      }
      token = requestToken
      // All later requests are sent back too, so that they are performed in their order.
      isReplaced = isReplaced || mode != .off && !reaches(request, within: reachable)
      if isReplaced {
        channel.offer(FileProtocol.Response.declined, token: token)
        return
      }
      let outcome = files.perform(request)
      if let fault = files.historyFault, !hasReportedFault {
        hasReportedFault = true
        channel.offer(FileProtocol.Response.historyFault(message: fault.message), token: token)
      }
      if let remark = files.remark {
        channel.offer(FileProtocol.Response.remark(message: remark), token: token)
      }
      channel.offer(FileProtocol.Response.outcome(outcome), token: token)
      // Not before the response, since a folder may be long.
      guard request.isTurn else { return }
      for photo in request.photos where tidied.insert(photo.split.folder).inserted {
        TemporaryFile.removeRemains(in: photo.split.folder)
      }
    }
  }

  /// Whether a request changes no file outside of some folders to which a symbolic link leads.
  private static func reaches(
    _ request: FileProtocol.Request, within folders: [[UInt8]]?
  ) -> Bool {
    guard request.isTurn, let folders else { return true }
    return PhotoTurn.linkedFolders(of: request.photos).allSatisfy { folder in
      folders.contains { folder == $0 || folder.starts(with: $0.adding("")) }
    }
  }

  /// Returns the folders in which a request changes files; nil if they can be any.
  private static func folders(of request: FileProtocol.Request) -> [[UInt8]]? {
    guard !request.folders.isEmpty else { return nil }
    var folders = request.folders
    if request.operation.kind == .trash, !request.operation.isUndo {
      folders += request.folders.compactMap { Trash(home: request.trash).ready(for: $0) }
    }
    if request.isTurn { folders += PhotoTurn.linkedFolders(of: request.photos) }
    if !request.journal.isEmpty { folders.append(request.journal.split.folder) }
    // Reads the time zone while its file can be opened: info files of the trash have local times.
    tzset()
    return folders
  }
}

extension FileProtocol.Request {
  /// The paths of the files that it changes.
  fileprivate var photos: [[UInt8]] { operation.steps.map(\.source) }

  fileprivate var isTurn: Bool { operation.kind == .rotation && !operation.isUndo }
}
