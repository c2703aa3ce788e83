import Geometry
import PhotoGridCore
import PhotoLibrary
import Photos
import WorkerProtocol

/// Converts the events of the lister and the results of file operations to events for the browser,
/// and keeps the listing of the folder that is shown.
struct LibraryController {
  /// A change for the run loop to handle, in the order in which changes are returned.
  enum Outcome {
    case event(Event)
    /// Names for the browser, which change nothing on the screen by themselves.
    case names(NameBatch)
    /// The message on a folder's tile; nil removes it.
    case message(String?, of: Photo.ID)
    /// Files may have changed, so everything about the photos must be read again.
    case changed([Photo.ID])
    /// Sidecars may have changed, so the ratings and the metadata of the photos must be read again.
    case annotated([Photo.ID])
    case added
    case listed
    /// Messages to print to standard error at the end.
    case problems([String])
    /// Nothing can be shown, for these reasons.
    case failed([String])
  }

  /// A problem with the folder, until it is listed again.
  struct Problem {
    var message: String
    /// Whether the problem is that a root was removed, which may be created again.
    var isRootLost = false
  }

  let index: PathIndex
  let isRecursive: Bool
  var source: PhotoSource
  var catalog: Catalog
  var location: FolderLocation
  var problem: Problem?
  /// The path of the folder from which the user moved up, to be selected as soon as it is found.
  var pendingSelection: [UInt8]?
  /// The folders whose previews were requested, by their paths.
  var pendingPreviews: [[UInt8]: Photo.ID] = [:]
  /// Results of file operations that wait for a listing to end.
  private(set) var fileResults: [FileOperation] = []
  /// The files that the program has changed, until the lister has checked them.
  var fileCheck = FileCheck()
  /// The number of photos whose names were sent to the browser.
  private var namedCount = 0
  /// Whether the location was listed completely.
  var isListed = false

  init(_ source: PhotoSource, index: PathIndex, isRecursive: Bool) {
    self.source = source
    self.index = index
    self.isRecursive = isRecursive
    catalog = Catalog(isOrdered: source.isOrdered, index: index)
    location = FolderLocation(
      source.isOrdered ? source.request.roots : [], isOnePhoto: source.isOnePhoto)
  }

  /// Records that file operations were requested, whose results `receive(_:)` gets.
  mutating func beginFileOperations(_ count: Int) { fileCheck.begin(count) }

  /// Adds results of file operations, which the next `service(at:)` handles.
  mutating func receive(_ results: [FileOperation]) { fileResults += results }

  mutating func service(at now: Instant) -> [Outcome] {
    var outcomes: [Outcome] = []
    let wasLookingUp = source.isLookingUp
    var found: [PhotoBatch] = []
    for event in source.service(at: now) {
      // All batches that have arrived are inserted into the listing together.
      if catalog.isOrdered, case .found(let batch) = event {
        found.append(batch)
        continue
      }
      addAll(&found)
      outcomes += handle(event, at: now)
    }
    addAll(&found)
    outcomes += catalogChanges()
    if index.takeOverflow() { outcomes += stopListing() }
    // The index has been searched, so the browser's demands for facts may now be set.
    if wasLookingUp, !source.isLookingUp { outcomes.append(.event(.tick)) }
    if !fileResults.isEmpty, !catalog.isRelisting { outcomes += applyFileResults() }
    if let paths = fileCheck.takeRequest(), !source.check(paths, at: now) { fileCheck.reset() }
    return outcomes
  }

  private mutating func addAll(_ found: inout [PhotoBatch]) {
    if !found.isEmpty { catalog.insert(found) }
    found = []
  }

  private mutating func applyFileResults() -> [Outcome] {
    let results = fileResults
    fileResults = []
    let before = changedPaths(of: results)
    apply(results)
    fileCheck.end(results.count, before.union(changedPaths(of: results)))
    return catalogChanges() + [.event(.fileOperationsFinished(results))]
  }

  /// Returns the message about a problem with the folder; nil if there is none.
  func problemMessage(at now: Instant) -> String? { source.problem(at: now) ?? problem?.message }

  mutating func reload(at now: Instant) {
    problem = source.reload(at: now).map { Problem(message: $0) }
    fileCheck.reset()
    pendingPreviews.removeAll()
  }

  private mutating func catalogChanges() -> [Outcome] {
    let updates = catalog.drainUpdates()
    var outcomes = names(of: updates.renamed)
    // Facts precede their photos, so that no file is read whose facts are known.
    outcomes += updates.known.map { .event(.filesRead($0.photos, $0.facts, isRecorded: true)) }
    if updates.isRearranged {
      outcomes.append(.event(.listingReplaced(catalog.listing)))
    } else if !updates.appended.isEmpty {
      outcomes.append(.event(.found(updates.appended)))
    }
    if !updates.changed.isEmpty { outcomes.append(.changed(updates.changed)) }
    if !updates.annotated.isEmpty { outcomes.append(.annotated(updates.annotated)) }
    // The preview of a renamed folder may have been requested under its previous name.
    let outdated = updates.changed + updates.renamed.filter { index[$0].last == UInt8(ascii: "/") }
    if !outdated.isEmpty {
      outcomes.append(.event(.filesChanged(outdated)))
    }
    if !updates.appended.isEmpty {
      outcomes.append(.added)
      if let tile = takePendingSelection(among: updates.appended) {
        outcomes.append(.event(.pendingSelectionFound(tile)))
      }
    }
    return outcomes
  }

  /// Returns the names of new photos, then the names of renamed photos.
  mutating func names(of renamed: [Photo.ID] = []) -> [Outcome] {
    var outcomes: [Outcome] = []
    while namedCount < index.count {
      let batch = index.table.names(from: Photo.ID(namedCount), atMost: .max)
      outcomes.append(.names(batch))
      namedCount += batch.count
    }
    return outcomes + renamed.map { .names(index.table.names(from: $0, atMost: 1)) }
  }

  private mutating func handle(_ event: ListingEvent, at now: Instant) -> [Outcome] {
    switch event {
    case .located:
      // The first frame could not wait for this.
      if source.isOnePhoto, !location.hasMoved {
        location = FolderLocation(source.request.roots, isOnePhoto: true)
      }
    case .found(let batch):
      let first = index.count
      catalog.insert(batch)
      let isNew = index.count == first + batch.count
      if !catalog.isOrdered, isNew { source.lookUp(batch, from: first, at: now) }
    case .known(let batch): catalog.addFacts(of: batch)
    case .relisting(let folder):
      // A removed folder exists again.
      if problem?.isRootLost ?? false { problem = nil }
      catalog.beginRelisting(folder)
    case .relisted(let isComplete): catalog.endRelisting(isComplete: isComplete)
    case .changed(let changes, _): catalog.apply(fileCheck.filtered(changes))
    case .checked(let changes): catalog.apply(fileCheck.receive(changes))
    case .previewed(let preview): return handle(preview)
    case .lost(let root, _):
      problem = Problem(message: "\(source.name(ofRoot: root)) was removed", isRootLost: true)
    case .listed(let summary):
      let missing = isListed || location.hasMoved ? [] : source.missing(in: summary)
      guard missing.isEmpty else { return [.failed(missing)] }
      return finishListing(source.notes(on: summary), source.problems(in: summary))
    case .failed(let reason):
      // Photos that were found can still be browsed.
      guard isListed else { return [.failed([reason])] }
      problem = Problem(message: "no longer watching for changes: \(reason)")
    }
    return []
  }

  private mutating func finishListing(
    _ notes: ListingNotes, _ problems: [String]
  ) -> [Outcome] {
    var outcomes: [Outcome] = []
    if location.hasMoved {
      // Only problems with the command line's paths are printed at the end.
      if let first = problems.first { problem = Problem(message: first) }
    } else if !isListed {
      outcomes.append(.problems(problems))
    }
    outcomes += catalogChanges()
    isListed = true
    pendingSelection = nil
    listSiblings()
    return outcomes + [.event(.listed(notes)), .listed]
  }

  /// Stops a listing that exceeds the greatest number of photos; the first photos are kept.
  private mutating func stopListing() -> [Outcome] {
    source.stop()
    catalog.endRelisting(isComplete: false)
    let outcomes = isListed ? catalogChanges() : finishListing(ListingNotes(), [])
    problem = Problem(message: "too many photos: only \(catalog.listing.count) are shown")
    return outcomes
  }
}

/// Applying the results of file operations.
extension LibraryController {
  /// The changes of the catalog that follow from results.
  private struct Changes {
    var removed: Set<Photo.ID> = []
    var restored: [Photo.ID] = []
    var renamed: [(Photo.ID, FileStep)] = []
  }

  mutating func apply(_ results: [FileOperation]) {
    var changes = Changes()
    for result in results {
      // Undoing an operation of an earlier session changes files without known photos; the lister
      // finds them.
      for (index, photo) in result.photos.enumerated() {
        collect(result, of: photo, at: index, into: &changes)
      }
    }
    if !changes.removed.isEmpty { catalog.removeMoved(changes.removed) }
    catalog.insertRestored(changes.restored)
    rename(changes.renamed)
  }

  /// Adds the change that a result means for one of its photos.
  private mutating func collect(
    _ result: FileOperation, of photo: Photo.ID, at position: Int, into changes: inout Changes
  ) {
    guard case .done(let steps)? = result.outcome else { return }
    switch (result.kind, result.isUndo) {
    case (.trash, false): remove(photo, into: &changes)
    case (.trash, true): restore(photo, into: &changes)
    // The picture is read again now, without waiting for the lister to report the change.
    case (.rotation, _): catalog.updates.changed.append(photo)
    case (.rename, _), (.move, true):
      guard steps.indices.contains(position) else { return }
      if !steps[position].isInOneFolder, index.table[photo] == steps[position].target {
        restore(photo, into: &changes)
      } else {
        changes.renamed.append((photo, steps[position]))
      }
    case (.move, false):
      // The lister may have reported the new path already.
      guard steps.indices.contains(position), index.table[photo] == steps[position].source else {
        return
      }
      remove(photo, into: &changes)
    case (.copy, _), (.recorded, _): break  // the file has not moved
    }
  }

  /// Removes a photo whose file has left its folder.
  private mutating func remove(_ photo: Photo.ID, into changes: inout Changes) {
    let path = index.table.path(of: photo)
    if source.isGiven(path) { catalog.ignore(path) }
    changes.removed.insert(photo)
    if !isInLocation(photo) { catalog.updateLeftFolder(of: photo, exists: false) }
  }

  /// Inserts a photo whose file is at its path again.
  private mutating func restore(_ photo: Photo.ID, into changes: inout Changes) {
    if isInLocation(photo) {
      changes.restored.append(photo)
    } else {
      catalog.updateLeftFolder(of: photo, exists: true)
    }
  }

  /// Returns the old and new paths of photos in the current location that were moved or renamed.
  func changedPaths(of results: [FileOperation]) -> Set<PhotoPath> {
    var paths: Set<PhotoPath> = []
    for result in results {
      // The lister reports new and removed copies, and a turned photo stays where it is.
      guard [.trash, .rename, .move].contains(result.kind) else { continue }
      for (position, photo) in result.photos.enumerated() where isInLocation(photo) {
        let path = index.table.path(of: photo)
        paths.insert(path)
        guard case .done(let steps)? = result.outcome, steps.indices.contains(position),
          steps[position].isInOneFolder
        else { continue }
        paths.insert(PhotoPath(root: path.root, path: steps[position].source))
        paths.insert(PhotoPath(root: path.root, path: steps[position].target))
      }
    }
    return paths
  }

  private mutating func rename(_ renamed: [(photo: Photo.ID, file: FileStep)]) {
    let paths = renamed.map { index.table.path(of: $0.photo) }
    for path in paths where source.isGiven(path) { catalog.ignore(path) }
    catalog.rename(
      zip(renamed, paths).map { renamed, path in
        (renamed.photo, PhotoPath(root: path.root, path: renamed.file.target))
      }, listed: Set(renamed.map(\.photo).filter { isInLocation($0) }))
    for (photo, _) in renamed where !isInLocation(photo) {
      catalog.updateLeftFolder(of: photo, exists: true)
    }
  }

  /// Returns whether a photo's file is in the current location.
  private func isInLocation(_ photo: Photo.ID) -> Bool {
    guard source.isOrdered else { return true }
    let folder = index.table.folder(of: photo)
    return source.isGiven(index.table.path(of: photo))
      || location.roots.contains { root in
        let slash = UInt8(ascii: "/")
        let parent = root.isEmpty || root.last == slash ? root : root + [slash]
        return isRecursive ? folder.starts(with: parent) : folder == parent
      }
  }
}
