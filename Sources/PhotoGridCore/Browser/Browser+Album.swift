/// Which photos are shown in which order, and what is looked for among them.
extension Browser {
  /// Seconds until newly known facts change what a filter shows, and in which order photos are:
  /// not at every photo, for that would never come to rest.
  private static let filterPatience = 0.3
  private static let sortPatience = 5.0

  /// Does what a key of the album asks for.
  mutating func run(
    _ command: Command.AlbumCommand, count: Int?, inDetail: Bool, at now: Instant
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
    case .mark, .markOn, .range, .markAll, .invertMarks, .unmarkAll, .showMarked:
      runMark(command, count: count ?? 1, inDetail: inDetail, at: now)
    }
  }

  // MARK: - Order and filter

  /// Has the photos come in another order, each flying to its place.
  private mutating func sort(by order: SortOrder, at now: Instant) {
    changeAlbum(at: now) { $0.sort(by: order) }
    showNotice("sort: \(order.words)", for: 1, at: now)
  }

  /// Shows only what passes a filter.
  mutating func show(only filter: Filter?, at now: Instant) {
    changeAlbum(at: now) { $0.show(only: filter) }
  }

  /// Changes the album, and takes the tiles to their new places.
  mutating func changeAlbum(at now: Instant, _ change: (inout Album) -> Void) {
    refreshDue = nil
    moveTiles(at: now) { change(&$0.album) }
    updateSearch()
    scheduleRefresh(at: now)
  }

  /// Lets what became known take effect: at once where it is complete, else after a while.
  mutating func scheduleRefresh(at now: Instant) {
    guard album.isStale || search?.isStale == true else {
      refreshDue = nil
      return
    }
    let isComplete = album.progress == nil && summary != nil
    let patience = album.order.needsFacts ? Self.sortPatience : Self.filterPatience
    let due = refreshDue ?? now.advanced(bySeconds: patience)
    guard isComplete || due <= now else {
      refreshDue = due
      return
    }
    refreshDue = nil
    if album.isStale { moveTiles(at: now) { $0.album.refresh() } }
    updateSearch()
  }

  /// Whether all photos are there and in their places.
  package var isSettled: Bool { summary != nil && !album.isStale && album.progress == nil }

  /// Takes in what is known of photos' files.
  mutating func learn(_ news: [Learned], at now: Instant) {
    for learned in news {
      album.learn(learned.photo, learned.facts)
      guard learned.facts == nil else { continue }
      folders.expirePreview(of: learned.photo)
      mode.updateSlideshow { $0.forgetFailure(of: learned.photo) }
    }
    if search?.unknown.isEmpty == false { search?.isStale = true }
    scheduleRefresh(at: now)
  }

  /// The photos whose files have to be looked at for what is asked for.
  package var wantedFacts: [Photo.ID] {
    album.unknown.isEmpty ? search?.unknown ?? [] : album.unknown
  }

  // MARK: - Search

  /// Looks for photos and goes to the first one from where one was.
  mutating func find(_ filter: Filter, from origin: Prompt.Origin, at now: Instant) {
    search = filter.isEmpty ? nil : Search(filter: filter)
    updateSearch()
    let start = origin.photo.flatMap { photos.firstIndex(of: $0) } ?? selection
    let match = search.flatMap { search in
      search.matches.first { $0 >= start } ?? search.matches.first
    }
    select(match ?? start, at: now)
  }

  private mutating func goToMatch(_ steps: Int, at now: Instant) {
    guard let search else {
      showNotice("nothing is looked for; / finds", for: 2, at: now)
      return
    }
    guard let match = search.match(steps, from: selection) else {
      showNotice("'\(search.filter.text)' is nowhere", for: 2, at: now)
      return
    }
    select(match, at: now)
  }

  /// Finds the matches among the photos that are shown now.
  mutating func updateSearch() {
    guard let filter = search?.filter else { return }
    // Of a folder nothing but its name is known.
    let photos = photos
    let verdict = album.photos(
      among: filter.isAboutNames ? photos : album.shown, passing: filter)
    var next = verdict.passing[...]
    search?.matches = photos.indices.filter { place in
      guard photos[place] == next.first else { return false }
      next.removeFirst()
      return true
    }
    search?.unknown = verdict.unknown
    search?.isStale = false
  }
}
