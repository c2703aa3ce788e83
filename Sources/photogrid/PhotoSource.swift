import Glibc
import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

/// Where the photos' names come from: folders and files, or a list.
struct PhotoSource {
  /// What came out of it.
  enum Event {
    case found([[UInt8]])
    case finished(ListingNotes, problems: [String])
    case failed(String)
  }

  private enum Origin {
    case folders(FolderLister)
    case list(PathListReader)
    case ended
  }

  private var origin: Origin
  /// What is browsed, for the bar; printable.
  let title: String
  /// Whether a single photo was named, rather than a folder or a list.
  let isOnePhoto: Bool

  /// Opens the source that the configuration names.
  ///
  /// - Throws: `CommandFailure` where there is nothing to read from.
  init(_ configuration: Configuration, worker: WorkerExecutable) throws(CommandFailure) {
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
    var isFolder = false
    for path in configuration.paths {
      let name = path.map { CChar(bitPattern: $0) } + [0]
      var status = stat()
      // A link into nothing is there, and gets a tile that says what is wrong.
      guard stat(name, &status) == 0 || lstat(name, &status) == 0 || errno == EACCES else {
        throw CommandFailure(
          "\(PrintableArgument.text(path)): \(String(cString: strerror(errno)))",
          status: .nothingShown)
      }
      isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
    isOnePhoto = configuration.paths.count == 1 && !isFolder
    title =
      configuration.paths.isEmpty
      ? "." : configuration.paths.map { PrintableArgument.text($0) }.joined(separator: ", ")
    let request = ListingRequest(
      roots: configuration.paths.isEmpty ? [[]] : configuration.paths,
      isRecursive: configuration.isRecursive, maxDepth: configuration.maxDepth,
      includesHidden: configuration.showsHidden)
    do throws(LibraryError) {
      origin = .folders(try FolderLister(worker: worker, request))
    } catch {
      throw CommandFailure(error.words, status: .nothingShown)
    }
  }

  /// What to poll; nil once all names are there.
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
    switch origin {
    case .folders(let lister):
      // Also after its end, for then it lets go of its worker.
      return lister.service(at: now).map { event in
        switch event {
        case .found(let paths):
          return .found(paths)
        case .finished(let summary):
          let notes = ListingNotes(
            skipped: summary.skipped, wentDeeper: summary.wentDeeper,
            unreadable: summary.unreadableFolders + summary.problemCount)
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
      let found: [Event] = names.isEmpty ? [] : [.found(names)]
      return reader.isAtEnd ? found + [.finished(ListingNotes(), problems: [])] : found
    case .ended:
      return []
    }
  }

  /// Ends the listing, wherever it is.
  mutating func shutDown() {
    if case .folders(let lister) = origin { lister.shutDown() }
    origin = .ended
  }
}
