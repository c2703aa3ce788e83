import CLinux
import FactIndex
import Geometry
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// A process that knows what is in folders and files: it lists and watches folders, completes a path that
/// the user types, reads facts of photos, hashes files, or records facts in the index, so that a hanging
/// disk blocks nothing else.
package struct LibraryWorker {
  /// The messages that have not been sent yet.
  private let outbox: Outbox
  private let channel: Channel
  private var requestLoop: RequestLoop<LibraryProtocol.Request>
  private var walk: FolderWalk
  private var watch: FolderWatch?
  private var collector = ChangeCollector()
  /// Reads the facts of photos.
  private var headers = HeaderFactReader()
  /// Checks the facts from the index that were reported.
  private var recheck = FactRecheck()
  /// When the recheck may begin: the program first shows the photos that it has received.
  private var recheckTime = Instant(nanoseconds: 0)
  /// The requests of the current listing.
  private var requests: [ListingRequest] = []

  /// The time from the end of a listing to the check of its facts, in seconds.
  private static let recheckDelay = 0.5

  private init(_ channel: Channel, _ requestLoop: RequestLoop<LibraryProtocol.Request>) {
    let outbox = Outbox(channel)
    (self.outbox, self.channel, self.requestLoop) = (outbox, channel, requestLoop)
    walk = FolderWalk { outbox.put($0) }
  }

  /// Answers requests and reports changes until the program closes the connection, then exits.
  ///
  /// The first request decides whether the process may change the index or read everything else, before it
  /// is confined to that and greets.
  package static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var writer: IndexWriter?
    var requests = RequestLoop<LibraryProtocol.Request>(channel, rest: .rest) { writer?.close() }
    let first = requests.next()
    if case .record(_, let folder) = first.request {
      let index = IndexFile(folder: folder)
      confineRecorder(of: index, mode)
      let recorder = IndexWriter(index)
      writer = recorder
      channel.greet()
      var next = first
      while true {
        record(next.request, next.token, by: recorder, on: channel)
        next = requests.next()
      }
    }
    var confinement = Confinement(mode)
    confinement.limitResources()
    confinement.finish(.library(recordsIn: nil))
    channel.greet()
    var worker = LibraryWorker(channel, requests)
    worker.answer(first.request, first.token)
    worker.run()
  }

  private mutating func run() -> Never {
    answerReceived()
    outbox.flush()
    while true {
      let now = Self.now
      let isChecking = !recheck.isDone && recheckTime <= now
      let deadline = [
        collector.deadline, walk.poller.deadline, recheck.isDone ? nil : recheckTime,
      ].compactMap(\.self).min()
      let milliseconds =
        isChecking ? 0 : deadline.map { Int32(max($0.seconds(since: now), 0) * 1000) + 1 } ?? -1
      var polled = [
        pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      poll(&polled, nfds_t(polled.count), milliseconds)
      if polled[0].revents != 0 {
        requestLoop.receive()
        answerReceived()
      }
      if polled[1].revents != 0 { readEvents(at: Self.now) }
      reportChanges(at: Self.now)
      if isChecking { outbox.put(recheck.advance(with: walk.index)) }
      outbox.flush()
    }
  }

  // MARK: - Requests

  private mutating func answerReceived() {
    while let next = requestLoop.nextReceived() { answer(next.request, next.token) }
  }

  private mutating func answer(_ request: LibraryProtocol.Request, _ token: UInt32) {
    switch request {
    case .complete(let path): channel.send(FolderNames.response(to: path), token: token)
    case .describe(let photos):
      channel.send(LibraryProtocol.Response.facts(headers.facts(of: photos)), token: token)
    case .digest(let path):
      channel.send(LibraryProtocol.Response.digest(SHA256.digest(ofFile: path)), token: token)
    case .list(let listing): list(listing)
    case .preview(let folders, let includesHidden):
      for folder in folders {
        outbox.put(.previewed(FolderSamples(reading: folder, includesHidden: includesHidden)))
      }
    case .lookUp(let batch, let indexFolder): walk.lookUp(batch, indexFolder: indexFolder)
    case .check(let paths): check(paths, at: Self.now)
    case .record: exit(1)
    }
  }

  /// Reports the current state of files that the program has changed, and drops the changes
  /// collected for them so far.
  ///
  /// Otherwise the events of that change, which may be unread or in the collector, could be
  /// reported after the program has changed the files again.
  private mutating func check(_ paths: [PhotoPath], at now: Instant) {
    readEvents(at: now)
    let checked = Set(paths)
    collector.forget { checked.contains($0) }
    let given = Set(requests.flatMap(\.roots))
    let hidden = requests.first?.includesHidden == true
    outbox.put(
      .checked(
        paths.compactMap { path in
          EntryKind.change(
            of: path, includesHidden: hidden, isGiven: given.contains(path.path))
        }))
  }

  /// Lists the photos of a request.
  private mutating func list(_ request: ListingRequest) {
    if request.firstRoot == 0 {
      requests = []
      collector = ChangeCollector()
      recheck = FactRecheck()
      walk.useIndex(in: request.indexFolder)
      watch = request.isWatched ? watch ?? FolderWatch() : nil
    }
    requests.append(request)
    let summary = walk.list(request, watch: &watch)
    outbox.put(.listed(summary))
    guard request.isWatched else { return }
    recheck.add(walk.drainIndexedFolders(), request)
    recheckTime = Self.now.advanced(bySeconds: Self.recheckDelay)
  }

  /// Lists everything again, because events were lost or are too many.
  private mutating func listAgain() {
    collector = ChangeCollector()
    for var request in requests {
      request.isRepeated = true
      _ = walk.list(request, watch: &watch)
    }
  }

  // MARK: - Changes

  /// Reads the events of the watched folders.
  private mutating func readEvents(at now: Instant) {
    guard let events = watch?.read() else { return listAgain() }
    for event in events { handle(event, at: now) }
    if collector.isOverwhelmed { listAgain() }
  }

  /// Records the changes of an event.
  private mutating func handle(_ event: FolderWatch.Event, at now: Instant) {
    guard !event.name.isEmpty else {
      if event.isAny(of: IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) {
        handleRemoval(of: event.folder, isMoved: event.isAny(of: IN_MOVE_SELF))
      }
      return
    }
    if event.isAny(of: IN_ISDIR) {
      handleSubfolder(event, at: now)
    } else if Sidecar.isSidecar(event.name) {
      handleSidecar(event, at: now)
    } else if let fileEvent = fileEvent(for: event) {
      let path = event.folder.folder + event.name
      if let root = event.folder.whole?.root {
        collector.record(fileEvent, of: PhotoPath(root: root, path: path), at: now)
      }
      // A file that was given by its path keeps its tile, which shows why the photo is missing.
      if fileEvent == .created(isComplete: false) { return }
      for root in event.folder.files[event.name] ?? [] {
        collector.record(.written, of: PhotoPath(root: root, path: path), at: now)
      }
    }
  }

  /// Records that a sidecar was written or removed.
  private mutating func handleSidecar(_ event: FolderWatch.Event, at now: Instant) {
    guard event.isAny(of: IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM) else { return }
    let path = event.folder.folder + event.name
    if let root = event.folder.whole?.root {
      collector.record(
        .annotated, of: PhotoPath(root: root, path: Sidecar.stem(of: path)), at: now)
    }
    for (name, roots) in event.folder.files {
      let photo = event.folder.folder + name
      guard Sidecar.paths(ofPhoto: photo).contains(path) else { continue }
      for root in roots {
        collector.record(.annotated, of: PhotoPath(root: root, path: photo), at: now)
      }
    }
  }

  /// Reports a removed root; the removal of any other folder is an event of its parent.
  private mutating func handleRemoval(of folder: FolderWatch.Folder, isMoved: Bool) {
    guard let start = folder.whole, start.level == 1 else { return }
    // If the current folder is moved, it stays the current folder.
    if isMoved, start.folder.isEmpty { return }
    removeRoot(start)
  }

  /// Reports a root as lost, and waits for it to be created again.
  private mutating func removeRoot(_ start: FolderWalk.Start) {
    walk.forget(watch?.remove(below: start.folder) ?? [])
    collector.forget(root: start.root, folder: start.folder)
    outbox.put(.lost(root: start.root, .vanished))
    // A new folder at the old path would not be the process's current folder.
    if !start.folder.isEmpty { walk.addRemoved(start) }
  }

  /// Lists the removed roots that exist again.
  private mutating func listRecreatedRoots(at now: Instant) {
    for start in walk.recreated(at: now) {
      guard let request = requests.last(where: { $0.firstRoot <= start.root }) else { continue }
      var summary = ListingSummary()
      walk.list(start, request, &summary, &watch, isUpdate: true)
    }
  }

  /// Handles an event of a subfolder, which is listed or has a tile.
  private mutating func handleSubfolder(_ event: FolderWatch.Event, at now: Instant) {
    guard let parent = event.folder.whole,
      let request = requests.last(where: { $0.firstRoot <= parent.root }),
      event.name.first != 0x2e || request.includesHidden
    else { return }
    if request.namesFolders, !request.isRecursive {
      return recordFolderTile(event, in: parent, at: now)
    }
    guard event.folder.entersSubfolders else { return }
    let start = FolderWalk.Start(
      root: parent.root, folder: parent.folder + event.name + [0x2f], level: parent.level + 1)
    walk.forget(watch?.remove(below: start.folder) ?? [])
    collector.forget(root: start.root, folder: start.folder)
    if event.isAny(of: IN_CREATE | IN_MOVED_TO) {
      var summary = ListingSummary()
      walk.list(start, request, &summary, &watch, isUpdate: true)
    } else if event.isAny(of: IN_DELETE | IN_MOVED_FROM) {
      outbox.put(
        .relisting(ListedFolder(root: start.root, folder: start.folder, isDeep: true)))
      outbox.put(.relisted(isComplete: true))
    }
  }

  /// Records that a folder with a tile appeared, disappeared or was renamed.
  private mutating func recordFolderTile(
    _ event: FolderWatch.Event, in parent: FolderWalk.Start, at now: Instant
  ) {
    let path = PhotoPath(root: parent.root, path: parent.folder + event.name + [0x2f])
    if event.isAny(of: IN_CREATE) {
      collector.record(.created(isComplete: true), of: path, at: now)
    } else if event.isAny(of: IN_DELETE) {
      collector.record(.deleted, of: path, at: now)
    } else if event.isAny(of: IN_MOVED_FROM) {
      collector.record(.movedAway(cookie: event.cookie), of: path, at: now)
    } else if event.isAny(of: IN_MOVED_TO) {
      collector.record(.movedHere(cookie: event.cookie), of: path, at: now)
    }
  }

  /// Returns the event of a photo's file; nil for other files.
  private func fileEvent(for event: FolderWatch.Event) -> ChangeCollector.FileEvent? {
    let isGiven = event.folder.files[event.name] != nil
    if !isGiven, event.name.first == 0x2e, requests.first?.includesHidden != true {
      return nil
    }
    let path = event.folder.folder + event.name
    if event.isAny(of: IN_DELETE) {
      return EntryKind.mayBeImage(event.name) || isGiven ? .deleted : nil
    }
    if event.isAny(of: IN_MOVED_FROM) {
      return EntryKind.mayBeImage(event.name) || isGiven
        ? .movedAway(cookie: event.cookie) : nil
    }
    guard isGiven || EntryKind.isImage(event.name, at: path) else { return nil }
    if event.isAny(of: IN_MOVED_TO) { return .movedHere(cookie: event.cookie) }
    if event.isAny(of: IN_CLOSE_WRITE) { return .written }
    if event.isAny(of: IN_CREATE) { return .created(isComplete: EntryKind.isComplete(path)) }
    return nil
  }

  /// Reports the changes that are due.
  private mutating func reportChanges(at now: Instant) {
    for path in collector.filesToMeasure(at: now) {
      collector.record(size: EntryKind.byteCount(of: path.path), of: path, at: now)
    }
    outbox.put(withoutRemovedRoots(collector.changes(at: now)))
    listRecreatedRoots(at: now)
    for start in walk.polledChanges(at: now) {
      guard let request = requests.last(where: { $0.firstRoot <= start.root }) else { continue }
      walk.relist(start, request)
    }
  }

  /// Drops the changes in roots that were removed as a whole, and reports those roots as lost.
  ///
  /// The kernel reports no removal of a folder that is the current folder of some process.
  private mutating func withoutRemovedRoots(_ changes: [PhotoChange]) -> [PhotoChange] {
    var emptied: Set<Int> = []
    for case .absent(let path) in changes { emptied.insert(path.root) }
    let removed = (watch?.roots ?? []).filter {
      emptied.contains($0.root) && EntryKind.isRemoved($0.folder)
    }
    guard !removed.isEmpty else { return changes }
    removed.forEach { removeRoot($0) }
    let numbers = Set(removed.map(\.root))
    return changes.filter { change in
      if case .absent(let path) = change { !numbers.contains(path.root) } else { true }
    }
  }

  /// The current time.
  static var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}

/// Recording, which goes on until everything that was received is in the index, even if the program has
/// ended.
extension LibraryWorker {
  private static func confineRecorder(of index: IndexFile, _ mode: SandboxMode) {
    // Exceeding the file size limit is then an error, like a full disk, instead of a signal.
    signal(SIGXFSZ, SIG_IGN)
    var confinement = Confinement(mode, endsWithProgram: false)
    index.makeFolder()
    confinement.finish(.library(recordsIn: index.folder))
  }

  private static func record(
    _ request: LibraryProtocol.Request, _ token: UInt32, by writer: IndexWriter, on channel: Channel
  ) {
    guard case .record(let photos, _) = request else { exit(1) }
    let response: LibraryProtocol.Response
    do throws(DatabaseError) {
      response = .recorded(try writer.record(photos))
    } catch {
      response = .recorded(0, failure: error.message)
    }
    channel.offer(response, token: token)
  }
}

/// A buffer of messages to the program, which sends many small ones together.
final class Outbox {
  private let channel: Channel
  private var bytes: [UInt8] = []
  private var lastFlush = LibraryWorker.now
  /// The longest time for which a message is delayed, in seconds.
  private static let delay = 0.01

  init(_ channel: Channel) { self.channel = channel }

  /// Adds a message.
  func put(_ event: ListingEvent) {
    bytes += event.encoded()
    let now = LibraryWorker.now
    // The program waits for this before it opens the terminal, and the next path may hang.
    if case .located = event { return flush() }
    if bytes.count >= ListingEvent.maxBatchLength || now.seconds(since: lastFlush) > Self.delay {
      flush()
    }
  }

  /// Adds a group of changes, in several messages if they are too long for one.
  func put(_ changes: [PhotoChange]) {
    guard !changes.isEmpty else { return }
    var piece: [PhotoChange] = []
    var byteCount = 0
    for change in changes {
      if byteCount + change.byteCount > ListingEvent.maxBatchLength {
        put(.changed(piece, isLast: false))
        piece = []
        byteCount = 0
      }
      piece.append(change)
      byteCount += change.byteCount
    }
    put(.changed(piece, isLast: true))
  }

  /// Sends all messages.
  func flush() {
    guard !bytes.isEmpty else { return }
    channel.send(bytes)
    bytes.removeAll(keepingCapacity: true)
    lastFlush = LibraryWorker.now
  }
}
