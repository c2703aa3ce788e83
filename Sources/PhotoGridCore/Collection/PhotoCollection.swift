/// The photos and folders of the folder or list that is browsed: which of them have tiles and in which
/// order, which are marked or searched for, and what is known of each.
///
/// Whatever changes the items keeps `search` and the indices up to date, so nothing outside has to
/// renumber anything: identities stay valid, and `index(of:)` says where an item is now.
package struct PhotoCollection: Equatable, Sendable {
  /// The listing with its order, filter and marks.
  package private(set) var album = Album()
  /// What there is to say about the listing; nil until it is complete.
  package internal(set) var listingNotes: ListingNotes?
  /// The current search; nil where there is none.
  private(set) var search: Search?
  /// The item at which the range begins that is being selected; nil where none is.
  var rangeAnchor: Photo.ID?
  /// When new facts change what is shown.
  private(set) var refreshDue: Instant?
  /// By what the photos are put into sections.
  package private(set) var grouping = Grouping.none
  /// The sections that the items are in; none without a grouping.
  package private(set) var sections = Sections()
  /// The order before there was a grouping; nil where it does not return.
  private var ungroupedOrder: SortOrder?
  /// The index of each item.
  private var indices = IndexMap([])
  /// The sizes of photos as their files have them, upright.
  private var sizes: [Photo.ID: PixelSize] = [:]
  /// How photos are turned and flipped beyond what their files say; those that are not are missing.
  var rotations: [Photo.ID: Orientation] = [:]
  /// The numbers of frames of animated photos; all others are missing.
  var frameCounts: [Photo.ID: Int] = [:]

  /// An empty collection.
  ///
  /// - Parameters:
  ///   - order: The order of its photos.
  ///   - filter: What photos have to meet to be shown; nil shows all.
  ///   - grouping: By what they are put into sections.
  package init(
    order: SortOrder = .listed, filter: Filter? = nil, grouping: Grouping = .none
  ) {
    album.sort(by: grouping.order(replacing: order))
    album.show(only: filter)
    self.grouping = grouping
    if grouping != .none { ungroupedOrder = order }
  }

  // MARK: - Items

  /// What has a tile, in its order: the folders, then the photos.
  package var items: [Photo.ID] { album.tiles }

  /// The number of items that are folders.
  package var folderCount: Int { album.shownFolders.count }

  /// The index of an item; nil where it has no tile.
  ///
  /// - Complexity: O(1).
  package func index(of item: Photo.ID) -> Int? { indices[item] }

  /// The index of the photo at some index of the items; nil where there is a folder or nothing.
  func photoIndex(_ index: Int) -> Int? {
    items.indices.contains(index) && index >= folderCount ? index : nil
  }

  /// The index of the first photo, or of the first folder where there are folders alone.
  var firstIndex: Int { folderCount < items.count ? folderCount : 0 }

  /// Finds the item that takes the place of one that was removed: the nearest one after it that is
  /// still there, else the nearest before.
  ///
  /// - Parameters:
  ///   - item: The item; itself, if it is still there.
  ///   - old: The collection before.
  /// - Returns: An item of this collection; nil where `item` was not in `old`, or none is left.
  func replacement(for item: Photo.ID, in old: PhotoCollection) -> Photo.ID? {
    guard let index = old.index(of: item) else { return nil }
    let isHere = { (item: Photo.ID) in self.index(of: item) != nil }
    return old.items[index...].first(where: isHere) ?? old.items[..<index].last(where: isHere)
  }

  // MARK: - Changes of the items

  /// Adds items that were found, at the end of the listing.
  mutating func append(_ found: [Photo.ID]) {
    let (count, folderCount) = (items.count, folderCount)
    album.append(found)
    if folderCount == self.folderCount {
      indices.append(items[count...])
    } else {
      indices = IndexMap(items)
    }
    if grouping != .none, folderCount == self.folderCount, !sections.isEmpty {
      sections.append(album.sectionKeys(of: items[count...], by: grouping))
    } else {
      updateSections()
    }
    updateSearch()
  }

  /// Replaces the items by a new listing of the same folder.
  mutating func relist(_ found: [Photo.ID]) { change { $0.relist(found) } }

  /// Replaces the items by those of another folder, of which more may be found later.
  mutating func move(to found: [Photo.ID]) {
    (rangeAnchor, listingNotes) = (nil, nil)
    change { $0.move(to: found) }
  }

  /// Sorts the photos; an order that is not that of the sections ends the grouping.
  mutating func sort(by order: SortOrder) {
    if grouping.order(replacing: order) != order { grouping = .none }
    ungroupedOrder = nil
    change(resections: true) { $0.sort(by: order) }
  }

  /// Puts the photos into sections, and sorts them accordingly; without a grouping the order from
  /// before returns.
  mutating func group(by grouping: Grouping) {
    if self.grouping == .none { ungroupedOrder = album.order }
    self.grouping = grouping
    let order = grouping == .none ? ungroupedOrder ?? album.order : album.order
    change(resections: true) { album in
      let order = grouping.order(replacing: order)
      if album.order != order { album.sort(by: order) }
    }
  }

  /// Shows only the photos that meet a filter; all, where it is nil.
  mutating func show(only filter: Filter?) { change { $0.show(only: filter) } }

  /// Shows all photos, marked or not.
  mutating func showAll() {
    change { album in
      album.show(only: nil)
      album.showMarkedOnly(false)
    }
  }

  /// Shows only marked photos, or the others too if that is so already.
  mutating func toggleMarkedOnly() { change { $0.showMarkedOnly(!$0.showsMarkedOnly) } }

  /// Makes new facts change what is shown, and in which order.
  mutating func refresh() {
    if album.isStale { change(resections: true) { $0.refresh() } } else { updateSearch() }
  }

  mutating func change(resections: Bool = false, _ change: (inout Album) -> Void) {
    refreshDue = nil
    let before = items
    change(&album)
    let hasOtherItems = items != before
    if hasOtherItems { indices = IndexMap(items) }
    if hasOtherItems || resections { updateSections() }
    updateSearch()
  }

  /// Puts all items into sections.
  ///
  /// Facts that arrive do so only with `refresh()`, many at a time, as with sorting.
  private mutating func updateSections() {
    guard grouping != .none || !sections.isEmpty else { return }
    sections = album.sections(by: grouping)
  }

  // MARK: - Facts

  /// Receives names of items, those that are found later too.
  mutating func receive(_ names: NameBatch) { album.name(names) }

  /// Receives facts of photos' files.
  mutating func receive(_ facts: [Learned]) {
    for learned in facts { album.learn(learned.photo, learned.facts) }
    if search?.unknown.isEmpty == false { search?.isStale = true }
  }

  /// Receives the end of the listing.
  mutating func receive(_ notes: ListingNotes) { listingNotes = notes }

  /// Receives the size of a photo, upright, and the number of its frames.
  ///
  /// - Returns: Whether the size was another one before.
  mutating func receive(_ size: PixelSize, frameCount: Int, of photo: Photo.ID) -> Bool {
    frameCounts[photo] = frameCount > 1 ? frameCount : nil
    guard !size.isEmpty, sizes[photo] != size else { return false }
    sizes[photo] = size
    return true
  }

  /// The photos whose files have to be read for the filter, the order or the search.
  package var missingFacts: [Photo.ID] {
    album.unknown.isEmpty ? search?.unknown ?? [] : album.unknown
  }

  /// Whether the listing is complete and all photos are in their places.
  package var isSettled: Bool { isComplete && !album.isStale }

  var isComplete: Bool { listingNotes != nil && album.progress == nil }

  /// Seconds until new facts change what a filter shows, and how photos are sorted: not at every
  /// photo, for tiles would never come to rest.
  private static let filterDelay = 0.3
  private static let sortDelay = 5.0
  /// Seconds in which so much is sorted and put into sections that nobody waits for it.
  private static let secondsPerPhoto = 3e-6

  /// Whether new facts are to change what is shown now, by `refresh()`; if they do later,
  /// `refreshDue` is set.
  mutating func isRefreshDue(at now: Instant) -> Bool {
    guard album.isStale || search?.isStale == true else {
      refreshDue = nil
      return false
    }
    let delay = refreshDelay
    let due = refreshDue ?? now.advanced(bySeconds: delay)
    refreshDue = isComplete || due <= now ? nil : due
    return refreshDue == nil
  }

  private var refreshDelay: Double {
    guard album.order.needsFacts else { return Self.filterDelay }
    // Sections are what one looks for: they appear soon after the facts.
    guard grouping.isByDate else { return Self.sortDelay }
    return min(
      max(Self.filterDelay, Double(album.listing.count) * Self.secondsPerPhoto), Self.sortDelay)
  }

  // MARK: - Sizes

  /// The size of a photo as it is seen, turned; nil until it is known.
  func size(of photo: Photo.ID) -> PixelSize? {
    sizes[photo].map(orientation(of: photo).turned)
  }

  /// How a photo is turned and flipped beyond what its file says.
  func orientation(of photo: Photo.ID) -> Orientation { rotations[photo] ?? .upright }

  /// Turns or flips a photo as it is seen, for the time of the session.
  mutating func turn(_ photo: Photo.ID, by turning: Orientation) {
    let turned = orientation(of: photo).followed(by: turning)
    rotations[photo] = turned == .upright ? nil : turned
  }

  /// The number of frames of an animated photo; nil for one that stands still.
  func frameCount(of photo: Photo.ID) -> Int? { frameCounts[photo] }

  // MARK: - Search

  /// Searches for photos, or ends the search where the filter is empty.
  mutating func find(_ filter: Filter) {
    search = filter.isEmpty ? nil : Search(filter: filter)
    updateSearch()
  }

  /// Goes on with a search from before; nil ends the current one.
  mutating func resume(_ search: Search?) {
    self.search = search
    updateSearch()
  }

  private mutating func updateSearch() {
    guard let filter = search?.filter else { return }
    // Of a folder nothing but its name is known.
    let items = items
    let verdict = album.photos(among: filter.isAboutNames ? items : album.shown, passing: filter)
    var next = verdict.passing[...]
    search?.matches = items.indices.filter { index in
      guard items[index] == next.first else { return false }
      next.removeFirst()
      return true
    }
    search?.unknown = verdict.unknown
    search?.isStale = false
  }
}
