import Glibc
import WorkerProtocol

/// The user's folders according to the XDG Base Directory Specification.
enum BaseDirectory {
  /// A kind of folder.
  enum Kind {
    case cache
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

  static let trash: [UInt8] = path(.data).map { $0 + "/Trash".utf8 } ?? []

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

extension ThumbnailAccess {
  /// The user's shared thumbnail cache; nil without a home folder.
  static func own(mayWrite: Bool) -> ThumbnailAccess? {
    BaseDirectory.path(.cache).map {
      ThumbnailAccess(folder: $0 + "/thumbnails".utf8, mayWrite: mayWrite)
    }
  }
}

/// Converts paths to absolute paths.
enum AbsolutePath {
  /// Returns an absolute path for a path relative to the current folder; absolute paths stay as
  /// they are.
  static func of(_ path: [UInt8]) -> [UInt8] {
    guard path.first != UInt8(ascii: "/"), var start = FolderLocation.currentFolder else {
      return path
    }
    if start.last != UInt8(ascii: "/") { start.append(UInt8(ascii: "/")) }
    var rest = path[...]
    while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
    return start + rest
  }
}

extension AbsolutePath {
  /// Returns the components of a path relative to a folder, without "." and "..".
  ///
  /// The disk, which may hang, is not accessed: a link before ".." is not followed.
  static func components(of path: [UInt8], in folder: [UInt8]) -> [ArraySlice<UInt8>] {
    let slash = UInt8(ascii: "/")
    var parts: [ArraySlice<UInt8>] = []
    let whole = path.first == slash ? path : folder + [slash] + path
    for part in whole.split(separator: slash) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts
  }
}
