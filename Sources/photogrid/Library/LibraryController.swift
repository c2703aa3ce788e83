import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// The photos and folders that are browsed: turns what the lister finds, and what was done to files,
/// into events for the browser.
struct LibraryController {
  /// What has happened, in the order in which it has to be handled.
  enum Outcome {
    /// An event for the browser.
    case event(Event)
    /// Names for the browser, which change nothing on the screen by themselves.
    case names(NameBatch)
    /// A message in place of a picture on a folder's tile; nil removes it.
    case message(String?, of: Photo.ID)
    /// Files may have changed: what is known about the photos has to be read again.
    case changed([Photo.ID])
    /// Photos were added and have their places.
    case added
    /// The listing is complete.
    case listed
    /// Problems for standard error at the end.
    case problems([String])
    /// Nothing can be shown; the reason.
    case failed(String)
  }

  /// What is wrong with the folder until it is listed again.
  struct Problem {
    /// What the bar shows, printable.
    var message: String
    /// Whether a folder of the command line is gone; it may come back.
    var isRootLost = false
  }

  /// The paths of all photos.
  let index: PathIndex
  /// Whether subfolders are listed too.
  let isRecursive: Bool
  /// What lists photos.
  var source: PhotoSource
  /// The photos of the listing.
  var catalog: Catalog
  /// The folder that is shown, among the others.
  var location: FolderLocation
  /// What is wrong with the folder.
  var problem: Problem?
  /// The folder that was left upwards, which is selected as soon as it is found.
  var pendingSelection: [UInt8]?
  /// The folders whose previews were requested, by their paths.
  var openPreviews: [[UInt8]: Photo.ID] = [:]
  /// Results of file operations that wait for a listing to end.
  private(set) var fileResults: [FileResult] = []
  /// The browser knows the names of the photos below this number.
  private var namedCount = 0
  /// Whether the present place was listed to its end.
  var isListed = false

  /// A controller of what a source lists.
  init(_ source: PhotoSource, index: PathIndex, isRecursive: Bool) {
    self.source = source
    self.index = index
    self.isRecursive = isRecursive
    catalog = Catalog(isOrdered: source.isOrdered, index: index)
    location = FolderLocation(
      source.isOrdered ? source.request.roots : [], isOnePhoto: source.isOnePhoto)
  }

  /// Adds results of file operations, which the next `service(at:)` handles.
  mutating func receive(_ results: [FileResult]) { fileResults += results }

  /// Reads what has arrived.
  ///
  /// - Returns: What has happened, in the order in which it has to be handled.
  mutating func service(at now: Instant) -> [Outcome] {
    var outcomes: [Outcome] = []
    for event in source.service(at: now) { outcomes += handle(event) }
    outcomes += catalogChanges()
    guard !fileResults.isEmpty, !catalog.isRelisting else { return outcomes }
    let results = fileResults
    fileResults = []
    apply(results)
    return outcomes + catalogChanges() + [.event(.filed(results))]
  }

  /// A message about what is wrong with the folder.
  func problemMessage(at now: Instant) -> String? { source.trouble(at: now) ?? problem?.message }

  /// Lists the folders once more.
  mutating func reload(at now: Instant) {
    problem = source.reload(at: now).map { Problem(message: $0) }
    openPreviews.removeAll()
  }

  /// Changes in the catalog since the last call, in one step.
  private mutating func catalogChanges() -> [Outcome] {
    let news = catalog.takeNews()
    var outcomes = names(of: news.renamed)
    if news.isRearranged {
      outcomes.append(.event(.arranged(catalog.listing)))
    } else if !news.appended.isEmpty {
      outcomes.append(.event(.found(news.appended)))
    }
    if !news.changed.isEmpty {
      outcomes.append(.changed(news.changed))
      outcomes.append(.event(.learned(news.changed.map { Learned($0, nil) })))
    }
    if !news.appended.isEmpty {
      outcomes.append(.added)
      if let tile = takePendingSelection(among: news.appended) {
        outcomes.append(.event(.landed(on: tile)))
      }
    }
    return outcomes
  }

  /// Names that the browser does not know yet, and those of renamed photos.
  mutating func names(of renamed: [Photo.ID] = []) -> [Outcome] {
    var outcomes: [Outcome] = []
    while namedCount < index.count {
      let batch = index.table.names(from: Photo.ID(namedCount), atMost: .max)
      outcomes.append(.names(batch))
      namedCount += batch.count
    }
    return outcomes + renamed.map { .names(index.table.names(from: $0, atMost: 1)) }
  }

  /// Handles what the source found.
  private mutating func handle(_ event: PhotoSource.Event) -> [Outcome] {
    switch event {
    case .found(let batch): catalog.take(batch)
    case .relisting(let place):
      // The folder is back.
      if problem?.isRootLost ?? false { problem = nil }
      catalog.beginRelisting(place)
    case .relisted(let isComplete): catalog.endRelisting(isComplete: isComplete)
    case .changed(let changes): catalog.take(changes)
    case .glanced(let preview): return handle(preview)
    case .lost(let name): problem = Problem(message: "\(name) is gone", isRootLost: true)
    case .finished(let notes, let problems): return finishListing(notes, problems)
    case .failed(let reason):
      // Photos that were found can still be browsed.
      guard isListed else { return [.failed(reason)] }
      problem = Problem(message: "not watched any more: \(reason)")
    }
    return []
  }

  private mutating func finishListing(
    _ notes: ListingNotes, _ problems: [String]
  ) -> [Outcome] {
    var outcomes: [Outcome] = []
    if location.hasMoved {
      // Problems with a folder that was entered are not the command line's.
      if let first = problems.first { problem = Problem(message: first) }
    } else if !isListed {
      outcomes.append(.problems(problems))
    }
    outcomes += catalogChanges()
    isListed = true
    pendingSelection = nil
    return outcomes + [.event(.listed(notes)), .listed]
  }
}
