extension Album {
  /// The stages from the listing to the tiles, in the order in which they run.
  enum Stage: Comparable {
    case pairs, order, filter, stacks, tiles
  }

  /// The photos and folders of the listing, in its order.
  struct ListedItems: Equatable, Sendable {
    var photos: [Photo.ID] = []
    var folders: [Photo.ID] = []
    /// All folders by identity, of this listing and of others; saved filters with tiles too.
    var folderSet = PhotoSet()
    /// The saved filters that have tiles, while no filter is active.
    var savedFilters: [FilterTile] = []
  }

  /// Pairs each picture with the raw file and the film of the same shot.
  struct Pairing: Equatable, Sendable {
    var table = PairTable()
    /// Whether a picture and its other files are shown as one photo.
    var joins = true
    /// Whether the pairs must be found again because names have changed.
    var isStale = false
    /// The listing without hidden files; nil while no file is hidden.
    var shown: [Photo.ID]?
  }

  /// The order of the photos, and the photos in it.
  struct Sorting: Equatable, Sendable {
    var order = SortOrder.listed
    /// Whether the dates of all photos are needed, regardless of the order and the filter.
    var needsDates = false
    /// The photos in the chosen order; nil while that is the order of the listing.
    var result: [Photo.ID]?
    /// The groups by which the photos are sorted; nil in other orders.
    var groups: SimilarGroups?
  }

  /// The filter, and the photos that pass it.
  struct Filtering: Equatable, Sendable {
    var filter: Filter?
    /// Whether photos that are not marked are filtered out.
    var showsMarkedOnly = false
    /// The photos that pass the filter, in the chosen order; nil while no filter is active.
    var result: [Photo.ID]?
    /// A sentence about the part of the filter that no photo passes; nil if a photo passes the
    /// filter, if that is not known yet, or if the filter has one part.
    var exclusion: String?
    /// The photos that have the words of filters that were typed.
    var searches = WordSearches()
  }

  /// The saved filters and folders that have tiles, and all tiles.
  struct Tiling: Equatable, Sendable {
    /// The saved filters, then the folders.
    var folders: [Photo.ID] = []
    /// The number of saved filters among `folders`.
    var filterCount = 0
    /// The folders, then the photos that are shown; nil while there are no folders.
    var joined: [Photo.ID]?
  }

  /// Names, metadata, ratings, and hashes of photos, and how dates follow from them.
  package struct PhotoKnowledge: Equatable, Sendable {
    var names = PhotoNames()
    var facts = InfoTable()
    var words = WordTable()
    var dating = DateRule()
    /// The photos whose cameras and lenses are known.
    var described = PhotoSet()
    /// The photos whose metadata was known until their sidecars changed.
    package var outdated = PhotoSet()
    package var ratings = RatingTable()
    var hashes = HashTable()
  }

  /// Near duplicates, and exact copies.
  package struct Similarity: Equatable, Sendable {
    /// The groups of near duplicates; nil until they are needed, and after a change.
    var groups: SimilarGroups?
    /// The digests of files of the same size, as far as they were computed; nil for a file that
    /// cannot be read.
    var digests: [Photo.ID: ContentDigest?] = [:]
    /// The photos with the same bytes as another one that is as good or better.
    package var copies = PhotoSet()
  }

  /// The photos to read: for facts and for ratings in listing order if all photos are read,
  /// otherwise in display order; for hashes in listing order.
  struct MissingFacts: Equatable, Sendable {
    var facts: [Photo.ID] = []
    /// The photos of `facts` whose facts may change the order or what passes the filter.
    var pendingFacts = PhotoSet()
    var ratings: [Photo.ID] = []
    /// The photos of `ratings` whose ratings have not arrived yet.
    var pendingRatings = PhotoSet()
    var hashes: [Photo.ID] = []
    /// The photos of `hashes` whose hashes are still not known.
    var pendingHashes = PhotoSet()
  }
}

extension Album {
  /// Runs the stages from one on, with what is known now.
  mutating func update(from stage: Stage) {
    if stage == .pairs || stage == .order && pairing.isStale { findPairs() }
    if stage <= .order {
      findStacks()
      sort()
    }
    if stage <= .filter { filterPhotos() }
    if stage <= .stacks { stacks.fold(filtering.result ?? ordered, isFiltered: isFiltered) }
    if stage <= .filter { findMissing() }
    join()
  }

  /// Puts the photos in order with the facts known now; photos without facts follow the others.
  private mutating func sort() {
    if order.needsHashes { groupSimilar() }
    sorting.groups = order.needsHashes ? similarity.groups : nil
    findCopies()
    guard order != .listed else {
      sorting.result = nil
      return
    }
    sorting.result = order.sorted(photos, names: names) {
      [order, dating, names, facts, ratings = known.ratings, groups = similarity.groups] in
      switch order.key {
      case .similar: groups?.rank(of: $0)
      case .taken: dating.date(of: $0, facts[$0], names)?.rank
      default: order.rank(of: $0, facts[$0], ratings[$0])
      }
    }
  }

  /// Filters the photos with the facts known now, after which the album is up to date.
  private mutating func filterPhotos() {
    isStale = false
    if filter?.needsHashes == true { groupSimilar() }
    let ordered = ordered
    missing.facts = []
    if filter == nil, !showsMarkedOnly {
      filtering.result = nil
    } else {
      let verdict = passing(among: ordered)
      filtering.result = verdict.passing
      missing.facts = verdict.unread
    }
    filtering.exclusion =
      filtering.result?.isEmpty == true && missing.facts.isEmpty && !showsMarkedOnly
      ? filter.flatMap(exclusion) : nil
  }

  /// Finds out which facts, ratings and hashes the order and the filter need.
  private mutating func findMissing() {
    findMissingRatings()
    findMissingHashes()
    missing.facts = missing.facts.filter(lacksFacts)
    missing.pendingFacts = PhotoSet(missing.facts)
    if readsAllFiles {
      // A photo that was decoded can be sorted, but its metadata is still missing in the index.
      missing.facts = photos.filter {
        let facts = facts[$0]
        if facts == nil { missing.pendingFacts.insert($0) }
        return facts?.hasMetadata != true || missing.pendingFacts.contains($0)
      }
    }
  }

  /// Puts the saved filters and the folders that are shown in front of the photos that are shown.
  private mutating func join() {
    let filters = isFiltered ? [] : listed.savedFilters.map(\.item)
    tiling.filterCount = filters.count
    tiling.folders = filters + passingFolders
    tiling.joined = tiling.folders.isEmpty ? nil : tiling.folders + shown
  }

  /// The folders that are shown: all of them, or only the ones whose names pass the filter.
  ///
  /// Only the name of a folder is known, and folders have no marks, so a filter with any other test
  /// hides all folders.
  private var passingFolders: [Photo.ID] {
    guard isFiltered else { return listed.folders }
    guard let filter, !showsMarkedOnly, !listed.folders.isEmpty, filter.testsNamesOnly else {
      return []
    }
    return photos(among: listed.folders, passing: filter).passing
  }
}

/// The results of the stages.
extension Album {
  /// All photos, in the order of the folders or the list that they come from.
  package var listing: [Photo.ID] { _read { yield listed.photos } }
  package var folders: [Photo.ID] { _read { yield listed.folders } }
  package var order: SortOrder { _read { yield sorting.order } }
  var needsDates: Bool { sorting.needsDates }
  package var filter: Filter? { _read { yield filtering.filter } }
  package var showsMarkedOnly: Bool { filtering.showsMarkedOnly }
  package var exclusion: String? { filtering.exclusion }
  /// The saved filters, then the folders, that have tiles.
  package var shownFolders: [Photo.ID] { _read { yield tiling.folders } }
  package var shownFilterCount: Int { tiling.filterCount }
  package var names: PhotoNames { _read { yield known.names } }
  var facts: InfoTable { _read { yield known.facts } }
  var words: WordTable { _read { yield known.words } }
  package var dating: DateRule { _read { yield known.dating } }
  /// The photos whose facts must be read.
  package var unknown: [Photo.ID] { _read { yield missing.facts } }
  package var missingRatings: [Photo.ID] { _read { yield missing.ratings } }
  package var missingHashes: [Photo.ID] { _read { yield missing.hashes } }
}
