import CConfinement

/// The rights that each kind of process gives up and keeps.
extension Confinement.Purpose {
  /// The folders of fonts and their settings, all public files of the system.
  private static let fonts = [
    "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
    "/var/cache/fontconfig",
  ]

  /// The rights needed for reading.
  private static let reading = bits(LANDLOCK_READ_FILE) | bits(LANDLOCK_READ_FOLDER)

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
    case .decoding, .starting, .opening, .listing: true
    case .moving, .indexing, .annotating: false
    }
  }

  /// Whether the kernel kills another process when this one ends.
  ///
  /// Landlock would deny that signal too, so it must not limit signals. The filter of system calls
  /// still denies the signals that the process sends itself.
  var endsAnother: Bool { if case .opening = self { true } else { false } }

  /// The lowest version of Landlock that can be used: version 1 denies all moves between folders.
  var leastVersion: Int32 { if case .moving = self { 2 } else { 1 } }

  /// Returns the rights that are denied wherever `granted` does not grant them.
  ///
  /// - Parameter version: The version of Landlock, which limits the rights that it knows.
  /// - Returns: Bits of `LANDLOCK_…`.
  func denied(_ version: Int32) -> UInt64 {
    var rights = Self.bits(LANDLOCK_EXECUTE)
    if version >= 2 { rights |= Self.bits(LANDLOCK_REFER) }
    if version >= 5 { rights |= Self.bits(LANDLOCK_CONTROL_DEVICE) }
    switch self {
    case .moving(between: nil): return rights
    case .decoding, .starting, .opening, .listing, .indexing, .moving, .annotating: break
    }
    rights |=
      Self.storing & ~Self.bits(LANDLOCK_TRUNCATE) | Self.bits(LANDLOCK_MAKE_DEVICE)
      | Self.bits(LANDLOCK_MAKE_SOCKET_OR_PIPE) | Self.bits(LANDLOCK_MAKE_LINK)
    if version >= 3 { rights |= Self.bits(LANDLOCK_TRUNCATE) }
    switch self {
    case .decoding, .indexing, .moving: return rights | Self.reading
    // A process that writes could also change the permissions of files that it has open for reading.
    case .annotating(let folders, _): return folders.isEmpty ? rights : rights | Self.reading
    case .starting, .opening, .listing: return rights
    }
  }

  /// The paths, with a NUL at the end, below which some of the denied rights are granted.
  var granted: [(path: [CChar], rights: UInt64)] {
    switch self {
    case .decoding(.fonts): Self.fonts.map { (Array($0.utf8CString), Self.reading) }
    case .opening(let folder?): [(folder.terminated, Self.storing)]
    case .moving(let folders?):
      folders.map { ($0.terminated, Self.moving) }
    case .moving(between: nil): [([0x2f, 0], Self.bits(LANDLOCK_REFER))]
    case .indexing(let folder):
      [(folder.terminated, Self.reading | Self.storing)]
    case .annotating(let folders, let read):
      folders.map { ($0.terminated, Self.reading | Self.replacing) }
        + (folders.isEmpty ? [] : read.map { ($0.terminated, Self.reading) })
    case .decoding, .starting, .opening(nil), .listing: []
    }
  }

  /// The system calls that are allowed: one of `CONFINEMENT_READS`, `…_HARMLESS`, `…_STARTS` and
  /// `…_CHANGES`.
  var calls: Int {
    switch self {
    case .decoding: Int(CONFINEMENT_READS)
    case .starting: Int(CONFINEMENT_STARTS)
    case .opening, .listing: Int(CONFINEMENT_HARMLESS)
    case .moving, .indexing: Int(CONFINEMENT_CHANGES)
    case .annotating(let folders, _):
      folders.isEmpty ? Int(CONFINEMENT_HARMLESS) : Int(CONFINEMENT_CHANGES)
    }
  }

  /// A description of the access to files that is left, for users.
  var fileMessage: String {
    switch self {
    case .decoding: "none, photos arrive open"
    case .starting, .listing, .opening(nil): "read only"
    case .opening: "read only, written in the thumbnail cache"
    case .moving(between: nil): "moved anywhere, no program is started"
    case .moving: "moved between the folders in use, the trash and the journal alone"
    case .annotating: "read only, written in the folders of photos that are rated"
    case .indexing: "none but the index of facts"
    }
  }

  /// A description of the system calls that are left, for users.
  var callMessage: String {
    switch self {
    case .decoding: "those that decoding needs"
    case .starting: "none to other programs or the network, but starting decoders"
    case .opening, .listing, .moving, .indexing, .annotating:
      "none to other programs or the network"
    }
  }
}
