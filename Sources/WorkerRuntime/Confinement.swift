import CConfinement
import CLinux
import Glibc
import WorkerProtocol

/// Gives up the rights that a worker process does not need, so that a hostile file harms no more
/// than one photo.
///
/// Each layer stands alone: one that the system does not have is left out, and reported.
package struct Confinement {
  /// The layers so far, in order.
  package private(set) var layers: [ConfinementLayer] = []
  /// The namespaces that were left.
  private var namespaces: Int32 = 0
  private let mode: SandboxMode
  private let endsWithProgram: Bool

  /// What a process needs files and the kernel for.
  package enum Purpose {
    /// Reads open files that it was given, and opens no others but the readable ones.
    case decoding(ReadableFiles = .none)
    /// Starts processes that decode, and reads their libraries.
    case starting
    /// Opens photos anywhere to read them, and writes below one folder if that is given.
    case opening(writesBelow: [UInt8]?)
    /// Reads files and folders anywhere.
    case listing
    /// Moves files between some folders, or anywhere.
    case moving(between: [[UInt8]]?)
    /// Reads photos anywhere, and replaces files in some folders alone.
    case annotating(in: [[UInt8]])
    /// Opens files in one folder alone, in which it keeps a database.
    case indexing(folder: [UInt8])
  }

  /// The files that a decoder can open.
  package enum ReadableFiles: Sendable {
    case none
    /// Those that it has open already, for loaders that insist on names.
    case ownDescriptors
    /// The system's fonts and their settings.
    case fonts
  }

  /// Gives up what no worker needs.
  ///
  /// - Parameters:
  ///   - mode: Whether the process is confined. Without a sandbox only memory and time are limited.
  ///   - endsWithProgram: Whether the process is killed when the program ends.
  package init(_ mode: SandboxMode = .auto, endsWithProgram: Bool = true) {
    self.mode = mode
    self.endsWithProgram = endsWithProgram
    if endsWithProgram { _ = process_dies_with_parent() }
    if mode != .off {
      append(.rights, process_gains_no_privileges(), "gains none from programs with other owners")
    }
    _ = process_closes_descriptors()
    signal(SIGPIPE, SIG_IGN)
  }

  /// Limits memory and time, and leaves the network.
  package mutating func limitResources() {
    limitMemory()
    isolate(processes: false)
    guard canConfine else { return }
    limitThreads()
    dropCapabilities(CONFINEMENT_KEEPS_FILES, "none but reading for root")
  }

  /// Leaves the namespaces of the network and of shared memory.
  ///
  /// - Parameter processes: Whether the process that is split off next is the first of a namespace
  ///   of its own; until then no thread can be started.
  package mutating func isolate(processes: Bool) {
    guard canConfine else { return }
    namespaces = confinement_isolate(processes ? 1 : 0)
    // The kernel forgets it with the capabilities that come with a user namespace.
    if endsWithProgram { _ = process_dies_with_parent() }
    append(
      .network, namespaces & Int32(CONFINEMENT_NETWORK) != 0 ? 0 : -1,
      "none, and no memory shared with other programs")
  }

  /// Limits the process that starts decoders, and these with it: memory and time.
  package mutating func enterStarter() {
    _ = process_dies_with_parent()
    // The first process of a namespace ignores what it does not handle.
    signal(SIGXCPU) { _exit(128 + $0) }
    limitMemory()
    guard canConfine else { return }
    append(
      .isolation, namespaces & Int32(CONFINEMENT_PROCESSES) != 0 ? 0 : -1,
      "sees no other process, and none outlives it")
    limitThreads()
    _ = confinement_drop_capabilities(Int32(CONFINEMENT_KEEPS_ROOT))
    // Decoders give up more than this one, and report that.
    var own = self
    own.confine(.starting)
  }

  private mutating func limitThreads() {
    // Elsewhere the kernel would count what else the user runs, and nothing for root.
    guard namespaces & Int32(CONFINEMENT_USER) != 0, geteuid() != 0 else {
      let message = "not counted apart without a user namespace, nor for root"
      layers.append(ConfinementLayer(.threads, isOn: false, message))
      return
    }
    ProcessLimits.limit(__RLIMIT_NPROC, to: ProcessLimits.threads)
    layers.append(ConfinementLayer(.threads, isOn: true, "at most \(ProcessLimits.threads)"))
  }

  /// Limits the process that opens files.
  package mutating func limitOpener() {
    limitMemory()
    ProcessLimits.allowOpening()
    if canConfine { dropCapabilities(CONFINEMENT_KEEPS_FILES, "none but reading for root") }
  }

  /// Limits the process that reads and writes XMP.
  package mutating func limitAnnotator() {
    limitMemory()
    ProcessLimits.allowOpening()
  }

  private mutating func limitMemory() {
    ProcessLimits.begin()
    let megabytes = ProcessLimits.addressSpace >> 20
    layers.append(
      isSanitized
        ? ConfinementLayer(.memory, isOn: false, "a sanitizer needs all of it")
        : ConfinementLayer(.memory, isOn: true, "\(megabytes) MB, and time for each photo"))
  }

  private mutating func dropCapabilities(_ kept: some BinaryInteger, _ message: String) {
    append(.capabilities, confinement_drop_capabilities(Int32(kept)), message)
  }

  /// Gives up everything else, and ends the process if it has to be confined and is not.
  ///
  /// A decoder must have loaded its libraries before.
  package mutating func finish(_ purpose: Purpose) {
    guard mode != .off else { return }
    confine(purpose)
    if mode == .require, !isComplete { exit(1) }
  }

  private mutating func confine(_ purpose: Purpose) {
    guard !isSanitized else {
      for name: ConfinementLayer.Name in [.files, .sockets, .processes, .calls] {
        layers.append(ConfinementLayer(name, isOn: false, "a sanitizer needs what it denies"))
      }
      return
    }
    switch purpose {
    case .decoding(let readable):
      // Names below /proc or of fonts lead somewhere; Landlock alone holds those decoders.
      if readable == .none {
        append(.root, confinement_empty_root(), "empty, no name leads to a file")
      }
      dropCapabilities(CONFINEMENT_KEEPS_NONE, "none")
    case .moving, .annotating, .indexing:
      dropCapabilities(CONFINEMENT_KEEPS_OWNERS, "none but reading and writing for root")
    case .starting, .opening, .listing: break
    }
    restrictFiles(purpose)
    append(.calls, confinement_filter(Int32(purpose.calls)), purpose.callMessage)
  }

  private mutating func restrictFiles(_ purpose: Purpose) {
    let version = confinement_landlock_version()
    guard version >= purpose.leastVersion else {
      let message =
        version == 0 ? "this Linux has no Landlock" : "Landlock of this Linux is version \(version)"
      for name: ConfinementLayer.Name in [.files, .sockets, .processes] {
        layers.append(ConfinementLayer(name, isOn: false, message))
      }
      return
    }
    let denied = purpose.denied(version)
    let rules = confinement_make_rules(version, denied, purpose.endsAnother ? 1 : 0)
    for (path, rights) in purpose.granted { _ = confinement_grant(rules, path, denied & rights) }
    let result = rules < 0 ? -1 : confinement_enforce(rules)
    let failure = errno
    if rules >= 0 { close(rules) }
    errno = failure
    append(.files, result, purpose.fileMessage)
    append(.sockets, version, atLeast: 4, result, "no TCP")
    guard !purpose.endsAnother else {
      let message = "it ends the decoder; the filter of calls denies signals of its own"
      return layers.append(ConfinementLayer(.processes, isOn: false, message))
    }
    append(.processes, version, atLeast: 6, result, "no signals to other programs")
  }

  private mutating func append(
    _ name: ConfinementLayer.Name, _ result: Int32, _ message: String
  ) {
    let failure = String(cString: strerror(errno))
    layers.append(
      ConfinementLayer(
        name, isOn: result >= 0, result >= 0 ? message : "not allowed here: \(failure)"))
  }

  private mutating func append(
    _ name: ConfinementLayer.Name, _ version: Int32, atLeast needed: Int32, _ result: Int32,
    _ message: String
  ) {
    guard version < needed else { return append(name, result, message) }
    layers.append(
      ConfinementLayer(name, isOn: false, "Landlock of this Linux is version \(version)"))
  }

  private var isComplete: Bool { ConfinementLayer.missing(in: layers).isEmpty }

  private var canConfine: Bool { mode != .off && !isSanitized }

  /// The shadow memory of a sanitizer is larger than any sensible limit.
  private var isSanitized: Bool { ProcessLimits.isExceeded }
}
