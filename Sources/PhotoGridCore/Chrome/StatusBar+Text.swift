extension StatusBar {
  /// What the bar and the title tell of, besides the message.
  struct Content {
    /// The facts from the library.
    var facts: Bar.Facts
    /// The items, with the search and the marks.
    var collection: PhotoCollection
    /// The index of the selected item.
    var selection: Int
    /// The index of the photo that keys are about; nil where it is a folder, or there is none.
    var photoIndex: Int?
    /// Whether keys are about a folder.
    var isFolder: Bool
    /// Whether a photo is open, or flies to its tile.
    var hasViewer: Bool
    /// A question to be answered, or the keys that may follow.
    var question: String?
    /// The line that is typed.
    var prompt: Prompt?
    /// How many photos a command would be run on.
    var commandPhotoCount: Int
    /// The count that is typed before a key.
    var count: Int?
    /// Whether the slideshow is paused; nil where none runs.
    var isSlideshowPaused: Bool?
    /// How large the open photo is, in percent of its pixels; nil at fit.
    var percentage: Int?
    /// How the open photo is turned, in words.
    var rotation: String?
    /// How far a file operation is, in words.
    var fileProgress: String?
    /// Whether the session ends as soon as all file operations have.
    var isLeaving: Bool
    /// The frames of the animated photo that plays, in words.
    var frames: String?
    /// Whether files may not be changed.
    var isReadOnly: Bool
  }

  // MARK: - Bar

  /// The bar at a moment.
  func bar(_ content: Content, at now: Instant) -> Bar {
    if let prompt = content.prompt {
      return Bar(
        left: "", right: content.promptStatus(prompt),
        entry: Bar.Entry(label: prompt.label, line: prompt.line))
    }
    let notice = notice.flatMap { $0.end > now ? $0.text : nil }
    let news = content.question ?? notice ?? content.facts.hint
    let isEmpty = content.collection.items.isEmpty
    var bar = Bar(
      left: news ?? (isEmpty ? content.facts.source : content.facts.name),
      right: content.status.joined(separator: " · "))
    bar.isNews = news != nil
    if !isEmpty { bar.place = content.facts.place }
    return bar
  }

  /// The title of the window: the path of the current item, and what is in force.
  func title(_ content: Content) -> String {
    let facts = content.facts
    let isRoot = facts.place.last == "/"
    let path =
      content.collection.items.isEmpty || facts.name.isEmpty
      ? facts.source : facts.place + (isRoot || facts.place.isEmpty ? "" : "/") + facts.name
    let count = content.collection.album.marks.count
    let marks = count == 0 ? [] : ["\(count) marked"]
    let text = (["photogrid: " + path] + marks + content.inForce).joined(separator: " · ")
    return CellText(text).cutAtTheEnd(to: 200).string
  }
}

extension StatusBar.Content {
  private var album: Album { collection.album }

  /// The parts of the right side, those that matter most first: a narrow terminal cuts off the end.
  fileprivate var status: [String] {
    if isLeaving, let fileProgress { return [fileProgress] }
    return position + view + marks + inForce
      + [fileProgress, reading, facts.trouble].compactMap(\.self)
      + (facts.loading > 0 ? ["loading \(facts.loading)"] : []) + file + listing
  }

  /// Where the current item is among the others.
  private var position: [String] {
    let typed = count.map { ["\($0)"] } ?? []
    if let photoIndex {
      let similar = album.showsSimilarNames ? ", similar names" : ""
      let all = album.isFiltered ? " of \(album.listing.count)\(similar)" : ""
      let more = collection.listingNotes == nil ? "…" : ""
      let number = photoIndex - collection.folderCount + 1
      return typed + ["\(number)/\(album.shown.count)\(all)\(more)"]
    }
    if isFolder {
      return typed + ["folder \(selection + 1)/\(collection.folderCount)", photoCount]
    }
    guard collection.listingNotes != nil else { return typed + ["listing…"] }
    return typed + [album.listing.isEmpty ? "no photos" : shownCount]
  }

  /// How the open photo is seen.
  private var view: [String] {
    [
      isSlideshowPaused.map { $0 ? "slideshow waits, Space goes on" : "slideshow" },
      percentage.map { "\($0) %" }, rotation,
    ].compactMap(\.self)
  }

  /// The search, the range and the marks.
  private var marks: [String] {
    var parts: [String] = []
    if let search = collection.search { parts.append("match \(matchCount(search))") }
    if let range = collection.range(to: selection) {
      let first = max(range.lowerBound, collection.folderCount)
      parts.append("range of \(max(range.upperBound + 1 - first, 0))")
    }
    if !album.marks.isEmpty {
      let isMarked = photoIndex.map { album.marks.contains(collection.items[$0]) } ?? false
      parts.append("\(album.marks.count) marked" + (isMarked ? ", this too" : ""))
    }
    return parts
  }

  /// What changes the photos that are shown, their order or what may be done to them, where that is
  /// not as usual.
  fileprivate var inForce: [String] {
    var parts: [String] = []
    if isReadOnly { parts.append("read-only") }
    if album.order != .listed { parts.append(album.order.words) }
    if collection.grouping != .none { parts.append("by \(collection.grouping.rawValue)") }
    if let filter = album.filter, !filter.isEmpty {
      parts.append("filter: " + CellText(filter.text).cutAtTheEnd(to: 30).string)
    }
    if album.showsMarkedOnly { parts.append("marked only") }
    if let rotation { parts.append(rotation) }
    return parts
  }

  /// The facts of the current photo's file.
  private var file: [String] {
    if let failure = facts.failure { return [failure] }
    guard let info = facts.info else { return [] }
    return [
      "\(Int(info.size.width))×\(Int(info.size.height))", frames,
      ByteCount.text(info.byteCount), info.taken.map { String($0.prefix(10)) },
      info.isIncomplete ? "incomplete" : nil,
    ].compactMap(\.self)
  }

  /// What the listing left out.
  private var listing: [String] {
    guard let notes = collection.listingNotes else { return [] }
    var parts: [String] = []
    if notes.wentDeeper { parts.append("with subfolders") }
    if notes.skipped > 0, !hasViewer { parts.append("\(notes.skipped) skipped") }
    if notes.unreadable > 0 { parts.append("\(notes.unreadable) unreadable") }
    if notes.unwatched > 0 { parts.append("\(notes.unwatched) folders not watched") }
    return parts
  }

  // MARK: - Prompts and counts

  /// What is wrong with a line that is typed, else what it leads to so far.
  fileprivate func promptStatus(_ prompt: Prompt) -> String {
    if let text = prompt.hint ?? prompt.validationError ?? prompt.note { return text }
    switch prompt.kind {
    case .find: return collection.search.map(matchCount) ?? ""
    case .filter: return shownCount + (reading.map { " · " + $0 } ?? "")
    case .rename: return "Enter renames"
    case .date: return "Enter goes there"
    case .command:
      let count = commandPhotoCount
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

  /// The number of photos besides the folders.
  private var photoCount: String {
    if album.isFiltered { return shownCount }
    switch album.listing.count {
    case 0: return collection.listingNotes == nil ? "listing…" : "no photos"
    case 1: return "1 photo"
    case let count: return "\(count) photos"
    }
  }

  /// The progress of reading facts: "read 3 of 17".
  private var reading: String? {
    album.progress.map { "read \($0.known) of \($0.total)" }
  }
}
