import Geometry
import Photos
import SceneModel

extension Prompt.Origin {
  /// Creates the origin of a prompt that a command opens; nil if it needs photos and there are
  /// none.
  init?(of kind: Prompt.Kind, on screen: any Screen, in gallery: Gallery) {
    let album = gallery.album
    switch kind {
    case .move, .copy, .keywords, .text:
      photos = screen.chosenFiles(in: gallery)
      guard !photos.isEmpty else { return nil }
      count = album.photoCount(of: kind.isFolder ? album.files(of: photos) : photos)
      if kind == .keywords { keywords = album.sharedKeywords(of: photos) }
      if case .text(let field) = kind { text = textLine(field, in: album) }
    case .find, .filter, .command, .date, .rename, .pattern:
      photo = screen.current(in: gallery) ?? screen.currentFolder(in: gallery)
      scroll = gallery.grid.scroll.target
      (filter, search) = (album.filter, gallery.collection.search)
      (today, dates) = (gallery.options.dating.today, gallery.options.dates)
    }
  }
}

extension Prompt {
  /// Creates a prompt with the line from which the user starts, and earlier lines, oldest first.
  init(
    _ kind: Kind, from origin: Origin, history: [String], on screen: any Screen,
    in gallery: Gallery
  ) {
    let line =
      switch kind {
      // A filter starts with its previous text, to be edited.
      case .filter: LineEditor(gallery.album.filter?.text ?? "", history: history)
      case .rename: LineEditor(fileName: origin.name ?? "")
      case .pattern:
        LineEditor(
          history.last ?? "{taken:%Y-%m-%d}_{n:3}{ext}", history: history, isSelected: true)
      case .keywords: LineEditor(Self.keywordLine(origin.keywords))
      case .text: LineEditor(origin.text, history: history)
      case .find, .command, .date, .move, .copy: LineEditor(history: history)
      }
    self.init(kind: kind, line: line, origin: origin)
    switch kind {
    case .command: note = screen.promptNote(or: nil, in: gallery)
    case .move, .copy:
      let last = history.last.map {
        "; Up: \(CellText(PrintableText.from($0.utf8)).truncatedMiddle(to: 30).string)"
      }
      note = screen.promptNote(or: last.map { "Tab completes\($0)" }, in: gallery)
    case .rename:
      let kept = screen.keptMarksNote(in: gallery)
      note = FileName.note(on: line.text) ?? kept.map { "renames only this photo; \($0)" }
    case .pattern:
      validatePattern()
      updatePlan(from: gallery.album)
    case .keywords: note = Self.cutKeywordsNote(of: origin.photos, in: gallery.album)
    case .text: validateText(in: gallery.album)
    case .find, .filter, .date: break
    }
  }
}

extension LineEditor {
  /// Creates a line with a file name, and the caret before its extension.
  fileprivate init(fileName name: String) {
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    let end = dot ?? name.endIndex
    self.init(before: String(name[..<end]), after: String(name[end...]))
  }
}

/// The effects of prompts while the user types.
extension Gallery {
  /// Shows what a filter in a prompt finds.
  mutating func preview(_ filter: Filter, of prompt: Prompt, at now: Instant) -> [ScreenOutcome] {
    let photo = prompt.origin.photo
    switch prompt.kind {
    case .find:
      find(filter, from: photo, at: now)
      return []
    case .filter:
      let back = ScreenOutcome.then { gallery, _, now in
        gallery.returnTo(photo, at: now)
        return []
      }
      return [.change { $0.show(only: filter) }, back]
    case .command, .rename, .pattern, .date, .move, .copy, .keywords, .text: return []
    }
  }

  /// Restores the state from before a prompt opened.
  mutating func restoreOrigin(of prompt: Prompt) -> [ScreenOutcome] {
    let origin = prompt.origin
    let back = ScreenOutcome.then { gallery, _, now in
      gallery.returnTo(origin, at: now)
      return []
    }
    switch prompt.kind {
    case .find:
      collection.resume(origin.search)
      return [back]
    case .filter: return [.change { $0.show(only: origin.filter) }, back]
    case .command, .rename, .pattern, .date, .move, .copy, .keywords, .text: return []
    }
  }

  private mutating func returnTo(_ origin: Prompt.Origin, at now: Instant) {
    guard let photo = origin.photo, collection.index(of: photo) != nil else { return }
    returnTo(photo, at: now)
    changeGrid(at: now) { grid, context in
      let offset = min(origin.scroll, grid.scrollLimit(in: context.viewport))
      grid.scroll(
        to: grid.scrollOffset(
          showing: grid.selection(in: context.items), from: offset, in: context.viewport),
        in: context)
    }
  }

  /// Selects a photo again if it has a tile.
  private mutating func returnTo(_ photo: Photo.ID?, at now: Instant) {
    guard let photo, let index = collection.index(of: photo), index != selection else { return }
    select(index, at: now)
  }
}

extension Prompt {
  /// Returns the photos whose files must be read for the pattern or the words; nil if none of
  /// the prompt's photos need to be read.
  func missingFacts(in album: Album) -> [Photo.ID]? {
    guard isAboutWords || pattern?.needsFacts == true else { return nil }
    let missing = (isAboutWords ? origin.photos : origin.files.map(\.photo)).filter {
      album.facts(of: $0)?.hasMetadata != true
    }
    return isAboutWords && missing.isEmpty ? nil : missing
  }

  /// Returns the photos whose ratings must be read for the pattern.
  func missingRatings(in album: Album) -> [Photo.ID] {
    guard let pattern, pattern.needsRatings else { return [] }
    return (origin.photos + origin.files.map(\.photo)).filter { album.rating(of: $0) == nil }
  }

  /// Puts the words of the photos into the line as soon as they are known, unless the user has
  /// typed something, and plans the new names again.
  mutating func follow(_ album: Album) {
    if kind == .keywords, line.text == Self.keywordLine(origin.keywords) {
      origin.keywords = album.sharedKeywords(of: origin.photos)
      line = LineEditor(Self.keywordLine(origin.keywords))
      note = Self.cutKeywordsNote(of: origin.photos, in: album)
    }
    if case .text(let field) = kind {
      let isUnchanged = line.text == origin.text
      origin.text = origin.textLine(field, in: album)
      if isUnchanged { line = line.replaced(by: origin.text) }
      validateText(in: album)
    }
    if kind == .pattern { updatePlan(from: album) }
  }

  /// The panel with the old and the new names while a pattern is being typed, or else what the bar
  /// has no room for; nil if there is nothing.
  func panel(in viewport: Viewport) -> Panel? {
    guard let plan else {
      let width = viewport.cells.columns
      let left = CellText(label).width + Bar.Entry.minLineWidth + 2
      let panel = explanation(
        columns: Panel.columnsAboveBar(in: viewport), barColumns: min(width / 2, width - left))
      return panel?.aboveBar(in: viewport)
    }
    let cells = viewport.pictureCells
    let lines = plan.lines(
      atMost: max(cells.rows - 4, 1), columns: min(max(cells.columns - 6, 11), 90))
    let what = plan.files.count == 1 ? "1 photo" : "\(plan.files.count) photos"
    return Panel(title: "Rename \(what)", lines: lines).aboveBar(in: viewport)
  }

  /// Whether the panel says all that the bar would say beside the text.
  func isExplained(in viewport: Viewport) -> Bool {
    let isHintInBar = filterError != nil && hint != nil && choices.isEmpty
    return plan == nil && !isHintInBar && panel(in: viewport) != nil
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
      pattern.subject(file.photo, name: file.name, number: number, in: album)
    }
    validationError = new.validationError
    note = new.validationError == nil ? new.note : nil
    plan = new
  }
}

extension RenamePattern {
  /// Returns what the pattern needs to know of a photo; nil if that has not been read yet.
  func subject(_ photo: Photo.ID, name: [UInt8], number: Int, in album: Album) -> Subject? {
    var subject = Subject(name: name, number: number)
    if needsFacts {
      guard let facts = album.facts(of: photo), facts.hasMetadata else { return nil }
      subject.taken = album.date(of: photo)?.time
      subject.modified = facts.modified
      subject.camera = album.camera(in: facts)
    }
    if needsRatings {
      guard let rating = album.rating(of: photo) else { return nil }
      subject.stars = rating.stars
    }
    return subject
  }
}
