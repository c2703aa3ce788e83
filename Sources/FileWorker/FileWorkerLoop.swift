import CLinux
import Glibc
import PhotoGridCore
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
    requests.run { request, requestToken in
      if !isConfined {
        // Before the sandbox is set up, because killed processes may have left files in any folder.
        files.openJournal(request.journal)
        files.createFolder(for: request)
        confinement.finish(.moving(between: folders(of: request)))
        isConfined = true
      }
      token = requestToken
      let outcome = files.perform(request)
      if let fault = files.historyFault, !hasReportedFault {
        hasReportedFault = true
        channel.offer(FileProtocol.Response.historyFault(message: fault.message), token: token)
      }
      if let remark = files.remark {
        channel.offer(FileProtocol.Response.remark(message: remark), token: token)
      }
      channel.offer(FileProtocol.Response.outcome(outcome), token: token)
    }
  }

  /// Returns the folders in which a request changes files; nil if they can be any.
  private static func folders(of request: FileProtocol.Request) -> [[UInt8]]? {
    guard !request.folders.isEmpty else { return nil }
    var folders = request.folders
    if case .trash = request.task {
      folders += request.folders.compactMap { Trash(home: request.paths.trash).ready(for: $0) }
    }
    if !request.journal.isEmpty { folders.append(request.journal.split.folder) }
    // Reads the time zone while its file can be opened: info files of the trash have local times.
    tzset()
    return folders
  }
}
