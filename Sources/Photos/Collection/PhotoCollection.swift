import Geometry

/// The photos and folders of the folder or list being browsed: which of them have tiles, in which
/// order, which are marked or match the search, and their known facts.
///
/// Every change of the items updates the search and the indices, so other code refers to an item by
/// its identity, which stays valid, and `index(of:)` returns its current index.
package struct PhotoCollection: Equatable, Sendable {
  /// The listing with its order, filter and marks.
  package internal(set) var album = Album()
  /// The notes about the listing; nil until it is complete.
  package internal(set) var listingNotes: ListingNotes?
  /// The current search; nil if there is none.
  package var search: Search?
  /// The item where the range selection began; nil if no range is being selected.
  package var rangeAnchor: Photo.ID?
  /// The time at which new facts are applied to the order and the filter; nil if none are pending.
  package var refreshDue: Instant?
  /// The time since which there have been facts to apply; nil if none are pending.
  var staleSince: Instant?
  /// The grouping of the photos into sections.
  package private(set) var grouping = Grouping.none
  /// The sections of the items; none without a grouping.
  package private(set) var sections = Sections()
  /// Whether the photos are grouped only because the filter asks for near duplicates.
  package private(set) var isGroupedByFilter = false
  /// Whether the user has ended the grouping, so that no filter groups the photos.
  private var staysUngrouped = false
  /// The order to restore when the grouping ends; nil to keep the current one.
  private var ungroupedOrder: SortOrder?
  private var indices = IndexMap([])
  /// The user's rotations and flips, on top of the orientation in the files; photos without any are
  /// missing.
  package private(set) var rotations: [Photo.ID: Orientation] = [:]
  /// The photos whose aspect ratios have changed since the last `drainReshaped()`.
  package var reshaped: [Photo.ID] = []

  /// Creates an empty collection.
  ///
  /// - `filter`: The filter that photos must pass to be shown; nil shows all.
  /// - `stackSeconds`: The time in seconds below which successive photos of a camera are in the
  ///   same stack; nil for no stacks.
  package init(
    order: SortOrder = .listed, filter: Filter? = nil, grouping: Grouping = .none,
    joinsPairs: Bool = true, stackSeconds: Double? = nil
  ) {
    album.joinPairs(joinsPairs)
    album.stack(within: stackSeconds)
    album.sort(by: grouping.order(replacing: order))
    album.show(only: filter)
    self.grouping = grouping
    if grouping != .none { ungroupedOrder = order }
    if grouping == .none, order.key == .similar { self.grouping = .similar }
    followFilter()
  }

  // MARK: - Items

  package var items: [Photo.ID] { album.tiles }

  /// The number of items before the photos: saved filters and folders.
  package var folderCount: Int { album.shownFolders.count }

  /// Returns the index of an item; nil if it has no tile.
  ///
  /// - Complexity: O(1).
  package func index(of item: Photo.ID) -> Int? { indices[item] }

  /// Returns the index of the tile that stands for a photo; nil if there is none.
  package func index(ofTileWith photo: Photo.ID) -> Int? {
    index(of: photo) ?? index(of: album.tile(of: photo))
  }

  /// Returns the index of the tile that stood for a photo, or for another file of its pair, in an
  /// older collection; nil if there was none.
  package func origin(of photo: Photo.ID, in old: PhotoCollection) -> Int? {
    old.index(ofTileWith: photo)
      ?? album.pairedFiles(of: photo).lazy.compactMap { old.index(of: $0) }.first
  }

  /// Returns the given index if a photo has it; nil if a folder has it, or nothing.
  package func photoIndex(_ index: Int) -> Int? {
    items.indices.contains(index) && index >= folderCount ? index : nil
  }

  /// The index of the first photo, or 0 if there are no photos.
  package var firstIndex: Int { folderCount < items.count ? folderCount : 0 }

  /// Returns the replacement for a removed item: the tile that stands for it, otherwise the nearest
  /// item after it that still exists, otherwise the nearest before it.
  ///
  /// - Parameters:
  ///   - item: The item, which is returned itself if it still exists.
  ///   - old: The collection before the change.
  /// - Returns: An item of this collection; nil if `item` was not in `old`, or no item is left.
  package func replacement(for item: Photo.ID, in old: PhotoCollection) -> Photo.ID? {
    guard let index = old.index(of: item) else { return nil }
    let isHere = { (item: Photo.ID) in self.index(of: item) != nil }
    if isHere(item) { return item }
    let pair = [album.tile(of: item)] + old.album.pairedFiles(of: item)
    if let other = pair.first(where: isHere) { return other }
    return old.items[index...].first(where: isHere) ?? old.items[..<index].last(where: isHere)
  }

  // MARK: - Changes of the items

  package mutating func extend(by found: [Photo.ID]) {
    let (count, folderCount) = (items.count, folderCount)
    let keepsIndices = album.extend(by: found) && folderCount == self.folderCount
    if keepsIndices {
      indices.append(items[count...])
    } else {
      indices = IndexMap(items)
    }
    if grouping != .none, keepsIndices, !sections.isEmpty {
      sections.append(album.sectionKeys(of: items[count...], by: grouping))
    } else {
      updateSections()
    }
    updateSearch()
  }

  /// Replaces the items with a new listing of the same folder.
  package mutating func relist(_ found: [Photo.ID]) { change { $0.relist(found) } }

  package mutating func show(_ filters: [FilterTile]) { change { $0.show(filters) } }

  /// Replaces the items with the items of another folder; more may be appended later.
  package mutating func move(to found: [Photo.ID]) {
    (rangeAnchor, listingNotes) = (nil, nil)
    change { $0.move(to: found) }
  }

  package mutating func show(folder: [UInt8]) { album.folder = folder }

  package mutating func date(by rule: DateRule) { album.date(by: rule) }

  /// Sorts the photos; an order other than the one that the grouping needs ends the grouping, and
  /// near duplicates are grouped.
  package mutating func sort(by order: SortOrder) {
    if grouping.order(replacing: order) != order { grouping = .none }
    if order.key == .similar { (grouping, staysUngrouped) = (.similar, false) }
    (ungroupedOrder, isGroupedByFilter) = (nil, false)
    change(resections: true) { $0.sort(by: order) }
  }

  /// Groups the photos into sections, and sorts them accordingly; without a grouping, restores the
  /// earlier order, and leaves the photos ungrouped, whatever the filter, until they are grouped
  /// again.
  package mutating func group(by grouping: Grouping) {
    staysUngrouped = grouping == .none
    if self.grouping == .none { ungroupedOrder = album.order }
    (self.grouping, isGroupedByFilter) = (grouping, false)
    let order = grouping == .none ? ungroupedOrder ?? album.order : album.order
    change(resections: true) { album in
      let order = grouping.order(replacing: order)
      if album.order != order { album.sort(by: order) }
    }
  }

  /// Folds successive photos of a camera that were taken less than a number of seconds apart into
  /// stacks; nil shows all photos.
  package mutating func stack(within seconds: Double?) {
    change(resections: true) { $0.stack(within: seconds) }
  }

  package mutating func fanOut(_ photo: Photo.ID, _ isOut: Bool) {
    change { $0.fanOut(photo, isOut) }
  }

  package mutating func chooseFace(_ photo: Photo.ID) { change { $0.chooseFace(photo) } }

  /// Shows only the photos that pass a filter; nil shows all.
  package mutating func show(only filter: Filter?) {
    change { $0.show(only: filter) }
    followFilter()
  }

  /// Shows all photos, marked or not.
  package mutating func showAll() {
    change { album in
      album.show(only: nil)
      album.showMarkedOnly(false)
    }
    followFilter()
  }

  /// Groups the near duplicates that a filter asks for, unless other groups are shown, until the
  /// filter asks for others.
  private mutating func followFilter() {
    let wantsGroups = album.filter?.wantsNearDuplicates == true
    if wantsGroups, grouping == .none, !staysUngrouped {
      group(by: .similar)
      isGroupedByFilter = true
    } else if !wantsGroups, isGroupedByFilter {
      group(by: .none)
      staysUngrouped = false
    }
  }

  package mutating func toggleMarkedOnly() { change { $0.showMarkedOnly(!$0.showsMarkedOnly) } }

  /// Sets whether the dates of all photos are needed, regardless of the order and the filter.
  package mutating func needDates(_ isOn: Bool) { change { $0.needDates(isOn) } }

  /// Applies new facts to the order, the filter, the sections and the search.
  package mutating func refresh() {
    if album.isStale { change(resections: true) { $0.refresh() } } else { updateSearch() }
  }

  /// Changes the album, and updates the indices, the sections and the search.
  ///
  /// - `resections`: Whether the sections may change while the items stay the same.
  mutating func change(resections: Bool = false, _ change: (inout Album) -> Void) {
    (staleSince, refreshDue) = (nil, nil)
    let before = items
    change(&album)
    let hasOtherItems = items != before
    if hasOtherItems {
      // The old map is freed first, as it may have a million items.
      indices = IndexMap([])
      indices = IndexMap(items)
    }
    if hasOtherItems || resections { updateSections() }
    updateSearch()
  }

  /// Divides all items into sections.
  ///
  /// As in sorting, new facts take effect only with `refresh()`, many at a time.
  private mutating func updateSections() {
    guard grouping != .none || !sections.isEmpty else { return }
    sections = album.sections(by: grouping)
  }

  // MARK: - Sizes

  /// Returns the displayed size of a photo, after the user's rotation; nil if it is unknown.
  package func size(of photo: Photo.ID) -> PixelSize? {
    album.size(of: photo).map(orientation(of: photo).turned)
  }

  /// Returns the aspect ratio of the displayed item at an index, width divided by height; nil if it
  /// is unknown.
  package func aspectRatio(at index: Int) -> Double? {
    let item = items[index]
    guard let size = album.size(of: item) else { return nil }
    return rotations.isEmpty
      ? size.aspectRatio : orientation(of: item).turned(size).aspectRatio
  }

  /// Returns the items whose shapes have changed since the last call.
  package mutating func drainReshaped() -> [Photo.ID] {
    defer { reshaped = [] }
    return reshaped
  }

  /// Returns the user's rotation and flip of a photo, on top of the orientation in its file.
  package func orientation(of photo: Photo.ID) -> Orientation { rotations[photo] ?? .upright }

  /// Rotates or flips a photo as it is displayed, until the session ends.
  package mutating func turn(_ photo: Photo.ID, by turning: Orientation) {
    let turned = orientation(of: photo).followed(by: turning)
    rotations[photo] = turned == .upright ? nil : turned
    reshaped.append(photo)
  }

  // MARK: - Search

  /// Starts a search for photos; an empty filter ends the search.
  package mutating func find(_ filter: Filter) {
    search = filter.isEmpty ? nil : Search(filter: filter)
    updateSearch()
  }

  package mutating func resume(_ search: Search?) {
    self.search = search
    updateSearch()
  }

  private mutating func updateSearch() {
    guard let filter = search?.filter else { return }
    if filter.needsHashes { album.groupSimilar() }
    album.search(for: filter)
    // Only the names of folders are known, so other tests are of photos alone.
    let items = items
    let verdict = album.photos(among: filter.testsNamesOnly ? items : album.shown, passing: filter)
    var next = verdict.passing[...]
    search?.matches = items.indices.filter { index in
      guard items[index] == next.first else { return false }
      next.removeFirst()
      return true
    }
    search?.unknown = verdict.unread.filter { !album.isFolder($0) }
    search?.isStale = false
  }
}

/// Receiving names, facts, ratings and hashes of photos, and when the order and the filter change.
extension PhotoCollection {
  package mutating func learn(_ names: NameBatch) { album.name(names) }

  /// Learns what many photos' files say, as `Album.learn(_:of:isRecorded:)` does.
  ///
  /// - Returns: The photos that have another size now.
  package mutating func learn(
    _ block: InfoBlock, of photos: [Photo.ID], isRecorded: Bool = false
  ) -> [Photo.ID] {
    let resized = album.learn(block, of: photos, isRecorded: isRecorded)
    reshaped += resized
    if search?.unknown.isEmpty == false { search?.isStale = true }
    return resized
  }

  package mutating func expire(_ photos: [Photo.ID]) {
    for photo in photos { album.expire(photo) }
    if search?.unknown.isEmpty == false { search?.isStale = true }
  }

  /// Changes the words of a photo, before they are written.
  package mutating func apply(_ edit: AnnotationEdit, to photo: Photo.ID) {
    album.apply(edit, to: photo)
    if search?.filter.needsMetadata == true { search?.isStale = true }
  }

  package mutating func expireMetadata(of photos: [Photo.ID]) {
    for photo in photos { album.expireMetadata(of: photo) }
    if search?.filter.needsMetadata == true { search?.isStale = true }
  }

  package mutating func learn(_ ratings: [RatingUpdate]) {
    guard !ratings.isEmpty else { return }
    album.updateRatings(ratings)
    if search?.filter.needsRatings == true { search?.isStale = true }
  }

  package mutating func learn(_ digests: [DigestUpdate]) { album.updateDigests(digests) }

  package mutating func learn(_ hashes: [HashUpdate]) {
    album.updateHashes(hashes)
    if search?.filter.needsHashes == true { search?.isStale = true }
  }

  package mutating func learn(_ notes: ListingNotes) { listingNotes = notes }

  /// The photos whose files must be read for the filter, the order or the search.
  package var missingFacts: [Photo.ID] {
    album.unknown.isEmpty && search?.filter.needsFacts == true
      ? search?.unknown ?? [] : album.unknown
  }

  /// The photos whose ratings must be read for the filter, the order or the search.
  package var missingRatings: [Photo.ID] {
    album.missingRatings.isEmpty && search?.filter.needsRatings == true
      ? search?.unknown ?? [] : album.missingRatings
  }

  /// The photos whose hashes must be found for the filter, the order or the search.
  package var missingHashes: [Photo.ID] {
    album.missingHashes.isEmpty && search?.filter.needsHashes == true
      ? album.photosWithoutHash : album.missingHashes
  }

  /// Whether the listing is complete, and its order and filter are final.
  package var isSettled: Bool { isComplete && !album.isStale }

  /// Whether the listing is complete, and everything is known that its order and filter need.
  package var isComplete: Bool { listingNotes != nil && album.progress == nil }

  /// The delay until new facts are applied to the filter, in seconds.
  ///
  /// Facts are not applied photo by photo, as the tiles would never come to rest.
  private static let filterDelay = 0.3
  /// The delay until new facts are applied to the order, in seconds.
  private static let sortDelay = 5.0
  /// The delay per photo for listings grouped by date, in seconds: long listings take longer to
  /// sort and are updated less often.
  private static let secondsPerPhoto = 3e-6
  /// The delay per photo for a filter of near duplicates, in seconds: ten times what it takes to
  /// find them.
  private static let secondsPerComparedPhoto = 2e-5

  /// Returns whether new facts must be applied now, with `refresh()`; if they must be applied
  /// later, sets `refreshDue`.
  package mutating func isRefreshDue(at now: Instant) -> Bool {
    guard album.isStale || search?.isStale == true else {
      (staleSince, refreshDue) = (nil, nil)
      return false
    }
    let since = staleSince ?? now
    // The delay grows with a listing that continues, which would soon have to be sorted again.
    let due = since.advanced(bySeconds: refreshDelay)
    let isDue = isComplete || due <= now
    (staleSince, refreshDue) = isDue ? (nil, nil) : (since, due)
    return isDue
  }

  private var refreshDelay: Double {
    // Sections and months are what the user looks for: they appear soon after the facts.
    let isFiltered = album.order.needsHashes && album.filter?.needsHashes == true
    guard album.order.needsReading || album.needsDates, !isFiltered else {
      guard album.dependsOnSimilarity else { return Self.filterDelay }
      let seconds = Double(album.photos.count) * Self.secondsPerComparedPhoto
      return min(max(Self.filterDelay, seconds), Self.sortDelay)
    }
    guard grouping.isByDate || album.needsDates || album.hasStacks else { return Self.sortDelay }
    return min(
      max(Self.filterDelay, Double(album.photos.count) * Self.secondsPerPhoto), Self.sortDelay)
  }
}

extension PhotoCollection {
  /// Marks photos or removes their marks, and ends the range selection.
  package mutating func mark(_ photos: [Photo.ID], _ isMarked: Bool) {
    changeMarks { $0.mark(photos, isMarked) }
  }

  /// Inverts the marks of the photos that are shown, and ends the range selection.
  package mutating func invertMarks() {
    let shown = album.files(ofTiles: items)
    changeMarks { album in
      let marked = shown.filter { album.marks.contains($0) }
      album.mark(shown, true)
      album.mark(marked, false)
    }
  }

  /// Marks restored photos again; the range selection continues.
  package mutating func restoreMarks(of photos: [Photo.ID]) { change { $0.mark(photos, true) } }

  private mutating func changeMarks(_ change: (inout Album) -> Void) {
    rangeAnchor = nil
    self.change { album in
      change(&album)
      // Without marks, no photo would be shown.
      if album.marks.isEmpty, album.showsMarkedOnly { album.showMarkedOnly(false) }
    }
  }

  /// Returns the indices from the anchor of the range to an index, in either direction; nil if no
  /// range is being selected.
  package func range(to index: Int) -> ClosedRange<Int>? {
    guard let rangeAnchor, let anchor = self.index(of: rangeAnchor) else { return nil }
    return min(anchor, index)...max(anchor, index)
  }

  /// Whether the item at an index is marked, or is a photo in the given range.
  package func isMarked(_ index: Int, in range: ClosedRange<Int>?) -> Bool {
    album.isMarked(items[index])
      || index >= folderCount && range?.contains(index) == true
  }
}
