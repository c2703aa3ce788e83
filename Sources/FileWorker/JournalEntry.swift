import Geometry
import Glibc
import Photos
import WorkerRuntime

/// A step that is about to be taken with a file, as the journal records it.
struct JournalEntry: Equatable {
  /// A kind of operation, with its word in the journal.
  enum Kind: String {
    /// Files are moved to the trash, back from it, or to any other path.
    case trash, restore, rename
    /// Files are moved back, by an undo, which is never undone itself.
    case unrename
    /// Files are copied, and stay where they are.
    case copy
    /// A folder is created; source and target are both its path.
    case folder
    /// The orientation of a photo is changed, or changed back by an undo, which is never undone
    /// itself; source is the photo's path, and target that of the file, which may be its sidecar.
    case rotate, unrotate

    /// The kind of an operation's steps; nil if the journal has no word for them.
    init?(_ kind: FileOperation.Kind, isUndo: Bool) {
      switch kind {
      case .trash: self = isUndo ? .restore : .trash
      case .rename, .move: self = isUndo ? .unrename : .rename
      case .copy where !isUndo: self = .copy
      case .rotation: self = isUndo ? .unrotate : .rotate
      case .copy, .recorded: return nil
      }
    }
  }

  /// The change of the orientation in a file.
  struct Rotation: Equatable {
    var before: Orientation
    var after: Orientation
    /// The bytes that change; nil in journals of earlier versions, which changed two bytes of the tag.
    var change: FileChange?

    /// The change that undoes this one.
    var reversed: Rotation { Rotation(before: after, after: before, change: change?.reversed) }
  }

  var kind: Kind
  /// The group of files that the file belongs to.
  var group: FileGroup.ID
  var method: FileMove.Method
  var file: FileIdentity
  /// The absolute paths before and after the operation.
  var step: FileStep
  /// The complete copy at the target, for a file that is copied; nil before it is on the disk.
  var copy: FileIdentity?
  /// The texts of a link that is copied with another text; nil for all other files.
  var link: LinkTexts?
  /// The orientations in a file that is rotated; nil for all other kinds.
  var rotation: Rotation?

  /// The word of both kinds of rotations in journals of earlier versions.
  static let oldRotationWord = "turn"

  /// The line in the journal, without a newline.
  ///
  /// Its words are kind, group, method, device, inode, source and target, then two numbers: the
  /// device and inode of `copy` unless it is nil, or the orientations of `rotation` as in EXIF. The
  /// texts of a `link` follow as ">BEFORE>AFTER", or the change of the rotation. Paths and texts are
  /// percent-encoded.
  var line: String {
    let paths = [source, target].map { TrashInfo.encoded($0) }
    let numbers = "\(group) \(method.rawValue) \(file.device) \(file.inode)"
    let copied = copy.map { " \($0.device) \($0.inode)" } ?? ""
    let linked =
      link.map { " >\(TrashInfo.encoded($0.before))>\(TrashInfo.encoded($0.after))" } ?? ""
    let rotated = rotation.map { " \($0.before.number) \($0.after.number)" } ?? ""
    let changed = rotation?.change.map { " \($0.word)" } ?? ""
    let words = "\(kind.rawValue) \(numbers) \(paths[0]) \(paths[1])"
    return words + copied + linked + rotated + changed
  }

  init?(line: String) {
    let words = line.split(separator: Character(" ")).map { String($0) }
    guard words.count == 7 || (9...10).contains(words.count), let kind = Self.kind(words[0]),
      let group = FileGroup.ID(words[1]),
      let method = FileMove.Method(rawValue: words[2]), let device = UInt64(words[3]),
      let inode = UInt64(words[4]), let source = TrashInfo.decoded(words[5]),
      let target = TrashInfo.decoded(words[6])
    else { return nil }
    self.init(
      kind, group, method, FileIdentity(device: device, inode: inode), from: source, to: target)
    let isRotation = kind == .rotate || kind == .unrotate
    guard words.count > 7 else {
      if isRotation { return nil }
      return
    }
    guard let first = UInt64(words[7]), let second = UInt64(words[8]) else { return nil }
    if isRotation {
      guard (1...8).contains(first), (1...8).contains(second) else { return nil }
      let change = words.count > 9 ? FileChange(word: words[9]) : nil
      guard words.count == 9 || change != nil else { return nil }
      rotation = Rotation(
        before: Orientation(number: Int(first)), after: Orientation(number: Int(second)),
        change: change)
      return
    }
    copy = FileIdentity(device: first, inode: second)
    guard words.count > 9 else { return }
    let texts = words[9].split(separator: ">", omittingEmptySubsequences: false)
    guard method == .copy, texts.count == 3, texts[0].isEmpty,
      let before = TrashInfo.decoded(texts[1]), let after = TrashInfo.decoded(texts[2])
    else { return nil }
    link = LinkTexts(before: before, after: after)
  }

  private static func kind(_ word: String) -> Kind? {
    word == oldRotationWord ? .rotate : Kind(rawValue: word)
  }

  /// Whether a line is damaged, or of a later version of the program that records more.
  ///
  /// False for a line that may merely be incomplete: its step was not taken.
  static func isForeign(_ line: String) -> Bool {
    guard Self(line: line) == nil else { return false }
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    // The last word may be incomplete.
    func isUnknown(_ index: Int, _ isKnown: (String) -> Bool) -> Bool {
      index < words.count - 1 && !isKnown(words[index])
    }
    switch words[0] {
    case Journal.endWord, Journal.undoneWord: return words.count > 2
    case Journal.timeWord: return words.count > 3
    default:
      let isTailKnown =
        words.count < 10 || words[9].isEmpty || words[9].hasPrefix(">")
        || [Kind.rotate, .unrotate].contains(Self.kind(words[0]))
      return words.count > 10 || !isTailKnown || isUnknown(0) { Self.kind($0) != nil }
        || isUnknown(1) { FileGroup.ID($0) != nil }
        || isUnknown(2) { FileMove.Method(rawValue: $0) != nil }
    }
  }

  init(
    _ kind: Kind, _ group: FileGroup.ID, _ method: FileMove.Method, _ file: FileIdentity,
    from source: [UInt8], to target: [UInt8]
  ) {
    self.kind = kind
    self.group = group
    self.method = method
    self.file = file
    step = FileStep(from: source, to: target)
  }

  var source: [UInt8] { step.source }

  var target: [UInt8] {
    get { step.target }
    set { step.target = newValue }
  }

  /// The step, with the entry itself if it is needed to undo it.
  var recordedStep: FileStep {
    var step = step
    if rotation != nil { step.record = Array(line.utf8) }
    return step
  }

  /// Whether the file is at its source.
  var isAtSource: Bool { Self.isFile(file, at: source) }

  /// Whether the file, or its complete copy, is at its target, or has been changed there.
  var isAtTarget: Bool {
    if let rotation, rotation.change != nil { return PhotoTurn.isDone(rotation, at: target) }
    guard let moved = method == .copy ? copy : file else { return false }
    return Self.isFile(moved, at: target)
  }

  /// Whether the copy at the target is like the file at the source.
  var isFaithful: Bool {
    guard let link else { return FileCopy.isSame(target, as: source) }
    return SymbolicLink(at: source)?.text == link.before
      && SymbolicLink(at: target)?.text == link.after
  }

  /// Whether a file is at a path.
  ///
  /// Many file systems get another device number each time they are mounted; at one path, the inode
  /// alone tells files apart.
  static func isFile(_ file: FileIdentity, at path: [UInt8]) -> Bool {
    FileIdentity(at: path)?.inode == file.inode
  }

  /// The step into the trash, for an entry that moves a file there or back; nil for other entries.
  var trashing: FileStep? {
    switch kind {
    case .trash: step.trash == nil ? nil : step
    case .restore: step.reversed.trash == nil ? nil : step.reversed
    case .rename, .unrename, .copy, .folder, .rotate, .unrotate: nil
    }
  }
}
