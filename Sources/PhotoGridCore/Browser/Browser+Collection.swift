/// Sorting, filtering and searching the photos.
extension Browser {
  /// Runs a command that sorts, filters, searches or marks photos.
  mutating func run(
    _ command: Command.AlbumCommand, _ count: Int?, at now: Instant
  ) {
    switch command {
    case .find: ask(.find, at: now)
    case .filter: ask(.filter, at: now)
    case .filterStars:
      keyboard.awaitsStars = true
      showNotice(";;  0 to 5 stars · * any stars · repeat to show all", for: 10, at: now)
    case .shell:
      // A shell command may do anything to files.
      if mayChangeFiles("running commands", at: now) { ask(.command, at: now) }
    case .findNext: goToMatch(count ?? 1, at: now)
    case .findPrevious: goToMatch(-(count ?? 1), at: now)
    case .sort(let order): sort(by: order, at: now)
    case .shuffle:
      // The seed comes from the clock, as time is the only outside input.
      sort(by: SortOrder(by: .random(seed: UInt64(bitPattern: now.nanoseconds))), at: now)
    case .group(let grouping): group(by: grouping, at: now)
    case .markSection:
      let outcomes =
        collection.section(ofItem: selection)
        .map { GridScreen.mark(section: $0, of: collection) } ?? [.noSections]
      for outcome in outcomes { perform(outcome, at: now) }
    case .goToDate: ask(.date, at: now)
    case .toggleStacks: toggleStacks(at: now)
    case .foldStack: foldStack(at: now)
    case .stackFace: chooseFace(at: now)
    case .mark, .markOn, .range, .markAll, .invertMarks, .unmarkAll, .showMarked:
      runMark(command, count: count ?? 1, at: now)
    }
  }

  // MARK: - Order and filter

  /// Handles the key after `;;`: a digit or `*` shows only photos of so many stars, or all again.
  ///
  /// - Returns: Whether it was one of these keys.
  mutating func press(starKey key: Key, at now: Instant) -> Bool {
    guard keyboard.awaitsStars else { return false }
    keyboard.awaitsStars = false
    guard case .character(let character) = key, ("0"..."5").contains(character) || character == "*"
    else { return false }
    let term = character == "*" ? "rating:>=1" : "rating:\(character)"
    let typed = album.filter?.text ?? ""
    var words = typed.split(separator: " ").map { String($0) }
    let old = words.last.flatMap { word in
      word.dropFirst(7).allSatisfy { "012345>=".contains($0) } && word.hasPrefix("rating:")
        ? words.popLast() : nil
    }
    var text = words.joined(separator: " ")
    if old != term {
      if words.contains(where: { $0.lowercased() == "or" }), old == nil { text = "(\(text))" }
      text += (text.isEmpty ? "" : " ") + term
    }
    guard let filter = try? Filter(parsing: text, today: options.dating.today) else {
      showNotice("'\(typed)' cannot be combined with \(term)", for: 2, at: now)
      return true
    }
    changeCollection(at: now) { $0.show(only: filter) }
    showNotice(
      filter.isEmpty ? "All photos" : "Only '\(text)' · ;;\(character) clears", for: 2, at: now)
    return true
  }

  /// Sorts the photos; their tiles fly to their new places.
  private mutating func sort(by order: SortOrder, at now: Instant) {
    let grouping = collection.grouping
    changeCollection(at: now) { $0.sort(by: order) }
    let end = collection.grouping == grouping ? "" : ", not grouped"
    showNotice("Sort: \(order.label)\(end)", for: 1, at: now)
  }

  /// Groups the photos into sections; each photo flies to its new place.
  private mutating func group(by grouping: Grouping, at now: Instant) {
    changeCollection(at: now) { $0.group(by: grouping) }
    showNotice(
      grouping == .none
        ? "Not grouped" : "Grouped by \(grouping.rawValue), sorted by \(album.order.label)",
      for: 1, at: now)
  }

  // MARK: - Search

  /// Searches for photos, and selects the first match at or after the position where the search
  /// began, wrapping around at the end; without a match, returns to that position.
  mutating func find(_ filter: Filter, from origin: Prompt.Origin, at now: Instant) {
    gallery.collection.find(filter)
    let start = origin.photo.flatMap { collection.index(of: $0) } ?? selection
    let match = collection.search.flatMap { search in
      search.matches.first { $0 >= start } ?? search.matches.first
    }
    gallery.select(match ?? start, at: now)
  }

  private mutating func goToMatch(_ steps: Int, at now: Instant) {
    guard let search = collection.search else {
      showNotice("No search yet. Press / to search.", for: 2, at: now)
      return
    }
    guard let match = search.match(steps, from: selection) else {
      showNotice("No match for '\(search.filter.text)'", for: 2, at: now)
      return
    }
    gallery.select(match, at: now)
  }
}
