/// What is done to the photos' files: trash, rename, undo, and what leaves them as they are.
extension Browser {
  /// Does what a key asks for that has to do with files.
  ///
  /// On the screen each command is about the photo that is seen, whatever is marked.
  mutating func run(
    _ command: Command.FileCommand, count: Int?, inDetail: Bool, at now: Instant
  ) -> [Effect] {
    // To copy a path changes nothing.
    guard command == .copyPath || mayChangeFiles(command.words, at: now) else { return [] }
    if command != .undo, currentFolder != nil, command != .trash || album.marks.isEmpty {
      say("\(command.words) is for photos, not for folders", for: 2, at: now)
      return []
    }
    if inDetail, command != .undo, let kept = keptMarks { say(kept, for: 2, at: now) }
    switch command {
    case .trash: return trash(count: count, inDetail: inDetail, at: now)
    case .undo: return begin(.undo, at: now)
    case .rename: return current.map { [.tellName($0)] } ?? []
    case .copyPath: return current.map { [.copyPath($0)] } ?? []
    case .open: return current.map { [.open($0)] } ?? []
    }
  }

  /// How many photos are marked besides the present one, and that nothing is done to them; nil where
  /// there are none.
  var keptMarks: String? {
    let isMarked = current.map { album.marks.contains($0) } ?? false
    let others = album.marks.count - (isMarked ? 1 : 0)
    return others > 0 ? "\(others) marked \(others == 1 ? "stays" : "stay")" : nil
  }

  /// Whether files may be changed at all; says so where not.
  mutating func mayChangeFiles(_ what: String, at now: Instant) -> Bool {
    if options.isReadOnly { say("\(what) is switched off by --read-only", for: 3, at: now) }
    return !options.isReadOnly
  }

  /// Photos that are in the trash and can be brought back.
  package var trashed: [Photo.ID] { filing.trashed }

  // MARK: - Steps

  /// Trashes the photo on the screen; in the grid as many as were counted from the selection on, else
  /// the range that is being made or what is marked once that is confirmed, else the selected photo.
  private mutating func trash(count: Int?, inDetail: Bool, at now: Instant) -> [Effect] {
    if inDetail { return trash(current.map { [$0] } ?? [], at: now) }
    if let count {
      rangeAnchor = nil
      guard selection >= folderCount else {
        say("the trash is for photos, not for folders", for: 2, at: now)
        return []
      }
      return trash(Array(photos[selection...].prefix(count)), at: now)
    }
    let range = range.map { photos[$0].filter { !album.isFolder($0) } }
    let chosen = range ?? album.markedInOrder
    guard !chosen.isEmpty else {
      rangeAnchor = nil
      return trash(current.map { [$0] } ?? [], at: now)
    }
    // A range of one is the selected photo, as without a range.
    guard range == nil || chosen.count > 1 else {
      rangeAnchor = nil
      return trash(chosen, at: now)
    }
    confirmation = Confirmation(photos: chosen, isRange: range != nil)
    return []
  }

  /// Trashes photos in one step, those left out to which something is being done.
  mutating func trash(_ photos: [Photo.ID], at now: Instant) -> [Effect] {
    guard !photos.isEmpty else { return [] }
    let busy = filing.busy
    let idle = photos.filter { !busy.contains($0) }
    guard !idle.isEmpty else {
      say("wait: something is being done to that file already", for: 2, at: now)
      return []
    }
    return begin(.trash(idle), at: now)
  }

  /// Begins what is wished for, or has it wait until what goes on is over.
  mutating func begin(_ wish: Filing.Wish, at now: Instant) -> [Effect] {
    guard filing.running == nil else {
      filing.waiting.append(wish)
      return []
    }
    var running = Filing.Running(tasks: [], marked: PhotoSet())
    switch wish {
    case .trash(let photos):
      running.tasks = photos.map { .trash($0) }
      running.marked = PhotoSet(photos.filter { album.marks.contains($0) })
    case .rename(let photo, let name): running.tasks = [.rename(photo, to: name)]
    case .undo:
      guard let step = filing.done.popLast() else {
        say("nothing to undo", for: 1, at: now)
        return []
      }
      running.undone = step
      switch step {
      case .trash(let trashed): running.tasks = trashed.map { .restore($0.photo, $0.file) }
      case .rename(let photo, let name): running.tasks = [.rename(photo, to: name)]
      }
    }
    filing.running = running
    return [.file(running.tasks)]
  }

  /// Takes what became of tasks; begins what waited for them.
  mutating func take(_ filed: [Filed], at now: Instant) -> [Effect] {
    filing.running?.filed += filed
    guard let running = filing.running, running.filed.count >= running.tasks.count else {
      return []
    }
    filing.running = nil
    if let step = running.undone == nil ? running.step : running.remainder {
      filing.done.append(step)
    }
    if case .trash(let trashed) = running.undone { greet(trashed, running.filed, at: now) }
    let kept = running.undone == nil && isInDetail ? keptMarks.map { "; " + $0 } ?? "" : ""
    say(running.outcome + kept, for: 5, at: now)
    var effects: [Effect] = []
    while filing.running == nil, !filing.waiting.isEmpty {
      effects += begin(filing.waiting.removeFirst(), at: now)
    }
    return effects
  }

  /// Photos are back: the first of them is selected, those that were marked are so again.
  private mutating func greet(
    _ trashed: [Filing.Trashed], _ filed: [Filed], at now: Instant
  ) {
    let back = PhotoSet(filed.filter { $0.outcome == .done }.map(\.task.photo))
    let marked = trashed.filter { $0.isMarked && back.contains($0.photo) }.map(\.photo)
    if !marked.isEmpty { changeAlbum(at: now) { $0.mark(marked, true) } }
    guard let place = photos.firstIndex(where: { back.contains($0) }) else { return }
    if outing.map({ !$0.isReturning }) ?? false {
      show(place, at: now)
    } else {
      select(place, at: now)
    }
  }

  // MARK: - Names

  /// Opens the prompt for another name, with the present one in it and the caret before its
  /// extension.
  mutating func askName(of photo: Photo.ID, _ name: [UInt8], at now: Instant) {
    endDrag(at: now)
    confirmation = nil
    let text = String(decoding: name, as: UTF8.self)
    let dot = text.lastIndex(of: ".").flatMap { $0 == text.startIndex ? nil : $0 }
    let end = dot ?? text.endIndex
    prompt = Prompt(
      kind: .rename, line: LineEditor(before: String(text[..<end]), after: String(text[end...])),
      origin: Prompt.Origin(photo: photo, name: text))
    let note = Self.note(onName: text) ?? keptMarks.map { "renames this one; \($0)" }
    prompt?.note = note
  }

  /// Begins a renaming, unless the name is the one that was there before.
  mutating func rename(_ origin: Prompt.Origin, to text: String, at now: Instant) -> [Effect] {
    guard let photo = origin.photo, !text.utf8.elementsEqual((origin.name ?? "").utf8) else {
      return []
    }
    guard !filing.busy.contains(photo) else {
      say("wait: something is being done to that file already", for: 2, at: now)
      return []
    }
    return begin(.rename(photo, to: Array(text.utf8)), at: now)
  }

  /// What is worth saying of a name that is being typed; nil for most.
  static func note(onName text: String) -> String? {
    guard text.first == "." else { return nil }
    return "only \(CellText(PrintableText.from(text.utf8)).cutInTheMiddle(to: 12).string) is left"
  }

  /// What happens by a name that is hardly meant; nil for all others.
  static func warning(ofName text: String, before: String?) -> String? {
    guard text.first == ".", before?.first != "." else { return nil }
    return "hidden after this; Enter again renames"
  }

  /// Why a text cannot be a file's name; nil where it can.
  static func fault(ofName text: String) -> String? {
    let bytes = text.utf8.count
    if text.isEmpty { return "a file needs a name" }
    if text == "." || text == ".." { return "'\(text)' is a folder" }
    let stem = text.lastIndex(of: ".").map { text[..<$0] } ?? text[...]
    if !stem.isEmpty, stem.allSatisfy(\.isWhitespace) { return "a name needs more than blanks" }
    if text.utf8.contains(UInt8(ascii: "/")) { return "a name has no /" }
    return bytes > 255 ? "\(bytes) bytes, 255 is the most" : nil
  }
}

extension Filing.Running {
  /// What became of a step that is over, in words for the bar.
  var outcome: String {
    let good = filed.filter { $0.outcome.isGood }
    guard let bad = filed.first(where: { !$0.outcome.isGood }) else { return success(of: good) }
    let why = "\(bad.left): \(bad.why)"
    let others = filed.count - good.count - 1
    return (good.isEmpty ? "" : success(of: good) + "; ") + why
      + (others > 0 ? " (and \(others) more)" : "")
  }

  private func success(of filed: [Filed]) -> String {
    guard let first = filed.first else { return "" }
    let what = filed.count == 1 ? first.label : "\(filed.count) photos"
    switch first.task {
    case .trash:
      let verb =
        filed.count == 1 ? "is in the trash; u brings it" : "are in the trash; u brings them"
      return "\(what) \(verb) back"
    case .restore: return "\(what) \(filed.count == 1 ? "is" : "are") back"
    case .rename(_, let name):
      let words = "\(what) is now \(Filed.label(of: name))"
      return undone == nil ? words + "; u undoes that" : words + " again"
    }
  }
}

extension Filed {
  /// The file's name as it may be shown, cut where it is long.
  fileprivate var label: String { Self.label(of: name) }

  fileprivate static func label(of name: [UInt8]) -> String {
    "'\(CellText(PrintableText.from(name)).cutInTheMiddle(to: 24).string)'"
  }

  /// What did not happen.
  fileprivate var left: String {
    switch task {
    case .trash: "\(label) is not trashed"
    case .restore: "\(label) is not back"
    case .rename: "\(label) keeps its name"
    }
  }

  /// The reason for it.
  fileprivate var why: String {
    switch outcome {
    case .refused(let words): PrintableText.from(words.utf8)
    case .lost: "it is not in the trash any more"
    case .trashed, .done: ""
    }
  }
}

extension FileOutcome {
  fileprivate var isGood: Bool {
    switch self {
    case .trashed, .done: true
    case .refused, .lost: false
    }
  }
}
