/// The photos and folders of a listing, with their order, filter and marks.
///
/// Each of these lists is made from the one before it, and is nil while its step is not needed:
///
///     listing        all photos
///     withoutHidden  without the files that are hidden behind the picture of their pair
///     sorted         in the chosen order
///     filtered       without the photos that do not pass the filter
///     folded         with one photo for each folded stack; these are `shown`
///     joinedTiles    with the folders before the photos; these are `tiles`
///
/// Facts and marks of photos that are not in the listing yet are kept until the photos arrive.
/// Folders are neither sorted nor marked, and only their names are filtered.
package struct Album: Equatable, Sendable {
  /// All photos, in the order of the folders or the list that they come from.
  package internal(set) var listing: [Photo.ID] = []
  /// The pairs: pictures, and the raw files of the same shots.
  var pairs = PairTable()
  /// Whether a picture and its raw files are shown as one photo.
  package internal(set) var joinsPairs = true
  /// Whether the pairs must be found again because names have changed.
  var arePairsStale = false
  /// The time in seconds below which successive photos of a camera are in the same stack; nil shows
  /// every photo.
  package internal(set) var stackSeconds: Double?
  /// The stacks, and which of them are folded.
  var stacks = FoldedStacks()
  /// The photos that pass the filter, with one photo for each folded stack; nil while no stack is
  /// folded.
  var folded: [Photo.ID]?
  /// The listing without hidden files; nil while no file is hidden.
  var withoutHidden: [Photo.ID]?
  /// The folders of the listing, in its order.
  package internal(set) var folders: [Photo.ID] = []
  /// The folders that have tiles.
  package internal(set) var shownFolders: [Photo.ID] = []
  /// The folders, then the photos that are shown; nil while there are no folders.
  var joinedTiles: [Photo.ID]?
  /// All folders by identity, of this listing and of others.
  var folderSet = PhotoSet()
  /// The chosen order.
  package private(set) var order = SortOrder.listed
  /// The chosen filter; nil shows everything.
  package private(set) var filter: Filter?
  /// Whether the dates of all photos are needed, regardless of the order and the filter.
  private(set) var needsDates = false
  /// Whether photos that are not marked are filtered out.
  package private(set) var showsMarkedOnly = false
  /// The marked photos, in this folder and in others that were visited before.
  package internal(set) var marks = PhotoSet()
  /// The photos whose files must be read, in listing order if all files are needed, otherwise in
  /// display order.
  package internal(set) var unknown: [Photo.ID] = []
  /// Whether new facts may change which photos are shown, or their order.
  package internal(set) var isStale = false
  /// The names of photos and folders.
  package private(set) var names = PhotoNames()
  /// The facts of photos' files.
  private(set) var facts = InfoTable()
  /// What people have written about photos.
  private(set) var words = WordTable()
  /// What counts as the date of a photo.
  package private(set) var dating = DateRule()
  /// The photos whose cameras and lenses are known.
  private(set) var described = PhotoSet()
  /// The folder that is shown, with a slash at its end; empty for the folder that the program was
  /// started in, and for several.
  package var folder: [UInt8] = []
  /// The ratings that were read or set.
  var ratings = RatingTable()
  /// The photos whose ratings must be read for the order and the filter, in listing order if the
  /// sort order needs ratings, otherwise in display order.
  package internal(set) var missingRatings: [Photo.ID] = []
  /// The photos of `missingRatings` whose ratings have not arrived yet.
  var pendingRatings = PhotoSet()
  /// The hashes of photos' pictures.
  var hashes = HashTable()
  /// The groups of near duplicates; nil until they are needed, and after a change.
  var similar: SimilarGroups?
  /// The groups by which the photos are sorted; nil in other orders.
  var sortedGroups: SimilarGroups?
  /// What is known about the contents of files of the same size.
  var digests: [Photo.ID: ContentDigest?] = [:]
  /// The photos with the same bytes as another one that is as good or better.
  var copies = PhotoSet()
  /// The photos whose hashes must be computed for the order and the filter, in listing order.
  package internal(set) var missingHashes: [Photo.ID] = []
  /// The photos of `missingHashes` whose hashes are still not known.
  var pendingHashes = PhotoSet()
  /// Why no photo passes the filter; nil if one does, or that is not known yet.
  package internal(set) var exclusion: FilterExclusion?
  /// Words of the filter that no name contains, so that similar names pass instead.
  var similarWords: [[UInt8]] = []
  /// The photos of `unknown` whose facts may change the order or what passes the filter.
  var pendingFacts = PhotoSet()
  /// The photos in the chosen order; nil while that is the order of the listing.
  var sorted: [Photo.ID]?
  /// The photos that pass the filter, in the chosen order; nil while no filter is active.
  var filtered: [Photo.ID]?

  /// Creates an album without photos.
  package init() {}

  /// The photos that are shown, in their order.
  package var shown: [Photo.ID] { folded ?? filtered ?? ordered }

  /// Everything that has a tile: the folders, then the photos that are shown.
  package var tiles: [Photo.ID] { joinedTiles ?? shown }

  /// Whether an item is a folder.
  package func isFolder(_ photo: Photo.ID) -> Bool { folderSet.contains(photo) }

  /// The photos of the listing, each pair once.
  package var photos: [Photo.ID] { withoutHidden ?? listing }

  /// All photos in display order, each pair once, including photos that are filtered out.
  package var ordered: [Photo.ID] { sorted ?? photos }

  /// Whether a filter is active, or only marked photos are shown.
  package var isFiltered: Bool { filtered != nil }

  /// The facts of a photo's file; nil if it has not been read.
  func facts(of photo: Photo.ID) -> PackedInfo? { facts[photo] }

  /// Returns the date of a photo; nil if it has none, or its file has not been read.
  ///
  /// Order, sections, months, filter, stacks and new names all follow this date.
  package func date(of photo: Photo.ID) -> PhotoDate? {
    dating.date(of: photo, facts[photo], names)
  }

  /// Sets what counts as the date of a photo; `refresh()` applies it.
  package mutating func date(by rule: DateRule) {
    guard dating != rule else { return }
    dating = rule
    isStale = isStale || readsAllFiles || filter?.dependsOnFacts == true
  }

  /// The camera in a photo's facts; nil if its file does not say.
  func camera(in facts: PackedInfo) -> String? { self.facts.pools.camera.text(facts.camera) }

  // MARK: - Names and facts

  /// Adds the names of photos and folders; the names of folders end in a slash.
  package mutating func name(_ batch: NameBatch) {
    names.add(batch)
    arePairsStale = pairs.name(batch) && joinsPairs || arePairsStale
    var photo = batch.first.index
    var last: UInt8 = 0
    for byte in batch.names {
      if byte == 0 {
        if last == UInt8(ascii: "/") { folderSet.insert(Photo.ID(photo)) }
        photo += 1
      }
      last = byte
    }
    isStale = isStale || sorted != nil || filtered != nil || arePairsStale
  }

  /// Stores what many photos' files say.
  ///
  /// - `block`: In the order of the photos; unknown photos stay as they are.
  /// - `isRecorded`: Whether an earlier session read the files.
  /// - Returns: The photos that have another size now.
  @discardableResult
  package mutating func receive(
    _ block: InfoBlock, of photos: [Photo.ID], isRecorded: Bool = false
  ) -> [Photo.ID] {
    for (photo, (index, row)) in zip(photos, block.rows.enumerated()) {
      if let rating = row.rating { updateRating(of: photo, rating) }
      if row.isHashKnown { updateHash(of: photo, block.hash(at: index)) }
    }
    var changes: [(Photo.ID, InfoTable.Change)] = []
    var resized: [Photo.ID] = []
    facts.update(block, of: photos, isRecorded: isRecorded, capacity: listing.count) {
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
    if facts.expire(photo) { apply(.info, to: photo) }
  }

  /// Records that a photo's sidecar has changed, so that its metadata must be read again.
  package mutating func expireMetadata(of photo: Photo.ID) {
    if facts.expireMetadata(of: photo) { apply(.metadata, to: photo) }
  }

  /// Sets the words of a photo as a record, as soon as the user has changed them or they were read.
  mutating func setWords(_ record: [UInt8], of photo: Photo.ID) {
    words.set(record, of: photo)
    if filter?.needsMetadata == true { isStale = true }
  }

  private mutating func apply(_ change: InfoTable.Change, to photo: Photo.ID) {
    if change == .none { return }
    if facts[photo]?.hasMetadata == true {
      described.insert(photo)
    } else {
      described.remove(photo)
    }
    if let new = facts[photo], new.hasMetadata || filter?.needsMetadata != true {
      pendingFacts.remove(photo)
    }
    // Metadata does not change the order, but the camera changes the stacks.
    let affectsOrder = readsAllFiles && (change != .metadata || hasStacks)
    if affectsOrder || filter?.dependsOnFacts == true { isStale = true }
  }

  /// The number of photos that were read for the order and the filter, and the number of all
  /// photos; nil when nothing is missing.
  package var progress: (known: Int, total: Int)? {
    let pending = max(pendingFacts.count, pendingRatings.count, pendingHashes.count)
    return pending == 0 ? nil : (photos.count - pending, photos.count)
  }

  // MARK: - Order, filter, marks

  /// Changes the order; if files must be read first, the next `refresh()` sorts the photos.
  package mutating func sort(by order: SortOrder) {
    self.order = order
    let isKnown = { [self] (photo: Photo.ID) in
      if order.needsRatings { return ratings.isKnown(photo) }
      return order.needsHashes ? hashes.isKnown(photo) : facts[photo] != nil
    }
    guard order.needsReading, !photos.allSatisfy(isKnown) else { return refresh() }
    sorted = ordered
    refilter()
    isStale = true
  }

  /// Shows only photos that pass a filter; nil or an empty filter shows everything.
  package mutating func show(only filter: Filter?) {
    self.filter = filter?.isEmpty == true ? nil : filter
    // Photos that were found since the last refresh are not in order yet.
    if isStale, sorted != nil, !order.needsReading { refresh() } else { refilter() }
  }

  /// Shows only marked photos, or unmarked ones too.
  package mutating func showMarkedOnly(_ isOn: Bool) {
    showsMarkedOnly = isOn
    refilter()
  }

  /// Marks photos with all files of their pairs, or removes these marks; skips folders.
  package mutating func mark(_ photos: some Sequence<Photo.ID>, _ isMarked: Bool) {
    var changed = false
    for photo in files(of: photos) where !folderSet.contains(photo) {
      changed = (isMarked ? marks.insert(photo) : marks.remove(photo)) || changed
    }
    if changed, showsMarkedOnly || filter?.dependsOnMarks == true { refilter() }
  }

  /// Sorts and filters all photos again with the facts known now.
  package mutating func refresh() {
    if arePairsStale { pairAgain() }
    findStacks()
    if order.needsHashes { groupSimilar() }
    sortedGroups = order.needsHashes ? similar : nil
    findCopies()
    sorted =
      order == .listed
      ? nil
      : order.sorted(photos, names: names) { [order, dating, names, facts, ratings, similar] in
        switch order.key {
        case .similar: similar?.rank(of: $0)
        case .taken: dating.date(of: $0, facts[$0], names)?.time.rank
        default: order.rank(of: $0, facts[$0], ratings[$0])
        }
      }
    refilter()
  }

  /// Sets whether the dates of all photos are needed, regardless of the order and the filter.
  mutating func needDates(_ isOn: Bool) {
    guard needsDates != isOn else { return }
    needsDates = isOn
    refilter()
  }

  // MARK: - Filtering

  /// Whether the files of all photos must be read, including photos that do not pass the filter.
  var readsAllFiles: Bool { order.needsFacts || needsDates || hasStacks }

  /// Filters all photos again, and finds out which facts, ratings and hashes are missing.
  mutating func refilter() {
    defer { join() }
    isStale = false
    if filter?.needsHashes == true { groupSimilar() }
    let ordered = ordered
    (unknown, similarWords) = ([], [])
    if filter == nil, !showsMarkedOnly {
      filtered = nil
    } else {
      var verdict = passing(among: ordered)
      if verdict.excludesAll, findSimilarWords() {
        verdict = passing(among: ordered)
        if verdict.excludesAll { similarWords = [] }
      }
      filtered = verdict.passing
      unknown = verdict.unread
    }
    exclusion =
      filtered?.isEmpty == true && unknown.isEmpty && !showsMarkedOnly
      ? FilterExclusion(of: self) : nil
    foldStacks()
    findMissingRatings()
    findMissingHashes()
    unknown = unknown.filter(lacksFacts)
    pendingFacts = PhotoSet(unknown)
    if readsAllFiles {
      // A photo that was decoded can be sorted, but its metadata is still missing in the index.
      unknown = photos.filter {
        let facts = facts[$0]
        if facts == nil { pendingFacts.insert($0) }
        return facts?.hasMetadata != true || pendingFacts.contains($0)
      }
    }
  }

  /// Whether the filter needs facts of a photo that are not known.
  func lacksFacts(_ photo: Photo.ID) -> Bool {
    guard let filter, filter.needsFacts else { return false }
    return facts(of: photo).map { filter.needsMetadata && !$0.hasMetadata } ?? true
  }

  /// Returns all values of a text field in the files that were read, such as cameras or lenses.
  func texts(of field: FilterTextField) -> [String] { facts.pools[field].texts }
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

/// Adding photos and folders to the listing of an album, and replacing the listing.
extension Album {
  /// Adds photos and folders at the end of the listing; `refresh` sorts them in.
  ///
  /// - Returns: Whether the photos listed before keep their tiles; a raw file loses its tile when
  ///   its picture is added.
  @discardableResult
  package mutating func append(_ found: [Photo.ID]) -> Bool {
    similar = nil
    let files = takeFolders(outOf: found)
    let shownCount = shown.count
    let (photos, hidesOthers) = addToListing(files)
    defer {
      // Joining copies all tiles: it is done only if a folder was added, or a tile removed.
      if hidesOthers || files.count < found.count {
        join()
      } else {
        let more = shown[shownCount...]
        joinedTiles?.append(contentsOf: more)
      }
    }
    sorted?.append(contentsOf: photos)
    isStale = isStale || sorted != nil || order != .listed || readsAllFiles
    if filtered == nil { folded?.append(contentsOf: photos) }
    guard filtered != nil else { return !hidesOthers }
    // A new name may contain a word that no name contained before.
    if shownCount == 0 || showsSimilarNames || filter?.needsHashes == true {
      isStale = isStale || filter != nil
    }
    let verdict = passing(among: photos)
    filtered?.append(contentsOf: verdict.passing)
    folded?.append(contentsOf: verdict.passing)
    if filter?.needsRatings == true || order.needsRatings { addMissingRatings(of: verdict.unread) }
    for photo in verdict.unread where lacksFacts(photo) {
      unknown.append(photo)
      pendingFacts.insert(photo)
    }
    return !hidesOthers
  }

  /// Replaces the listing with a newer one of the same folder; removed photos lose their marks.
  package mutating func relist(_ found: [Photo.ID]) {
    let before = listing
    folders = []
    listing = takeFolders(outOf: found)
    if !marks.isEmpty {
      var gone = PhotoSet(before)
      gone.subtract(PhotoSet(listing))
      marks.subtract(gone)
    }
    pairAgain()
    refresh()
  }

  /// Replaces the listing with the listing of another folder; all marks stay.
  package mutating func move(to found: [Photo.ID]) {
    folders = []
    listing = takeFolders(outOf: found)
    pairAgain()
    refresh()
  }

  /// Adds the folders in `found` to `folders`, and returns the photos.
  private mutating func takeFolders(outOf found: [Photo.ID]) -> [Photo.ID] {
    guard !folderSet.isEmpty else { return found }
    let new = found.filter { folderSet.contains($0) }
    guard !new.isEmpty else { return found }
    folders += new
    return found.filter { !folderSet.contains($0) }
  }

  /// Puts the folders that are shown in front of the photos that are shown.
  mutating func join() {
    shownFolders = passingFolders
    joinedTiles = shownFolders.isEmpty ? nil : shownFolders + shown
  }

  /// The folders that are shown: all of them, or only the ones whose names pass the filter.
  ///
  /// Only the name of a folder is known, and folders have no marks, so a filter with any other test
  /// hides all folders.
  private var passingFolders: [Photo.ID] {
    guard filter != nil || showsMarkedOnly else { return folders }
    guard let filter, !showsMarkedOnly, !folders.isEmpty, filter.testsNamesOnly else { return [] }
    return photos(among: folders, passing: filter).passing
  }
}
