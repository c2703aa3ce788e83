import CLinux
import Glibc
import WorkerProtocol

/// An executable that runs as a worker, with its arguments.
package struct WorkerExecutable: Equatable, Sendable {
  package let path: String
  /// The arguments, beginning with the path.
  package let arguments: [String]

  /// Creates a reference to the executable at a path; a missing file is noticed when it is started.
  package init(path: String, arguments: [String] = []) {
    self.path = path
    self.arguments = [path] + arguments
  }

  /// The argument by which the program runs as a process that reads folders and headers, or records facts.
  package static let libraryArgument = "--library"

  /// The running program, started again for a job of a `LibraryProtocol`.
  ///
  /// The program links no codecs, so it starts faster than a decoding worker.
  package static let library = WorkerExecutable(path: ownPath, arguments: [libraryArgument])

  /// The argument by which the program runs as the process that moves files.
  package static let fileWorkerArgument = "--file-worker"

  package static let fileWorker = WorkerExecutable(
    path: ownPath, arguments: [fileWorkerArgument])

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
  package var forAnnotations: WorkerExecutable {
    let mode = arguments.filter { SandboxMode(argument: $0) != nil }
    return WorkerExecutable(path: path, arguments: [AnnotationProtocol.argument] + mode)
  }
}

extension WorkerExecutable {
  /// Returns the same program with an argument for the sandbox mode; `auto` needs none.
  package func confined(_ mode: SandboxMode) -> WorkerExecutable {
    mode == .auto
      ? self
      : WorkerExecutable(path: path, arguments: arguments.dropFirst() + [mode.argument])
  }
}

/// A process that confines itself as a worker does on this system, reports the layers, and exits.
package struct ConfinementInquiry: ~Copyable {
  /// The end of the pipe with the report; -1 if the process did not start.
  private let descriptor: Int32
  private let process: pid_t

  /// Starts a process, without waiting for it.
  package init(_ executable: WorkerExecutable, _ details: [String] = []) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      (descriptor, process) = (-1, 0)
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let arguments = executable.arguments + [ConfinementLayer.argument] + details
    let started = Self.start(executable.path, arguments, output: ends[1])
    close(ends[1])
    if started == nil { close(ends[0]) }
    (descriptor, process) = started.map { (ends[0], $0) } ?? (-1, 0)
  }

  private static func start(_ path: String, _ arguments: [String], output: Int32) -> pid_t? {
    var files = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&files) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
    var words = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    return posix_spawn(&process, path, &files, nil, &words, environ) == 0 ? process : nil
  }

  /// Waits for the report.
  ///
  /// - Returns: The layers; none if the process failed.
  package consuming func layers() -> [ConfinementLayer] {
    guard descriptor >= 0 else { return [] }
    let text = contents()
    close(descriptor)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return text.split(separator: "\n").compactMap { ConfinementLayer(line: $0) }
  }

  private borrowing func contents() -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count > 0 {
        bytes += piece[..<count]
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
