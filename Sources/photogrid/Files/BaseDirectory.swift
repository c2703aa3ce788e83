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

struct StateFile {
  private let folder: String
  private let path: String
  /// The most bytes to read, or to write with `replace(with:)`.
  private let maxSize: Int

  /// Locates a file; nil if the environment names no folder for it.
  init?(_ name: String, _ environment: [String: String], maxSize: Int = 4096) {
    let state = BaseDirectory.path(.state) { name in environment[name].map { Array($0.utf8) } }
    guard let state else { return nil }
    folder = String(decoding: state, as: UTF8.self) + "/photogrid"
    path = folder + "/" + name
    self.maxSize = maxSize
  }

  /// The lines; nil if the file cannot be read, is too large, or belongs to another user.
  var lines: [String]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_size <= maxSize
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = read(file, &bytes, bytes.count)
    return bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Creates the file's folder, and returns whether the file can be written.
  func makeWritable() -> Bool {
    let isThere = access(path, F_OK) == 0
    return Self.makeFolder(folder) && access(isThere ? path : folder, W_OK) == 0
  }

  /// Replaces the contents atomically, so that other sessions never read a part of them; errors are
  /// ignored.
  func replace(with lines: [String]) {
    guard makeWritable() else { return }
    let temporary = "\(path).\(getpid())"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    let isWritten = bytes.count <= maxSize && write(file, bytes, bytes.count) == bytes.count
    close(file)
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Creates a folder and its missing parents, which only the owner can read.
  private static func makeFolder(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return false
    }
    return makeFolder(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}

/// The folders that photos were moved or copied into, latest last, stored as lines in
/// `$XDG_STATE_HOME/photogrid/folders`.
struct RecentFolders {
  private let file: StateFile
  /// The folders as the user typed them.
  private(set) var folders: [String]

  private static let maxFolders = 20

  init?(_ environment: [String: String]) {
    guard let file = StateFile("folders", environment) else { return nil }
    self.file = file
    folders = file.lines ?? []
  }

  /// Remembers a folder, or makes it the latest one.
  mutating func remember(_ folder: String) {
    guard !folder.contains("\n") else { return }
    // Read again, because another session may have added folders.
    folders = (file.lines ?? []).filter { $0 != folder } + [folder]
    folders = folders.suffix(Self.maxFolders)
    file.replace(with: folders)
  }
}
