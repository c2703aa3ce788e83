import Glibc
import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Where the photos' names come from: folders and files, or a list.
struct PhotoSource {
  /// What came out of it.
  enum Event {
    case found(PhotoBatch)
    case finished(ListingNotes, problems: [String])
    case failed(String)
    /// What is found up to `relisted` is all that there is at a place.
    case relisting(ListedPlace)
    case relisted(isComplete: Bool)
    case changed([PhotoChange])
    case glanced(FolderGlance)
    /// One of the folders is gone; its printable name.
    case lost(String)
  }

  private enum Origin {
    case folders(FolderLister)
    case list(PathListReader)
    case ended
  }

  private var origin: Origin
  private(set) var request: ListingRequest
  /// Listers that were replaced, until their processes are gone.
  private var retired: [FolderLister] = []
  /// What is browsed, for the bar; printable.
  private(set) var title: String
  /// Whether a single photo was named, rather than a folder or a list.
  let isOnePhoto: Bool

  /// Opens the source that the configuration names.
  ///
  /// - Throws: `CommandFailure` where there is nothing to read from.
  init(_ configuration: Configuration, isWatched: Bool) throws(CommandFailure) {
    var request = ListingRequest(
      roots: configuration.paths.isEmpty ? [[]] : configuration.paths,
      isRecursive: configuration.isRecursive, maxDepth: configuration.maxDepth,
      includesHidden: configuration.showsHidden)
    request.isWatched = isWatched
    // Who looks can go into them; who prints wants photos.
    request.namesFolders = isWatched && !configuration.isRecursive
    self.request = request
    if configuration.readsStandardInput {
      guard isatty(STDIN_FILENO) == 0 else {
        throw CommandFailure(
          "-i: standard input is a terminal: pipe names into it, as in 'find | photogrid -i'",
          status: .badOption)
      }
      origin = .list(PathListReader(descriptor: STDIN_FILENO, separator: configuration.separator))
      title = "standard input"
      isOnePhoto = false
      return
    }
    if let list = configuration.list {
      title = PrintableArgument.text(list)
      isOnePhoto = false
      let descriptor = open(list.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw CommandFailure("\(title): \(String(cString: strerror(errno)))", status: .nothingShown)
      }
      origin = .list(PathListReader(descriptor: descriptor, separator: configuration.separator))
      return
    }
    let isFolder = try Self.look(at: configuration.paths)
    isOnePhoto = configuration.paths.count == 1 && !isFolder
    title = Self.title(of: request.roots)
    do throws(LibraryError) {
      origin = .folders(try FolderLister(worker: .lister, request))
    } catch {
      throw CommandFailure(error.words, status: .nothingShown)
    }
  }

  /// Looks whether anything of what was named is there; the rest gets tiles that say what is wrong.
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

  /// What to poll; nil once nothing more can come.
  var pollRequest: pollfd? {
    switch origin {
    case .folders(let lister):
      lister.pollDescriptor.map {
        pollfd(
          fd: $0.descriptor, events: Int16(POLLIN | ($0.wantsWrite ? POLLOUT : 0)), revents: 0)
      }
    case .list(let reader): pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
    case .ended: nil
    }
  }

  /// Takes what has come in; a list is read only where `isReadable`, since its descriptor waits.
  mutating func service(isReadable: Bool, at now: Instant) -> [Event] {
    for lister in retired { _ = lister.service(at: now) }
    retired.removeAll { $0.pollDescriptor == nil }
    switch origin {
    case .folders(let lister):
      // Also after its end, for then it lets go of its worker.
      return lister.service(at: now).map { event in
        switch event {
        case .found(let batch): return .found(batch)
        case .relisting(let place): return .relisting(place)
        case .relisted(let isComplete): return .relisted(isComplete: isComplete)
        case .changed(let changes): return .changed(changes)
        case .glanced(let glance): return .glanced(glance)
        case .lost(let root, _): return .lost(name(ofRoot: root))
        case .finished(let summary):
          var notes = ListingNotes(
            skipped: summary.skipped, wentDeeper: summary.wentDeeper,
            unreadable: summary.unreadableFolders + summary.problemCount,
            unwatched: summary.unwatchedFolders)
          if request.roots.count == 1 { notes.failure = summary.problems.first?.reason.words }
          return .finished(
            notes,
            problems: summary.problems.map {
              "\(PrintableArgument.text($0.path)): \($0.reason.words)"
            })
        case .failed(let words):
          return .failed(words)
        }
      }
    case .list(var reader):
      guard isReadable else { return [] }
      let names = reader.read()
      origin = reader.isAtEnd ? .ended : .list(reader)
      let found = PhotoBatch.batches(of: names).map { Event.found($0) }
      return reader.isAtEnd ? found + [.finished(ListingNotes(), problems: [])] : found
    case .ended:
      return []
    }
  }

  /// Whether the photos are told in the order of folders and names, in which new ones have places;
  /// a list has an order of its own.
  var isOrdered: Bool {
    if case .folders = origin { true } else { false }
  }

  /// Whether a photo was named itself, rather than found in a folder.
  func isNamed(_ path: PhotoPath) -> Bool {
    guard case .folders = origin, request.roots.indices.contains(path.root) else { return false }
    return request.roots[path.root] == path.path
  }

  /// Looks once more; a lister that does not answer is replaced.
  ///
  /// - Returns: Words that say why not, where that is so.
  mutating func reload(at now: Instant) -> String? {
    guard case .folders(let lister) = origin else { return "a list is not read again" }
    do throws(LibraryError) {
      var again = request
      again.isRepeated = true
      if lister.isOver || lister.isSilent(at: now) {
        lister.shutDown()
        retired.append(lister)
        origin = .folders(try FolderLister(worker: .lister, again))
      } else {
        lister.repeatListing(at: now)
      }
      return nil
    } catch {
      return error.words
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
    if case .folders(let lister) = origin { lister.glance(into: folders, at: now) }
  }

  /// Words that say that the folders do not answer, if that is so.
  func trouble(at now: Instant) -> String? {
    guard case .folders(let lister) = origin, lister.isSilent(at: now) else { return nil }
    return "the folder does not answer"
  }

  /// When `trouble` has something to say if nothing happens until then; nil where it has already,
  /// or nothing is waited for.
  func nextDeadline(after now: Instant) -> Instant? {
    guard case .folders(let lister) = origin, !lister.isSilent(at: now) else { return nil }
    return lister.silenceEnd
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
