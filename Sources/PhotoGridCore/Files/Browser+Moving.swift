/// Moving and copying photos into other gallery.folders.
extension Browser {
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
    prompt.note =
      keptMarksNote.map { "this photo; \($0)" }
      ?? (isInDetail ? nil : last.map { "Tab completes\($0)" })
    present(.prompt(prompt))
    effects.append(.findFolders(""))
  }

  /// Receives the folders that complete the path in the prompt.
  mutating func receive(_ matches: FolderMatches, at now: Instant) {
    guard var prompt, prompt.kind.isFolder else { return }
    let isEdited = prompt.receive(matches)
    modal = .prompt(prompt)
    if isEdited { effects.append(.findFolders(prompt.line.text)) }
  }

  /// Moves or copies the photos of a prompt into its folder.
  mutating func transfer(_ prompt: Prompt, at now: Instant) {
    endRange()
    // Some photos may have disappeared from the folder since the question.
    let listing = PhotoSet(album.listing)
    let photos = album.files(of: prompt.origin.photos).filter {
      listing.contains($0) || album.marks.contains($0)
    }
    effects.append(.rememberFolder(prompt.line.text))
    let folder = FileDestination(
      folder: Array(prompt.line.text.utf8), isCreated: prompt.createsFolder)
    showNotice(
      files.request(onIdle: album.grouped(photos)) {
        prompt.kind == .copy ? .copy($0, to: folder) : .move($0, to: folder)
      }, at: now)
    startQueued(at: now)
  }
}
