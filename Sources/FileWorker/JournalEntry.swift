import Glibc
import PhotoGridCore

/// What is about to be done to a file, as the journal records it.
struct JournalEntry: Equatable {
  /// A kind of operation, with its word in the journal.
  enum Kind: String {
    case trash, restore, rename
    /// Files are moved back: what was undone is not undone again.
    case unrename
    /// Files are copied, and stay where they are.
    case copy
    /// A folder is created, which is both source and target.
    case folder
    /// The orientation in a file is changed, which is both source and target.
    case turn
  }

  /// The kind of operation.
  var kind: Kind
  /// The group of files that the file belongs to.
  var group: FileGroup.ID
  /// How the file is moved.
  var method: FileMove.Method
  /// The file.
  var file: FileIdentity
  /// The absolute path before the operation.
  var source: [UInt8]
  /// The absolute path after the operation.
  var target: [UInt8]
  /// The file at the target, for a file that is copied, once all of it is on the disk.
  var copy: FileIdentity?

  /// The orientations before and after, for a file that is turned.
  var turn: (before: Orientation, after: Orientation)? {
    get {
      guard kind == .turn, let copy else { return nil }
      return (
        Orientation(number: Int(clamping: copy.device)),
        Orientation(number: Int(clamping: copy.inode))
      )
    }
    set {
      copy = newValue.map {
        FileIdentity(device: UInt64($0.before.number), inode: UInt64($0.after.number))
      }
    }
  }

  /// The line of the journal, without its end.
  var line: String {
    let paths = [source, target].map { TrashInfo.encoded($0) }
    let numbers = "\(group) \(method.rawValue) \(file.device) \(file.inode)"
    let copied = copy.map { " \($0.device) \($0.inode)" } ?? ""
    return "\(kind.rawValue) \(numbers) \(paths[0]) \(paths[1])\(copied)"
  }

  /// The entry of a line; nil if a process was killed while it wrote the line.
  init?(line: String) {
    let words = line.split(separator: Character(" ")).map { String($0) }
    guard words.count == 7 || words.count == 9, let kind = Kind(rawValue: words[0]),
      let group = FileGroup.ID(words[1]),
      let method = FileMove.Method(rawValue: words[2]), let device = UInt64(words[3]),
      let inode = UInt64(words[4]), let source = TrashInfo.decoded(words[5]),
      let target = TrashInfo.decoded(words[6])
    else { return nil }
    self.init(
      kind, group, method, FileIdentity(device: device, inode: inode), from: source, to: target)
    guard words.count == 9 else { return }
    guard let device = UInt64(words[7]), let inode = UInt64(words[8]) else { return nil }
    copy = FileIdentity(device: device, inode: inode)
  }

  /// Whether a line was written by a version of the program that records more than this one, or is
  /// damaged; false for a line that may have been cut short, which nothing was done after.
  static func isForeign(_ line: String) -> Bool {
    guard Self(line: line) == nil else { return false }
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    // The last word may be the beginning of another one.
    func isUnknown(_ place: Int, _ isKnown: (String) -> Bool) -> Bool {
      place < words.count - 1 && !isKnown(words[place])
    }
    if words[0] == "end" { return words.count > 2 }
    return words.count > 9 || isUnknown(0) { Kind(rawValue: $0) != nil }
      || isUnknown(1) { FileGroup.ID($0) != nil }
      || isUnknown(2) { FileMove.Method(rawValue: $0) != nil }
  }

  /// An entry for a file that is moved from one absolute path to another.
  init(
    _ kind: Kind, _ group: FileGroup.ID, _ method: FileMove.Method, _ file: FileIdentity,
    from source: [UInt8], to target: [UInt8]
  ) {
    self.kind = kind
    self.group = group
    self.method = method
    self.file = file
    self.source = source
    self.target = target
  }

  /// Whether the file is at its source.
  var isAtSource: Bool { FileIdentity(at: source) == file }

  /// Whether the file, or its complete copy, is at its target.
  var isAtTarget: Bool {
    guard let moved = method == .copy ? copy : file else { return false }
    return FileIdentity(at: target) == moved
  }

  /// The file in the trash, for an entry that moves one there or back.
  var trashedFile: TrashedFile? {
    let (path, original): ([UInt8], [UInt8])
    switch kind {
    case .trash: (path, original) = (target, source)
    case .restore: (path, original) = (source, target)
    case .rename, .unrename, .copy, .folder, .turn: return nil
    }
    let (files, name) = path.split
    let suffix = Array("/files/".utf8)
    guard files.suffix(suffix.count) == suffix[...] else { return nil }
    return TrashedFile(
      trash: Array(files.dropLast(suffix.count)), name: name, originalPath: original)
  }
}
