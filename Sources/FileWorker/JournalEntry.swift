import Glibc
import PhotoGridCore

/// What is about to be done to a file, as the journal records it.
struct JournalEntry: Equatable {
  /// A kind of operation, with its word in the journal.
  enum Kind: String {
    case trash, restore, rename
    /// A name is given back: what was undone is not undone again.
    case unrename
  }

  /// The kind of operation.
  var kind: Kind
  /// The number of the operation in its session; files that were requested together share one.
  var operation: UInt32
  /// How the file is moved.
  var method: FileMove.Method
  /// The file.
  var file: FileIdentity
  /// The absolute path before the operation.
  var source: [UInt8]
  /// The absolute path after the operation.
  var target: [UInt8]

  /// The line of the journal, without its end.
  var line: String {
    let paths = [source, target].map { TrashInfo.encoded($0) }
    let numbers = "\(operation) \(method.rawValue) \(file.device) \(file.inode)"
    return "\(kind.rawValue) \(numbers) \(paths[0]) \(paths[1])"
  }

  /// The entry of a line; nil if a process was killed while it wrote the line.
  init?(line: String) {
    let words = line.split(separator: Character(" ")).map { String($0) }
    guard words.count == 7, let kind = Kind(rawValue: words[0]), let operation = UInt32(words[1]),
      let method = FileMove.Method(rawValue: words[2]), let device = UInt64(words[3]),
      let inode = UInt64(words[4]), let source = TrashInfo.decoded(words[5]),
      let target = TrashInfo.decoded(words[6])
    else { return nil }
    self.init(
      kind, operation, method, FileIdentity(device: device, inode: inode), from: source,
      to: target)
  }

  /// An entry for a file that is moved from one absolute path to another.
  init(
    _ kind: Kind, _ operation: UInt32, _ method: FileMove.Method,
    _ file: FileIdentity, from source: [UInt8], to target: [UInt8]
  ) {
    self.kind = kind
    self.operation = operation
    self.method = method
    self.file = file
    self.source = source
    self.target = target
  }

  /// The file in the trash, for an entry that moves one there or back.
  var trashedFile: TrashedFile? {
    let path: [UInt8]
    switch kind {
    case .trash: path = target
    case .restore: path = source
    case .rename, .unrename: return nil
    }
    let (files, name) = path.split
    let suffix = Array("/files/".utf8)
    guard files.suffix(suffix.count) == suffix[...] else { return nil }
    return TrashedFile(trash: Array(files.dropLast(suffix.count)), name: name)
  }

  /// Whether undoing the operation would move the file back now: it is where the operation left it.
  var canBeUndone: Bool {
    switch kind {
    case .trash: FileIdentity(at: target) == file && trashedFile?.origin == source
    case .rename: FileIdentity(at: target) == file && FileIdentity(at: source) == nil
    case .restore, .unrename: false
    }
  }
}
