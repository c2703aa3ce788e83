import PhotoGridCore
import WorkerProtocol

/// Gathers what is seen to happen in folders until it is worth telling.
///
/// A value: what was seen goes in with its time, what is to be told comes out. A change is held back
/// for a moment, and longer while more come, so that a burst of them is told as one; a file that
/// is being written is held back until it is complete.
package struct ChangeCollector: Sendable {
  /// What is seen of one name.
  package enum Sighting: Equatable, Sendable {
    /// It appeared; a file that may still be written to is not complete.
    case created(isComplete: Bool)
    /// A file was closed after it was written to.
    case written
    case deleted
    /// It was renamed; the cookie is that of its other half.
    case movedAway(cookie: UInt32)
    case movedHere(cookie: UInt32)
  }

  /// Nothing is told until nothing more was seen for so long, in seconds.
  private static let quiet = 0.05
  /// After so long, in seconds, it is told though more is seen.
  private static let longestDelay = 0.5
  /// How long the halves of a renaming may be apart, in seconds.
  private static let pairing = 0.01
  /// How long a file must not have grown, in seconds, to count as complete though nobody closed it.
  private static let stillness = 2.0
  /// More changes than these at once are not told one by one.
  package static let most = 50_000

  private var changes: [PhotoChange] = []
  /// The last of the changes that is about a name.
  private var lastChange: [PhotoPath: Int] = [:]
  /// Names that were moved away, whose other halves are not there yet.
  private var halves: [UInt32: (path: PhotoPath, time: Instant)] = [:]
  /// The halves of those names.
  private var cookies: [PhotoPath: UInt32] = [:]
  private var unfinished: [PhotoPath: Unfinished] = [:]
  private var firstSeen: Instant?
  private var lastSeen: Instant?

  private struct Unfinished: Sendable {
    var byteCount: Int?
    var since: Instant
  }

  /// A collector that has seen nothing.
  package init() {}

  /// Whether there is more than is worth telling one by one: everything has to be listed again.
  package var isOverwhelmed: Bool { changes.count > Self.most || unfinished.count > Self.most }

  /// Takes what was seen of a photo's name.
  package mutating func saw(_ sighting: Sighting, of path: PhotoPath, at now: Instant) {
    switch sighting {
    case .created(isComplete: false):
      unfinished[path] = Unfinished(byteCount: nil, since: now)
      return
    case .created(isComplete: true), .written:
      unfinished[path] = nil
      vacate(path)
      tell(.present(path))
    case .deleted:
      // What was never told need not be taken back; but another file may have had the name before.
      unfinished[path] = nil
      tell(.absent(path))
    case .movedAway(let cookie):
      unfinished[path] = nil
      halves[cookie] = (path, now)
      cookies[path] = cookie
    case .movedHere(let cookie):
      unfinished[path] = nil
      if let half = halves.removeValue(forKey: cookie) {
        cookies[half.path] = nil
        tell(.renamed(half.path, to: path))
      } else {
        vacate(path)
        tell(.present(path))
      }
    }
    if firstSeen == nil { firstSeen = now }
    lastSeen = now
  }

  /// A name that was moved away is taken again: what had it before is gone from it by now.
  private mutating func vacate(_ path: PhotoPath) {
    guard let cookie = cookies.removeValue(forKey: path),
      halves.removeValue(forKey: cookie) != nil
    else { return }
    tell(.absent(path))
  }

  /// Takes back what was seen at and below a folder, which is gone itself or will be listed anew.
  package mutating func forget(root: Int, folder: [UInt8]) {
    func isInside(_ path: PhotoPath) -> Bool {
      path.root == root && path.path.starts(with: folder)
    }
    unfinished = unfinished.filter { !isInside($0.key) }
    halves = halves.filter { !isInside($0.value.path) }
    cookies = cookies.filter { !isInside($0.key) }
    let kept = changes.filter { change in
      switch change {
      case .present(let path), .absent(let path): !isInside(path)
      case .renamed(let old, let new): !isInside(old) || !isInside(new)
      }
    }
    changes = []
    lastChange = [:]
    for change in kept {
      switch change {
      case .renamed(let old, let new) where isInside(old): tell(.present(new))
      case .renamed(let old, let new) where isInside(new): tell(.absent(old))
      case .renamed, .present, .absent: tell(change)
      }
    }
  }

  // MARK: - Time

  /// When `take` or `growing` have something to do at the latest; nil if nothing is waiting.
  package var deadline: Instant? {
    let check = unfinished.values.map { $0.since.advanced(bySeconds: Self.stillness) }.min()
    return [telling, check].compactMap(\.self).min()
  }

  /// When what was seen is to be told.
  private var telling: Instant? {
    guard let firstSeen, let lastSeen else { return nil }
    return min(
      lastSeen.advanced(bySeconds: Self.quiet), firstSeen.advanced(bySeconds: Self.longestDelay))
  }

  /// What is to be told now, in the order in which it happened.
  package mutating func take(at now: Instant) -> [PhotoChange] {
    guard let telling, telling <= now else { return [] }
    firstSeen = nil
    lastSeen = nil
    for (cookie, half) in halves {
      if now.seconds(since: half.time) < Self.pairing {
        // The other half may be on its way.
        firstSeen = now
        lastSeen = now
      } else {
        halves[cookie] = nil
        cookies[half.path] = nil
        tell(.absent(half.path))
      }
    }
    defer {
      changes = []
      lastChange = [:]
    }
    return changes
  }

  /// The unfinished files that have to be looked at now, since nobody closes them.
  package func growing(at now: Instant) -> [PhotoPath] {
    unfinished.filter { now.seconds(since: $0.value.since) >= Self.stillness }.map(\.key)
  }

  /// Takes the present size of an unfinished file, in bytes; nil where it is gone.
  package mutating func measured(_ path: PhotoPath, _ byteCount: Int?, at now: Instant) {
    guard let before = unfinished[path] else { return }
    guard let byteCount else {
      unfinished[path] = nil
      return
    }
    if before.byteCount == byteCount {
      saw(.written, of: path, at: now)
    } else {
      unfinished[path] = Unfinished(byteCount: byteCount, since: now)
    }
  }

  // MARK: - Telling

  /// Adds a change; that a name is there, or not, replaces what was last said of that name alone.
  private mutating func tell(_ change: PhotoChange) {
    switch change {
    case .present(let path), .absent(let path):
      if let index = lastChange[path], !changes[index].isRenaming {
        changes[index] = change
        return
      }
      lastChange[path] = changes.count
    case .renamed(let old, let new):
      lastChange[old] = changes.count
      lastChange[new] = changes.count
    }
    changes.append(change)
  }
}

extension PhotoChange {
  fileprivate var isRenaming: Bool {
    if case .renamed = self { true } else { false }
  }
}
