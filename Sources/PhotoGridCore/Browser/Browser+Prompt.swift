/// Prompts in the bar: what is typed into them takes effect at every key.
extension Browser {
  /// Opens a prompt.
  mutating func ask(_ kind: Prompt.Kind, at now: Instant) {
    let origin = Prompt.Origin(
      photo: current ?? currentFolder, scroll: scroll.target, filter: album.filter,
      finding: finding)
    // A filter is changed rather than typed again.
    let text = kind == .filter ? album.filter?.text ?? "" : ""
    endDrag(at: now)
    prompt = Prompt(
      kind: kind, line: LineEditor(text, history: histories[kind] ?? []), origin: origin)
    if kind == .command, isInDetail, let kept = keptMarks { prompt?.note = "this photo; \(kept)" }
    if kind == .filter, !album.isFiltered {
      viewBeforeFilter = FolderView(selected: origin.photo, scroll: origin.scroll)
    }
  }

  /// Takes a key while a prompt is open.
  mutating func pressInPrompt(_ key: Key, at now: Instant) -> [Effect] {
    switch key {
    case .escape: cancelPrompt(at: now)
    case .backspace where prompt?.line.text.isEmpty == true: cancelPrompt(at: now)
    case .enter: return acceptPrompt(at: now)
    case .control("c"): return [.interrupt]
    case .control("z"): return [.suspend]
    case .control("l"): return [.redraw]
    case .tab where prompt?.kind == .filter || prompt?.kind == .find: completePrompt(at: now)
    default:
      prompt?.hint = nil
      let before = prompt?.line.text
      guard prompt?.line.press(key) == true, prompt?.line.text != before else { break }
      followPrompt(at: now)
    }
    return []
  }

  /// Types what can only be meant, and shows how the line may go on.
  private mutating func completePrompt(at now: Instant) {
    guard let line = prompt?.line else { return }
    guard let completion = album.completion(of: line.before) else {
      prompt?.hint = "nothing to complete"
      return
    }
    let hint = completion.possibilities.joined(separator: " ")
    prompt?.hint = hint.isEmpty ? nil : hint
    guard completion.before != line.before else { return }
    prompt?.line.replaceBefore(with: completion.before)
    followPrompt(at: now)
  }

  /// Takes pasted text: into the prompt, or nowhere.
  mutating func paste(_ text: String, at now: Instant) {
    guard prompt != nil else { return }
    prompt?.line.insert(text)
    followPrompt(at: now)
  }

  /// Lets what is typed so far take effect.
  private mutating func followPrompt(at now: Instant) {
    guard let prompt else { return }
    self.prompt?.complaint = nil
    let text = prompt.line.text
    if prompt.kind == .rename {
      self.prompt?.complaint = Self.fault(ofName: text)
      self.prompt?.note = Self.note(onName: text)
      self.prompt?.isWarned = false
    }
    guard prompt.kind == .find || prompt.kind == .filter else { return }
    do throws(FilterError) {
      follow(prompt, try Filter(parsing: text), at: now)
    } catch {
      self.prompt?.complaint = error.description
      // What stands before it means something.
      let before = text.prefix(error.place - 1)
      let end = before.lastIndex(of: " ") ?? before.startIndex
      if let filter = try? Filter(parsing: String(before[..<end])) {
        follow(prompt, filter, at: now)
      }
    }
  }

  private mutating func follow(_ prompt: Prompt, _ filter: Filter, at now: Instant) {
    switch prompt.kind {
    case .find: find(filter, from: prompt.origin, at: now)
    case .filter:
      show(only: filter, at: now)
      returnTo(prompt.origin.photo, at: now)
    case .command, .rename: break
    }
  }

  private mutating func acceptPrompt(at now: Instant) -> [Effect] {
    guard let prompt else { return [] }
    // Where it means nothing, what is wrong stays to be read and put right.
    guard prompt.complaint == nil else { return [] }
    let text = prompt.line.text
    if text.isEmpty, prompt.kind != .filter {
      cancelPrompt(at: now)
      return []
    }
    if prompt.kind == .rename, !prompt.isWarned,
      let warning = Self.warning(ofName: text, before: prompt.origin.name)
    {
      self.prompt?.note = warning
      self.prompt?.isWarned = true
      return []
    }
    self.prompt = nil
    if !text.isEmpty, prompt.kind != .rename {
      histories[prompt.kind, default: []].removeAll { $0 == text }
      histories[prompt.kind, default: []].append(text)
    }
    switch prompt.kind {
    case .find:
      if finding?.matches.isEmpty == true { say("'\(text)' is nowhere", for: 2, at: now) }
    case .filter: break
    case .command:
      let photos = commandPhotos
      if let command = ShellCommand(typed: text, photos: photos) { return [.run(command)] }
    case .rename: return rename(prompt.origin, to: text, at: now)
    }
    return []
  }

  /// The photos that a command is run on: the one on the screen; in the grid what is marked, else
  /// the selected one.
  var commandPhotos: [Photo.ID] {
    isInDetail || album.marks.isEmpty ? current.map { [$0] } ?? [] : album.markedInOrder
  }

  private mutating func cancelPrompt(at now: Instant) {
    guard let prompt else { return }
    self.prompt = nil
    switch prompt.kind {
    case .find:
      finding = prompt.origin.finding
      updateFinding()
    case .filter: show(only: prompt.origin.filter, at: now)
    case .command, .rename: return
    }
    guard let photo = prompt.origin.photo, photos.contains(photo) else { return }
    returnTo(photo, at: now)
    scroll(
      to: scrollOffset(showing: selection, from: min(prompt.origin.scroll, scrollLimit)), at: now)
  }

  /// Selects a photo again, if it is shown.
  private mutating func returnTo(_ photo: Photo.ID?, at now: Instant) {
    guard let photo, let place = photos.firstIndex(of: photo), place != selection else { return }
    select(place, at: now)
  }
}
