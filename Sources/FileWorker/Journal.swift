import CLinux
import Glibc

/// The record of a session's operations on files, one line each, written before the operation.
///
/// By it an operation is settled after its process was killed, and undone after a restart. What
/// became of an operation is not recorded: the files themselves show it. The process that writes a
/// journal holds a lock on it.
final class Journal {
  private let path: [UInt8]
  private let descriptor: Int32

  /// How many journals of ended sessions are kept.
  private static let mostJournals = 16
  /// The largest journal that is read, in bytes.
  private static let longest = 32 << 20

  /// Opens the journal of a session, which is made if there is none; waits while a dying process
  /// of the same session still holds it.
  ///
  /// - Returns: Nil if there is no place for one: operations cannot be undone after a restart then.
  init?(_ path: [UInt8]) {
    guard !path.isEmpty else { return nil }
    makeFolders(path.split.folder.dropLast())
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let file = open(path.terminated, flags, 0o600)
    guard file >= 0 else { return nil }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(file)
        return nil
      }
    }
    self.path = path
    descriptor = file
    // A line may be cut short, by a process that was killed or a disk that was full.
    if let last = Self.bytes(of: file).last, last != UInt8(ascii: "\n") {
      _ = Self.write("\n", to: file)
    }
  }

  deinit { close(descriptor) }

  /// Writes an entry; the step may be taken after that.
  func add(_ entry: JournalEntry) { _ = Self.write(entry.line + "\n", to: descriptor) }

  /// Records that nothing is left to do for a group, whose last steps may be undone by others now.
  func end(_ group: FileGroup.ID) { Self.end(group, in: descriptor) }

  private static func end(_ group: FileGroup.ID, in file: Int32) {
    _ = write("end \(group)\n", to: file)
  }

  /// The entries of this session, oldest first.
  var entries: [JournalEntry] { Self.contents(of: descriptor).entries }

  /// The entries of the last group of this session.
  var lastGroup: [JournalEntry] { Self.lastGroup(of: entries) }

  private static func lastGroup(of entries: [JournalEntry]) -> [JournalEntry] {
    entries.filter { $0.group == entries.last?.group }
  }

  /// Settles the last groups of sessions whose processes were killed.
  func settleEnded() {
    forEachEndedFile { file in
      // Operations that another version of the program began are not settled.
      let unended = Self.lastGroup(of: Self.contents(of: file).entries)
      guard let last = unended.last, Self.lines(of: file).last != "end \(last.group)" else {
        return false
      }
      _ = Settlement(unended)
      Self.end(last.group, in: file)
      return false
    }
  }

  /// The entries that this version of the program understands.
  struct Contents {
    /// The entries after the last operation of another version, oldest first.
    var entries: [JournalEntry]
    /// Whether such an operation is before them.
    var isForeignBefore: Bool
  }

  /// Calls a closure for the journals of sessions that have ended, newest first, until it returns
  /// true.
  func forEachEnded(_ body: (Contents) -> Bool) {
    forEachEndedFile { body(Self.contents(of: $0)) }
  }

  private func forEachEndedFile(_ body: (Int32) -> Bool) {
    let (folder, own) = path.split
    for name in Self.names(in: folder) where name != own {
      let file = open((folder + name).terminated, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      defer { close(file) }
      // Another program may be about to use it.
      guard Self.lock(file) else { continue }
      if body(file) { return }
    }
  }

  /// Locks the journal of a session that has ended; a moment is waited for one that just ends, or
  /// whose descriptor a process has that is being started.
  private static func lock(_ file: Int32) -> Bool {
    for _ in 0..<30 {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  /// Removes the oldest journals of sessions that have ended.
  func removeOld() {
    let (folder, own) = path.split
    for name in Self.names(in: folder).dropFirst(Self.mostJournals) where name != own {
      let file = open((folder + name).terminated, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink((folder + name).terminated) }
    }
  }

  /// The names of all journals, newest first: they begin with the time of their session.
  private static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let stream = opendir(folder.terminated) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let start = folder_entry_name(entry)
      let name = Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted { $1.lexicographicallyPrecedes($0) }
  }

  private static func contents(of file: Int32) -> Contents {
    let lines = lines(of: file)
    guard let foreign = lines.lastIndex(where: JournalEntry.isForeign) else {
      return Contents(entries: lines.compactMap { JournalEntry(line: $0) }, isForeignBefore: false)
    }
    // The operation of that line is not understood as a whole, even if some of its lines are.
    let rest = lines[(foreign + 1)...].compactMap { JournalEntry(line: $0) }
    let words = lines[foreign].split(separator: " ")
    let operation =
      words.dropFirst().first.flatMap { FileGroup.ID(String($0))?.operation }
      ?? rest.first?.group.operation
    return Contents(
      entries: rest.filter { $0.group.operation != operation }, isForeignBefore: true)
  }

  private static func lines(of file: Int32) -> [String] {
    // What follows the last end of a line was cut short.
    let lines = bytes(of: file).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).dropLast()
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func bytes(of file: Int32) -> [UInt8] {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= longest
    else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress?.advanced(by: count), $0.count - count, off_t(count))
      }
      guard more > 0 else { break }
      count += more
    }
    return Array(bytes[..<count])
  }

  private static func write(_ text: String, to file: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.write(file, bytes, bytes.count) == bytes.count
  }
}

/// Makes a folder and the folders above it, of which only the owner sees the inside.
func makeFolders(_ path: some Collection<UInt8>) {
  let path = Array(path)
  guard mkdir(path.terminated, 0o700) != 0, errno == ENOENT,
    let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0
  else { return }
  makeFolders(path[..<slash])
  mkdir(path.terminated, 0o700)
}
