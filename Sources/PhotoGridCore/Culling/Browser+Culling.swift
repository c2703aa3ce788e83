extension Browser {
  package var culling: Culling? { keyboard.culling }

  // MARK: - Keys

  mutating func run(_ command: Command.CullingCommand, at now: Instant) {
    if case .keywords = command { return askKeywords(at: now) }
    guard mayChangeFiles("rating", at: now) else { return }
    switch command {
    case .keywords: break
    case .toggleMode:
      keyboard.culling = culling == nil ? Culling() : nil
      showNotice(
        culling == nil
          ? "Culling mode off"
          : "Culling: 0-5 rate · x reject · 6-9 label · Space skip · u undo · C done",
        for: 5, at: now)
    case .rate(let edit):
      let photos = chosenFiles
      guard !photos.isEmpty else {
        if currentTile != nil { showNotice("Only photos can be rated", for: 2, at: now) }
        return
      }
      endRange()
      rate(photos, edit, at: now)
      let kept = keptMarksNote.map { "; " + $0 } ?? ""
      showNotice(album.photoLabel(of: photos) + edit.words + kept, for: 1, at: now)
    }
  }

  /// Handles a key of culling mode.
  ///
  /// - Returns: Whether the mode uses the key.
  mutating func press(cullingKey key: Key, at now: Instant) -> Bool {
    guard culling != nil, !keyboard.reader.isPending,
      activeScreen.obstacle(to: .culling(.toggleMode)) == nil,
      let action = Culling.action(of: key)
    else { return false }
    switch action {
    case .end:
      keyboard.culling = nil
      showNotice("Culling mode off", for: 1, at: now)
    case .pass: advance(at: now)
    case .rate(let edit):
      guard current != nil else {
        showNotice("Only photos can be rated", for: 1, at: now)
        break
      }
      advance(at: now, after: edit)
    }
    return true
  }

  /// Rates the current photo, or passes it if `edit` is nil, by which photos may move or disappear,
  /// and goes on to the photo that was next.
  private mutating func advance(at now: Instant, after edit: RatingEdit? = nil) {
    let index = currentIndex ?? selection
    let next = items.indices.contains(index + 1) ? items[index + 1] : nil
    if let edit { rate(currentFiles, edit, at: now) }
    if askActiveScreen(at: now, { $0.advance(after: edit, in: &$1, at: now) }) { return }
    guard let next else { return showNotice("That was the last photo", for: 2, at: now) }
    guard let index = collection.index(of: next), index != currentIndex else { return }
    go(to: index, at: now)
  }

  // MARK: - Rating

  /// Rates photos on the screen immediately, and requests to write the ratings to all their files.
  private mutating func rate(_ photos: [Photo.ID], _ edit: RatingEdit, at now: Instant) {
    files.redoStack = []
    record(album.files(of: photos).map { ($0, edit) }, at: now)
  }

  /// Changes the keywords of photos on the screen immediately, and requests to write them to all their
  /// files.
  mutating func changeKeywords(of photos: [Photo.ID], _ edit: KeywordEdit, at now: Instant) {
    files.redoStack = []
    let edits = album.edits(of: photos, edit)
    guard !edits.isEmpty else { return showNotice("No keywords changed", for: 2, at: now) }
    record(edits, at: now)
    showNotice(album.photoLabel(of: edits.map(\.photo)) + edit.text, for: 2, at: now)
  }

  /// Changes ratings, and records that this can be undone.
  private mutating func record(_ edits: [(photo: Photo.ID, edit: RatingEdit)], at now: Instant) {
    let rated = edits.map {
      FileOperations.RatedPhoto(photo: $0.photo, edit: $0.edit, before: album.rating(of: $0.photo))
    }
    files.add(rated, at: now)
    write(edits.map { RatingTask($0.photo, $0.edit) }, at: now)
  }

  /// Gives photos the ratings again that were undone.
  mutating func redo(_ rated: [FileOperations.RatedPhoto], at now: Instant) {
    record(rated.map { ($0.photo, $0.edit) }, at: now)
    guard let first = rated.first else { return }
    select(album.tile(of: first.photo), at: now)
    let what = album.photoLabel(of: rated.map(\.photo))
    showNotice("\(what)\(first.edit.words) again", for: 2, at: now)
  }

  private mutating func select(_ tile: Photo.ID, at now: Instant) {
    guard let index = collection.index(of: tile) else { return }
    go(to: index, at: now)
  }

  /// Restores the ratings from before a change.
  ///
  /// - Returns: Whether a rating from before is known.
  mutating func undo(_ rated: [FileOperations.RatedPhoto], at now: Instant) -> Bool {
    let tasks = album.undoTasks(of: rated)
    guard let first = tasks.first else {
      showNotice("Not undone: the previous rating is unknown", for: 2, at: now)
      return false
    }
    write(tasks, at: now)
    select(album.tile(of: first.photo), at: now)
    let what = first.edit.label(count: album.photoCount(of: tasks.map(\.photo)))
    showNotice("\(what) undone", for: 2, at: now)
    return true
  }

  private mutating func write(_ tasks: [RatingTask], at now: Instant) {
    for task in tasks { files.ratings.add(task.photo) }
    effects.append(.rate(tasks))
    var updates: [RatingUpdate] = []
    for task in tasks {
      if case .keywords(let edit) = task.edit {
        gallery.collection.apply(edit, to: task.photo)
      } else {
        updates.append(
          RatingUpdate(
            task.photo, task.edit.applied(to: album.rating(of: task.photo) ?? .none)))
      }
    }
    changeRatings(updates, at: now)
    refreshIfDue(at: now)
  }

  private mutating func changeRatings(_ updates: [RatingUpdate], at now: Instant) {
    gallery.collection.receive(updates)
    refreshIfDue(at: now)
  }

  // MARK: - Events

  /// Receives ratings that were read, and ignores those of photos whose ratings are being written.
  mutating func updateRatings(_ updates: [RatingUpdate], at now: Instant) {
    changeRatings(updates.filter { !files.ratings.contains($0.photo) }, at: now)
    modal?.follow(gallery.album)
  }

  mutating func receive(_ results: [RatingResult], at now: Instant) {
    for result in results { files.ratings.finish(result.task.photo) }
    files.complete(by: results)
    let failures = results.filter { $0.failure != nil }
    guard let first = failures.first, let reason = first.failure else { return }
    effects.append(.readRatings(failures.map(\.task.photo)))
    gallery.collection.expireMetadata(of: failures.map(\.task.photo))
    let others = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
    showNotice(
      "\(FileResult.label(of: first.name)) kept its old \(first.task.edit.noun): \(reason)\(others)",
      for: 5, at: now)
  }

  // MARK: - Keywords

  /// Opens the prompt for the keywords of the marked photos or the current one.
  mutating func askKeywords(at now: Instant) {
    guard mayChangeFiles("keywords", at: now) else { return }
    let photos = chosenFiles
    guard !photos.isEmpty else {
      if currentTile != nil { showNotice("Only photos have keywords", for: 2, at: now) }
      return
    }
    endDrag(at: now)
    present(.prompt(Prompt(keywordsOf: photos, in: album)))
  }

  /// Gives photos the keywords in a prompt, instead of those that all of them had.
  mutating func changeKeywords(_ prompt: Prompt, at now: Instant) {
    guard let edit = prompt.keywordEdit else {
      return showNotice("No keywords changed", for: 2, at: now)
    }
    endRange()
    changeKeywords(of: prompt.origin.photos, edit, at: now)
  }
}
