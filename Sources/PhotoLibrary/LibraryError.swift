import Glibc

/// Why photos cannot be decoded or listed at all.
package enum LibraryError: Error, Equatable, Sendable {
  /// The worker's executable is in none of these places.
  case workerMissing(searched: [String])
  /// The worker is of another version of the program than this.
  case otherVersion(worker: String, program: String)
  /// The system refused to start a worker; its `errno`.
  case cannotStart(Int32)
  /// Several workers in a row ended before their greeting.
  case workerFails

  /// The message for the user, without a period.
  package var message: String {
    switch self {
    case .workerMissing(let searched):
      "photogrid-worker is missing (looked for \(searched.joined(separator: ", ")))"
    case .otherVersion(let worker, let program):
      "photogrid-worker is of version \(worker), photogrid of \(program)"
    case .cannotStart(let code):
      "photogrid-worker cannot be started: \(String(cString: strerror(code)))"
    case .workerFails:
      "photogrid-worker does not work"
    }
  }

  /// Whether trying again is of no use.
  var isPermanent: Bool {
    if case .cannotStart = self { false } else { true }
  }
}
