import Glibc
import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// The source of photos: folders, which a lister lists, or a list of paths.
struct PhotoSource {
  private enum Origin {
    case folders(FolderLister)
    case list(PathListReader)
    case ended
  }

  private var origin: Origin
  /// The program that lists folders.
  private let executable: WorkerExecutable
  /// The process that looks up the facts of a list's photos in the index; nil if none is running.
  private var lookup: FolderLister?
  /// The request to the lister.
  private(set) var request: ListingRequest
  /// Listers that were replaced, until their processes have ended.
  private var retired: [FolderLister] = []
  /// The name of the folders or the list for the bar, printable.
  private(set) var title: String
  /// Whether a single photo was given.
  let isOnePhoto: Bool

  /// Opens the source of a configuration.
  ///
  /// - Parameters:
  ///   - configuration: The paths, or the list.
  ///   - isWatched: Whether to report changes after the listing.
  ///   - lister: The program that lists folders.
  /// - Throws: `CommandFailure` if there is nothing to read.
  init(
    _ configuration: Configuration, isWatched: Bool, lister: WorkerExecutable = .lister
  ) throws(CommandFailure) {
    var request = ListingRequest(
      roots: configuration.input.paths.isEmpty ? [[]] : configuration.input.paths,
      isRecursive: configuration.input.isRecursive, maxDepth: configuration.input.maxDepth,
      includesHidden: configuration.input.showsHidden)
    request.isWatched = isWatched
    request.indexFolder = configuration.indexFolder
    request.includesPlaces = configuration.mode == .printFacts
    // The browser can enter folders; commands that print need photos only.
    request.namesFolders = isWatched && !configuration.input.isRecursive
    self.request = request
    executable = lister.confined(configuration.sandbox)
    if configuration.input.readsStandardInput || configuration.input.list != nil {
      origin = .list(try PathListReader(configuration.input))
      title = configuration.input.list.map { PrintableArgument.text($0) } ?? "standard input"
      isOnePhoto = false
      return
    }
    let isFolder = try Self.checkPaths(configuration.input.paths)
    isOnePhoto = configuration.input.paths.count == 1 && !isFolder
    title = Self.title(of: request.roots)
    do throws(LibraryError) {
      origin = .folders(try FolderLister(worker: executable, request))
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
  }

  /// Checks that at least one of the paths exists; a missing path gets a tile with a message.
  ///
  /// - Returns: Whether the last path is a folder.
  /// - Throws: `CommandFailure` if none exists.
  private static func checkPaths(_ paths: [[UInt8]]) throws(CommandFailure) -> Bool {
    var isFolder = false
    var missing: [String] = []
    for path in paths {
      let name = path.terminated
      var status = stat()
      // `lstat` finds broken links, which count as existing.
      if stat(name, &status) != 0, lstat(name, &status) != 0, errno != EACCES {
        missing.append("\(PrintableArgument.text(path)): \(String(cString: strerror(errno)))")
      }
      isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
    guard missing.count == paths.count, let last = missing.popLast() else { return isFolder }
    missing.forEach { StandardStream.printError($0) }
    throw CommandFailure(last, status: .nothingShown)
  }

  /// Returns the names of roots for the bar, printable.
  private static func title(of roots: [[UInt8]]) -> String {
    roots.map { $0.isEmpty ? "." : PrintableArgument.text($0) }.joined(separator: ", ")
  }

  /// The descriptor to poll, with the events to poll for; empty once the source has ended.
  var pollRequests: [pollfd] {
    let lookups = lookup?.pollRequests ?? []
    return switch origin {
    case .folders(let lister): lister.pollRequests
    case .list(let reader): [pollfd(reading: reader.descriptor)] + lookups
    case .ended: lookups
    }
  }

  /// Reads the messages that have arrived.
  mutating func service(at now: Instant) -> [Event] {
    for lister in retired { _ = lister.service(at: now) }
    retired.removeAll(where: \.hasEnded)
    switch origin {
    case .folders(let lister):
      return lister.service(at: now).map { self.event(for: $0) }
    case .list(var reader):
      // Reading would block, because the descriptor may be shared with other programs.
      guard Poll.isReadable(reader.descriptor) else { return answersOfLookup(at: now) }
      let names = reader.read()
      origin = reader.isAtEnd ? .ended : .list(reader)
      let found = PhotoBatch.batches(of: names).map { Event.found($0) }
      return reader.isAtEnd ? found + [.finished(ListingNotes(), problems: [])] : found
    case .ended:
      return answersOfLookup(at: now)
    }
  }

  /// Records the CPU time of the turn of the loop in which events were handled, in seconds.
  ///
  /// The lister adapts the number of messages that it reads in a turn.
  func recordTurn(seconds: Double, at now: Instant) {
    if case .folders(let lister) = origin { lister.recordTurn(seconds: seconds, at: now) }
  }

  /// Whether the facts of a list's photos are being looked up in the index.
  var isLookingUp: Bool { lookup != nil }

  /// Looks up the facts of a list's photos in the index; `known` events follow.
  ///
  /// - Parameters:
  ///   - batch: The photos.
  ///   - first: The number of the first photo.
  ///   - now: The current time.
  mutating func lookUp(_ batch: PhotoBatch, from first: Int, at now: Instant) {
    guard !request.indexFolder.isEmpty else { return }
    if lookup == nil {
      var nothing = request
      (nothing.roots, nothing.isWatched) = ([], true)
      lookup = try? FolderLister(worker: executable, nothing)
    }
    for piece in batch.lookups(from: first) { lookup?.lookUp(piece, at: now) }
  }

  /// Returns the facts that were found in the index, and ends the look-up process when it is done.
  private mutating func answersOfLookup(at now: Instant) -> [Event] {
    guard let lookup else { return [] }
    let events = lookup.service(at: now).compactMap { event -> Event? in
      if case .known(let batch) = event { .known(batch) } else { nil }
    }
    // If the index's disk hangs, the look-up ends too, and the facts are read from the files.
    if !lookup.isLookingUp || lookup.isFinished || lookup.isSilent(at: now) {
      lookup.shutDown()
      retired.append(lookup)
      self.lookup = nil
    }
    return events
  }

  /// Converts an event of the lister.
  private func event(for event: ListingEvent) -> Event {
    switch event {
    case .found(let batch): return .found(batch)
    case .relisting(let place): return .relisting(place)
    case .relisted(let isComplete): return .relisted(isComplete: isComplete)
    case .changed(let changes): return .changed(changes)
    case .previewed(let preview): return .previewed(preview)
    case .lost(let root, _): return .lost(name(ofRoot: root))
    case .known(let batch): return .known(batch)
    case .checked(let changes): return .checked(changes)
    case .finished(let summary):
      var notes = ListingNotes(
        skipped: summary.skipped, wentDeeper: summary.wentDeeper,
        unreadable: summary.unreadableFolders + summary.problemCount,
        unwatched: summary.unwatchedFolders)
      if request.roots.count == 1 { notes.failure = summary.problems.first?.reason.message }
      return .finished(
        notes,
        problems: summary.problems.map {
          "\(PrintableArgument.text($0.path)): \($0.reason.message)"
        })
    case .failed(let message): return .failed(message)
    }
  }
  /// Whether photos are listed in the order of their folders and names; a list has its own order.
  var isOrdered: Bool {
    if case .folders = origin { true } else { false }
  }

  /// Whether a photo was given by its path, rather than found in a folder.
  func isGiven(_ path: PhotoPath) -> Bool {
    guard case .folders = origin, request.roots.indices.contains(path.root) else { return false }
    return request.roots[path.root] == path.path
  }

  /// Lists the folders again; a lister that has ended or does not respond is replaced.
  ///
  /// - Returns: A message for the user if that is impossible; nil otherwise.
  mutating func reload(at now: Instant) -> String? {
    guard case .folders(let lister) = origin else { return "A list cannot be reloaded" }
    do throws(LibraryError) {
      var again = request
      again.isRepeated = true
      if lister.isFinished || lister.isSilent(at: now) {
        lister.shutDown()
        retired.append(lister)
        origin = .folders(try FolderLister(worker: executable, again))
      } else {
        lister.repeatListing(at: now)
      }
      return nil
    } catch {
      return error.message
    }
  }

  /// Lists other folders.
  ///
  /// - Parameters:
  ///   - folders: Paths that end with slashes; empty for the current folder.
  ///   - isKnown: Whether they were listed before, so that only differences are needed.
  /// - Throws: `LibraryError` if the lister cannot be started; the source is unchanged then.
  mutating func move(to folders: [[UInt8]], isKnown: Bool) throws(LibraryError) {
    guard case .folders(let lister) = origin else { return }
    var next = request
    next.roots = folders
    next.isRepeated = isKnown
    let other = try FolderLister(worker: executable, next)
    request.roots = folders
    lister.shutDown()
    retired.append(lister)
    origin = .folders(other)
    title = Self.title(of: folders)
  }

  /// Requests previews of folders, whose paths end with slashes.
  func requestPreviews(of folders: [[UInt8]], at now: Instant) {
    if case .folders(let lister) = origin { lister.requestPreviews(of: folders, at: now) }
  }

  /// Requests the current state of paths; a `checked` event follows.
  ///
  /// - Returns: False if no lister watches the paths.
  func check(_ paths: Set<PhotoPath>, at now: Instant) -> Bool {
    guard case .folders(let lister) = origin, !lister.isFinished, request.isWatched else {
      return false
    }
    lister.check(paths, at: now)
    return true
  }

  /// Returns a message for the user if the lister does not respond; nil otherwise.
  func problem(at now: Instant) -> String? {
    guard case .folders(let lister) = origin, lister.isSilent(at: now) else { return nil }
    return "the folder does not respond"
  }

  /// The latest time for the next call of `service(at:)`, if no descriptor is ready before.
  var nextDeadline: Instant? {
    guard case .folders(let lister) = origin else { return lookup?.nextDeadline }
    return lister.nextDeadline
  }

  /// Returns the name of a root for a message: "the folder" if there is only one.
  private func name(ofRoot root: Int) -> String {
    guard request.roots.count > 1, request.roots.indices.contains(root) else { return "the folder" }
    return PrintableArgument.text(request.roots[root])
  }

  /// Stops listing and watching; no more photos arrive until the folders are listed again.
  mutating func stop() {
    switch origin {
    case .folders(let lister): lister.shutDown()
    case .list: origin = .ended
    case .ended: break
    }
  }

  /// Ends the source and its processes.
  mutating func shutDown() {
    stop()
    lookup?.shutDown()
    (origin, lookup) = (.ended, nil)
  }
}
