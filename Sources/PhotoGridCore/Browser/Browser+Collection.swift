/// Which photos are shown in which order, and what is looked for among them.
extension Browser {
  /// Does what a key of the album asks for.
  mutating func run(
    _ command: Command.AlbumCommand, _ count: Int?, at now: Instant
  ) {
    switch command {
    case .find: ask(.find, at: now)
    case .filter: ask(.filter, at: now)
    case .shell:
      // What a command does to files, nobody can tell.
      if mayChangeFiles("running commands", at: now) { ask(.command, at: now) }
    case .findNext: goToMatch(count ?? 1, at: now)
    case .findPrevious: goToMatch(-(count ?? 1), at: now)
    case .sort(let order): sort(by: order, at: now)
    case .shuffle:
      // Chance comes with the clock: time is all that enters here.
      sort(by: SortOrder(by: .random(seed: UInt64(bitPattern: now.nanoseconds))), at: now)
    case .group(let grouping): group(by: grouping, at: now)
    case .markSection: markSelectedSection(at: now)
    case .goToDate: ask(.date, at: now)
    case .mark, .markOn, .range, .markAll, .invertMarks, .unmarkAll, .showMarked:
      runMark(command, count: count ?? 1, at: now)
    }
  }

  // MARK: - Order and filter

  /// Sorts the photos, each flying to its place.
  private mutating func sort(by order: SortOrder, at now: Instant) {
    let grouping = collection.grouping
    changeCollection(at: now) { $0.sort(by: order) }
    let end = collection.grouping == grouping ? "" : ", without sections"
    showNotice("sort: \(order.words)\(end)", for: 1, at: now)
  }

  /// Receives facts of photos' files.
  mutating func learn(_ news: [Learned], at now: Instant) {
    collection.receive(news)
    for learned in news where learned.facts == nil {
      folders.expirePreview(of: learned.photo)
      mode.updateSlideshow { $0.forgetFailure(of: learned.photo) }
    }
    refreshIfDue(at: now)
  }

  // MARK: - Search

  /// Searches for photos and goes to the first one from where the user was.
  mutating func find(_ filter: Filter, from origin: Prompt.Origin, at now: Instant) {
    collection.find(filter)
    let start = origin.photo.flatMap { collection.index(of: $0) } ?? selection
    let match = collection.search.flatMap { search in
      search.matches.first { $0 >= start } ?? search.matches.first
    }
    select(match ?? start, at: now)
  }

  private mutating func goToMatch(_ steps: Int, at now: Instant) {
    guard let search = collection.search else {
      showNotice("nothing is looked for; / finds", for: 2, at: now)
      return
    }
    guard let match = search.match(steps, from: selection) else {
      showNotice("'\(search.filter.text)' is nowhere", for: 2, at: now)
      return
    }
    select(match, at: now)
  }
}
