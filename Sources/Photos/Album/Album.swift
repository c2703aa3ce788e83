/// The photos and folders of a listing, with their order, filter and marks.
///
/// The tiles are made in stages, each from the one before; the result of a stage is nil while the
/// stage changes nothing:
///
///     listed     all photos and folders
///     pairing    without the files that are hidden behind the picture of their pair
///     sorting    in the chosen order
///     filtering  without the photos that do not pass the filter
///     stacks     with one photo for each folded stack; these are `shown`
///     tiling     with saved filters and folders before the photos; these are `tiles`
///
/// `update(from:)` runs the stages from one on. New facts only mark the album as stale: if tiles
/// moved with every photo that is read, they would never come to rest.
///
/// Facts and marks of photos that are not in the listing yet are kept until the photos arrive.
/// Folders are neither sorted nor marked, and only their names are filtered.
package struct Album: Equatable, Sendable {
  var listed = ListedItems()
  var pairing = Pairing()
  var sorting = Sorting()
  var filtering = Filtering()
  var stacks = FoldedStacks()
  var tiling = Tiling()
  /// All that is known about photos, of this listing and of others.
  package var known = PhotoKnowledge()
  package var similarity = Similarity()
  /// The photos to read for the order and the filter.
  var missing = MissingFacts()
  /// The marked photos, in this folder and in others that were visited before.
  package internal(set) var marks = PhotoSet()
  /// Whether new facts may change which photos are shown, or their order.
  package internal(set) var isStale = false
  /// The folder that is shown, with a slash at its end; empty for the folder that the program was
  /// started in, and for several.
  package var folder: [UInt8] = [] { didSet { filtering.searches.forgetAll() } }

  package init() {}

  /// The photos that are shown, in their order.
  package var shown: [Photo.ID] { stacks.folded ?? filtering.result ?? ordered }

  /// Everything that has a tile: the folders, then the photos that are shown.
  package var tiles: [Photo.ID] { tiling.joined ?? shown }

  package func isFolder(_ photo: Photo.ID) -> Bool { listed.folderSet.contains(photo) }

  /// The photos of the listing, each pair once.
  package var photos: [Photo.ID] { pairing.shown ?? listed.photos }

  /// All photos in display order, each pair once, including photos that are filtered out.
  package var ordered: [Photo.ID] { sorting.result ?? photos }

  /// Whether a filter is active, or only marked photos are shown.
  package var isFiltered: Bool { filtering.result != nil }

  package func facts(of photo: Photo.ID) -> PackedInfo? { facts[photo] }

  /// Returns the date of a photo; nil if it has none, or its file has not been read.
  ///
  /// Order, sections, months, filter, stacks and new names all follow this date.
  package func date(of photo: Photo.ID) -> PhotoDate? {
    dating.date(of: photo, facts[photo], names)
  }

  package mutating func date(by rule: DateRule) {
    guard dating != rule else { return }
    known.dating = rule
    isStale = isStale || readsAllFiles || filter?.dependsOnFacts == true
  }

  /// The camera in a photo's facts; nil if its file does not say.
  package func camera(in facts: PackedInfo) -> String? {
    self.facts.pools.camera.text(facts.camera)
  }

  // MARK: - Names and facts

  package mutating func name(_ batch: NameBatch) {
    known.names.learn(batch)
    filtering.searches.forgetAll()
    pairing.isStale = pairing.table.name(batch) && pairing.joins || pairing.isStale
    var photo = batch.first.index
    var last: UInt8 = 0
    for byte in batch.names {
      if byte == 0 {
        if last == UInt8(ascii: "/") { listed.folderSet.insert(Photo.ID(photo)) }
        photo += 1
      }
      last = byte
    }
    isStale = isStale || sorting.result != nil || filtering.result != nil || pairing.isStale
  }

  /// Stores the facts of many photos' files.
  ///
  /// - `block`: In the order of the photos; unknown photos stay as they are.
  /// - `isRecorded`: Whether an earlier session read the files.
  /// - Returns: The photos that have another size now.
  @discardableResult
  package mutating func learn(
    _ block: InfoBlock, of photos: [Photo.ID], isRecorded: Bool = false
  ) -> [Photo.ID] {
    for (photo, (index, row)) in zip(photos, block.rows.enumerated()) {
      if let rating = row.rating { updateRating(of: photo, rating) }
      if row.isHashKnown { updateHash(of: photo, block.hash(at: index)) }
    }
    var changes: [(Photo.ID, InfoTable.Change)] = []
    var resized: [Photo.ID] = []
    if !known.outdated.isEmpty {
      // A file that was not read now will not be read later.
      for (photo, row) in zip(photos, block.rows) where row.hasMetadata || !row.isKnown {
        known.outdated.remove(photo)
      }
    }
    known.facts.update(block, of: photos, isRecorded: isRecorded, capacity: listed.photos.count) {
      changes.append(($0, $1))
      if $2 { resized.append($0) }
    }
    // Rows without metadata say nothing about words.
    for (photo, (index, row)) in zip(photos, block.rows.enumerated())
    where row.isKnown && row.hasMetadata && (row.hasWords || !words.isEmpty) {
      setWords(block.words[index] ?? [], of: photo)
    }
    for (photo, change) in changes { apply(change, to: photo) }
    return resized
  }

  /// Records that a photo's file has changed and must be read again.
  package mutating func expire(_ photo: Photo.ID) {
    forgetHash(of: photo)
    known.outdated.remove(photo)
    if known.facts.expire(photo) { apply(.info, to: photo) }
  }

  /// Records that a photo's sidecar has changed, so that its metadata must be read again.
  package mutating func expireMetadata(of photo: Photo.ID) {
    guard known.facts.expireMetadata(of: photo) else { return }
    known.outdated.insert(photo)
    apply(.metadata, to: photo)
  }

  /// Stores the words of a photo, as a record, after the user has changed them or they were read.
  mutating func setWords(_ record: [UInt8], of photo: Photo.ID) {
    known.words.set(record, of: photo)
    filtering.searches.forgetAll()
    if filter?.needsMetadata == true { isStale = true }
  }

  private mutating func apply(_ change: InfoTable.Change, to photo: Photo.ID) {
    if change == .none { return }
    filtering.searches.forgetAll()
    if facts[photo]?.hasMetadata == true {
      known.described.insert(photo)
    } else {
      known.described.remove(photo)
    }
    if let new = facts[photo], new.hasMetadata || filter?.needsMetadata != true {
      missing.pendingFacts.remove(photo)
    }
    // Metadata does not change the order, but the camera changes the stacks.
    let affectsOrder = readsAllFiles && (change != .metadata || hasStacks)
    if affectsOrder || filter?.dependsOnFacts == true { isStale = true }
  }

  /// The number of photos that were read for the order and the filter, and the number of all
  /// photos; nil when nothing is missing.
  package var progress: (known: Int, total: Int)? {
    let pending = max(
      missing.pendingFacts.count, missing.pendingRatings.count, missing.pendingHashes.count)
    return pending == 0 ? nil : (photos.count - pending, photos.count)
  }

  // MARK: - Order, filter, marks

  package mutating func sort(by order: SortOrder) {
    sorting.order = order
    let isKnown = { [self] (photo: Photo.ID) in
      if order.needsRatings { return known.ratings.isKnown(photo) }
      return order.needsHashes ? known.hashes.isKnown(photo) : facts[photo] != nil
    }
    guard order.needsReading, !photos.allSatisfy(isKnown) else { return update(from: .order) }
    sorting.result = ordered
    update(from: .filter)
    isStale = true
  }

  /// Shows only photos that pass a filter; nil or an empty filter shows everything.
  package mutating func show(only filter: Filter?) {
    filtering.filter = filter?.isEmpty == true ? nil : filter
    if let filter { search(for: filter) }
    // Photos that were found since the last refresh are not in order yet.
    let needsSorting = isStale && sorting.result != nil && !order.needsReading
    update(from: needsSorting ? .order : .filter)
  }

  package mutating func showMarkedOnly(_ isOn: Bool) {
    filtering.showsMarkedOnly = isOn
    update(from: .filter)
  }

  /// Marks photos with all files of their pairs, or removes these marks; skips folders.
  package mutating func mark(_ photos: some Sequence<Photo.ID>, _ isMarked: Bool) {
    var changed = false
    for photo in files(of: photos) where !listed.folderSet.contains(photo) {
      changed = (isMarked ? marks.insert(photo) : marks.remove(photo)) || changed
    }
    if changed, showsMarkedOnly || filter?.dependsOnMarks == true { update(from: .filter) }
  }

  /// Sorts and filters all photos again with the facts known now.
  package mutating func refresh() { update(from: .order) }

  /// Sets whether the dates of all photos are needed, regardless of the order and the filter.
  mutating func needDates(_ isOn: Bool) {
    guard sorting.needsDates != isOn else { return }
    sorting.needsDates = isOn
    update(from: .filter)
  }

  // MARK: - Filtering

  /// Whether the files of all photos must be read, including photos that do not pass the filter.
  var readsAllFiles: Bool { order.needsFacts || sorting.needsDates || hasStacks }

  /// Whether the filter needs facts of a photo that are not known.
  func lacksFacts(_ photo: Photo.ID) -> Bool {
    guard let filter, filter.needsFacts else { return false }
    return facts(of: photo).map { filter.needsMetadata && !$0.hasMetadata } ?? true
  }
}

extension Album {
  /// The files of the marked photos: first of this folder, then of the other folders.
  ///
  /// This folder's photos are in display order, and include photos that are filtered out. The other
  /// folders follow one after the other, each sorted by name. The files of a pair are adjacent.
  package var markedInOrder: [Photo.ID] {
    guard !marks.isEmpty else { return [] }
    let here = files(of: ordered.lazy.filter { marks.contains($0) })
    guard here.count < marks.count else { return here }
    var elsewhere = marks
    elsewhere.subtract(PhotoSet(here))
    return here + names.sorted(elsewhere.photos)
  }
}

extension Album {
  /// Adds photos and folders at the end of the listing; `refresh` sorts them in.
  ///
  /// - Returns: Whether the photos listed before keep their tiles; a raw file loses its tile when
  ///   its picture is added.
  @discardableResult
  package mutating func extend(by found: [Photo.ID]) -> Bool {
    filtering.searches.forgetAll()
    similarity.groups = nil
    let files = takeFolders(outOf: found)
    let shownCount = shown.count
    let (photos, hidesOthers) = addToListing(files)
    defer {
      // Joining copies all tiles: it is done only if a folder was added, or a tile removed.
      if hidesOthers || files.count < found.count {
        update(from: .tiles)
      } else {
        let more = shown[shownCount...]
        tiling.joined?.append(contentsOf: more)
      }
    }
    sorting.result?.append(contentsOf: photos)
    isStale = isStale || sorting.result != nil || order != .listed || readsAllFiles
    if filtering.result == nil { stacks.folded?.append(contentsOf: photos) }
    guard filtering.result != nil else { return !hidesOthers }
    // A new name may contain a word that no name contained before.
    if shownCount == 0 || filter?.needsHashes == true {
      isStale = isStale || filter != nil
    }
    let verdict = passing(among: photos)
    filtering.result?.append(contentsOf: verdict.passing)
    stacks.folded?.append(contentsOf: verdict.passing)
    if filter?.needsRatings == true || order.needsRatings { addMissingRatings(of: verdict.unread) }
    for photo in verdict.unread where lacksFacts(photo) {
      missing.facts.append(photo)
      missing.pendingFacts.insert(photo)
    }
    return !hidesOthers
  }

  /// Replaces the listing with a newer one of the same folder; removed photos lose their marks.
  package mutating func relist(_ found: [Photo.ID]) {
    filtering.searches.forgetAll()
    let before = listed.photos
    listed.folders = []
    listed.photos = takeFolders(outOf: found)
    if !marks.isEmpty {
      var gone = PhotoSet(before)
      gone.subtract(PhotoSet(listed.photos))
      marks.subtract(gone)
    }
    update(from: .pairs)
  }

  /// Replaces the listing with the listing of another folder; all marks stay.
  package mutating func move(to found: [Photo.ID]) {
    filtering.searches.forgetAll()
    (listed.folders, listed.savedFilters) = ([], [])
    listed.photos = takeFolders(outOf: found)
    update(from: .pairs)
  }

  /// Replaces the saved filters that have tiles.
  mutating func show(_ filters: [FilterTile]) {
    for filter in filters { listed.folderSet.insert(filter.item) }
    listed.savedFilters = filters
    update(from: .tiles)
  }

  /// Adds the folders in `found` to `folders`, and returns the photos.
  private mutating func takeFolders(outOf found: [Photo.ID]) -> [Photo.ID] {
    guard !listed.folderSet.isEmpty else { return found }
    let new = found.filter { listed.folderSet.contains($0) }
    guard !new.isEmpty else { return found }
    listed.folders += new
    return found.filter { !listed.folderSet.contains($0) }
  }
}

extension Album {
  /// Returns the photos that pass the filter, and are marked if only marked photos are shown.
  func passing(among photos: [Photo.ID]) -> FilterResult {
    let candidates = showsMarkedOnly ? photos.filter { marks.contains($0) } : photos
    guard let filter else { return FilterResult(passing: candidates, unread: []) }
    return self.photos(among: candidates, passing: filter)
  }

  package struct FilterResult: Equatable {
    package var passing: [Photo.ID]
    /// The photos whose files must be read before the filter can decide for good; some of them may
    /// pass as far as is known.
    var unread: [Photo.ID]
    /// Whether nothing at all can be said about some of the photos.
    var isUndecided = false

    /// Returns the result with additional photos that pass.
    func passing(_ more: PhotoSet, _ photos: [Photo.ID]) -> FilterResult {
      let passed = PhotoSet(passing)
      return FilterResult(
        passing: photos.filter { passed.contains($0) || more.contains($0) },
        unread: unread.filter { !more.contains($0) }, isUndecided: isUndecided)
    }
  }

  /// Returns the photos that pass a filter, in their order.
  ///
  /// A photo also passes if a raw file that is hidden behind it is known to pass.
  package func photos(among photos: [Photo.ID], passing filter: Filter) -> FilterResult {
    let verdict = verdict(among: photos, filter)
    guard !pairing.table.isEmpty, verdict.passing.count < photos.count else { return verdict }
    // For a few photos, looking up their hidden files is cheaper than filtering all hidden files.
    let isBatch = photos.count < pairing.table.hidden.count / 4
    let files = isBatch ? photos.flatMap { pairedFiles(of: $0) } : pairing.table.hidden.photos
    let hidden = self.verdict(among: files, filter).passing
    return hidden.isEmpty
      ? verdict : verdict.passing(PhotoSet(hidden.map(pairing.table.picture)), photos)
  }

  private func verdict(among photos: [Photo.ID], _ filter: Filter) -> FilterResult {
    let verdicts = evaluation.verdicts(of: photos, filter.expression)
    var result = FilterResult(passing: [], unread: [])
    for (photo, verdict) in zip(photos, verdicts) where verdict != FilterEvaluation.Verdict.fails {
      if verdict > FilterEvaluation.Verdict.isUnknown { result.passing.append(photo) }
      if verdict == FilterEvaluation.Verdict.isUnknown { result.isUndecided = true }
      if verdict != FilterEvaluation.Verdict.passes { result.unread.append(photo) }
    }
    return result
  }

  /// Returns a sentence about the first part of a filter that no photo passes by itself, given that
  /// no photo passes all of it; nil if the filter has one part.
  func exclusion(by filter: Filter) -> String? {
    guard case .all(let parts) = filter.expression, parts.count > 1, !photos.isEmpty else {
      return nil
    }
    let part = parts.first { part in
      photos(among: photos, passing: Filter(text: "", expression: part)).passing.isEmpty
    }
    guard let part else {
      return "Each term matches some photos, but no photo matches all of them."
    }
    if case .test(.word(let word)) = part {
      return "No photo matches '\(String(decoding: word, as: UTF8.self))'."
    }
    return "No photo matches '\(part)'."
  }

  var evaluation: FilterEvaluation {
    FilterEvaluation(
      names: names, folder: folder, facts: facts, words: words, described: known.described,
      dating: dating, marks: marks, hidden: pairing.table.hidden, ratings: known.ratings,
      similar: similarity.groups,
      searches: filtering.searches)
  }
}
