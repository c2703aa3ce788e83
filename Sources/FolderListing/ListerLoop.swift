import Glibc
import PhotoGridCore
import WorkerEnd
import WorkerProtocol

/// The process that looks through folders and watches them, so that a disk that hangs holds up
/// nothing else.
package struct ListerLoop {
  private let outbox: Outbox
  private let channel: Channel
  private var reader = MessageReader<Request>()
  private var walk: FolderWalk
  private var watch: FolderWatch?
  private var collector = ChangeCollector()
  /// What was asked for, in its pieces.
  private var requests: [ListingRequest] = []

  /// A lister at the worker's end of a socket pair.
  package init(_ descriptor: Int32) {
    let outbox = Outbox(Channel(descriptor))
    self.outbox = outbox
    channel = Channel(descriptor)
    walk = FolderWalk { outbox.put($0) }
  }

  /// Never returns: the end of the requests is the end of the process.
  package mutating func run() -> Never {
    channel.send(Response.hello(.current).encoded())
    while true {
      let now = Self.now
      let deadline = [collector.deadline, walk.poller.deadline].compactMap(\.self).min()
      let milliseconds = deadline.map { Int32(max($0.seconds(since: now), 0) * 1000) + 1 } ?? -1
      var polled = [
        pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      poll(&polled, nfds_t(polled.count), milliseconds)
      if polled[0].revents != 0 { receive() }
      if polled[1].revents != 0 { see(at: Self.now) }
      tell(at: Self.now)
      outbox.flush()
    }
  }

  // MARK: - Requests

  private mutating func receive() {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = channel.receive(into: &piece)
    guard count > 0 else { exit(0) }
    piece.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    do throws(ProtocolError) {
      while let request = try reader.next() {
        switch request {
        case .list(let listing): list(listing)
        case .glance(let folders, let includesHidden):
          for folder in folders {
            outbox.put(.glanced(FolderGlance(into: folder, includesHidden: includesHidden)))
          }
        default: exit(1)
        }
      }
    } catch {
      exit(1)
    }
  }

  private mutating func list(_ request: ListingRequest) {
    if request.firstRoot == 0 {
      requests = []
      collector = ChangeCollector()
      watch = request.isWatched ? watch ?? FolderWatch() : nil
    }
    requests.append(request)
    let summary = walk.list(request, watch: &watch)
    outbox.put(.listed(summary))
  }

  /// Lists everything again, since not all that happened is known.
  private mutating func listAgain() {
    collector = ChangeCollector()
    for var request in requests {
      request.isRepeated = true
      _ = walk.list(request, watch: &watch)
    }
  }

  // MARK: - Changes

  /// Takes what has happened in the watched folders.
  private mutating func see(at now: Instant) {
    guard let happenings = watch?.read() else { return listAgain() }
    for happening in happenings { see(happening, at: now) }
    if collector.isOverwhelmed { listAgain() }
  }

  private mutating func see(_ happening: FolderWatch.Happening, at now: Instant) {
    guard !happening.name.isEmpty else {
      if happening.isAny(of: IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) {
        lose(happening.folder, isMoved: happening.isAny(of: IN_MOVE_SELF))
      }
      return
    }
    if happening.isAny(of: IN_ISDIR) {
      seeFolder(happening, at: now)
    } else if let sighting = sighting(of: happening) {
      let path = happening.folder.folder + happening.name
      if let root = happening.folder.whole?.root {
        collector.saw(sighting, of: PhotoPath(root: root, path: path), at: now)
      }
      // A photo that was named itself keeps its tile, which says what became of it.
      if sighting == .created(isComplete: false) { return }
      for root in happening.folder.files[happening.name] ?? [] {
        collector.saw(.written, of: PhotoPath(root: root, path: path), at: now)
      }
    }
  }

  /// A root that is gone; what is gone below one is told by its parent.
  private mutating func lose(_ folder: FolderWatch.Folder, isMoved: Bool) {
    guard let start = folder.whole, start.level == 1 else { return }
    // The current folder goes with the process wherever it is moved.
    if isMoved, start.folder.isEmpty { return }
    lose(start)
  }

  private mutating func lose(_ start: FolderWalk.Start) {
    walk.forget(watch?.remove(below: start.folder) ?? [])
    collector.forget(root: start.root, folder: start.folder)
    outbox.put(.lost(root: start.root, .vanished))
    // The current folder is another one when it is made again.
    if !start.folder.isEmpty { walk.expect(start) }
  }

  /// Lists what is in folders that are back.
  private mutating func welcome(at now: Instant) {
    for start in walk.returned(at: now) {
      guard let request = requests.last(where: { $0.firstRoot <= start.root }) else { continue }
      var summary = ListingSummary()
      walk.list(start, request, &summary, &watch, isUpdate: true)
    }
  }

  private mutating func seeFolder(_ happening: FolderWatch.Happening, at now: Instant) {
    guard let parent = happening.folder.whole,
      let request = requests.last(where: { $0.firstRoot <= parent.root }),
      happening.name.first != 0x2e || request.includesHidden
    else { return }
    if request.namesFolders, !request.isRecursive { return seeTile(happening, in: parent, at: now) }
    guard happening.folder.entersSubfolders else { return }
    let start = FolderWalk.Start(
      root: parent.root, folder: parent.folder + happening.name + [0x2f], level: parent.level + 1)
    walk.forget(watch?.remove(below: start.folder) ?? [])
    collector.forget(root: start.root, folder: start.folder)
    if happening.isAny(of: IN_CREATE | IN_MOVED_TO) {
      var summary = ListingSummary()
      walk.list(start, request, &summary, &watch, isUpdate: true)
    } else if happening.isAny(of: IN_DELETE | IN_MOVED_FROM) {
      outbox.put(
        .relisting(ListedPlace(root: start.root, folder: start.folder, isDeep: true)))
      outbox.put(.relisted(isComplete: true))
    }
  }

  /// A folder that is told by its name came, went or has another name.
  private mutating func seeTile(
    _ happening: FolderWatch.Happening, in parent: FolderWalk.Start, at now: Instant
  ) {
    let path = PhotoPath(root: parent.root, path: parent.folder + happening.name + [0x2f])
    if happening.isAny(of: IN_CREATE) {
      collector.saw(.created(isComplete: true), of: path, at: now)
    } else if happening.isAny(of: IN_DELETE) {
      collector.saw(.deleted, of: path, at: now)
    } else if happening.isAny(of: IN_MOVED_FROM) {
      collector.saw(.movedAway(cookie: happening.cookie), of: path, at: now)
    } else if happening.isAny(of: IN_MOVED_TO) {
      collector.saw(.movedHere(cookie: happening.cookie), of: path, at: now)
    }
  }

  /// What a happening means for a photo; nil for names that are none.
  private func sighting(of happening: FolderWatch.Happening) -> ChangeCollector.Sighting? {
    let isNamed = happening.folder.files[happening.name] != nil
    if !isNamed, happening.name.first == 0x2e, requests.first?.includesHidden != true {
      return nil
    }
    let path = happening.folder.folder + happening.name
    if happening.isAny(of: IN_DELETE) {
      return FoundName.mayBeImage(happening.name) || isNamed ? .deleted : nil
    }
    if happening.isAny(of: IN_MOVED_FROM) {
      return FoundName.mayBeImage(happening.name) || isNamed
        ? .movedAway(cookie: happening.cookie) : nil
    }
    guard isNamed || FoundName.isImage(happening.name, at: path) else { return nil }
    if happening.isAny(of: IN_MOVED_TO) { return .movedHere(cookie: happening.cookie) }
    if happening.isAny(of: IN_CLOSE_WRITE) { return .written }
    if happening.isAny(of: IN_CREATE) { return .created(isComplete: FoundName.isComplete(path)) }
    return nil
  }

  /// Tells what has come to rest.
  private mutating func tell(at now: Instant) {
    for path in collector.growing(at: now) {
      collector.measured(path, FoundName.byteCount(of: path.path), at: now)
    }
    outbox.put(withoutLostRoots(collector.take(at: now)))
    welcome(at: now)
    for start in walk.polledChanges(at: now) {
      guard let request = requests.last(where: { $0.firstRoot <= start.root }) else { continue }
      walk.relist(start, request)
    }
  }

  /// Drops what happened in roots that are gone as a whole.
  ///
  /// The kernel does not tell of the end of a folder that is some process's current one.
  private mutating func withoutLostRoots(_ changes: [PhotoChange]) -> [PhotoChange] {
    var emptied: Set<Int> = []
    for case .absent(let path) in changes { emptied.insert(path.root) }
    let lost = (watch?.roots ?? []).filter {
      emptied.contains($0.root) && FoundName.isGone($0.folder)
    }
    guard !lost.isEmpty else { return changes }
    lost.forEach { lose($0) }
    let numbers = Set(lost.map(\.root))
    return changes.filter { change in
      if case .absent(let path) = change { !numbers.contains(path.root) } else { true }
    }
  }

  fileprivate static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// Messages on their way to the program, many small ones in one piece.
private final class Outbox {
  private let channel: Channel
  private var bytes: [UInt8] = []
  private var lastFlush = ListerLoop.now
  /// No message waits longer than this for others, in seconds.
  private static let patience = 0.01

  init(_ channel: Channel) { self.channel = channel }

  func put(_ news: FolderNews) {
    bytes += Response.folder(news).encoded()
    let now = ListerLoop.now
    if bytes.count >= FolderNews.longestBatch || now.seconds(since: lastFlush) > Self.patience {
      flush()
    }
  }

  /// Changes that belong together, in messages of bearable length.
  func put(_ changes: [PhotoChange]) {
    guard !changes.isEmpty else { return }
    var piece: [PhotoChange] = []
    var byteCount = 0
    for change in changes {
      if byteCount + change.byteCount > FolderNews.longestBatch {
        put(.changed(piece, isLast: false))
        piece = []
        byteCount = 0
      }
      piece.append(change)
      byteCount += change.byteCount
    }
    put(.changed(piece, isLast: true))
  }

  func flush() {
    guard !bytes.isEmpty else { return }
    channel.send(bytes)
    bytes.removeAll(keepingCapacity: true)
    lastFlush = ListerLoop.now
  }
}
