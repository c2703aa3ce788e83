import CLinux
import Geometry
import Glibc

/// The journal of a session: a line for each step of its operations on files.
///
/// A line is written before its step is taken. With the journal, the next process can settle an
/// operation whose process was killed, and a later session can undo one. Results are not recorded,
/// because the files themselves show them. The process that writes a journal holds a lock on it. Only
/// journals count that nobody else can have written (`JournalFolder`).
///
///     rename 7.3.2 move 2049 131 /photos/a.jpg /photos/b.jpg
///     rename 7.3.2 move 2049 132 /photos/a.jpg.xmp /photos/b.jpg.xmp
///     end 7.3.2
///
/// `at 7 1764064800` before the first line of batch 7 says when it began, in seconds since 1970.
/// `undone 7.3.2` after all others says that the group was undone, in this session or a later one.
final class Journal {
  static let (endWord, undoneWord, timeWord) = ("end", "undone", "at")

  /// The name of the journal, which identifies the session.
  let name: [UInt8]
  private let folder: JournalFolder
  private let descriptor: Int32
  /// Why a line could not be written, the first time that happened.
  private(set) var fault: FileFault?
  /// The group whose entries are being written; nil between groups.
  private var openGroup: OpenGroup?

  private struct OpenGroup {
    let id: FileGroup.ID
    /// The offset of its first entry in the file, in bytes.
    let start: off_t
    /// Whether an entry could not be written.
    var isIncomplete = false
  }

  private static let maxJournals = 16
  private static let longest = 32 << 20

  /// Opens or creates the journal of a session, after waiting for any process that still holds it.
  ///
  /// - Throws: `FileFault`; without a journal, operations cannot be undone after a restart.
  init(_ path: [UInt8]) throws(FileFault) {
    name = path.split.name
    folder = try JournalFolder(path.split.folder)
    let file = try folder.open(name, O_RDWR | O_APPEND | O_CREAT)
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let fault = FileFault.last
        close(file)
        throw fault
      }
    }
    descriptor = file
    // A process that was killed may have written only a part of its last line, whose step it did not
    // take. To remove that part needs no room on the disk.
    let bytes = Self.bytes(of: file)
    if let last = bytes.last, last != UInt8(ascii: "\n") {
      ftruncate(file, off_t(bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0))
    }
  }

  deinit { close(descriptor) }

  /// Writes an entry; call this before taking its step.
  ///
  /// After an entry that could not be written, those of the same group are not written either.
  func add(_ entry: JournalEntry) {
    if openGroup?.id != entry.group {
      openGroup = OpenGroup(id: entry.group, start: Self.size(of: descriptor))
    }
    guard openGroup?.isIncomplete == false else { return }
    openGroup?.isIncomplete = !write(entry.line)
  }

  /// Flushes what was written to the disk.
  func sync() { fdatasync(descriptor) }

  /// Records that a batch begins now; call this before its first entry.
  func begin(_ batch: UInt32) {
    write("\(Self.timeWord) \(batch) \(time(nil))")
  }

  /// Records that all steps of a group were taken, or all undone.
  ///
  /// A group that is not recorded completely is removed, because an undo would separate a photo from
  /// its sidecar. Until now its entries were kept for the next process, in case this one was killed.
  func end(_ group: FileGroup.ID) {
    defer { openGroup = nil }
    if let openGroup, openGroup.id == group, openGroup.isIncomplete {
      ftruncate(descriptor, openGroup.start)
    } else {
      write("\(Self.endWord) \(group)")
    }
  }

  @discardableResult
  private func write(_ line: String) -> Bool {
    guard !Self.write(line, to: descriptor) else { return true }
    if fault == nil { fault = .last }
    return false
  }

  /// The groups of a journal that were undone, so that they are never undone again.
  struct UndoneGroups {
    fileprivate let file: Int32

    func add(_ group: FileGroup.ID) {
      _ = Journal.write("\(Journal.undoneWord) \(group)", to: file)
    }
  }

  var undoneGroups: UndoneGroups { UndoneGroups(file: descriptor) }

  /// The entries that this session has recorded so far.
  var contents: Contents { Self.contents(of: descriptor) }

  var entries: [JournalEntry] { contents.entries }

  /// Settles the last groups of sessions whose processes were killed.
  func settleEnded() {
    forEachEndedFile { _, file in
      // Operations that another version of the program began are not settled.
      let contents = Self.contents(of: file)
      let unended = contents.lastGroup
      guard let last = unended.last, !contents.ended.contains(last.group) else { return false }
      _ = Settlement(unended)
      _ = Self.write("\(Self.endWord) \(last.group)", to: file)
      return false
    }
  }

  /// The part of a journal that this version of the program understands.
  struct Contents {
    /// The entries after the last batch of another version, oldest first.
    var entries: [JournalEntry] = []
    /// Whether such a batch is before them.
    var isForeignBefore = false
    var ended: Set<FileGroup.ID> = []
    var undone: Set<FileGroup.ID> = []
    /// When batches began, in seconds since 1970.
    var times: [UInt32: Int64] = [:]

    var lastGroup: [JournalEntry] { entries.filter { $0.group == entries.last?.group } }
  }

  /// Calls a closure for the journals of sessions that have ended, newest first, until it returns
  /// true.
  ///
  /// The closure receives the journal's name and contents. No other process changes the journal
  /// meanwhile.
  func forEachEnded(_ body: ([UInt8], Contents, UndoneGroups) -> Bool) {
    forEachEndedFile { name, file in
      body(name, Self.contents(of: file), UndoneGroups(file: file))
    }
  }

  private func forEachEndedFile(_ body: ([UInt8], Int32) -> Bool) {
    for name in folder.names where name != self.name {
      guard let file = try? folder.open(name, O_RDWR | O_APPEND) else { continue }
      defer { close(file) }
      // Another program may be about to use it.
      guard Self.lock(file) else { continue }
      if body(name, file) { return }
    }
  }

  /// Locks the journal of a session that has ended; false if it is still in use.
  ///
  /// Waits up to 0.3 s for a session that is just ending, or for a process being started that
  /// briefly holds a copy of the descriptor.
  private static func lock(_ file: Int32) -> Bool {
    for _ in 0..<30 {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  /// Removes the oldest journals, unless their sessions are still running.
  func removeOld() {
    for name in folder.names.dropFirst(Self.maxJournals) where name != self.name {
      guard let file = try? folder.open(name, O_RDWR) else { continue }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { folder.remove(name) }
    }
  }

  private static func contents(of file: Int32) -> Contents {
    let lines = lines(of: file)
    var contents = Contents()
    var entries: [(entry: JournalEntry, isOldRotation: Bool)] = []
    var foreign: Int?
    for (index, line) in lines.enumerated() {
      if let entry = JournalEntry(line: line) {
        let isOld = line.hasPrefix(JournalEntry.oldRotationWord)
        // Earlier versions recorded the undo of a rotation as another rotation.
        if isOld, let rotation = entry.rotation,
          let last = entries.lastIndex(where: {
            $0.isOldRotation && $0.entry.source == entry.source
          }
          ), entries[last].entry.rotation == rotation.reversed
        {
          entries.remove(at: last)
        } else {
          entries.append((entry, isOld))
        }
      } else if JournalEntry.isForeign(line) {
        foreign = index
        entries = []
      } else {
        contents.addMark(line)
      }
    }
    contents.entries = entries.map(\.entry)
    guard let foreign else { return contents }
    // The batch of that line is not understood as a whole, even if some of its lines are.
    let words = lines[foreign].split(separator: " ")
    let batch =
      words.dropFirst().first.flatMap { FileGroup.ID(String($0))?.batch }
      ?? contents.entries.first?.group.batch
    contents.entries.removeAll { $0.group.batch == batch }
    contents.isForeignBefore = true
    return contents
  }

  private static func lines(of file: Int32) -> [String] {
    // The part after the last newline is an incomplete line.
    let lines = bytes(of: file).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).dropLast()
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func size(of file: Int32) -> off_t {
    var status = stat()
    return fstat(file, &status) == 0 ? status.st_size : 0
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

  /// Adds a line; what fits of one that does not is removed, so that the next one is not joined to it.
  ///
  /// - Returns: Whether the line was written; if not, `errno` is the reason.
  private static func write(_ line: String, to file: Int32) -> Bool {
    let bytes = Array("\(line)\n".utf8)
    var status = stat()
    guard fstat(file, &status) == 0 else { return false }
    errno = ENOSPC
    guard Glibc.write(file, bytes, bytes.count) != bytes.count else { return true }
    let code = errno
    ftruncate(file, status.st_size)
    errno = code
    return false
  }
}

extension Journal.Contents {
  fileprivate mutating func addMark(_ line: String) {
    let words = line.split(separator: " ").map { String($0) }
    guard words.count > 1 else { return }
    switch words[0] {
    case Journal.endWord: if let group = FileGroup.ID(words[1]) { ended.insert(group) }
    case Journal.undoneWord: if let group = FileGroup.ID(words[1]) { undone.insert(group) }
    case Journal.timeWord:
      guard words.count > 2, let batch = UInt32(words[1]) else { return }
      times[batch] = Int64(words[2])
    default: break
    }
  }
}

/// Creates a folder and its missing parents, which only the owner can open.
///
/// - Throws: `FileFault` if one is missing and cannot be created.
func makeFolders(_ path: some Collection<UInt8>) throws(FileFault) {
  let path = Array(path)
  guard mkdir(path.terminated, 0o700) != 0, errno != EEXIST else { return }
  guard errno == ENOENT, let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else {
    throw .last
  }
  try makeFolders(path[..<slash])
  guard mkdir(path.terminated, 0o700) == 0 || errno == EEXIST else { throw .last }
}
