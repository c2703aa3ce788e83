extension Browser {
  /// Runs a file command.
  ///
  /// While a photo is open, commands apply to that photo only, regardless of marks.
  mutating func run(_ command: Command.FileCommand, _ count: Int?, at now: Instant) {
    // Copying to the clipboard changes no file.
    guard
      command == .copyPath || command == .copyPicture || mayChangeFiles(command.label, at: now)
    else { return }
    let isForMarks = [.trash, .move, .copy, .rename].contains(command)
    let isBackOrForth = command == .undo || command == .redo
    if !isBackOrForth, currentTile != nil, !isForMarks || album.marks.isEmpty {
      let others = currentFilter == nil ? "folders" : "saved filters"
      showNotice("This works on photos, not \(others)", for: 2, at: now)
      return
    }
    if !isBackOrForth, let kept = keptMarksNote { showNotice(kept, for: 2, at: now) }
    switch command {
    case .trash: askActiveScreen(at: now) { $0.trash(count, in: &$1) }
    case .undo, .redo:
      files.queue.append(FileOperations.Operation(purpose: command == .undo ? .undo : .redo))
      startQueued(at: now)
    case .turn: writeTurn(at: now)
    case .move: askFolder(.move, at: now)
    case .copy: askFolder(.copy, at: now)
    case .rename: activeScreen.renaming(in: gallery).map { effects.append($0) }
    case .copyPath: if let current { effects.append(.copyPath(current)) }
    case .copyPicture: if let current { effects.append(.copyPicture(current)) }
    case .setWallpaper: if let current { effects.append(.setWallpaper(current)) }
    case .open: if let current { effects.append(.open(current)) }
    }
  }

  /// Returns whether files may be changed, and shows a notice if they may not.
  mutating func mayChangeFiles(_ what: String, at now: Instant) -> Bool {
    if options.isReadOnly { showNotice("--read-only turns off \(what)", for: 3, at: now) }
    return !options.isReadOnly
  }

  // MARK: - Trash

  /// Moves the files of photos to the trash.
  mutating func trash(_ photos: [Photo.ID], at now: Instant) {
    let groups = album.grouped(album.files(of: photos))
    showNotice(files.request(onIdle: groups) { .trash($0) }, at: now)
    startQueued(at: now)
  }

  mutating func answer(_ key: Key, to confirmation: Confirmation, at now: Instant) {
    if case .undo(let offered, let keyTime) = confirmation, key == .character("u"),
      now.seconds(since: keyTime) < Self.repeatedKeyTime
    {
      modal = .confirmation(.undo(offered, keyTime: now))
      return
    }
    modal = nil
    guard key != .control("c") else { return effects.append(.interrupt) }
    let isYes = confirmation.isYes(key)
    switch confirmation {
    case .trash(let trashing):
      guard isYes else { return showNotice("Nothing was trashed", for: 1, at: now) }
      if trashing.subject == .range { gallery.collection.rangeAnchor = nil }
      trash(album.present(among: trashing.photos), at: now)
    case .undo(let offered, _):
      if isYes {
        undo(offered, at: now)
      } else {
        showNotice("Nothing was undone", for: 1, at: now)
      }
      startQueued(at: now)
    }
  }

  // MARK: - Undoing

  /// The time within which a key that is typed again counts as held down, in seconds.
  private static let repeatedKeyTime = 0.3

  /// Starts queued operations until one is running, or the user is asked about one.
  mutating func startQueued(at now: Instant) {
    while files.running == nil, !isAskingToUndo, !files.queue.isEmpty {
      let next = files.queue.removeFirst()
      switch next.purpose {
      case .change: start(next)
      case .undo: undoNext(at: now)
      case .redo: redoLast(at: now)
      }
    }
  }

  private mutating func start(_ operation: FileOperations.Operation) {
    files.start(operation, marks: album.marks, effects: &effects)
  }

  private var isAskingToUndo: Bool {
    if case .confirmation(.undo)? = modal { true } else { false }
  }

  /// Undoes the last change of this session in this folder, or else asks about another one.
  private mutating func undoNext(at now: Instant) {
    guard let change = files.nextUndo else { return files.findRecorded(effects: &effects) }
    guard change.location == files.location else {
      return ask(OfferedUndo(change, at: now), at: now)
    }
    undo(change.number, at: now)
  }

  private mutating func ask(_ offered: OfferedUndo, at now: Instant) {
    // A key typed before the question appeared does not answer it.
    files.queue.removeAll { $0.purpose == .undo }
    guard modal == nil else { return }
    present(.confirmation(.undo(offered, keyTime: now)))
  }

  private mutating func undo(_ offered: OfferedUndo, at now: Instant) {
    switch offered.source {
    case .change(let number): undo(number, at: now)
    case .recorded(let id):
      start(FileOperations.Operation(purpose: .undo, tasks: [.undoRecorded(id)]))
    }
  }

  private mutating func undo(_ number: Int, at now: Instant) {
    guard let change = files.takeChange(number) else { return }
    switch change.content {
    case .ratings(let photos):
      if undo(photos, at: now) { files.redoStack.append(change) }
    case .files(let results, _):
      let tasks = results.compactMap(\.undoTask)
      start(FileOperations.Operation(purpose: .undo, tasks: tasks, change: change))
    }
  }

  private mutating func redoLast(at now: Instant) {
    guard let change = files.redoStack.last else {
      return showNotice("Nothing to redo", for: 1, at: now)
    }
    guard change.location == files.location else {
      return showNotice("Nothing to redo in this folder", for: 2, at: now)
    }
    files.redoStack.removeLast()
    switch change.content {
    case .ratings(let photos): redo(photos, at: now)
    case .files(let results, _):
      let tasks = results.map(\.task)
      start(FileOperations.Operation(purpose: .redo, tasks: tasks, change: change))
    }
  }

  // MARK: - Results

  /// Receives the results of tasks, and starts queued operations once the running one is complete.
  mutating func receive(_ results: [FileResult], at now: Instant) {
    for result in results where result.outcome == .done { receiveTurn(result.task) }
    guard let operation = files.receive(results, at: now) else { return }
    select(operation.restored, marking: operation.restoredMarks, at: now)
    if case .found(let recorded?)? = operation.results.first?.outcome {
      ask(OfferedUndo(recorded), at: now)
    } else {
      let isUndo = operation.purpose == .undo && operation.change != nil
      let kept = isUndo ? "" : keptMarksNote.map { "; " + $0 } ?? ""
      showNotice(operation.message + kept, for: 5, at: now)
    }
    startQueued(at: now)
  }

  private mutating func select(_ restored: PhotoSet, marking marked: [Photo.ID], at now: Instant) {
    guard !restored.isEmpty else { return }
    if !marked.isEmpty { changeCollection(at: now) { $0.restoreMarks(of: marked) } }
    guard let index = items.firstIndex(where: { restored.contains($0) }) else { return }
    go(to: index, at: now)
  }

  // MARK: - Names

  /// Opens the prompt for a new name, with the current name in it and the caret before the
  /// extension.
  mutating func askName(of photo: Photo.ID, _ name: [UInt8], at now: Instant) {
    endDrag(at: now)
    let text = String(decoding: name, as: UTF8.self)
    let dot = text.lastIndex(of: ".").flatMap { $0 == text.startIndex ? nil : $0 }
    let end = dot ?? text.endIndex
    var prompt = Prompt(
      kind: .rename, line: LineEditor(before: String(text[..<end]), after: String(text[end...])),
      origin: Prompt.Origin(photo: photo, name: text))
    prompt.note = FileName.note(on: text) ?? keptMarksNote.map { "renames only this photo; \($0)" }
    present(.prompt(prompt))
  }

  /// Renames the files of a photo, unless the name is unchanged.
  mutating func rename(_ origin: Prompt.Origin, to text: String, at now: Instant) {
    guard let photo = origin.photo, !text.utf8.elementsEqual((origin.name ?? "").utf8) else {
      return
    }
    showNotice(files.requestRename(album.renamings(of: photo, to: text)), at: now)
    startQueued(at: now)
  }

  /// Opens the prompt for the folder that photos are moved or copied into.
  mutating func askFolder(_ kind: Prompt.Kind, at now: Instant) {
    let photos = chosenFiles
    guard !photos.isEmpty else { return }
    endDrag(at: now)
    let history = options.recentFolders + keyboard.promptHistory.lines(of: kind)
    var prompt = Prompt(
      kind: kind, line: LineEditor(history: history),
      origin: Prompt.Origin(photos: photos, count: album.photoCount(of: album.files(of: photos))))
    let last = history.last.map {
      "; Up: \(CellText(PrintableText.from($0.utf8)).truncatedMiddle(to: 30).string)"
    }
    prompt.note = activeScreen.promptNote(or: last.map { "Tab completes\($0)" }, in: gallery)
    present(.prompt(prompt))
    effects.append(.findFolders(""))
  }

  mutating func receive(_ matches: FolderMatches, at now: Instant) {
    if let text = modal?.receive(matches) { effects.append(.findFolders(text)) }
  }

  /// Moves or copies the photos of a prompt into its folder.
  mutating func transfer(_ prompt: Prompt, at now: Instant) {
    endRange()
    let photos = album.present(among: album.files(of: prompt.origin.photos))
    effects.append(.rememberFolder(prompt.line.text))
    let folder = FileDestination(
      folder: Array(prompt.line.text.utf8), isCreated: prompt.createsFolder)
    showNotice(
      files.request(onIdle: album.grouped(photos)) {
        prompt.kind == .copy ? .copy($0, to: folder) : .move($0, to: folder)
      }, at: now)
    startQueued(at: now)
  }

  /// Rotates or flips the current photo in its file as it is displayed on the screen.
  mutating func writeTurn(at now: Instant) {
    guard let photo = current else { return }
    let turning = collection.orientation(of: photo)
    guard turning != .upright else {
      return showNotice(
        "Nothing to save. Rotate with > < | _ first, then press W.", for: 2, at: now)
    }
    guard !files.busyPhotos.contains(photo) else { return showNotice(.fileIsBusy, at: now) }
    files.request([.turn(photo, by: turning)])
    startQueued(at: now)
  }

  /// Removes the rotation on the screen once the file has the same rotation.
  mutating func receiveTurn(_ task: FileTask) {
    guard case .turn(let photo, let turning, false) = task,
      files.running?.purpose == .change, collection.orientation(of: photo) == turning
    else { return }
    gallery.collection.turn(photo, by: turning.inverse)
  }

  // MARK: - Names of many photos

  mutating func askPattern(for files: [RenamedFile], at now: Instant) {
    endDrag(at: now)
    let history = keyboard.promptHistory.lines(of: .pattern)
    let text = history.last ?? "{taken:%Y-%m-%d}_{n:3}{ext}"
    var prompt = Prompt(
      kind: .pattern, line: LineEditor(text, history: history, isSelected: true),
      origin: Prompt.Origin(files: files))
    prompt.validatePattern()
    present(.prompt(prompt))
    modal?.follow(gallery.album)
  }

  /// Renames the photos of a prompt as planned.
  mutating func rename(by plan: RenamePlan, at now: Instant) {
    // The other files of a pair get the same stem.
    let renamings = plan.renamings.flatMap { renaming -> [Renaming] in
      let name = String(decoding: renaming.name, as: UTF8.self)
      guard name.utf8.elementsEqual(renaming.name) else { return [renaming] }
      return album.renamings(of: renaming.photo, to: name)
    }
    guard !renamings.isEmpty else { return showNotice("No names will change", for: 2, at: now) }
    showNotice(files.requestRename(renamings), at: now)
    startQueued(at: now)
  }

}
