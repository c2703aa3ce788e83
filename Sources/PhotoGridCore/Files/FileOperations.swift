import Geometry
import Photos

/// The operations on photos' files: the running operation, the queued ones, and what can be undone.
package struct FileOperations: Equatable, Sendable {
  private(set) var running: Batch?
  var queue: [Batch] = []
  /// The changes that can be undone, oldest first.
  var undoStack: [Change] = []
  /// The changes that were undone since the last new one, in the order in which they were undone.
  var redoStack: [Change] = []
  package internal(set) var copiedPercentage: Int?
  var annotations = AnnotationWrites()
  /// Why ratings are in sidecars rather than in their photos, as far as it has been said.
  var saidReasons: Set<String> = []
  /// Whether the session ends as soon as all operations are complete.
  var isLeaving = false
  /// The folder that is shown, as in `FolderMove`; nil before the first move.
  private(set) var location: [UInt8]?
  /// Operations of earlier sessions that could not be undone, and are not offered again.
  private var givenUp: [RecordedOperation.ID] = []
  private var lastChangeNumber = 0

  /// Operations that are requested together, and undone together.
  struct Batch: Equatable, Sendable {
    enum Purpose: Equatable, Sendable { case change, undo, redo }

    var purpose: Purpose
    /// The operations, in the order in which they are run; empty for an undo or a redo that has not
    /// started, as what comes before it decides about them.
    var operations: [FileOperation] = []
    /// The photos that were marked when the batch started.
    var marked = PhotoSet()
    /// The operations that were performed, with their outcomes.
    var results: [FileOperation] = []
    /// The change of this session that is undone or done again; nil for any other batch.
    var change: Change?
  }

  /// A change that can be undone, or done again.
  struct Change: Equatable, Sendable {
    enum Content: Equatable, Sendable {
      /// The operations that succeeded, and the photos that were marked before them.
      case files([FileOperation], marked: PhotoSet)
      /// Ratings or keywords of photos were changed.
      case annotations([AnnotatedPhoto])
    }

    var content: Content
    /// Identifies the change in its session.
    var number: Int
    /// The folder that was shown; nil before the first move to another one.
    var location: [UInt8]?
    var time: Instant
  }

  var isIdle: Bool { running == nil && queue.isEmpty }

  /// The percentage of the running operations that is done; nil without any.
  package var percentage: Int? {
    running.map { batch in
      (batch.results.count * 100 + (copiedPercentage ?? 0)) / max(batch.operations.count, 1)
    }
  }

  /// Whether a file operation is running or queued, or ratings are being written.
  package var isChanging: Bool { !isIdle || !annotations.isIdle }

  /// The photos of the running operation and of the queued ones.
  var busyPhotos: PhotoSet {
    PhotoSet(
      (running?.operations ?? []).flatMap(\.photos)
        + queue.flatMap { $0.operations.flatMap(\.photos) })
  }

  package var trashed: [Photo.ID] {
    undoStack.flatMap { change -> [Photo.ID] in
      guard case .files(let results, _) = change.content else { return [] }
      return results.flatMap { $0.kind == .trash ? $0.photos : [] }
    }
  }

  var progress: String? {
    guard let running, let first = running.operations.first else { return nil }
    let total = running.operations.count
    let count = total == 1 ? "" : " \(running.results.count) of \(total)"
    let copied = copiedPercentage.map { " \($0)%" } ?? ""
    return switch (first.kind, first.isUndo) {
    case (.trash, false): "trashing\(count)…"
    case (.trash, true): "restoring\(count)…"
    case (.rename, false): "renaming…"
    case (.move, false): "moving\(count)…\(copied)"
    case (.copy, false): "copying\(count)…\(copied)"
    case (.rename, true), (.move, true): "moving back\(count)…\(copied)"
    case (.copy, true): "removing copies\(count)…"
    case (.rotation, false): "saving the rotation\(count)…"
    case (.rotation, true): "undoing the rotation\(count)…"
    case (.recorded, _): "undoing…"
    }
  }

  // MARK: - Requests

  /// Queues operations, without those on photos that another one is using.
  mutating func request(_ operations: [FileOperation]) -> [ScreenOutcome] {
    guard !operations.isEmpty else { return [.startQueued] }
    let busy = busyPhotos
    let idle = operations.filter { !$0.photos.contains { busy.contains($0) } }
    guard !idle.isEmpty else { return [.fileIsBusy, .startQueued] }
    queue.append(Batch(purpose: .change, operations: idle))
    return [.startQueued]
  }

  mutating func start(_ batch: Batch, marks: PhotoSet) -> [ScreenOutcome] {
    var batch = batch
    if batch.purpose != .undo {
      let leaving = batch.operations.filter { [.trash, .move].contains($0.kind) }
      batch.marked = PhotoSet(leaving.flatMap(\.photos).filter { marks.contains($0) })
    }
    if batch.purpose == .change { redoStack = [] }
    running = batch
    return [.effect(.file(batch.operations))]
  }

  mutating func findRecorded() -> [ScreenOutcome] {
    start(
      Batch(purpose: .undo, operations: [.findRecorded(skipping: givenUp)]), marks: PhotoSet())
  }

  // MARK: - Results

  /// Adds operations that were performed to the running batch, and returns it once it is complete.
  mutating func add(_ results: [FileOperation], at now: Instant) -> Batch? {
    running?.results += results
    copiedPercentage = nil
    guard let batch = running, batch.results.count >= batch.operations.count else { return nil }
    running = nil
    for result in results where result.kind == .recorded && result.isUndo && !result.isComplete {
      givenUp += result.recorded
    }
    switch batch.purpose {
    case .change, .redo:
      let successes = batch.results.filter { $0.undoing != nil }
      if !successes.isEmpty {
        undoStack.append(newChange(.files(successes, marked: batch.marked), at: now))
      }
    case .undo:
      guard let change = batch.change, case .files(let done, let marked) = change.content
      else { break }
      let failed = PhotoSet(batch.results.filter(\.canBeRepeated).flatMap(\.photos))
      func add(_ results: [FileOperation], to stack: inout [Change]) {
        guard !results.isEmpty else { return }
        var part = change
        part.content = .files(results, marked: marked)
        stack.append(part)
      }
      let undone = PhotoSet(batch.results.filter(\.isSuccess).flatMap(\.photos))
      add(done.filter { $0.photos.contains(where: failed.contains) }, to: &undoStack)
      add(done.filter { $0.photos.contains(where: undone.contains) }, to: &redoStack)
    }
    return batch
  }

  mutating func newChange(_ content: Change.Content, at now: Instant) -> Change {
    lastChangeNumber += 1
    return Change(content: content, number: lastChangeNumber, location: location, time: now)
  }

  mutating func move(_ move: FolderMove) {
    if location == nil {
      for index in undoStack.indices { undoStack[index].location = move.from }
      for index in redoStack.indices { redoStack[index].location = move.from }
    }
    location = move.to
  }

  // MARK: - Undoing

  /// The change that is undone next: the last one in the folder that is shown, else the last one in
  /// any; nil if all changes of the session are undone.
  var nextUndo: Change? { undoStack.last { $0.location == location } ?? undoStack.last }

  /// Removes and returns a change that can be undone; nil if none has this number.
  mutating func takeChange(_ number: Int) -> Change? {
    undoStack.lastIndex { $0.number == number }.map { undoStack.remove(at: $0) }
  }
}

extension FileOperations.Change {
  /// What was done to files; nil for ratings.
  var kind: FileOperation.Kind? {
    if case .files(let results, _) = content { results.first?.kind } else { nil }
  }

  /// What undoing the change does, in words.
  var undoing: String {
    switch content {
    case .files(let results, _):
      let count = results.reduce(0) { $0 + $1.photoCount }
      return results[0].kind.undoing(
        count == 1 ? results[0].label : "\(count) photos", count: count)
    case .annotations(let photos):
      let what = photos.first?.name.map { FileOperation.label(of: $0) } ?? "a photo"
      return "Undo the rating of \(photos.count == 1 ? what : "\(photos.count) files")"
    }
  }
}

extension FileOperation {
  var isSuccess: Bool { outcome?.isSuccess == true }

  /// Whether the operation failed, but may succeed later.
  fileprivate var canBeRepeated: Bool { !isSuccess && outcome != .lost }

  /// Whether nothing is left to do.
  fileprivate var isComplete: Bool {
    if case .undone(let undo)? = outcome { undo.failureCount == 0 } else { isSuccess }
  }
}

extension ScreenOutcome {
  /// Another operation is using the same file.
  static let fileIsBusy = notice("Still working on that file", seconds: 2)
}

/// Commands on files, and the consequences of their results.
extension FileOperations {
  /// Runs a file command.
  ///
  /// While a photo is open, commands apply to that photo only, regardless of marks.
  mutating func run(
    _ command: Command.FileCommand, _ count: Int?, on screen: any Screen,
    in gallery: inout Gallery
  ) -> [ScreenOutcome] {
    // Copying to the clipboard changes no file.
    if command != .copyPath, command != .copyPicture,
      let refusal = gallery.options.refusal(of: command.label)
    {
      return [refusal]
    }
    if command == .undo || command == .redo {
      queue.append(Batch(purpose: command == .undo ? .undo : .redo))
      return [.startQueued]
    }
    let isForChosen = [.trash, .move, .copy, .rename, .turn].contains(command)
    if screen.currentTile(in: gallery) != nil,
      !isForChosen || screen.chosenFiles(in: gallery).isEmpty
    {
      let others = screen.currentFilter(in: gallery) == nil ? "folders" : "saved filters"
      return [.notice("This works on photos, not \(others)", seconds: 2)]
    }
    let kept = screen.keptMarksNote(in: gallery).map { [ScreenOutcome.notice($0, seconds: 2)] }
    return (kept ?? []) + runOnPhotos(command, count, on: screen, in: &gallery)
  }

  private mutating func runOnPhotos(
    _ command: Command.FileCommand, _ count: Int?, on screen: any Screen,
    in gallery: inout Gallery
  ) -> [ScreenOutcome] {
    let current = screen.current(in: gallery)
    let effect: Effect?
    switch command {
    case .trash: return screen.trash(count, in: &gallery)
    case .undo, .redo: return []
    case .turn: return writeTurns(on: screen, in: &gallery)
    case .move: return [.ask(.move)]
    case .copy: return [.ask(.copy)]
    case .rename: effect = screen.renaming(in: gallery)
    case .copyPath: effect = current.map { .copyPath($0) }
    case .copyPicture: effect = current.map { .copyPicture($0) }
    case .open: effect = current.map { .open($0) }
    }
    return effect.map { [.effect($0)] } ?? []
  }

  /// Carries out the operation that a question was about, or says that nothing was done.
  mutating func answer(
    _ confirmation: Confirmation, _ isYes: Bool, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    switch confirmation {
    case .trash(let trashing):
      guard isYes else { return [.notice("Nothing was trashed", seconds: 1)] }
      if trashing.subject == .range { gallery.collection.rangeAnchor = nil }
      let album = gallery.album
      return request(album.trashing(album.present(among: trashing.photos)))
    case .undo(let offered, _):
      guard isYes else { return [.notice("Nothing was undone", seconds: 1), .startQueued] }
      return undo(offered, in: &gallery, at: now) + [.startQueued]
    case .drop(let dropping):
      guard isYes else { return [.notice("Nothing was copied", seconds: 1)] }
      let folder = FileDestination(folder: dropping.folder, isCreated: false)
      return [.effect(.identify(dropping.files.groups, folder))]
    }
  }

  /// Renames the files of a photo, unless the name is unchanged.
  mutating func rename(_ origin: Prompt.Origin, to text: String, of album: Album)
    -> [ScreenOutcome]
  {
    guard let photo = origin.photo, !text.utf8.elementsEqual((origin.name ?? "").utf8) else {
      return []
    }
    return request([.rename(album.renamings(of: photo, to: text))])
  }

  /// Renames photos as planned.
  mutating func rename(by plan: RenamePlan, of album: Album) -> [ScreenOutcome] {
    // The other files of a pair get the same stem.
    let renamings = plan.renamings.flatMap { renaming -> [Renaming] in
      let name = String(decoding: renaming.name, as: UTF8.self)
      guard name.utf8.elementsEqual(renaming.name) else { return [renaming] }
      return album.renamings(of: renaming.photo, to: name)
    }
    return renamings.isEmpty
      ? [.notice("No names will change", seconds: 2)] : request([.rename(renamings)])
  }

  /// Moves or copies the photos of a prompt into its folder.
  mutating func transfer(_ prompt: Prompt, of album: Album) -> [ScreenOutcome] {
    let photos = album.present(among: album.files(of: prompt.origin.photos))
    let folder = FileDestination(
      folder: Array(prompt.line.text.utf8), isCreated: prompt.createsFolder)
    return [.effect(.rememberFolder(prompt.line.text))]
      + request(
        album.grouped(photos).map {
          prompt.kind == .copy ? .copy($0, to: folder) : .move($0, to: folder)
        })
  }

  /// Saves the rotations of the chosen photos, as they are displayed.
  private mutating func writeTurns(
    on screen: any Screen, in gallery: inout Gallery
  ) -> [ScreenOutcome] {
    let turned = gallery.album.grouped(screen.chosenFiles(in: gallery)).flatMap(gallery.turned)
    guard !turned.isEmpty else {
      return [.notice("Nothing to save. Rotate with > < | _ first, then press W.", seconds: 2)]
    }
    screen.endRange(in: &gallery)
    let rotations = gallery.collection.rotations
    return request(turned.map { .turn($0, by: rotations[$0[0]] ?? .upright) })
  }

  // MARK: - Undoing

  /// Starts the next queued operation, unless one is running.
  mutating func startQueued(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    guard running == nil, !queue.isEmpty else { return [] }
    let next = queue.removeFirst()
    let outcomes =
      switch next.purpose {
      case .change: start(next, marks: gallery.album.marks)
      case .undo: undoNext(in: &gallery, at: now)
      case .redo: redoLast(in: &gallery, at: now)
      }
    return outcomes + [.startQueued]
  }

  /// Undoes the last change of this session in this folder, or else asks about another one.
  private mutating func undoNext(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    guard let change = nextUndo else { return findRecorded() }
    guard change.location == location else { return ask(OfferedUndo(change, at: now), at: now) }
    return undo(change.number, in: &gallery, at: now)
  }

  private mutating func ask(_ offered: OfferedUndo, at now: Instant) -> [ScreenOutcome] {
    // A key typed before the question appeared does not answer it.
    queue.removeAll { $0.purpose == .undo }
    return [.present(.confirmation(.undo(offered, keyTime: now)))]
  }

  private mutating func undo(
    _ offered: OfferedUndo, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    switch offered.source {
    case .change(let number): undo(number, in: &gallery, at: now)
    case .recorded(let id):
      start(
        Batch(purpose: .undo, operations: [.undoRecorded(id)]), marks: gallery.album.marks)
    }
  }

  private mutating func undo(
    _ number: Int, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    guard let change = takeChange(number) else { return [] }
    switch change.content {
    case .annotations(let photos): return undo(photos, of: change, in: &gallery)
    case .files(let results, _):
      let undo = Batch(purpose: .undo, operations: results.compactMap(\.undoing), change: change)
      return start(undo, marks: gallery.album.marks)
    }
  }

  private mutating func redoLast(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    guard let change = redoStack.last else { return [.notice("Nothing to redo", seconds: 1)] }
    guard change.location == location else {
      return [.notice("Nothing to redo in this folder", seconds: 2)]
    }
    redoStack.removeLast()
    switch change.content {
    case .annotations(let photos): return redo(photos, in: &gallery, at: now)
    case .files(let results, _):
      let redo = Batch(purpose: .redo, operations: results.map(\.repeated), change: change)
      return start(redo, marks: gallery.album.marks)
    }
  }

  // MARK: - Results

  /// Receives operations that were performed, and starts the next batch once the running one is
  /// complete.
  mutating func receive(
    _ results: [FileOperation], in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    let isTurned = receiveTurns(results, in: &gallery)
    guard let batch = add(results, at: now) else { return isTurned ? [.turned] : [] }
    let selection =
      (isTurned ? [.turned] : []) + select(batch.restored, marking: batch.restoredMarks)
    if case .found(let recorded?)? = batch.results.first?.outcome {
      return selection + ask(OfferedUndo(recorded), at: now) + [.startQueued]
    }
    let isUndo = batch.purpose == .undo && batch.change != nil
    let report = ScreenOutcome.then { gallery, screen, _ in
      let kept = isUndo ? "" : screen.keptMarksNote(in: gallery).map { "; " + $0 } ?? ""
      return [.notice(batch.message + kept, seconds: 5)]
    }
    return selection + [report, .startQueued]
  }

  private func select(_ restored: PhotoSet, marking marked: [Photo.ID]) -> [ScreenOutcome] {
    guard !restored.isEmpty else { return [] }
    let go = ScreenOutcome.then { gallery, _, _ in
      gallery.items.firstIndex { restored.contains($0) }.map { [.go(to: $0)] } ?? []
    }
    return (marked.isEmpty ? [] : [.change { $0.restoreMarks(of: marked) }]) + [go]
  }

  /// Removes the rotations on the screen that the files have now.
  ///
  /// - Returns: Whether there are any.
  private func receiveTurns(_ results: [FileOperation], in gallery: inout Gallery) -> Bool {
    guard running?.purpose == .change else { return false }
    var isTurned = false
    for result in results where result.kind == .rotation && result.isSuccess {
      for photo in result.photos where gallery.orientation(of: photo) == result.turning {
        gallery.collection.turn(photo, by: result.turning.inverse)
        isTurned = true
      }
    }
    return isTurned
  }
}
