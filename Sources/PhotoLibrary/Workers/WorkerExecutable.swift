import CLinux
import Glibc
import WorkerProtocol

/// An executable that runs as a worker, with its arguments.
package struct WorkerExecutable: Equatable, Sendable {
  /// The absolute path of the executable.
  package let path: String
  /// The arguments, beginning with the path.
  package let arguments: [String]

  /// Creates a reference to the executable at a path; a missing file is noticed when it is started.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - arguments: The arguments after the path.
  package init(path: String, arguments: [String] = []) {
    self.path = path
    self.arguments = [path] + arguments
  }

  /// The argument by which the program runs as a process that reads folders and headers.
  package static let readerArgument = "--reader"

  /// The running program, started again to list folders, to complete paths or to read headers.
  ///
  /// The program links no codecs, so it starts faster than a decoding worker.
  package static let reader = WorkerExecutable(path: ownPath, arguments: [readerArgument])

  /// The argument by which the program runs as the process that moves files.
  package static let fileWorkerArgument = "--file-worker"

  /// The running program, started again to move files.
  package static let fileWorker = WorkerExecutable(
    path: ownPath, arguments: [fileWorkerArgument])

  /// The argument by which the program runs as the process that writes the index of facts.
  package static let indexWorkerArgument = "--index-worker"

  /// The running program, started again to write the index of facts.
  package static let indexWorker = WorkerExecutable(
    path: ownPath, arguments: [indexWorkerArgument])

  private static let name = "photogrid-worker"

  /// Finds the decoding worker of the running program: beside it, or in `../libexec/photogrid`.
  ///
  /// Symbolic links to the program are followed first.
  ///
  /// - Throws: `LibraryError.workerMissing` with the paths that were searched.
  package static func find() throws(LibraryError) -> WorkerExecutable {
    let folder = runningProgram.map { $0.prefix(through: $0.lastIndex(of: "/") ?? $0.startIndex) }
    let candidates = ["", "../libexec/photogrid/"].map { "\(folder ?? "/")\($0)\(name)" }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw .workerMissing(searched: candidates)
    }
    return WorkerExecutable(path: path)
  }

  private static let kernelsLink = "/proc/self/exe"

  /// The path that starts the running program again.
  ///
  /// The link in `/proc` leads to the running file even if another version has taken its path.
  private static let ownPath =
    access(kernelsLink, X_OK) == 0 ? kernelsLink : runningProgram ?? kernelsLink

  /// The path of the running executable, with links resolved; without `/proc` it is derived from
  /// the path by which the program was started.
  private static let runningProgram = kernelsPath ?? startPath

  private static var startPath: String? {
    guard let start = program_start_path(), let path = realpath(start, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static var kernelsPath: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(kernelsLink, start, Int(PATH_MAX))
      guard count > 0 else { return nil }
      start[count] = 0
      return String(cString: start)
    }
  }
}

extension WorkerExecutable {
  /// The process of the decoders' executable that reads and writes ratings, in the same sandbox
  /// mode.
  package var forRatings: WorkerExecutable {
    let mode = arguments.filter { SandboxMode(argument: $0) != nil }
    return WorkerExecutable(path: path, arguments: [RatingProtocol.argument] + mode)
  }
}
