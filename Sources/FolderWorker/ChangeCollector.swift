import Geometry
import WorkerProtocol

/// Collects the events of files and turns them into changes of photos.
///
/// A pure value: events are recorded with their times, and `changes(at:)` returns what to report.
/// Changes are delayed for a moment so that a burst of events becomes one report, and a file that
/// is being written is delayed until it is complete.
///
///     collector.record(.created(isComplete: false), of: photo, at: now)  // a copy begins
///     collector.record(.written, of: photo, at: now)                     // and ends
///     collector.changes(at: now.advanced(bySeconds: 0.1))                // [.present(photo)]
struct ChangeCollector: Sendable {
  /// An event of a file or folder.
  enum FileEvent: Equatable, Sendable {
    /// The file appeared; it is incomplete if a program may still write to it.
    case created(isComplete: Bool)
    /// A program closed the file after writing to it.
    case written
    case deleted
    /// The file was renamed from this name; the other event of the rename has the same cookie.
    case movedAway(cookie: UInt32)
    /// The file was renamed to this name.
    case movedHere(cookie: UInt32)
    /// A sidecar of the file was written or removed.
    case annotated
  }

  /// The time without an event after which changes are reported, in seconds.
  private static let quietTime = 0.05
  /// The time after which changes are reported even while events continue, in seconds.
  private static let maxDelay = 0.5
  /// The longest time between the two events of a rename, in seconds: the process that renames, or
  /// this one, may wait for a processor between them.
  private static let renameTimeout = 0.3
  /// The time at the same size after which a file that no program closes counts as complete, in
  /// seconds.
  private static let stableTime = 2.0
  /// The most changes that are reported one by one.
  static let maxCount = 50_000

  private var changes: [PhotoChange] = []
  /// The index of the last change of each path.
  private var lastChange: [PhotoPath: Int] = [:]
  /// The paths of renamed files whose new names are not known yet, by their cookies.
  private var pendingRenames: [UInt32: (path: PhotoPath, time: Instant)] = [:]
  /// The cookies of `pendingRenames`, by path.
  private var cookies: [PhotoPath: UInt32] = [:]
  /// Files that a program may still be writing.
  private var incomplete: [PhotoPath: Incomplete] = [:]
  private var firstEventTime: Instant?
  private var lastEventTime: Instant?

  /// The size of a file in bytes when it was last measured, and when it was first seen at that
  /// size.
  private struct Incomplete: Sendable {
    var byteCount: Int?
    var since: Instant
  }

  /// Creates a collector without events.
  init() {}

  /// Whether there are too many changes to report one by one, so everything must be listed again.
  var isOverwhelmed: Bool {
    changes.count > Self.maxCount || incomplete.count > Self.maxCount
  }

  /// Records an event of a photo's file.
  mutating func record(_ event: FileEvent, of path: PhotoPath, at now: Instant) {
    switch event {
    case .created(isComplete: false):
      incomplete[path] = Incomplete(byteCount: nil, since: now)
      return
    case .created(isComplete: true), .written:
      incomplete[path] = nil
      resolvePendingRename(of: path)
      add(.present(path))
    case .annotated: add(.annotated(path))
    case .deleted:
      // Added even for a file that was never reported: an earlier one may have had the same name.
      incomplete[path] = nil
      add(.absent(path))
    case .movedAway(let cookie):
      incomplete[path] = nil
      pendingRenames[cookie] = (path, now)
      cookies[path] = cookie
    case .movedHere(let cookie):
      incomplete[path] = nil
      if let old = pendingRenames.removeValue(forKey: cookie) {
        cookies[old.path] = nil
        add(.renamed(old.path, to: path))
      } else {
        resolvePendingRename(of: path)
        add(.present(path))
      }
    }
    if firstEventTime == nil { firstEventTime = now }
    lastEventTime = now
  }

  /// Reports a renamed file as absent when another file takes its old name.
  private mutating func resolvePendingRename(of path: PhotoPath) {
    guard let cookie = cookies.removeValue(forKey: path),
      pendingRenames.removeValue(forKey: cookie) != nil
    else { return }
    add(.absent(path))
  }

  /// Drops the changes at and below a folder that was removed or will be listed again.
  ///
  /// - Parameters:
  ///   - root: The index of the folder's root.
  ///   - folder: The path of the folder, which ends with a slash; empty for the current folder.
  mutating func forget(root: Int, folder: [UInt8]) {
    func isInside(_ path: PhotoPath) -> Bool {
      path.root == root && path.path.starts(with: folder)
    }
    changes.removeAll { if case .annotated(let path) = $0 { isInside(path) } else { false } }
    forget(isInside)
  }

  /// Drops the changes of files that match a condition, but keeps the changes of their sidecars.
  mutating func forget(_ isForgotten: (PhotoPath) -> Bool) {
    incomplete = incomplete.filter { !isForgotten($0.key) }
    pendingRenames = pendingRenames.filter { !isForgotten($0.value.path) }
    cookies = cookies.filter { !isForgotten($0.key) }
    let kept = changes.compactMap { $0.leavingOut(isForgotten) }
    changes = []
    lastChange = [:]
    for change in kept { add(change) }
  }

  // MARK: - Time

  /// The next time at which `changes(at:)` or `filesToMeasure(at:)` may have a result; nil if
  /// nothing is pending.
  var deadline: Instant? {
    let check = incomplete.values.map { $0.since.advanced(bySeconds: Self.stableTime) }.min()
    return [reportTime, check].compactMap(\.self).min()
  }

  /// When the changes so far are reported.
  private var reportTime: Instant? {
    guard let firstEventTime, let lastEventTime else { return nil }
    return min(
      lastEventTime.advanced(bySeconds: Self.quietTime),
      firstEventTime.advanced(bySeconds: Self.maxDelay))
  }

  /// Removes and returns the changes to report now, in the order of their events.
  mutating func changes(at now: Instant) -> [PhotoChange] {
    guard let reportTime, reportTime <= now else { return [] }
    firstEventTime = nil
    lastEventTime = nil
    for (cookie, old) in pendingRenames {
      if now.seconds(since: old.time) < Self.renameTimeout {
        // The event with the new name may still arrive.
        firstEventTime = now
        lastEventTime = now
      } else {
        pendingRenames[cookie] = nil
        cookies[old.path] = nil
        add(.absent(old.path))
      }
    }
    defer {
      changes = []
      lastChange = [:]
    }
    return changes
  }

  /// Returns the incomplete files whose sizes must be measured now, since no program has closed
  /// them.
  func filesToMeasure(at now: Instant) -> [PhotoPath] {
    incomplete.filter { now.seconds(since: $0.value.since) >= Self.stableTime }.map(\.key)
  }

  /// Records the size of an incomplete file, in bytes; nil if the file no longer exists.
  mutating func record(size byteCount: Int?, of path: PhotoPath, at now: Instant) {
    guard let before = incomplete[path] else { return }
    guard let byteCount else {
      incomplete[path] = nil
      return
    }
    if before.byteCount == byteCount {
      record(.written, of: path, at: now)
    } else {
      incomplete[path] = Incomplete(byteCount: byteCount, since: now)
    }
  }

  /// Adds a change; it replaces the last change of the same path, unless that was a rename.
  private mutating func add(_ change: PhotoChange) {
    switch change {
    case .present(let path), .absent(let path):
      if let index = lastChange[path], !changes[index].isRenaming {
        changes[index] = change
        return
      }
      lastChange[path] = changes.count
    case .annotated:
      // Kept beside a change of the photo, which is often written at the same time.
      guard changes.last != change else { return }
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
