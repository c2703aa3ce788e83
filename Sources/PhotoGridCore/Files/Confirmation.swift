import Geometry
import Photos
import SceneModel

/// A question in the bar that the user must answer before files are changed.
enum Confirmation: Equatable, Sendable {
  /// Whether to trash photos.
  case trash(Trashing)
  /// Whether to undo what was done in another folder or in an earlier session.
  ///
  /// `keyTime` is when `u` was last typed: held down, the key answers no question.
  case undo(OfferedUndo, keyTime: Instant)
  /// Whether to copy files that were dropped.
  case drop(Dropping)

  /// Photos that go to the trash if the answer is yes.
  struct Trashing: Equatable, Sendable {
    var photos: [Photo.ID]
    /// The number of photos of these files, each pair once.
    var count: Int
    var subject: Subject
  }

  /// How photos are chosen for an operation.
  enum Subject: Equatable, Sendable {
    case marked
    case range
    /// The photos that the selected tiles stand for.
    case tiles
  }

  /// The time within which a key that is typed again counts as held down, in seconds.
  private static let repeatedKeyTime = 0.3

  /// Whether a key is still held down from before the question, and answers nothing.
  mutating func isHeld(_ key: Key, at now: Instant) -> Bool {
    guard case .undo(let offered, let keyTime) = self, key == .character("u"),
      now.seconds(since: keyTime) < Self.repeatedKeyTime
    else { return false }
    self = .undo(offered, keyTime: now)
    return true
  }

  /// The question, with the keys that answer it.
  var question: String {
    switch self {
    case .trash(let trashing):
      let what = trashing.count == 1 ? "photo" : "photos"
      let files = trashing.photos.count > trashing.count ? ", \(trashing.photos.count) files" : ""
      return
        "Trash \(trashing.count) \(trashing.subject == .marked ? "marked " : "")\(what)\(files)?"
        + " d, y, Enter: yes · Esc: no"
    case .undo(let offered, _): return "\(offered.words)? u, y: yes · Esc: no"
    case .drop(let dropping): return dropping.question
    }
  }

  /// Whether a key means yes; every other key means no, and has no other effect.
  func isYes(_ key: Key) -> Bool {
    switch (self, key) {
    case (.trash, .character("d")), (.trash, .delete), (.undo, .character("u")),
      (_, .character("y")), (_, .enter):
      true
    default: false
    }
  }
}

extension Album {
  /// Returns the operations that trash the files of photos.
  func trashing(_ photos: [Photo.ID]) -> [FileOperation] {
    grouped(files(of: photos)).map { .trash($0) }
  }

  /// Returns the files that have not disappeared from the folder since a question about them.
  func present(among files: [Photo.ID]) -> [Photo.ID] {
    let listing = PhotoSet(listing)
    return files.filter { listing.contains($0) || marks.contains($0) }
  }
}

/// A change that is undone once the user agrees.
struct OfferedUndo: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    case change(Int)
    case recorded(RecordedOperation.ID)
  }

  var source: Source
  /// The question without its question mark, such as "Undo the rename of 'x.jpg' in 'lib' from
  /// 09:10", or "Restore the 5 photos you trashed a moment ago".
  var words: String
}

extension OfferedUndo {
  /// Offers to undo an operation of an earlier session.
  init(_ operation: RecordedOperation) {
    let what =
      operation.count == 1
      ? FileOperation.label(of: operation.name) : "\(operation.count) photos"
    let location = operation.isHere ? "" : " in \(Self.label(ofFolder: operation.folder))"
    let when = operation.age.map {
      Self.words(age: $0, time: operation.time, of: operation.kind)
    }
    self.init(
      source: .recorded(operation.id),
      words: operation.kind.undoing(what, count: operation.count) + location + (when ?? ""))
  }

  /// Offers to undo a change that was made in another folder.
  init(_ change: FileOperations.Change, at now: Instant) {
    let folder = change.location.flatMap { $0 == [0] ? nil : Self.label(ofFolder: $0) }
    let age = Int64(now.seconds(since: change.time))
    self.init(
      source: .change(change.number),
      words: change.undoing + " in \(folder ?? "another folder")"
        + Self.words(age: age, time: nil, of: change.kind))
  }

  /// Returns the last component of a folder's path in quotes.
  private static func label(ofFolder path: [UInt8]) -> String {
    let name = Array((path.last == UInt8(ascii: "/") ? path.dropLast() : path[...]))
    return name.isEmpty ? "the root folder" : FileOperation.label(of: name.lastPathComponent)
  }

  /// Returns when something was done, such as " from 09:10", or " at 09:10" after "you trashed".
  ///
  /// `age` is in seconds; `time` is in seconds since 1970, and nil if it is not known.
  private static func words(age: Int64, time: Int64?, of kind: FileOperation.Kind?) -> String {
    let isVerb = kind == .trash
    let ago = isVerb ? " " : " from "
    if age < 60 { return ago + "a moment ago" }
    if age < 3600 { return ago + (age < 120 ? "a minute ago" : "\(age / 60) minutes ago") }
    guard let time else { return ago + (age < 7200 ? "an hour ago" : "\(age / 3600) hours ago") }
    let then = TakenTime(localTime: time).digits
    let (date, clock) = (then / 1_000_000, then / 100 % 10_000)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let hour = "\(two(clock / 100)):\(two(clock % 100))"
    guard date != TakenTime(localTime: time + age).digits / 1_000_000 else {
      return (isVerb ? " at " : " from ") + hour
    }
    return (isVerb ? " on " : " from ")
      + "\(date / 10_000)-\(two(date / 100 % 100))-\(two(date % 100)) at \(hour)"
  }
}

extension FileOperation.Kind {
  /// What undoing an operation on some files does, in words.
  ///
  /// - `what`: The file's label, or how many photos they are.
  func undoing(_ what: String, count: Int) -> String {
    guard self == .trash else { return "Undo the \(noun) of \(what)" }
    return count == 1 ? "Restore \(what), which you trashed" : "Restore the \(what) you trashed"
  }

  /// The operation as a noun, for "undo the … of".
  var noun: String {
    switch self {
    case .trash: "trashing"
    case .rename: "rename"
    case .move: "move"
    case .copy: "copy"
    case .rotation: "rotation"
    case .recorded: "change"
    }
  }
}
