import FactIndex
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// Reads the index of facts in a thread of its own, so that an index that does not respond, on a
/// hanging disk for example, delays a listing by a second at most.
///
/// The thread alone uses the database. Requests and answers are objects, whose addresses go through
/// two pipes: the owner of a request or an answer is whoever has read its address last.
///
///     lookup.beginListing()
///     lookup.request(folder)            // the thread reads the index ...
///     …                                 // ... while this one reads the folder
///     let contents = lookup.answer()    // nil if nothing is known, or that took too long
final class IndexLookup {
  /// The pipe to the thread.
  private let requests: Int32
  /// The pipe from the thread.
  private let answers: Int32
  /// The number of answers that have not arrived.
  private var pendingCount = 0
  /// The time that may still be spent waiting, in seconds.
  private var patience = IndexLookup.maxWait
  /// Whether nothing is asked any more, because the index is missing or has not answered in time.
  private(set) var isAbandoned = false

  /// The most seconds that a listing waits for the index.
  private static let maxWait = 1.0

  /// Starts a thread that opens the index in a folder; nil if that is impossible.
  init?(folder: [UInt8]) {
    var (down, up): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&down) == 0 else { return nil }
    guard pipe(&up) == 0 else {
      down.forEach { close($0) }
      return nil
    }
    (requests, answers) = (down[1], up[0])
    let task = Task(file: IndexFile(folder: folder), requests: down[0], answers: up[1])
    let argument = Unmanaged.passRetained(task)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 1 << 20)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Task>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    pthread_attr_destroy(&attributes)
    guard code == 0 else {
      argument.release()
      return nil
    }
  }

  deinit {
    // The thread ends when it reads the end of the pipe.
    close(requests)
    close(answers)
  }

  /// Begins a listing, which sees the index as it is now until `endListing()`.
  func beginListing() {
    patience = Self.maxWait
    send(.beginSnapshot)
  }

  /// Ends a listing, so that later requests see later changes of the index.
  func endListing() { send(.endSnapshot) }

  /// Requests what is known about the files in a folder, which the next `answer()` returns.
  ///
  /// - Parameter folder: A path that ends with a slash; empty for the current folder.
  func request(_ folder: [UInt8]) {
    guard !isAbandoned else { return }
    // In this thread, because it is the disk of the photos that may delay this.
    guard let path = IndexFile.canonicalPath(ofFolder: folder) else { return }
    send(.folder(path))
    pendingCount += 1
  }

  /// Returns what is known about the requested folder, as soon as it is; nil if nothing is, or the
  /// index takes too long.
  func answer() -> IndexedFolder? {
    var answer: Answer?
    // An earlier answer that nobody has asked for is dropped.
    while pendingCount > 0, !isAbandoned {
      guard let next = nextAnswer() else {
        isAbandoned = true
        return nil
      }
      pendingCount -= 1
      answer = next
    }
    if answer?.hasIndex == false { isAbandoned = true }
    return answer?.contents
  }

  /// Returns what is known about the files in a folder, waiting for up to a second.
  func contents(ofFolder folder: [UInt8]) -> IndexedFolder? {
    patience = Self.maxWait
    request(folder)
    return answer()
  }

  private func send(_ request: Request.Kind) {
    guard !isAbandoned else { return }
    let object = Unmanaged.passRetained(Request(request))
    if !Address.write(object.toOpaque(), to: requests) {
      object.release()
      isAbandoned = true
    }
  }

  /// Waits for the next answer; nil if it does not arrive in time.
  private func nextAnswer() -> Answer? {
    let start = LibraryWorker.now
    var polled = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
    let count = poll(&polled, 1, Int32(max(patience, 0) * 1000))
    patience -= LibraryWorker.now.seconds(since: start)
    guard count == 1, let address = Address.read(from: answers) else { return nil }
    return Unmanaged<Answer>.fromOpaque(address).takeRetainedValue()
  }

  private final class Request {
    enum Kind {
      case beginSnapshot
      case endSnapshot
      case folder([UInt8])
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
  }

  private final class Answer {
    let contents: IndexedFolder?
    let hasIndex: Bool

    init(_ contents: IndexedFolder?, hasIndex: Bool) {
      (self.contents, self.hasIndex) = (contents, hasIndex)
    }
  }

  /// The work of the thread.
  private final class Task {
    private let file: IndexFile
    private let requests: Int32
    private let answers: Int32

    init(file: IndexFile, requests: Int32, answers: Int32) {
      (self.file, self.requests, self.answers) = (file, requests, answers)
    }

    func run() {
      defer {
        close(requests)
        close(answers)
      }
      let reader = IndexReader(file)
      while let address = Address.read(from: requests) {
        switch Unmanaged<Request>.fromOpaque(address).takeRetainedValue().kind {
        case .beginSnapshot: reader?.beginSnapshot()
        case .endSnapshot: reader?.endSnapshot()
        case .folder(let path):
          let answer = Answer(reader?.contents(ofCanonical: path), hasIndex: reader != nil)
          let object = Unmanaged.passRetained(answer)
          if !Address.write(object.toOpaque(), to: answers) { object.release() }
        }
      }
    }
  }

  /// The addresses of objects in a pipe, which takes and gives each as a whole.
  private enum Address {
    static func write(_ address: UnsafeMutableRawPointer, to pipe: Int32) -> Bool {
      var bits = UInt(bitPattern: address)
      while true {
        let count = Glibc.write(pipe, &bits, MemoryLayout<UInt>.size)
        if count >= 0 || errno != EINTR { return count == MemoryLayout<UInt>.size }
      }
    }

    static func read(from pipe: Int32) -> UnsafeMutableRawPointer? {
      var bits: UInt = 0
      while true {
        let count = Glibc.read(pipe, &bits, MemoryLayout<UInt>.size)
        guard count < 0, errno == EINTR else {
          return count == MemoryLayout<UInt>.size ? UnsafeMutableRawPointer(bitPattern: bits) : nil
        }
      }
    }
  }
}

/// Checks, after a listing, whether the files whose facts came from the index have changed since.
///
/// Calling `stat` for each file takes as long as listing them all, so facts are reported along with
/// the names, and changed files are reported afterwards. The check proceeds in pieces, and requests
/// are answered between them.
struct FactRecheck {
  private var folders: ArraySlice<FolderWalk.Start> = []
  private var includesHidden = false
  private var current: (folder: FolderWalk.Start, contents: IndexedFolder)?
  /// Whether the folder in `current` has sidecars.
  private var sidecars = SidecarFolder()
  /// The index of the next file in `current`.
  private var next = 0

  /// The most files to check in one piece.
  private static let pieceLength = 256

  /// Whether there is nothing to check.
  var isDone: Bool { folders.isEmpty && current == nil }

  /// Adds folders that were listed with facts.
  mutating func add(_ folders: [FolderWalk.Start], _ request: ListingRequest) {
    includesHidden = request.includesHidden
    self.folders += folders
  }

  /// Checks some of the files.
  ///
  /// - Parameter index: The index that the facts came from.
  /// - Returns: The files that exist and have changed, and those whose sidecars have.
  mutating func advance(with index: IndexLookup?) -> [PhotoChange] {
    guard let index else {
      self = FactRecheck()
      return []
    }
    if current == nil, let folder = folders.popFirst() {
      next = 0
      current = index.contents(ofFolder: folder.folder).map { (folder, $0) }
      sidecars.enter(folder.folder)
    }
    guard let (folder, contents) = current else { return [] }
    let piece = next..<min(next + Self.pieceLength, contents.count)
    next = piece.upperBound
    if next == contents.count { current = nil }
    return piece.compactMap { position in
      let name = Array(contents.name(position))
      let path = folder.folder + name
      guard includesHidden || name.first != 0x2e,
        let stamp = FileStamp(of: path, withSidecar: !sidecars.isEmpty),
        EntryKind.isImage(name, at: path)
      else { return nil }
      if contents.hasStamp(position), stamp != contents.stamp(position) {
        let photo = PhotoPath(root: folder.root, path: path)
        // A photo that is as it was without a sidecar has got one.
        return contents.stamp(position) == FileStamp(of: path)
          ? .annotated(photo) : .present(photo)
      }
      guard let rated = contents.ratingStamp(position),
        RatingStamp.of(photo: path, hasSidecars: !sidecars.isEmpty) != rated
      else { return nil }
      return .annotated(PhotoPath(root: folder.root, path: path))
    }
  }
}
