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

  /// The photos whose files must be read: for the pattern while one is typed, else for the album.
  package var missingFacts: [Photo.ID] {
    guard let missing = prompt?.missingFacts(in: album) else {
      // The same array as long as nothing changes, which is compared with the last one in no time.
      let urgent = missingCaptions + album.known.outdated.photos
      return urgent.isEmpty ? collection.missingFacts : urgent + collection.missingFacts
    }
    return missing.isEmpty ? collection.missingFacts : missing
  }

  /// The photos whose ratings must be read: for the pattern while one is typed, else for the album.
  package var missingRatings: [Photo.ID] {
    let missing = prompt?.missingRatings(in: album) ?? []
    return missing.isEmpty ? collection.missingRatings : missing
  }
}

extension Prompt {
  /// Returns the photos whose files must be read for the pattern or the keywords; nil if none of
  /// the prompt's photos need to be read.
  func missingFacts(in album: Album) -> [Photo.ID]? {
    guard kind == .keywords || pattern?.needsFacts == true else { return nil }
    let missing = (kind == .keywords ? origin.photos : origin.files.map(\.photo)).filter {
      album.facts(of: $0)?.hasMetadata != true
    }
    return kind == .keywords && missing.isEmpty ? nil : missing
  }

  /// Returns the photos whose ratings must be read for the pattern.
  func missingRatings(in album: Album) -> [Photo.ID] {
    guard let pattern, pattern.needsRatings else { return [] }
    return origin.files.map(\.photo).filter { album.rating(of: $0) == nil }
  }

  /// Puts the keywords of the photos into the line as soon as they are known, unless the user has
  /// typed something, and plans the new names again.
  mutating func follow(_ album: Album) {
    if kind == .keywords, line.text == Self.keywordLine(origin.keywords) {
      origin.keywords = album.sharedKeywords(of: origin.photos)
      line = LineEditor(Self.keywordLine(origin.keywords))
    }
    if kind == .pattern { updatePlan(from: album) }
  }

  /// The panel with the old and the new names while a pattern is being typed, or else what the bar
  /// has no room for; nil if there is nothing.
  func panel(in viewport: Viewport) -> Panel? {
    let cells = viewport.pictureCells
    guard let plan else {
      let width = viewport.cells.columns
      let left = CellText(label).width + Bar.Entry.minLineWidth + 2
      let panel = explanation(
        columns: Panel.columnsAboveBar(in: viewport), barColumns: min(width / 2, width - left))
      return panel?.aboveBar(in: viewport)
    }
    let lines = plan.lines(
      atMost: max(cells.rows - 4, 1), columns: min(max(cells.columns - 6, 11), 90))
    let what = plan.files.count == 1 ? "1 photo" : "\(plan.files.count) photos"
    return Panel(title: "Rename \(what)", lines: lines)
  }

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
