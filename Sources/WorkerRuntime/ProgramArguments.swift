import CArguments
import PhotoGridCore

/// The arguments of this process, which are known without `/proc` too.
package enum ProgramArguments {
  /// The arguments after the path of the executable, as bytes: file names need not be UTF-8.
  package static var all: [[UInt8]] {
    (1..<max(program_argument_count(), 1)).compactMap { index in
      program_argument(index).map { Array(cString: $0) }
    }
  }
}
