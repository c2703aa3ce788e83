import CConfinement
import CLinux
import Glibc
import WorkerProtocol

/// The confinement of a worker process, which gives up the rights that it does not need, so that a
/// hostile file harms no more than one photo.
///
/// Layers are independent of each other: a layer that the system lacks is left out, and reported.
/// A process that reads folders confines itself like this:
///
///     var confinement = Confinement(mode)           // no new privileges, ends with the program
///     confinement.limitResources()                  // memory, time, network, threads, capabilities
///     confinement.finish(.library(recordsIn: nil))  // files, sockets, signals, system calls
package struct Confinement {
  /// The layers so far, in order.
  package private(set) var layers: [ConfinementLayer] = []
  /// The namespaces that were left, as bits of `CONFINEMENT_…`.
  private var namespaces: Int32 = 0
  private let mode: SandboxMode
  private let endsWithProgram: Bool

  /// The work of a process, by which its rights are chosen.
  package enum Purpose {
    /// Decodes files that it receives open, and opens only the system's libraries and fonts itself.
    case decoding
    /// Starts `filmCommand`, which opens one film by the name of a descriptor, and decodes nothing itself.
    case filming(Int32)
    /// Opens photos anywhere to read them, starts decoders, and writes below one folder if that is given.
    case opening(writesBelow: [UInt8]?)
    /// Reads anywhere, or opens files only in the folder of the index, in which it records facts.
    case library(recordsIn: [UInt8]?)
    /// Moves files between some folders, or anywhere, and removes empty folders below others.
    case moving(between: [[UInt8]]?, removingFoldersBelow: [[UInt8]] = [])
    /// Replaces files only in some folders, and reads there and in others; without a folder to
    /// write in, it reads anywhere.
    case annotating(in: [[UInt8]], reading: [[UInt8]] = [])
  }

  /// The command that decodes films, where packages install it.
  ///
  /// `$PATH` is not searched, which anyone may have set.
  package static let filmCommand = "/usr/bin/ffmpeg"

  /// Gives up what no worker needs: privileges of other programs, and inherited descriptors.
  ///
  /// - Parameters:
  ///   - mode: Whether the process is confined; with `off` only memory and time are limited.
  ///   - endsWithProgram: Whether the process is killed when the program ends.
  package init(_ mode: SandboxMode = .auto, endsWithProgram: Bool = true) {
    self.mode = mode
    self.endsWithProgram = endsWithProgram
    if endsWithProgram { _ = process_dies_with_parent() }
    if mode != .off {
      record(.rights, process_gains_no_privileges(), "none gained from setuid programs")
    }
    _ = process_close_descriptors()
    signal(SIGPIPE, SIG_IGN)
  }

  /// Limits memory, processor time and threads, leaves the network, and drops capabilities.
  package mutating func limitResources() {
    limitMemory()
    isolate(processes: false)
    guard canConfine else { return }
    limitThreads()
    dropCapabilities(CONFINEMENT_KEEPS_FILES, "none (as root, only to read files)")
  }

  /// Leaves the namespaces of the network and of shared memory for empty ones.
  ///
  /// - Parameter processes: Whether the next child process becomes the first of a new namespace of
  ///   processes; after that this process can start no thread.
  package mutating func isolate(processes: Bool) {
    guard canConfine else { return }
    namespaces = confinement_isolate(processes ? 1 : 0)
    // Entering a user namespace changes the capabilities, which makes the kernel forget this.
    if endsWithProgram { _ = process_dies_with_parent() }
    record(
      .network, namespaces & Int32(CONFINEMENT_NETWORK) != 0 ? 0 : -1,
      "none; no memory shared with other programs")
  }

  /// Limits the memory, the processor time and the threads of a decoder.
  package mutating func limitDecoder() {
    _ = process_dies_with_parent()
    // The first process of a namespace ignores signals that it does not handle.
    signal(SIGXCPU) { _exit(128 + $0) }
    limitMemory()
    ProcessLimits.allowCopies()
    guard canConfine else { return }
    record(
      .isolation, namespaces & Int32(CONFINEMENT_PROCESSES) != 0 ? 0 : -1,
      "cannot reach other processes; any it starts exit when it does")
    limitThreads()
  }

  private mutating func limitThreads() {
    // Without a user namespace the kernel would count all threads of the user, and for root none.
    guard namespaces & Int32(CONFINEMENT_USER) != 0, geteuid() != 0 else {
      let message = "cannot be limited as root or without a user namespace"
      layers.append(ConfinementLayer(.threads, isOn: false, message))
      return
    }
    ProcessLimits.limit(__RLIMIT_NPROC, to: ProcessLimits.threads)
    layers.append(ConfinementLayer(.threads, isOn: true, "at most \(ProcessLimits.threads)"))
  }

  /// Limits the memory of the process that opens files, and drops its capabilities.
  package mutating func limitOpener() {
    limitMemory()
    ProcessLimits.allowFiles()
    if canConfine {
      dropCapabilities(CONFINEMENT_KEEPS_FILES, "none (as root, only to read files)")
    }
  }

  /// Limits the memory of the process that reads and writes ratings.
  package mutating func limitAnnotator() {
    limitMemory()
    ProcessLimits.allowCopies()
  }

  private mutating func limitMemory() {
    ProcessLimits.begin()
    let megabytes = ProcessLimits.addressSpace >> 20
    layers.append(
      isSanitized
        ? ConfinementLayer(.memory, isOn: false, "the sanitizer needs unlimited memory")
        : ConfinementLayer(.memory, isOn: true, "\(megabytes) MB, with a time limit per photo"))
  }

  private mutating func dropCapabilities(_ kept: some BinaryInteger, _ message: String) {
    record(.capabilities, confinement_drop_capabilities(Int32(kept)), message)
  }

  /// Gives up all other rights that a purpose does not need.
  ///
  /// In the mode `require`, the process exits with status 1 if an essential layer is missing.
  package mutating func finish(_ purpose: Purpose) {
    guard mode != .off else { return }
    confine(purpose)
    if mode == .require, !isComplete { exit(1) }
  }

  private mutating func confine(_ purpose: Purpose) {
    guard !isSanitized else {
      for name: ConfinementLayer.Name in [.files, .sockets, .processes, .calls] {
        layers.append(ConfinementLayer(name, isOn: false, "the sanitizer needs this access"))
      }
      return
    }
    switch purpose {
    case .decoding, .filming: dropCapabilities(CONFINEMENT_KEEPS_NONE, "none")
    case .moving, .annotating, .library(.some):
      dropCapabilities(CONFINEMENT_KEEPS_OWNERS, "none (as root, only to read and write files)")
    case .opening, .library(nil): break
    }
    restrictFiles(purpose)
    record(.calls, confinement_filter(Int32(purpose.calls)), purpose.callMessage)
  }

  private mutating func restrictFiles(_ purpose: Purpose) {
    let version = confinement_landlock_version()
    guard version >= purpose.minVersion else {
      let message =
        version == 0
        ? "this kernel does not support Landlock"
        : "this kernel has only Landlock version \(version)"
      for name: ConfinementLayer.Name in [.files, .sockets, .processes] {
        layers.append(ConfinementLayer(name, isOn: false, message))
      }
      return
    }
    let denied = purpose.denied(version)
    let rules = confinement_make_rules(version, denied, purpose.endsAnother ? 1 : 0)
    for (path, rights) in purpose.granted { _ = confinement_grant(rules, path, denied & rights) }
    if purpose.isOfDecoder { confinement_grant_libraries(rules, Purpose.reading) }
    if case .filming(let film) = purpose {
      _ = confinement_grant_open(rules, film, UInt64(LANDLOCK_READ_FILE))
    }
    let result = rules < 0 ? -1 : confinement_enforce(rules)
    let failure = errno
    if rules >= 0 { close(rules) }
    errno = failure
    record(.files, result, purpose.fileMessage)
    record(.sockets, version, atLeast: 4, result, "no TCP")
    guard !purpose.endsAnother else {
      let message =
        "off, so that the decoder exits when it does; the syscall filter blocks other signals"
      return layers.append(ConfinementLayer(.processes, isOn: false, message))
    }
    record(.processes, version, atLeast: 6, result, "no signals to other programs")
  }

  /// Confines a process that is about to become a command beyond what confines the one that has started
  /// it.
  package static func confineCommand() {
    guard confinement_filter(Int32(CONFINEMENT_COMMAND)) == 0 else { _exit(126) }
  }

  private mutating func record(
    _ name: ConfinementLayer.Name, _ result: Int32, _ message: String
  ) {
    let failure = String(cString: strerror(errno))
    layers.append(
      ConfinementLayer(
        name, isOn: result >= 0, result >= 0 ? message : "not allowed here: \(failure)"))
  }

  private mutating func record(
    _ name: ConfinementLayer.Name, _ version: Int32, atLeast needed: Int32, _ result: Int32,
    _ message: String
  ) {
    guard version < needed else { return record(name, result, message) }
    layers.append(
      ConfinementLayer(name, isOn: false, "this kernel has only Landlock version \(version)"))
  }

  private var isComplete: Bool { ConfinementLayer.missing(in: layers).isEmpty }

  private var canConfine: Bool { mode != .off && !isSanitized }

  /// Whether the process runs with a sanitizer, whose shadow memory exceeds any sensible limit.
  private var isSanitized: Bool { ProcessLimits.isExceeded }
}

/// The rights that each kind of process gives up and keeps.
extension Confinement.Purpose {
  /// The folders of libraries and plug-ins, and what the loader reads: all public files of the system.
  private static let libraries = [
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/lib", "/lib32", "/lib64",
    "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/alternatives", "/dev/null",
  ]

  /// The folders of fonts and of ImageMagick's settings, also public.
  private static let settings = [
    "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
    "/var/cache/fontconfig", "/etc/ImageMagick-6", "/etc/ImageMagick-7",
    "/usr/share/ImageMagick-6", "/usr/share/ImageMagick-7",
  ]

  /// The command that decodes films, and the system's loader, by which it is started.
  private static let commands = [
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", Confinement.filmCommand,
  ]

  private static func paths(
    _ names: [String], _ rights: UInt64
  ) -> [(path: [CChar], rights: UInt64)] {
    names.map { (Array($0.utf8CString), rights) }
  }

  /// The rights needed for reading.
  fileprivate static let reading = bits(LANDLOCK_READ_FILE) | bits(LANDLOCK_READ_FOLDER)

  /// The rights needed for storing thumbnails.
  private static let storing =
    bits(LANDLOCK_WRITE_FILE) | bits(LANDLOCK_REMOVE_FILE) | bits(LANDLOCK_MAKE_FILE)
    | bits(LANDLOCK_MAKE_FOLDER) | bits(LANDLOCK_REMOVE_FOLDER) | bits(LANDLOCK_TRUNCATE)

  /// The rights needed for replacing files.
  private static let replacing =
    bits(LANDLOCK_WRITE_FILE) | bits(LANDLOCK_REMOVE_FILE) | bits(LANDLOCK_MAKE_FILE)
    | bits(LANDLOCK_TRUNCATE)

  /// The rights needed for moving files of any kind but devices.
  private static let moving =
    storing | reading | bits(LANDLOCK_MAKE_SOCKET_OR_PIPE) | bits(LANDLOCK_MAKE_LINK)
    | bits(LANDLOCK_REFER)

  private static func bits(_ right: some BinaryInteger) -> UInt64 { UInt64(right) }

  /// Whether memory, processor time and the network are limited too.
  ///
  /// Processes that write the user's files, or the index, may take as long as they need.
  var limitsResources: Bool {
    switch self {
    case .decoding, .filming, .opening, .library(nil): true
    case .moving, .library(.some), .annotating: false
    }
  }

  fileprivate var isOfDecoder: Bool {
    switch self {
    case .decoding, .filming: true
    case .opening, .library, .moving, .annotating: false
    }
  }

  /// Whether the kernel kills another process when this one ends.
  ///
  /// Landlock would deny that signal too, so it must not limit signals. The filter of system calls
  /// still denies the signals that the process sends itself.
  var endsAnother: Bool { if case .opening = self { true } else { false } }

  /// The lowest version of Landlock that can be used: version 1 denies all moves between folders.
  var minVersion: Int32 { if case .moving = self { 2 } else { 1 } }

  /// Returns the rights that are denied wherever `granted` does not grant them.
  ///
  /// - Parameter version: The version of Landlock, which limits the rights that it knows.
  /// - Returns: Bits of `LANDLOCK_…`.
  func denied(_ version: Int32) -> UInt64 {
    var rights = Self.bits(LANDLOCK_EXECUTE)
    if version >= 2 { rights |= Self.bits(LANDLOCK_REFER) }
    if version >= 5 { rights |= Self.bits(LANDLOCK_CONTROL_DEVICE) }
    switch self {
    case .moving(between: nil, _): return rights
    case .decoding, .filming, .opening, .library, .moving, .annotating: break
    }
    rights |=
      Self.storing & ~Self.bits(LANDLOCK_TRUNCATE) | Self.bits(LANDLOCK_MAKE_DEVICE)
      | Self.bits(LANDLOCK_MAKE_SOCKET_OR_PIPE) | Self.bits(LANDLOCK_MAKE_LINK)
    if version >= 3 { rights |= Self.bits(LANDLOCK_TRUNCATE) }
    switch self {
    case .decoding, .filming, .library(.some), .moving: return rights | Self.reading
    // A process that writes could also change the permissions of files that it has open for reading.
    case .annotating(let folders, _): return folders.isEmpty ? rights : rights | Self.reading
    case .opening, .library(nil): return rights
    }
  }

  /// The paths, with a NUL at the end, below which some of the denied rights are granted.
  var granted: [(path: [CChar], rights: UInt64)] {
    switch self {
    case .decoding: Self.paths(Self.libraries + Self.settings, Self.reading)
    case .filming:
      Self.paths(Self.libraries, Self.reading)
        + Self.paths(
          Self.commands, Self.bits(LANDLOCK_EXECUTE) | Self.bits(LANDLOCK_READ_FILE))
    case .opening(let folder):
      // What decoders may start, its own rules must let them start.
      Self.paths(Self.commands, Self.bits(LANDLOCK_EXECUTE))
        + (folder.map { [($0.terminated, Self.storing)] } ?? [])
    case .moving(let folders?, let others):
      folders.map { ($0.terminated, Self.moving) }
        + others.map { ($0.terminated, Self.bits(LANDLOCK_REMOVE_FOLDER)) }
    case .moving(between: nil, _): [([0x2f, 0], Self.bits(LANDLOCK_REFER))]
    case .library(let folder):
      folder.map { [($0.terminated, Self.reading | Self.storing)] } ?? []
    case .annotating(let folders, let read):
      folders.map { ($0.terminated, Self.reading | Self.replacing) }
        + (folders.isEmpty ? [] : read.map { ($0.terminated, Self.reading) })
    }
  }

  /// The system calls that are allowed: one of `CONFINEMENT_READS`, `…_HARMLESS`, `…_STARTS` and
  /// `…_CHANGES`.
  var calls: Int {
    switch self {
    case .decoding: Int(CONFINEMENT_READS)
    case .filming, .opening: Int(CONFINEMENT_STARTS)
    case .library(nil): Int(CONFINEMENT_HARMLESS)
    case .moving, .library(.some): Int(CONFINEMENT_CHANGES)
    case .annotating(let folders, _):
      folders.isEmpty ? Int(CONFINEMENT_HARMLESS) : Int(CONFINEMENT_CHANGES)
    }
  }

  /// A description of the access to files that is left, for users.
  var fileMessage: String {
    switch self {
    case .decoding: "only the system's libraries and fonts, to read; photos arrive open"
    case .filming: "only one video and libraries, to read; can start \(Confinement.filmCommand)"
    case .library(nil), .opening(nil): "read-only"
    case .opening: "read-only except for the thumbnail cache"
    case .moving(between: nil, _): "can move files anywhere; cannot start programs"
    case .moving: "may move files only between the folders in use, the trash and the undo history"
    case .annotating: "read-only, except for the folders of the photos being rated"
    case .library(.some): "only the metadata index"
    }
  }

  /// A description of the system calls that are left, for users.
  var callMessage: String {
    switch self {
    case .decoding: "only what decoding needs; no file can be opened to be changed"
    case .filming:
      "none that reach other programs or the network; starts ffmpeg, which changes no file"
    case .opening: "none that reach other programs or the network; can start decoders"
    case .library, .moving, .annotating:
      "none that reach other programs or the network"
    }
  }
}

/// A report about the layers of confinement that a process has on this system.
package enum ConfinementReport {
  /// Confines this process as a worker would be, prints the layers line by line, and exits.
  package static func printAndExit(_ purpose: Confinement.Purpose) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    if purpose.limitsResources { confinement.limitResources() }
    if case .annotating = purpose { confinement.limitAnnotator() }
    // The report itself may go to a file.
    ProcessLimits.allowFiles()
    confinement.finish(purpose)
    for layer in confinement.layers { print(layer.line) }
    exit(0)
  }
}
