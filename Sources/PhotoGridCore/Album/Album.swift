/// All photos of a listing: in which order they come, which of them are shown, which are marked; and
/// the folders beside them.
///
/// Every photo of the listing is either shown or filtered out. What is said about photos that are
/// not in the listing is kept, for they may come. Folders are ways to other photos: they are neither
/// sorted nor marked, and filtered by their names alone.
package struct Album: Equatable, Sendable {
  /// All photos, as the folders or the list have them.
  package private(set) var listing: [Photo.ID] = []
  /// The folders of the listing, in its order.
  package private(set) var folders: [Photo.ID] = []
  /// Those of the folders that have tiles.
  package private(set) var shownFolders: [Photo.ID] = []
  /// The folders, then the photos that are shown; nil while there are no folders.
  private var joined: [Photo.ID]?
  /// What has a folder's name, in this listing or in another.
  private var folderSet = PhotoSet()
  /// The order that is wanted.
  package private(set) var order = SortOrder.listed
  /// Nil where nothing is asked for.
  package private(set) var filter: Filter?
  /// Whether photos that are not marked are filtered out.
  package private(set) var showsMarkedOnly = false
  /// The photos that are marked, in this folder and in others where one was before.
  package private(set) var marks = PhotoSet()
  /// The photos whose files have to be looked at so that all is known that is asked for, in order.
  package private(set) var unknown: [Photo.ID] = []
  /// Whether something became known that may change what is shown.
  package private(set) var isStale = false
  package private(set) var names = PhotoNames()
  /// By the photos' numbers; nil where nobody has looked at the file.
  private var facts: [PackedFacts?] = []
  /// The texts of `facts`.
  private var pools = TextPools()
  /// Words that no name has, in place of which similar ones pass.
  private var similarWords: [[UInt8]] = []
  /// Those of `unknown` that did not become known since.
  private var open = PhotoSet()
  /// Nil while the order is that of the listing.
  private var sorted: [Photo.ID]?
  /// Nil while nothing is filtered out.
  private var filtered: [Photo.ID]?

  /// An album without photos.
  package init() {}

  /// The photos that are shown, in their order.
  package var shown: [Photo.ID] { filtered ?? ordered }

  /// What has a tile: the folders, then the photos that are shown.
  package var tiles: [Photo.ID] { joined ?? shown }

  /// Whether an identity is that of a folder.
  package func isFolder(_ photo: Photo.ID) -> Bool { folderSet.contains(photo) }

  /// All photos in their order, those that are filtered out too.
  package var ordered: [Photo.ID] { sorted ?? listing }

  /// Whether photos can be filtered out.
  package var isFiltered: Bool { filtered != nil }

  /// How many photos are filtered out.
  package var hiddenCount: Int { listing.count - shown.count }

  /// The marked photos: those of this folder in its order, those that are filtered out too; then
  /// those of others, folder by folder and by name.
  package var markedInOrder: [Photo.ID] {
    guard !marks.isEmpty else { return [] }
    let here = ordered.filter { marks.contains($0) }
    guard here.count < marks.count else { return here }
    var elsewhere = marks
    elsewhere.subtract(PhotoSet(here))
    return here + names.sorted(elsewhere.photos)
  }

  /// What is known of a photo's file.
  func facts(of photo: Photo.ID) -> PackedFacts? {
    facts.indices.contains(photo.index) ? facts[photo.index] : nil
  }

  // MARK: - What is known

  /// Takes in the names of photos.
  package mutating func name(_ batch: NameBatch) {
    names.add(batch)
    var photo = batch.first.index
    var last: UInt8 = 0
    for byte in batch.names {
      if byte == 0 {
        if last == UInt8(ascii: "/") { folderSet.insert(Photo.ID(photo)) }
        photo += 1
      }
      last = byte
    }
    isStale = isStale || sorted != nil || filtered != nil
  }

  /// Takes in what is known of a photo's file; nil where it has to be read again.
  package mutating func learn(_ photo: Photo.ID, _ new: FileFacts?) {
    learn(photo, packed: new.map { PackedFacts($0, &pools) })
  }

  /// Takes in what is known of many photos' files.
  ///
  /// - Parameters:
  ///   - photos: The photos.
  ///   - block: Their facts, in the same order; photos of which it knows nothing stay as they are.
  package mutating func learn(_ photos: [Photo.ID], _ block: FactBlock) {
    var (camera, lens, profile) = (TextRenumbering(), TextRenumbering(), TextRenumbering())
    for (photo, facts) in zip(photos, block.facts) where facts.isKnown {
      var facts = facts
      _ = camera.translate(&facts.camera, from: block.pools.camera, to: &pools.camera)
      _ = lens.translate(&facts.lens, from: block.pools.lens, to: &pools.lens)
      _ = profile.translate(&facts.profile, from: block.pools.profile, to: &pools.profile)
      learn(photo, packed: facts)
    }
  }

  private mutating func learn(_ photo: Photo.ID, packed new: PackedFacts?) {
    guard photo.index >= 0 else { return }
    let old = facts(of: photo)
    let new = new?.keeping(old)
    guard old != new else { return }
    if photo.index >= facts.count {
      facts.append(
        contentsOf: repeatElement(nil, count: max(photo.index + 1, listing.count) - facts.count))
    }
    facts[photo.index] = new
    if let new, new.hasMetadata || filter?.needsMetadata != true { open.remove(photo) }
    if order.needsFacts || filter?.dependsOnFacts == true { isStale = true }
  }

  /// How far the looking at files is that is wanted: how many of how many; nil where it is done.
  package var progress: (known: Int, total: Int)? {
    open.isEmpty ? nil : (listing.count - open.count, listing.count)
  }

  // MARK: - What there is

  /// Adds photos and folders at the end of the listing; where another order is wanted they come to
  /// their places with `refresh`.
  package mutating func append(_ found: [Photo.ID]) {
    let photos = takeFolders(outOf: found)
    let shownCount = shown.count
    defer {
      // Everything is sorted again only where a folder was added.
      let more = shown[shownCount...]
      if photos.count < found.count { join() } else { joined?.append(contentsOf: more) }
    }
    listing.append(contentsOf: photos)
    sorted?.append(contentsOf: photos)
    isStale = isStale || sorted != nil || order != .listed
    guard filtered != nil else { return }
    // What no name had before, one may have now.
    if shownCount == 0 || showsSimilarNames { isStale = isStale || filter != nil }
    let verdict = passing(among: photos)
    filtered?.append(contentsOf: verdict.passing)
    unknown.append(contentsOf: verdict.unknown)
    for photo in verdict.unknown { open.insert(photo) }
  }

  /// Replaces the listing by what has become of it; marks of photos that are gone are dropped.
  package mutating func relist(_ found: [Photo.ID]) {
    let before = listing
    folders = []
    listing = takeFolders(outOf: found)
    if !marks.isEmpty {
      var gone = PhotoSet(before)
      gone.subtract(PhotoSet(listing))
      marks.subtract(gone)
    }
    refresh()
  }

  /// Replaces the listing by that of another folder; all marks stay.
  package mutating func move(to found: [Photo.ID]) {
    folders = []
    listing = takeFolders(outOf: found)
    refresh()
  }

  /// Adds the folders among what was found; returns the photos.
  private mutating func takeFolders(outOf found: [Photo.ID]) -> [Photo.ID] {
    guard !folderSet.isEmpty else { return found }
    let new = found.filter { folderSet.contains($0) }
    guard !new.isEmpty else { return found }
    folders += new
    return found.filter { !folderSet.contains($0) }
  }

  private mutating func join() {
    shownFolders = passingFolders
    joined = shownFolders.isEmpty ? nil : shownFolders + shown
  }

  /// The folders that are shown: all of them, or those whose names pass the filter.
  ///
  /// Of a folder nothing else is known, and it has no mark.
  private var passingFolders: [Photo.ID] {
    guard filter != nil || showsMarkedOnly else { return folders }
    guard let filter, !showsMarkedOnly, !folders.isEmpty, filter.isAboutNames else { return [] }
    return photos(among: folders, passing: filter).passing
  }

  // MARK: - What is wanted

  /// Has photos come in another order: at once, or where files have to be looked at for it, with
  /// `refresh`, since half an order is none.
  package mutating func sort(by order: SortOrder) {
    self.order = order
    guard order.needsFacts, listing.contains(where: { facts(of: $0) == nil }) else {
      return refresh()
    }
    sorted = ordered
    refilter()
    isStale = true
  }

  /// Shows only what passes a filter; with nil, or one that asks for nothing, everything.
  package mutating func show(only filter: Filter?) {
    self.filter = filter?.isEmpty == true ? nil : filter
    refilter()
  }

  /// Shows only marked photos, or the others too.
  package mutating func showMarkedOnly(_ isOn: Bool) {
    showsMarkedOnly = isOn
    refilter()
  }

  /// Marks photos, or takes their marks; folders have none.
  package mutating func mark(_ photos: some Sequence<Photo.ID>, _ isMarked: Bool) {
    var changed = false
    for photo in photos where !folderSet.contains(photo) {
      changed = (isMarked ? marks.insert(photo) : marks.remove(photo)) || changed
    }
    if changed, showsMarkedOnly || filter?.asksForMarks == true { refilter() }
  }

  /// Sorts and filters all photos again, by what is known now.
  package mutating func refresh() {
    sorted = order == .listed ? nil : sortedListing()
    refilter()
  }

  // MARK: - Sorting

  private func sortedListing() -> [Photo.ID] {
    switch order.key {
    case .listed: order.isReversed ? listing.reversed() : listing
    case .name: order.isReversed ? names.sorted(listing).reversed() : names.sorted(listing)
    case .random(let seed):
      directed(listing.map { Ranked(rank: Self.lot(of: $0, seed), photo: $0) })
    case .taken, .modified, .size:
      sortedByFacts()
    }
  }

  private struct Ranked {
    var rank: Int64
    var photo: Photo.ID
  }

  private func sortedByFacts() -> [Photo.ID] {
    var known: [Ranked] = []
    var rest: [Photo.ID] = []
    known.reserveCapacity(listing.count)
    for photo in listing {
      if let rank = order.rank(of: facts(of: photo)) {
        known.append(Ranked(rank: rank, photo: photo))
      } else {
        rest.append(photo)
      }
    }
    return directed(known) + rest
  }

  /// Photos by their ranks; those of the same rank stay as they are.
  private func directed(_ entries: [Ranked]) -> [Photo.ID] {
    var places = entries.enumerated().map { (rank: $1.rank, place: Int32($0)) }
    if order.isReversed {
      places.sort { ($1.rank, $0.place) < ($0.rank, $1.place) }
    } else {
      places.sort { ($0.rank, $0.place) < ($1.rank, $1.place) }
    }
    return places.map { entries[Int($0.place)].photo }
  }

  /// A number by chance that stays the same for a photo (the finalizer of SplitMix64).
  private static func lot(of photo: Photo.ID, _ seed: UInt64) -> Int64 {
    var mixed = seed &+ UInt64(bitPattern: Int64(photo.number)) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int64(bitPattern: mixed ^ mixed >> 31)
  }

  // MARK: - Filtering

  private mutating func refilter() {
    defer { join() }
    isStale = false
    let ordered = ordered
    var unknown: [Photo.ID] = []
    similarWords = []
    if filter == nil, !showsMarkedOnly {
      filtered = nil
    } else {
      var verdict = passing(among: ordered)
      if verdict.passing.isEmpty, verdict.unknown.isEmpty, findSimilarWords() {
        verdict = passing(among: ordered)
        if verdict.passing.isEmpty, verdict.unknown.isEmpty { similarWords = [] }
      }
      filtered = verdict.passing
      unknown = verdict.unknown
    }
    if order.needsFacts {
      let isOpen = PhotoSet(unknown)
      unknown = listing.filter { facts(of: $0) == nil || isOpen.contains($0) }
    }
    self.unknown = unknown
    open = PhotoSet(unknown)
  }

  /// Whether nothing has the words of the filter in its name, so that similar names are shown.
  package var showsSimilarNames: Bool { !similarWords.isEmpty }

  /// Finds the words of the filter that no name has and that are long enough to be mistyped.
  private mutating func findSimilarWords() -> Bool {
    guard let filter else { return false }
    let unwanted = filter.expression.words(wanted: false)
    let everywhere = [UInt8](repeating: 1, count: listing.count)
    similarWords = filter.expression.words(wanted: true).filter { word in
      SimilarWord(word) != nil && !unwanted.contains(word)
        && !names.containing(word, listing, where: everywhere)
          .contains(FilterEvaluation.Verdict.passes)
    }
    return !similarWords.isEmpty
  }

  private func passing(among photos: [Photo.ID]) -> Verdict {
    let candidates = showsMarkedOnly ? photos.filter { marks.contains($0) } : photos
    guard let filter else { return Verdict(passing: candidates, unknown: []) }
    return self.photos(among: candidates, passing: filter, similarWords)
  }

  /// What came out of a filter.
  struct Verdict: Equatable {
    var passing: [Photo.ID]
    /// Those that nobody can tell about until their files were looked at.
    var unknown: [Photo.ID]
  }

  /// Those of some photos that pass a filter, in their order; for some words also those with
  /// similar ones.
  func photos(
    among photos: [Photo.ID], passing filter: Filter, _ similarWords: [[UInt8]] = []
  ) -> Verdict {
    let evaluation = FilterEvaluation(
      names: names, facts: facts, pools: pools, marks: marks, similarWords: similarWords)
    let verdicts = evaluation.verdicts(of: photos, filter.expression)
    var result = Verdict(passing: [], unknown: [])
    for (place, verdict) in verdicts.enumerated() {
      switch verdict {
      case FilterEvaluation.Verdict.passes: result.passing.append(photos[place])
      case FilterEvaluation.Verdict.isUnknown: result.unknown.append(photos[place])
      default: break
      }
    }
    return result
  }

  /// The cameras, lenses or profiles of the files that were read.
  func texts(of field: FilterTextField) -> [String] { pools[field].texts }
}
