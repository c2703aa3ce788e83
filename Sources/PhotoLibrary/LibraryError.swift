import Glibc

/// The reason that the workers of the library cannot be used.
package enum LibraryError: Error, Equatable, Sendable {
  /// The worker's executable was found at none of these paths.
  case workerMissing(searched: [String])
  /// The worker belongs to another version of the program.
  case otherVersion(worker: String, program: String)
  /// The system cannot start a worker; the value is the `errno`.
  case cannotStart(Int32)
  /// Several workers in a row ended before their greeting.
  case workerFails

  package var message: String {
    switch self {
    case .workerMissing(let searched):
      "photogrid-worker is missing (looked for \(searched.joined(separator: ", ")))"
    case .otherVersion(let worker, let program):
      "photogrid-worker is version \(worker), photogrid is \(program)"
    case .cannotStart(let code):
      "cannot start photogrid-worker: \(String(cString: strerror(code)))"
    case .workerFails:
      "photogrid-worker keeps failing to start"
    }
  }

  var isPermanent: Bool {
    if case .cannotStart = self { false } else { true }
  }
}
