extension Prompt.Origin {
  /// What a prompt that a command opens is about; nil if it needs photos and there are none.
  init?(of kind: Prompt.Kind, on screen: any Screen, in gallery: Gallery) {
    let album = gallery.album
    switch kind {
    case .move, .copy, .keywords:
      photos = screen.chosenFiles(in: gallery)
      guard !photos.isEmpty else { return nil }
      count = album.photoCount(of: kind.isFolder ? album.files(of: photos) : photos)
      if kind == .keywords { keywords = album.sharedKeywords(of: photos) }
    case .find, .filter, .command, .date, .rename, .pattern:
      photo = screen.current(in: gallery) ?? screen.currentFolder(in: gallery)
      scroll = gallery.grid.scroll.target
      (filter, search) = (album.filter, gallery.collection.search)
      today = gallery.options.dating.today
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
    case .find, .filter, .date, .keywords: break
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

/// What prompts show while they are typed in.
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
    case .command, .rename, .pattern, .date, .move, .copy, .keywords: return []
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
    case .command, .rename, .pattern, .date, .move, .copy, .keywords: return []
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
