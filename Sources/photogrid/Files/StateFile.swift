import Glibc

/// A file of lines that the program keeps between sessions, in `$XDG_STATE_HOME/photogrid`.
struct StateFile {
  private let folder: String
  private let path: String
  /// The most bytes to read, or to write with `replace(with:)`.
  private let maxSize: Int

  /// Locates a file; nil if the environment names no folder for it.
  init?(_ name: String, _ environment: [String: String], maxSize: Int = 4096) {
    self.maxSize = maxSize
    let state = BaseDirectory.path(.state) { name in environment[name].map { Array($0.utf8) } }
    guard let state else { return nil }
    folder = String(decoding: state, as: UTF8.self) + "/photogrid"
    path = folder + "/" + name
  }

  /// The file's lines; nil if there is no such file of the user's, or it is too long.
  var lines: [String]? { contents.map(Self.lines) }

  static func lines(of contents: ArraySlice<UInt8>) -> [String] {
    contents.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file's bytes; nil if the user has no such file, or it is too long.
  var contents: ArraySlice<UInt8>? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_size <= maxSize else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = read(file, &bytes, bytes.count)
    return bytes.prefix(max(count, 0))
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
