import Glibc
import PhotoLibrary

extension WorkerExecutable {
  /// The program that was built with the tests, as a reader.
  package static func program() throws -> WorkerExecutable {
    let worker = try WorkerExecutable.find().path
    return WorkerExecutable(
      path: String(worker.dropLast("-worker".count)), arguments: [libraryArgument])
  }
}

extension WorkerExecutable {
  /// The same program, held to the permissions of files even if root runs the tests.
  ///
  /// Files stay root's, so none has to change its owner; the process only loses the capability to
  /// bypass permissions.
  package var heldToPermissions: WorkerExecutable {
    guard geteuid() == 0 else { return self }
    let options = ["--bounding-set=-dac_override,-dac_read_search"]
    return WorkerExecutable(path: "/usr/bin/setpriv", arguments: options + arguments)
  }
}

extension TemporaryFolder {
  /// A script in the folder that is started instead of a worker.
  ///
  /// Its descriptor 0 is the socket. A shell reads the file: one that is executed cannot be started
  /// ("Text file busy") while a process that another test has just forked still holds it open for
  /// writing.
  package func script(_ lines: String) -> WorkerExecutable {
    let script = write(
      Array("\(lines)\n".utf8), to: "worker-\(UInt32.random(in: 0 ... .max))")
    return WorkerExecutable(
      path: "/bin/sh", arguments: [String(decoding: script, as: UTF8.self)])
  }
}

extension WorkerExecutable {
  /// The path of the program that runs the tests, beside which all others are built.
  package static let tests: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
    return String(
      decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  /// The path of a program that was built with the tests.
  package static func beside(_ name: String) -> String {
    String(tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)]) + "/" + name
  }
}
