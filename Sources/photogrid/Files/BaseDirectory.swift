import Glibc

/// The user's folders according to the XDG Base Directory Specification.
enum BaseDirectory {
  /// A kind of folder.
  enum Kind {
    /// Files that can be created again, such as thumbnails.
    case cache
    /// The configuration.
    case config
    /// The user's files, such as the trash.
    case data
    /// The program's state between sessions, such as recent folders.
    case state

    /// The environment variable with the folder's path.
    fileprivate var variable: String {
      switch self {
      case .cache: "XDG_CACHE_HOME"
      case .config: "XDG_CONFIG_HOME"
      case .data: "XDG_DATA_HOME"
      case .state: "XDG_STATE_HOME"
      }
    }

    /// The folder's path in the home folder, used if the variable is not set.
    fileprivate var folderInHome: String {
      switch self {
      case .cache: ".cache"
      case .config: ".config"
      case .data: ".local/share"
      case .state: ".local/state"
      }
    }
  }

  /// Returns the path of a folder.
  ///
  /// Relative paths are ignored, as the specification says, and so are those longer than
  /// `PATH_MAX`.
  ///
  /// - Parameters:
  ///   - kind: The folder.
  ///   - value: Returns the value of an environment variable; by default the process's.
  /// - Returns: The path without a slash at its end; nil if neither the variable nor HOME is set.
  static func path(
    _ kind: Kind, value: (String) -> [UInt8]? = processVariable
  ) -> [UInt8]? {
    func variable(_ name: String) -> [UInt8]? {
      value(name).flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil }
    }
    let path = variable(kind.variable) ?? variable("HOME").map { $0 + "/\(kind.folderInHome)".utf8 }
    guard var path, path.count < Int(PATH_MAX) else { return nil }
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    return path
  }

  /// The user's trash; empty without a home folder.
  static let trash: [UInt8] = path(.data).map { $0 + "/Trash".utf8 } ?? []

  /// The folder of the index of facts; empty without a home folder.
  static let index: [UInt8] = path(.cache).map { $0 + "/photogrid".utf8 } ?? []

  /// The path for the journal of a session that begins now; empty without a home folder.
  ///
  /// The names of journals sort in the order in which their sessions began.
  static var newJournal: [UInt8] {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0, let folder = path(.state) else { return [] }
    let nanoseconds = UInt64(max(now.tv_sec, 0)) * 1_000_000_000 + UInt64(now.tv_nsec)
    let digits = String(nanoseconds, radix: 16)
    let time = String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    return folder + "/photogrid/undo/\(time)-\(getpid())".utf8
  }

  /// Returns the bytes of an environment variable, which may not be UTF-8; nil if it is not set.
  static func processVariable(_ name: String) -> [UInt8]? {
    getenv(name).map { Array(cString: $0) }
  }
}
