extension Browser {
  mutating func askPattern(for files: [RenamedFile], at now: Instant) {
    endDrag(at: now)
    let history = keyboard.promptHistory.lines(of: .pattern)
    let text = history.last ?? "{taken:%Y-%m-%d}_{n:3}{ext}"
    var prompt = Prompt(
      kind: .pattern, line: LineEditor(text, history: history, isSelected: true),
      origin: Prompt.Origin(files: files))
    prompt.validatePattern()
    present(.prompt(prompt))
    updateRenamePlan()
  }

  /// Plans the new names again, after the pattern or the known facts of the photos have changed.
  mutating func updateRenamePlan() {
    updateKeywordPrompt()
    guard var prompt, prompt.kind == .pattern else { return }
    prompt.updatePlan(from: album)
    modal = .prompt(prompt)
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

  /// The photos whose files must be read: for the pattern while one is typed, else for the album.
  package var missingFacts: [Photo.ID] {
    let missingKeywords = missingKeywords
    guard missingKeywords.isEmpty else { return missingKeywords }
    guard let prompt, let pattern = prompt.pattern, pattern.needsFacts else {
      // The same array as long as nothing changes, which is compared with the last one in no time.
      let urgent = missingCaptions + album.known.outdated.photos
      return urgent.isEmpty ? collection.missingFacts : urgent + collection.missingFacts
    }
    let missing = prompt.origin.files.map(\.photo).filter {
      album.facts(of: $0)?.hasMetadata != true
    }
    return missing.isEmpty ? collection.missingFacts : missing
  }

  /// The photos whose ratings must be read: for the pattern while one is typed, else for the album.
  package var missingRatings: [Photo.ID] {
    guard let prompt, let pattern = prompt.pattern, pattern.needsRatings else {
      return collection.missingRatings
    }
    let missing = prompt.origin.files.map(\.photo).filter { album.rating(of: $0) == nil }
    return missing.isEmpty ? collection.missingRatings : missing
  }

  /// The panel with the old and the new names while a pattern is being typed; nil otherwise.
  var renamePanel: Panel? {
    guard let prompt, let plan = prompt.plan else { return nil }
    let cells = viewport.pictureCells
    let lines = plan.lines(
      atMost: max(cells.rows - 4, 1), columns: min(max(cells.columns - 6, 11), 90))
    let what = plan.files.count == 1 ? "1 photo" : "\(plan.files.count) photos"
    return Panel(title: "Rename \(what)", lines: lines)
  }
}

extension Prompt {
  /// Parses the typed pattern; if it is invalid, removes the plan.
  mutating func validatePattern() {
    validationError = nil
    note = nil
    do throws(RenamePattern.Failure) {
      pattern = try RenamePattern(parsing: line.text)
    } catch {
      (pattern, plan) = (nil, nil)
      validationError = error.message
    }
  }

  /// Plans the new names from the known facts of the photos.
  mutating func updatePlan(from album: Album) {
    guard let pattern else { return }
    let new = RenamePlan(pattern, origin.files) { file, number in
      var subject = RenamePattern.Subject(name: file.name, number: number)
      if pattern.needsFacts {
        guard let facts = album.facts(of: file.photo), facts.hasMetadata else { return nil }
        subject.taken = album.date(of: file.photo)?.time
        subject.modified = facts.modified
        subject.camera = album.camera(in: facts)
      }
      if pattern.needsRatings {
        guard let rating = album.rating(of: file.photo) else { return nil }
        subject.stars = rating.stars
      }
      return subject
    }
    validationError = new.validationError
    note = new.validationError == nil ? new.note : nil
    plan = new
  }
}
