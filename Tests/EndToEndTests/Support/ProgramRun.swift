import Foundation
import PseudoTerminal

/// A program that ran to its end without a terminal.
struct ProgramRun: CustomStringConvertible {
  /// The exit status, or 1000 and the number of the signal that ended it.
  var status: Int32
  var output: [UInt8]
  var errors: [UInt8]

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }

  var description: String {
    "status \(status)\nstandard output: \(outputText.debugDescription)\n"
      + "standard error: \(errorText.debugDescription)"
  }

  /// Runs a program in a new session without a terminal, and kills it after three minutes, which is
  /// long enough for slow machines.
  static func of(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) -> ProgramRun {
    let files = (0..<3).map { _ in MemoryFile() }
    files[0].write(input)
    let process: pid_t
    do {
      process = try ChildProcess.start(
        arguments,
        .descriptors(
          input: files[0].descriptor, output: files[1].descriptor, error: files[2].descriptor),
        environment: environment)
    } catch {
      return ProgramRun(status: -1, output: [], errors: Array(error.description.utf8))
    }
    let status = Processes.wait(for: process, seconds: 180)
    return ProgramRun(status: status, output: files[1].bytes, errors: files[2].bytes)
  }
}

/// A file without a name, for a program's standard streams.
private final class MemoryFile {
  let descriptor: Int32

  init() {
    var template = Array("/tmp/photogrid-stream.XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  deinit { close(descriptor) }

  /// Replaces the bytes of the file, and moves to its start.
  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    lseek(descriptor, 0, SEEK_SET)
  }

  var bytes: [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    // All empty arrays share their storage, whose count would be written.
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(pread(descriptor, buffer.baseAddress, buffer.count, 0), 0)
    }
  }
}
