import Geometry
import Glibc
import PhotoLibrary
import Photos
import WorkerProtocol

/// The source of photos: folders, which a lister lists, or a list of paths.
struct PhotoSource {
  private enum Origin {
    case folders(ListingClient)
    case list(PathListReader)
    case ended
  }

  private var origin: Origin
  /// The program that lists folders.
  private let executable: WorkerExecutable
  /// The process that looks up the facts of a list's photos in the index; nil if none is running.
  private var lookup: ListingClient?
  private(set) var request: ListingRequest
  /// Listers that were replaced, until their processes have ended.
  private var retired: [ListingClient] = []
  /// The name of the folders or the list for the bar, printable.
  private(set) var title: String
  /// Whether a single path was given, and is that of a file; false before it has been looked up.
  private(set) var isOnePhoto = false
  /// Whether any of the given paths was looked up.
  private var isLocated = false
  /// The events that `waitUntilLocated()` has received.
  private var early: [ListingEvent] = []

  /// The longest wait for the lister to start, and then for its first answer, in seconds.
  private static let (startPatience, answerPatience) = (2.0, 0.1)

  /// Opens the source of a configuration.
  ///
  /// The given paths are looked up by the lister: their disk may hang.
  ///
  /// - Parameters:
  ///   - configuration: The paths, or the list.
  ///   - isWatched: Whether to report changes after the listing.
  ///   - lister: The program that lists folders.
  /// - Throws: `CommandFailure` if there is nothing to read.
  init(
    _ configuration: Configuration, isWatched: Bool, lister: WorkerExecutable = .library
  ) throws(CommandFailure) {
    var request = ListingRequest(
      roots: configuration.input.paths.isEmpty ? [[]] : configuration.input.paths,
      isRecursive: configuration.input.isRecursive, maxDepth: configuration.input.maxDepth,
      includesHidden: configuration.input.showsHidden)
    request.isWatched = isWatched
    request.indexFolder = configuration.indexFolder
    request.includesLocations = configuration.mode == .printFacts
    // The browser can enter folders; commands that print need photos only.
    request.namesFolders = isWatched && !configuration.input.isRecursive
    self.request = request
    executable = lister.confined(configuration.sandbox)
    if configuration.input.readsStandardInput || configuration.input.list != nil {
      origin = .list(try PathListReader(configuration.input))
      title = configuration.input.list.map { PrintableArgument.text($0) } ?? "standard input"
      return
    }
    title = Self.title(of: request.roots)
    do throws(LibraryError) {
      origin = .folders(try ListingClient(worker: executable, request))
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
  }

  /// Waits until the lister has looked up the first path that exists, so that the terminal is left
  /// alone if there is none; but not long, since a disk may hang.
  ///
  /// - Throws: `CommandFailure` if none of the paths exists.
  mutating func waitUntilLocated() throws(CommandFailure) {
    guard case .folders(let lister) = origin else { return }
    var end = MonotonicClock.now.advanced(bySeconds: Self.startPatience)
    var hasStarted = false
    while !isLocated, MonotonicClock.now < end {
      Poll.wait(lister.pollRequests, until: [end, lister.nextDeadline].compactMap(\.self).min())
      let now = MonotonicClock.now
      for event in service(at: now) {
        if case .listed(let summary) = event { try check(summary) }
        early.append(event)
      }
      if lister.isFinished { return }
      if !hasStarted, lister.hasStarted {
        hasStarted = true
        end = min(end, now.advanced(bySeconds: Self.answerPatience))
      }
    }
  }

  /// Throws if none of the given paths exists; all messages but the last are printed.
  func check(_ summary: ListingSummary) throws(CommandFailure) {
    var messages = missing(in: summary)
    guard let last = messages.popLast() else { return }
    messages.forEach { StandardStream.printError($0) }
    throw CommandFailure(last, status: .nothingShown)
  }

  /// Returns messages about the given paths if none of them exists; some missing paths only get
  /// tiles with messages.
  func missing(in summary: ListingSummary) -> [String] {
    guard summary.missingCount == request.roots.count else { return [] }
    let rest = summary.missingCount - summary.missing.count
    return summary.missing.map { problem in
      // The words that shells use.
      let reason =
        problem.reason == .vanished ? String(cString: strerror(ENOENT)) : problem.reason.message
      return "\(PrintableArgument.text(problem.path)): \(reason)"
    } + (rest > 0 ? ["and \(rest) more"] : [])
  }

  func problems(in summary: ListingSummary) -> [String] { summary.problems.map(Self.message) }

  private static func message(_ problem: ListingSummary.Problem) -> String {
    "\(PrintableArgument.text(problem.path)): \(problem.reason.message)"
  }

  /// Returns what the bar says about a listing.
  func notes(on summary: ListingSummary) -> ListingNotes {
    var notes = ListingNotes(
      skipped: summary.skipped, videos: summary.videos, wentDeeper: summary.wentDeeper,
      unreadable: summary.unreadableFolders + summary.problemCount,
      unwatched: summary.unwatchedFolders)
    notes.isOnePhoto = isOnePhoto
    if request.roots.count == 1 { notes.failure = summary.problems.first?.reason.message }
    return notes
  }

  /// Returns the names of roots for the bar, printable.
  private static func title(of roots: [[UInt8]]) -> String {
    roots.map { $0.isEmpty ? "." : PrintableArgument.text($0) }.joined(separator: ", ")
  }

  var pollRequests: [pollfd] {
    let lookups = lookup?.pollRequests ?? []
    return switch origin {
    case .folders(let lister): lister.pollRequests
    case .list(let reader): [pollfd(reading: reader.descriptor)] + lookups
    case .ended: lookups
    }
  }

  mutating func service(at now: Instant) -> [ListingEvent] {
    for lister in retired { _ = lister.service(at: now) }
    retired.removeAll(where: \.hasEnded)
    switch origin {
    case .folders(let lister):
      defer { early = [] }
      let events = lister.service(at: now)
      for case .located(let isFolder) in events {
        isLocated = true
        isOnePhoto = !isFolder && request.roots.count == 1
      }
      return early + events
    case .list(var reader):
      // Reading would block, because the descriptor may be shared with other programs.
      guard Poll.isReadable(reader.descriptor) else { return answersOfLookup(at: now) }
      let names = reader.read()
      origin = reader.isAtEnd ? .ended : .list(reader)
      let found = PhotoBatch.batches(of: names).map { ListingEvent.found($0) }
      return reader.isAtEnd ? found + [.listed(ListingSummary())] : found
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
  mutating func lookUp(_ batch: PhotoBatch, from first: Int, at now: Instant) {
    guard !request.indexFolder.isEmpty else { return }
    if lookup == nil {
      var nothing = request
      (nothing.roots, nothing.isWatched) = ([], true)
      lookup = try? ListingClient(worker: executable, nothing)
    }
    for piece in batch.lookups(from: first) { lookup?.lookUp(piece, at: now) }
  }

  /// Returns the facts that were found in the index, and ends the look-up process when it is done.
  private mutating func answersOfLookup(at now: Instant) -> [ListingEvent] {
    guard let lookup else { return [] }
    let events = lookup.service(at: now).filter { if case .known = $0 { true } else { false } }
    // If the index's disk hangs, the look-up ends too, and the facts are read from the files.
    if !lookup.isLookingUp || lookup.isFinished || lookup.isSilent(at: now) {
      lookup.shutDown()
      retired.append(lookup)
      self.lookup = nil
    }
    return events
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
    guard case .folders(let lister) = origin else { return "Cannot reload a list" }
    do throws(LibraryError) {
      var again = request
      again.isRepeated = true
      if lister.isFinished || lister.isSilent(at: now) {
        lister.shutDown()
        retired.append(lister)
        origin = .folders(try ListingClient(worker: executable, again))
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
  /// - Throws: `LibraryError` if the lister cannot be started; the source is unchanged then.
  mutating func move(to folders: [[UInt8]], isKnown: Bool) throws(LibraryError) {
    guard case .folders(let lister) = origin else { return }
    var next = request
    next.roots = folders
    next.isRepeated = isKnown
    let other = try ListingClient(worker: executable, next)
    request.roots = folders
    isOnePhoto = false
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

  func problem(at now: Instant) -> String? {
    guard case .folders(let lister) = origin, lister.isSilent(at: now) else { return nil }
    return "the folder is not responding"
  }

  var nextDeadline: Instant? {
    if !early.isEmpty { return Instant(nanoseconds: 0) }
    guard case .folders(let lister) = origin else { return lookup?.nextDeadline }
    return lister.nextDeadline
  }

  /// Returns the name of a root for a message: "the folder" if there is only one.
  func name(ofRoot root: Int) -> String {
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

  mutating func shutDown() {
    stop()
    lookup?.shutDown()
    (origin, lookup) = (.ended, nil)
  }
}
