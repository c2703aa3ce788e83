/// What commands on files do, and what follows from their results.
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
      queue.append(Operation(purpose: command == .undo ? .undo : .redo))
      return [.startQueued]
    }
    let isForMarks = [.trash, .move, .copy, .rename].contains(command)
    if screen.currentTile(in: gallery) != nil, !isForMarks || gallery.album.marks.isEmpty {
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
    case .turn: return current.map { writeTurn(of: $0, in: gallery) } ?? []
    case .move: return [.ask(.move)]
    case .copy: return [.ask(.copy)]
    case .rename: effect = screen.renaming(in: gallery)
    case .copyPath: effect = current.map { .copyPath($0) }
    case .copyPicture: effect = current.map { .copyPicture($0) }
    case .setWallpaper: effect = current.map { .setWallpaper($0) }
    case .open: effect = current.map { .open($0) }
    }
    return effect.map { [.effect($0)] } ?? []
  }

  /// Moves the files of photos to the trash.
  mutating func trash(_ photos: [Photo.ID], of album: Album) -> [ScreenOutcome] {
    request(onIdle: album.grouped(album.files(of: photos))) { .trash($0) }
  }

  /// Does what a question was about, or says that nothing was done.
  mutating func answer(
    _ confirmation: Confirmation, _ isYes: Bool, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    switch confirmation {
    case .trash(let trashing):
      guard isYes else { return [.notice("Nothing was trashed", seconds: 1)] }
      if trashing.subject == .range { gallery.collection.rangeAnchor = nil }
      return trash(gallery.album.present(among: trashing.photos), of: gallery.album)
    case .undo(let offered, _):
      guard isYes else { return [.notice("Nothing was undone", seconds: 1), .startQueued] }
      return undo(offered, in: &gallery, at: now) + [.startQueued]
    }
  }

  /// Renames the files of a photo, unless the name is unchanged.
  mutating func rename(_ origin: Prompt.Origin, to text: String, of album: Album)
    -> [ScreenOutcome]
  {
    guard let photo = origin.photo, !text.utf8.elementsEqual((origin.name ?? "").utf8) else {
      return []
    }
    return requestRename(album.renamings(of: photo, to: text))
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
      ? [.notice("No names will change", seconds: 2)] : requestRename(renamings)
  }

  /// Moves or copies the photos of a prompt into its folder.
  mutating func transfer(_ prompt: Prompt, of album: Album) -> [ScreenOutcome] {
    let photos = album.present(among: album.files(of: prompt.origin.photos))
    let folder = FileDestination(
      folder: Array(prompt.line.text.utf8), isCreated: prompt.createsFolder)
    return [.effect(.rememberFolder(prompt.line.text))]
      + request(onIdle: album.grouped(photos)) {
        prompt.kind == .copy ? .copy($0, to: folder) : .move($0, to: folder)
      }
  }

  /// Rotates or flips a photo in its file as it is displayed on the screen.
  private mutating func writeTurn(of photo: Photo.ID, in gallery: Gallery) -> [ScreenOutcome] {
    let turning = gallery.orientation(of: photo)
    guard turning != .upright else {
      return [.notice("Nothing to save. Rotate with > < | _ first, then press W.", seconds: 2)]
    }
    guard !busyPhotos.contains(photo) else { return [.fileIsBusy] }
    return request([.turn(photo, by: turning)])
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
        Operation(purpose: .undo, tasks: [.undoRecorded(id)]), marks: gallery.album.marks)
    }
  }

  private mutating func undo(
    _ number: Int, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    guard let change = takeChange(number) else { return [] }
    switch change.content {
    case .ratings(let photos): return undo(photos, of: change, in: &gallery)
    case .files(let results, _):
      let tasks = results.compactMap(\.undoTask)
      return start(
        Operation(purpose: .undo, tasks: tasks, change: change), marks: gallery.album.marks)
    }
  }

  private mutating func redoLast(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    guard let change = redoStack.last else { return [.notice("Nothing to redo", seconds: 1)] }
    guard change.location == location else {
      return [.notice("Nothing to redo in this folder", seconds: 2)]
    }
    redoStack.removeLast()
    switch change.content {
    case .ratings(let photos): return redo(photos, in: &gallery, at: now)
    case .files(let results, _):
      let tasks = results.map(\.task)
      return start(
        Operation(purpose: .redo, tasks: tasks, change: change), marks: gallery.album.marks)
    }
  }

  // MARK: - Results

  /// Receives the results of tasks, and starts queued operations once the running one is complete.
  mutating func receive(
    _ results: [FileResult], in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    for result in results where result.outcome == .done {
      receiveTurn(result.task, in: &gallery)
    }
    guard let operation = add(results, at: now) else { return [] }
    let selection = select(operation.restored, marking: operation.restoredMarks)
    if case .found(let recorded?)? = operation.results.first?.outcome {
      return selection + ask(OfferedUndo(recorded), at: now) + [.startQueued]
    }
    let isUndo = operation.purpose == .undo && operation.change != nil
    let report = ScreenOutcome.then { gallery, screen, _ in
      let kept = isUndo ? "" : screen.keptMarksNote(in: gallery).map { "; " + $0 } ?? ""
      return [.notice(operation.message + kept, seconds: 5)]
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

  /// Removes the rotation on the screen once the file has the same rotation.
  private func receiveTurn(_ task: FileTask, in gallery: inout Gallery) {
    guard case .turn(let photo, let turning, false) = task, running?.purpose == .change,
      gallery.orientation(of: photo) == turning
    else { return }
    gallery.collection.turn(photo, by: turning.inverse)
  }
}
