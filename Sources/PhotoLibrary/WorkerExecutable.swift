import CProcessLimits
import Glibc

/// Where the program that decodes and lists is.
package struct WorkerExecutable: Equatable, Sendable {
  /// An absolute path.
  package let path: String
  /// What it is started with, its name first.
  package let arguments: [String]

  /// The executable at a path, which is not looked at before it is started.
  package init(path: String, arguments: [String] = []) {
    self.path = path
    self.arguments = [path] + arguments
  }

  /// What tells the program to list folders for another one of its processes.
  package static let listerArgument = "--lister"

  /// The running program itself, started again to list folders.
  ///
  /// It links no codecs, and so is there sooner than a worker that does.
  package static let lister = WorkerExecutable(
    path: ownPath, arguments: [listerArgument])

  /// What tells the program to move files for another one of its processes.
  package static let keeperArgument = "--keeper"

  /// The running program itself, started again to move files.
  package static let keeper = WorkerExecutable(
    path: ownPath, arguments: [keeperArgument])

  private static let name = "photogrid-worker"

  /// The worker that belongs to the running program: beside it, or in `../libexec/photogrid`.
  ///
  /// Links to the program are followed first.
  package static func find() throws(LibraryError) -> WorkerExecutable {
    let folder = runningProgram.map { $0.prefix(through: $0.lastIndex(of: "/") ?? $0.startIndex) }
    let candidates = ["", "../libexec/photogrid/"].map { "\(folder ?? "/")\($0)\(name)" }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw .workerMissing(searched: candidates)
    }
    return WorkerExecutable(path: path)
  }

  private static let kernelsLink = "/proc/self/exe"

  /// What starts the running program again: the file that runs, even where its name has another
  /// one by now, if the kernel shows it.
  private static let ownPath =
    access(kernelsLink, X_OK) == 0 ? kernelsLink : runningProgram ?? kernelsLink

  /// The path of the running executable, links resolved; without `/proc` by the path that it was
  /// started by.
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
