import Geometry
import Glibc
import Photos
import WorkerProtocol

/// Looks for the folders that complete a path while the user types it, and hashes files.
///
/// Each happens in a process of its own, which does one thing at a time and runs only then. Only the latest
/// path counts. No call blocks. Poll `pollRequests` until `nextDeadline`, then call `service(at:)`.
package final class LibraryClient {
  package enum Arrival {
    case folders(FolderMatches)
    case digests([DigestUpdate])
  }

  private struct Query {
    var text: String
    var path: [UInt8]
  }

  private let completing: WorkerPool<LibraryProtocol, Query>
  private let hashing: WorkerPool<LibraryProtocol, Photo.ID>
  private let path: (Photo.ID) -> [UInt8]
  /// The photos whose files are to be hashed.
  private var demands: [Photo.ID] = []
  private var matches: [FolderMatches] = []
  private var digests: [DigestUpdate] = []

  private static let completingTimeout = 5.0
  /// The most seconds for a file, which may be large and on a slow disk.
  private static let hashingTimeout = 120.0

  /// Creates a client that has started no process yet; `path` returns the path of a photo when its
  /// file is read.
  package init(
    executable: WorkerExecutable = .library, path: @escaping (Photo.ID) -> [UInt8]
  ) {
    (completing, hashing) = (WorkerPool(executable), WorkerPool(executable))
    self.path = path
  }

  /// Looks for the folders that complete a path.
  ///
  /// - Parameters:
  ///   - path: The path: bytes without NUL.
  ///   - text: The text that the user typed, which is returned with the folders.
  ///   - now: The current time.
  package func findFolders(_ path: [UInt8], for text: String, at now: Instant) {
    completing.waiting = [Query(text: text, path: path)]
    advance(at: now)
  }

  /// Ends looking for folders.
  package func dropPath() {
    completing.waiting = []
    completing.releaseAll()
  }

  /// Replaces the photos to hash.
  package func setDemands(_ photos: [Photo.ID], at now: Instant) {
    (demands, hashing.waiting) = (photos, [])
    advance(at: now)
  }

  /// Ignores the hash of a file that may have changed meanwhile.
  package func forget(_ photo: Photo.ID) { hashing.markStale { $0 == photo } }

  package func shutDown() {
    dropPath()
    (demands, hashing.waiting) = ([], [])
    hashing.releaseAll()
  }

  package var pollRequests: [pollfd] { completing.pollRequests + hashing.pollRequests }

  package var nextDeadline: Instant? {
    matches.isEmpty && digests.isEmpty
      ? [completing.nextDeadline, hashing.nextDeadline].compactMap(\.self).min()
      : Instant(nanoseconds: 0)
  }

  package func service(at now: Instant) -> [Arrival] {
    let lostPaths = completing.service(at: now) { message, query in
      guard case .names(let names, let isFolder) = message else { return .violation }
      let typeable = names.compactMap { FolderMatches.typeable($0) }.sorted()
      matches.append(FolderMatches(text: query.text, names: typeable, isFolder: isFolder))
      return .finished
    }
    let lostFiles = hashing.service(at: now) { message, photo in
      guard case .digest(let digest) = message else { return .violation }
      digests.append(DigestUpdate(photo, digest))
      return .finished
    }
    for query in lostPaths.compactMap(\.current) { fail(query) }
    for photo in lostFiles.compactMap(\.current) { digests.append(DigestUpdate(photo, nil)) }
    advance(at: now)
    defer { (matches, digests) = ([], []) }
    return matches.map { .folders($0) } + (digests.isEmpty ? [] : [.digests(digests)])
  }

  private func fail(_ query: Query) {
    matches.append(FolderMatches(text: query.text, names: [], isFolder: nil))
  }

  private func advance(at now: Instant) {
    completing.fill(0, at: now) {
      .init(
        request: .complete(path: $0.path), timeout: Self.completingTimeout,
        payloadLimit: LibraryProtocol.Response.maxNamesLength)
    } fail: { query, _ in
      fail(query)
    }
    // What has arrived is still among the demands.
    hashing.fill(0, at: now, next: { digests.isEmpty ? demands.first : nil }) {
      .init(
        request: .digest(path: path($0)), timeout: Self.hashingTimeout,
        payloadLimit: LibraryProtocol.Response.maxDigestLength)
    } fail: { photo, _ in
      digests.append(DigestUpdate(photo, nil))
    }
    if demands.isEmpty, hashing.isIdle { hashing.releaseAll() }
  }
}
