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
