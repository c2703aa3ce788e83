import Glibc
import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Lists photos: those of folders by a lister, or those that a list names.
struct PhotoSource {
  /// Something that was found or changed.
  enum Event {
    case found(PhotoBatch)
    case finished(ListingNotes, problems: [String])
    case failed(String)
    /// A place is listed again: the photos up to `relisted` are all that it has.
    case relisting(ListedPlace)
    case relisted(isComplete: Bool)
    case changed([PhotoChange])
    case glanced(FolderSamples)
    /// One of the folders is gone; its printable name.
    case lost(String)
  }

  private enum Origin {
    case folders(FolderLister)
    case list(PathListReader)
    case ended
  }

  private var origin: Origin
  /// What the lister is asked for.
  private(set) var request: ListingRequest
  /// Listers that were replaced, until their processes are gone.
  private var retired: [FolderLister] = []
  /// The folders or the list for the bar, printable.
  private(set) var title: String
  /// Whether a single photo was named, rather than a folder or a list.
  let isOnePhoto: Bool

  /// Opens the source that the configuration names.
  ///
  /// - Throws: `CommandFailure` where there is nothing to read from.
  init(_ configuration: Configuration, isWatched: Bool) throws(CommandFailure) {
    var request = ListingRequest(
      roots: configuration.input.paths.isEmpty ? [[]] : configuration.input.paths,
      isRecursive: configuration.input.isRecursive, maxDepth: configuration.input.maxDepth,
      includesHidden: configuration.input.showsHidden)
    request.isWatched = isWatched
    // The browser can enter folders; what is printed are photos.
    request.namesFolders = isWatched && !configuration.input.isRecursive
    self.request = request
    if configuration.input.readsStandardInput || configuration.input.list != nil {
      origin = .list(try PathListReader(configuration.input))
      title = configuration.input.list.map { PrintableArgument.text($0) } ?? "standard input"
      isOnePhoto = false
      return
    }
    let isFolder = try Self.look(at: configuration.input.paths)
    isOnePhoto = configuration.input.paths.count == 1 && !isFolder
    title = Self.title(of: request.roots)
    do throws(LibraryError) {
      origin = .folders(try FolderLister(worker: .lister, request))
    } catch {
      throw CommandFailure(error.message, status: .nothingShown)
    }
  }

  /// Checks that at least one of the paths exists; the others get tiles with a message.
  ///
  /// - Returns: Whether the last of it is a folder.
  /// - Throws: `CommandFailure` where nothing is there.
  private static func look(at paths: [[UInt8]]) throws(CommandFailure) -> Bool {
    var isFolder = false
    var missing: [String] = []
    for path in paths {
      let name = path.map { CChar(bitPattern: $0) } + [0]
      var status = stat()
      // A link into nothing is there.
      if stat(name, &status) != 0, lstat(name, &status) != 0, errno != EACCES {
        missing.append("\(PrintableArgument.text(path)): \(String(cString: strerror(errno)))")
      }
      isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
    guard missing.count == paths.count, let last = missing.popLast() else { return isFolder }
    missing.forEach { StandardStream.complain($0) }
    throw CommandFailure(last, status: .nothingShown)
  }

  private static func title(of roots: [[UInt8]]) -> String {
    roots.map { $0.isEmpty ? "." : PrintableArgument.text($0) }.joined(separator: ", ")
  }

  /// The descriptor to poll, and for what; empty once nothing more can come.
  var pollRequests: [pollfd] {
    switch origin {
    case .folders(let lister): lister.pollRequests
    case .list(let reader): [pollfd(reading: reader.descriptor)]
    case .ended: []
    }
  }

  /// Reads what has arrived.
  mutating func service(at now: Instant) -> [Event] {
    for lister in retired { _ = lister.service(at: now) }
    retired.removeAll(where: \.hasEnded)
    switch origin {
    case .folders(let lister):
      // Also after its end, for then it lets go of its worker.
      return lister.service(at: now).map { event in
        switch event {
        case .found(let batch): return .found(batch)
        case .relisting(let place): return .relisting(place)
        case .relisted(let isComplete): return .relisted(isComplete: isComplete)
        case .changed(let changes): return .changed(changes)
        case .previewed(let glance): return .glanced(glance)
        case .lost(let root, _): return .lost(name(ofRoot: root))
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
        case .failed(let words):
          return .failed(words)
        }
      }
    case .list(var reader):
      // Reading waits, since the descriptor is shared with other programs.
      guard Poll.isReadable(reader.descriptor) else { return [] }
      let names = reader.read()
      origin = reader.isAtEnd ? .ended : .list(reader)
      let found = PhotoBatch.batches(of: names).map { Event.found($0) }
      return reader.isAtEnd ? found + [.finished(ListingNotes(), problems: [])] : found
    case .ended:
      return []
    }
  }

  /// Whether photos are listed in the order of their folders and names; a list has its own order.
  var isOrdered: Bool {
    if case .folders = origin { true } else { false }
  }

  /// Whether the command line names a photo itself, rather than its folder.
  func isNamed(_ path: PhotoPath) -> Bool {
    guard case .folders = origin, request.roots.indices.contains(path.root) else { return false }
    return request.roots[path.root] == path.path
  }

  /// Lists the folders again; a lister that does not answer is replaced.
  ///
  /// - Returns: Why that is not possible; nil if it is.
  mutating func reload(at now: Instant) -> String? {
    guard case .folders(let lister) = origin else { return "a list is not read again" }
    do throws(LibraryError) {
      var again = request
      again.isRepeated = true
      if lister.isFinished || lister.isSilent(at: now) {
        lister.shutDown()
        retired.append(lister)
        origin = .folders(try FolderLister(worker: .lister, again))
      } else {
        lister.repeatListing(at: now)
      }
      return nil
    } catch {
      return error.message
    }
  }

  /// Goes on with other folders, given with their slashes or empty for the current one; where they
  /// are known, only what is different by now matters.
  ///
  /// - Throws: Why that folder cannot be listed; the one before stays then.
  mutating func move(to folders: [[UInt8]], isKnown: Bool) throws(LibraryError) {
    guard case .folders(let lister) = origin else { return }
    var next = request
    next.roots = folders
    next.isRepeated = isKnown
    let other = try FolderLister(worker: .lister, next)
    request.roots = folders
    lister.shutDown()
    retired.append(lister)
    origin = .folders(other)
    title = Self.title(of: folders)
  }

  /// Asks what there is in folders, given with their slashes.
  func glance(into folders: [[UInt8]], at now: Instant) {
    if case .folders(let lister) = origin { lister.requestPreviews(of: folders, at: now) }
  }

  /// A message that the folders do not answer; nil if they do.
  func trouble(at now: Instant) -> String? {
    guard case .folders(let lister) = origin, lister.isSilent(at: now) else { return nil }
    return "the folder does not answer"
  }

  /// When `trouble` has something to say if nothing happens until then; nil where it has already,
  /// or nothing is waited for.
  var nextDeadline: Instant? {
    guard case .folders(let lister) = origin else { return nil }
    return lister.nextDeadline
  }

  /// What a root is called: where there is one only, it is the folder.
  private func name(ofRoot root: Int) -> String {
    guard request.roots.count > 1, request.roots.indices.contains(root) else { return "the folder" }
    return PrintableArgument.text(request.roots[root])
  }

  /// Ends the listing, wherever it is.
  mutating func shutDown() {
    if case .folders(let lister) = origin { lister.shutDown() }
    origin = .ended
  }
}
