import CArguments
import PhotoGridCore
import WorkerProtocol

/// The arguments of a process that the program may have started as a worker.
package struct WorkerArguments {
  /// The arguments after the path of the executable; bytes that are not UTF-8 are replaced.
  package let words: [String]

  /// The arguments of this process.
  package init() {
    words = ProgramArguments.all.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the sandbox mode with which a worker was started.
  ///
  /// - Parameter worker: The argument that names the worker; nil for the decoding worker, which has
  ///   none.
  /// - Returns: The mode; nil if the arguments are not those of this worker, or if the process was
  ///   not started by the program.
  package func mode(ofWorker worker: String?) -> SandboxMode? {
    let names = worker.map { [$0] } ?? []
    guard Channel.isInherited, words.starts(with: names) else { return nil }
    let rest = words.dropFirst(names.count)
    return rest.isEmpty ? .auto : rest.count == 1 ? SandboxMode(argument: rest.last) : nil
  }
}

/// The arguments of this process, which are known without `/proc` too.
package enum ProgramArguments {
  /// The arguments after the path of the executable, as bytes: file names need not be UTF-8.
  package static var all: [[UInt8]] {
    (1..<max(program_argument_count(), 1)).compactMap { index in
      program_argument(index).map { Array(cString: $0) }
    }
  }
}
