import CConfinement
import CLinux
import Glibc
import WorkerProtocol

/// Gives up the rights that a worker process does not need, so that a hostile file harms no more
/// than one photo.
///
/// Each layer stands alone: one that the system does not have is left out, and reported.
package struct Confinement {
  /// What was done so far, in order.
  package private(set) var layers: [ConfinementLayer] = []

  /// What a process needs the file system and the kernel for.
  package enum Purpose {
    /// Reads files anywhere, and writes below one folder if that is given.
    case decoding(writesBelow: [UInt8]?)
    /// Reads files and folders anywhere.
    case listing
    /// Moves files anywhere.
    case moving
    /// Reads files anywhere, and keeps a database in a folder.
    case indexing(writesBelow: [UInt8])
  }

  /// Begins with what every worker process can do without.
  ///
  /// - Parameter endsWithProgram: Whether the process is killed when the program ends.
  package init(endsWithProgram: Bool = true) {
    if endsWithProgram { _ = process_dies_with_parent() }
    note(.rights, process_gains_no_privileges(), "gains none from programs with other owners")
    _ = process_closes_descriptors()
    signal(SIGPIPE, SIG_IGN)
  }

  /// Limits memory, time and files, and leaves the network if that is wanted.
  package mutating func limitResources(leavesNetwork: Bool = true) {
    ProcessLimits.begin()
    let megabytes = ProcessLimits.addressSpace >> 20
    layers.append(
      isSanitized
        ? ConfinementLayer(.memory, isOn: false, "a sanitizer needs all of it")
        : ConfinementLayer(.memory, isOn: true, "\(megabytes) MB, and time for each photo"))
    guard leavesNetwork, !isSanitized else { return }
    let way = confinement_leave_network()
    note(.network, way, "none, and no memory shared with other programs")
    // Counted apart only in a user namespace; elsewhere it would count what else the user runs.
    if way == 2 { ProcessLimits.limit(__RLIMIT_NPROC, to: ProcessLimits.threads) }
    note(.capabilities, confinement_drop_capabilities(), "none but reading for root")
  }

  /// Gives up everything else; what decoders load later must be readable.
  package mutating func finish(_ purpose: Purpose) {
    guard !isSanitized else {
      for name: ConfinementLayer.Name in [.files, .sockets, .processes, .calls] {
        layers.append(ConfinementLayer(name, isOn: false, "a sanitizer needs what it denies"))
      }
      return
    }
    holdToFiles(purpose)
    note(.calls, confinement_filter(Int32(purpose.calls)), purpose.callWords)
  }

  private mutating func holdToFiles(_ purpose: Purpose) {
    let version = confinement_landlock_version()
    guard version > 0 else {
      for name: ConfinementLayer.Name in [.files, .sockets, .processes] {
        layers.append(ConfinementLayer(name, isOn: false, "this Linux has no Landlock"))
      }
      return
    }
    let denied = purpose.denied(version)
    let rules = confinement_make_rules(version, denied, 1)
    if let folder = purpose.writableFolder {
      _ = confinement_grant(rules, folder.map { CChar(bitPattern: $0) } + [0], denied & keeping)
    }
    if case .moving = purpose { _ = confinement_grant(rules, "/", denied & moving) }
    let result = rules < 0 ? -1 : confinement_enforce(rules)
    let failure = errno
    if rules >= 0 { close(rules) }
    errno = failure
    note(.files, result, purpose.fileWords)
    noteVersion(.sockets, version, atLeast: 4, result, "no TCP")
    noteVersion(.processes, version, atLeast: 6, result, "no signals to other programs")
  }

  private mutating func note(_ name: ConfinementLayer.Name, _ result: Int32, _ words: String) {
    let failure = String(cString: strerror(errno))
    layers.append(
      ConfinementLayer(
        name, isOn: result >= 0, result >= 0 ? words : "not allowed here: \(failure)"))
  }

  private mutating func noteVersion(
    _ name: ConfinementLayer.Name, _ version: Int32, atLeast needed: Int32, _ result: Int32,
    _ words: String
  ) {
    guard version < needed else { return note(name, result, words) }
    layers.append(
      ConfinementLayer(name, isOn: false, "Landlock of this Linux is version \(version)"))
  }

  /// Whether everything essential is on.
  package var isComplete: Bool {
    ConfinementLayer.essential.allSatisfy { name in
      layers.contains { $0.name == name && $0.isOn }
    }
  }

  /// The shadow memory of a sanitizer is larger than any sensible limit.
  private var isSanitized: Bool { ProcessLimits.isExceeded }
}

/// What keeping thumbnails takes.
private let keeping =
  bits(LANDLOCK_WRITE_FILE) | bits(LANDLOCK_REMOVE_FILE) | bits(LANDLOCK_MAKE_FILE)
  | bits(LANDLOCK_MAKE_FOLDER) | bits(LANDLOCK_REMOVE_FOLDER) | bits(LANDLOCK_TRUNCATE)

/// What moving files between folders takes.
private let moving = bits(LANDLOCK_REFER)

private func bits(_ right: some BinaryInteger) -> UInt64 { UInt64(right) }

extension Confinement.Purpose {
  /// Whether memory, time and the network are limited too; what writes files may take its time.
  var limitsResources: Bool {
    switch self {
    case .decoding, .listing: true
    case .moving, .indexing: false
    }
  }

  /// The folder below which files may be written; nil if there is none, or all may be.
  fileprivate var writableFolder: [UInt8]? {
    switch self {
    case .decoding(let folder): folder
    case .indexing(let folder): folder
    case .listing, .moving: nil
    }
  }

  /// The rights that are denied wherever they are not granted, as far as Landlock knows them.
  fileprivate func denied(_ version: Int32) -> UInt64 {
    var rights = bits(LANDLOCK_EXECUTE)
    if version >= 2 { rights |= bits(LANDLOCK_REFER) }
    if version >= 5 { rights |= bits(LANDLOCK_CONTROL_DEVICE) }
    if case .moving = self { return rights }
    rights |=
      keeping & ~bits(LANDLOCK_TRUNCATE) | bits(LANDLOCK_MAKE_DEVICE)
      | bits(LANDLOCK_MAKE_SOCKET_OR_PIPE) | bits(LANDLOCK_MAKE_LINK)
    if version >= 3 { rights |= bits(LANDLOCK_TRUNCATE) }
    return rights
  }

  fileprivate var calls: Int {
    switch self {
    case .decoding(nil): Int(CONFINEMENT_READS)
    case .decoding: Int(CONFINEMENT_WRITES)
    case .listing, .moving, .indexing: Int(CONFINEMENT_HARMLESS)
    }
  }

  fileprivate var fileWords: String {
    switch self {
    case .decoding(nil), .listing: "read only"
    case .decoding: "read only, written in the thumbnail cache"
    case .moving: "no program is started"
    case .indexing: "read only, written in the folder of the index"
    }
  }

  fileprivate var callWords: String {
    switch self {
    case .decoding: "those that decoding needs"
    case .listing, .moving, .indexing: "none to other programs or the network"
    }
  }
}
