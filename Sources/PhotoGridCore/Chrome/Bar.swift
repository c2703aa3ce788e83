/// The text of the bar: one row, printable, cut to its width by whoever draws it.
package struct Bar: Equatable, Sendable {
  /// What it is about: the photo's name, or a notice.
  package var left: String
  /// The folder that it is in; gives way to all else.
  package var place = ""
  /// Its place and facts.
  package var right: String
  /// What is being typed, in place of `left`.
  package var entry: Entry?
  /// Whether `left` is news, which matter more than facts that are there at any time.
  package var isNews = false

  /// A bar of two parts.
  package init(left: String, right: String, entry: Entry? = nil) {
    self.left = left
    self.right = right
    self.entry = entry
  }

  /// A line that is being typed.
  package struct Entry: Equatable, Sendable {
    package var label: String
    package var line: LineEditor

    /// A line behind a label.
    package init(label: String, line: LineEditor) {
      self.label = label
      self.line = line
    }
  }

  /// What the bar tells besides the browser's own state.
  package struct Facts: Equatable, Sendable {
    /// The folder or list being browsed, printable.
    package var source: String
    /// The path of the folder that the current photo or folder is in, printable.
    package var place = ""
    /// The name of the current photo or folder, printable.
    package var name: String
    package var info: PhotoInfo?
    /// What is wrong with the current photo, if it cannot be shown.
    package var failure: String?
    /// Pictures that are asked for and not there yet.
    package var loading: Int
    /// What is wrong with the folder, printable.
    package var trouble: String?
    /// What to tell in place of the name, for whoever is new.
    package var hint: String?

    /// Facts from the library.
    package init(
      source: String, name: String, info: PhotoInfo?, failure: String?, loading: Int,
      trouble: String? = nil
    ) {
      self.source = source
      self.name = name
      self.info = info
      self.failure = failure
      self.loading = loading
      self.trouble = trouble
    }
  }
}

extension Browser {
  /// The bar at a moment.
  package func bar(_ facts: Bar.Facts, at now: Instant) -> Bar {
    if let prompt {
      return Bar(
        left: "", right: promptRight(prompt),
        entry: Bar.Entry(label: prompt.label, line: prompt.line))
    }
    var bar = Bar(left: barLeft(facts, at: now), right: barRight(facts))
    bar.isNews =
      facts.hint != nil || keyQuestion(at: now) != nil || notice.map { $0.end > now } == true
    if !photos.isEmpty { bar.place = facts.place }
    return bar
  }

  /// What the terminal's window is to be called: where one is, and what is in force.
  package func title(_ facts: Bar.Facts) -> String {
    let isRoot = facts.place.last == "/"
    let path =
      photos.isEmpty || facts.name.isEmpty
      ? facts.source : facts.place + (isRoot || facts.place.isEmpty ? "" : "/") + facts.name
    let marks = album.marks.isEmpty ? [] : ["\(album.marks.count) marked"]
    let text = (["photogrid: " + path] + marks + inForce).joined(separator: " · ")
    return CellText(text).cutAtTheEnd(to: 200).string
  }

  /// What changes the photos that are shown, their order or what may be done to them, where that is
  /// not as usual.
  private var inForce: [String] {
    var parts: [String] = []
    if options.isReadOnly { parts.append("read-only") }
    if album.order != .listed { parts.append(album.order.words) }
    if let filter = album.filter, !filter.isEmpty {
      parts.append("filter: " + CellText(filter.text).cutAtTheEnd(to: 30).string)
    }
    if album.showsMarkedOnly { parts.append("marked only") }
    if let turnedWords { parts.append(turnedWords) }
    return parts
  }

  /// What is wrong with a line that is being typed, else what it leads to so far.
  private func promptRight(_ prompt: Prompt) -> String {
    if let words = prompt.hint ?? prompt.validationError ?? prompt.note { return words }
    switch prompt.kind {
    case .find: return collection.search.map(matchCount) ?? ""
    case .filter: return shownCount + (reading.map { " · " + $0 } ?? "")
    case .rename: return "Enter renames"
    case .command:
      let count = commandPhotos.count
      guard count > 0 else { return "runs without a photo's name: none is selected or marked" }
      let names = count == 1 ? "1 name" : "\(count) names"
      return prompt.line.text.first { $0 != " " } == "|"
        ? "\(names) on standard input" : "\(names) as arguments; | pipes them"
    }
  }

  /// Which of the matches is selected: "3/17".
  private func matchCount(_ search: Search) -> String {
    guard !search.matches.isEmpty else {
      return search.unknown.isEmpty ? "nowhere" : "not yet found"
    }
    let rank = search.rank(of: selection)
    let isMatch = rank > 0 && search.matches[rank - 1] == selection
    return "\(isMatch ? "\(rank)" : "–")/\(search.matches.count)"
  }

  private var shownCount: String {
    "\(album.shown.count) of \(album.listing.count)"
      + (album.showsSimilarNames ? " · similar names" : "")
  }

  /// How many photos there are beside the folders.
  private var photoCount: String {
    if album.isFiltered { return shownCount }
    switch album.listing.count {
    case 0: return collection.listingNotes == nil ? "listing…" : "no photos"
    case 1: return "1 photo"
    case let count: return "\(count) photos"
    }
  }

  /// How far the looking at files is.
  private var reading: String? {
    album.progress.map { "read \($0.known) of \($0.total)" }
  }

  private func barLeft(_ facts: Bar.Facts, at now: Instant) -> String {
    if let question = keyQuestion(at: now) { return question }
    if let notice, notice.end > now { return notice.text }
    if let hint = facts.hint { return hint }
    guard !photos.isEmpty else { return facts.source }
    return facts.name
  }

  private func barRight(_ facts: Bar.Facts) -> String {
    var parts: [String] = []
    // What matters most comes first: a narrow terminal cuts the end off.
    if let count = keyboard.reader.count { parts.append("\(count)") }
    if let index = currentIndex {
      let similar = album.showsSimilarNames ? ", similar names" : ""
      let all = album.isFiltered ? " of \(album.listing.count)\(similar)" : ""
      parts.append(
        "\(index - folderCount + 1)/\(album.shown.count)\(all)\(collection.listingNotes == nil ? "…" : "")"
      )
    } else if currentFolder != nil {
      parts.append("folder \(selection + 1)/\(folderCount)")
      parts.append(photoCount)
    } else if collection.listingNotes == nil {
      parts.append("listing…")
    } else {
      parts.append(album.listing.isEmpty ? "no photos" : shownCount)
    }
    if let slideshow {
      parts.append(slideshow.isPaused ? "slideshow waits, Space goes on" : "slideshow")
    }
    if let percentage { parts.append("\(percentage) %") }
    if let turnedWords { parts.append(turnedWords) }
    if let search = collection.search { parts.append("match \(matchCount(search))") }
    if let range {
      parts.append("range of \(max(range.upperBound + 1 - max(range.lowerBound, folderCount), 0))")
    }
    if !album.marks.isEmpty {
      let isMarked = current.map { album.marks.contains($0) } ?? false
      parts.append("\(album.marks.count) marked" + (isMarked ? ", this too" : ""))
    }
    parts += inForce
    if let words = files.progress { parts.append(words) }
    if let reading { parts.append(reading) }
    if let trouble = facts.trouble { parts.append(trouble) }
    if facts.loading > 0 { parts.append("loading \(facts.loading)") }
    if let failure = facts.failure {
      parts.append(failure)
    } else if let info = facts.info {
      parts.append("\(Int(info.size.width))×\(Int(info.size.height))")
      if info.frameCount > 1 { parts.append(animator.words(frameCount: info.frameCount)) }
      parts.append(Self.bytes(info.byteCount))
      if let date = info.taken?.prefix(10) { parts.append(String(date)) }
      if info.isIncomplete { parts.append("incomplete") }
    }
    if let notes = collection.listingNotes {
      if notes.wentDeeper { parts.append("with subfolders") }
      if notes.skipped > 0, viewer == nil { parts.append("\(notes.skipped) skipped") }
      if notes.unreadable > 0 { parts.append("\(notes.unreadable) unreadable") }
      if notes.unwatched > 0 { parts.append("\(notes.unwatched) folders not watched") }
    }
    return parts.joined(separator: " · ")
  }

  /// A number of bytes in the words of a file manager: "812 B", "2.4 MB".
  package static func bytes(_ count: Int) -> String {
    var value = Double(max(count, 0))
    guard value >= 1000 else { return "\(count) B" }
    var unit = "kB"
    value /= 1000
    for larger in ["MB", "GB", "TB"] where value >= 999.95 {
      value /= 1000
      unit = larger
    }
    let tenths = Int((value * 10).rounded())
    return value < 99.95
      ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
  }
}
