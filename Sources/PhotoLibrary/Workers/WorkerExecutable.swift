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
    path: "/proc/self/exe", arguments: [listerArgument])

  /// What tells the program to move files for another one of its processes.
  package static let keeperArgument = "--keeper"

  /// The running program itself, started again to move files.
  package static let keeper = WorkerExecutable(
    path: "/proc/self/exe", arguments: [keeperArgument])

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

  /// The path of the running executable, links resolved by the kernel.
  private static var runningProgram: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, Int(PATH_MAX))
      guard count > 0 else { return nil }
      start[count] = 0
      return String(cString: start)
    }
  }
}
