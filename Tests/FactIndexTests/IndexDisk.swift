import CSQLite
import FactIndex
import Foundation
import Geometry
import PhotoLibrary
import Photos
import TestSupport
import WorkerProtocol
import WorkerRuntime

/// A folder with photos and an index.
struct IndexDisk {
  let folder = TemporaryFolder()
  /// The name of the folder with the index.
  private let name: String
  var cache: [UInt8] { folder.path(name) }
  var file: IndexFile { IndexFile(folder: cache) }
  var database: String { "\(folder.path)/\(name)/index.sqlite" }

  init(cache name: String = "cache") {
    self.name = name
    file.makeFolder()
  }

  /// Writes files that changed long ago.
  func write(_ names: [String], length: Int = 10) throws {
    for name in names {
      folder.write(Array(repeating: 7, count: length), to: "photos/\(name)")
      try age("photos/\(name)")
    }
  }

  /// Sets the time of a file's last change.
  func age(_ path: String, to seconds: Int = 1_600_000_000) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(seconds))],
      ofItemAtPath: "\(folder.path)/\(path)")
  }

  /// A photo, with what its file says.
  struct Entry {
    var path: [UInt8]
    var info: PhotoInfo
  }

  /// Returns what a file says in its present state.
  func entry(_ name: String, camera: String? = "Canon A1") -> Entry {
    let path = folder.path("photos/\(name)")
    var metadata = PhotoMetadata()
    metadata.camera = camera
    metadata.sensitivity = 200
    metadata.aperture = 2.8
    return Entry(
      path: path,
      info: PhotoInfo(
        size: PixelSize(width: 40, height: 30), orientation: 6, format: .jpeg,
        stamp: FileStamp(of: path) ?? FileStamp(byteCount: 10, modified: 0, identity: 7),
        taken: TakenTime(iso8601: "2024-05-01T12:30:00"), metadata: metadata))
  }

  /// Returns what is recorded about the hash of a file's picture, nil if it has none.
  func hashed(_ name: String, _ hash: UInt64?) -> PhotoBatch {
    let path = folder.path("photos/\(name)")
    var row = PackedInfo()
    row.stamp = FileStamp(of: path) ?? FileStamp(byteCount: 10, modified: 0, identity: 7)
    row.setHash(hash.map { DifferenceHash(bits: $0) })
    return PhotoBatch(path) { $0.append(row, hash: hash.map { DifferenceHash(bits: $0) }) }
  }

  /// Returns what is recorded about a photo's rating.
  func rated(_ name: String, _ rating: Rating, stamp: UInt64) -> PhotoBatch {
    var row = PackedInfo()
    row.rating = rating
    return PhotoBatch(folder.path("photos/\(name)")) { $0.append(row, ratingStamp: stamp) }
  }

  @discardableResult
  func record(_ names: [String], sizeLimit: Int64 = IndexWriter.usualSizeLimit) throws -> Int {
    try record(names.map { entry($0) }, sizeLimit: sizeLimit)
  }

  /// Records photos, those of one folder after the other, as at the end of a session.
  @discardableResult
  func record(_ entries: [Entry], sizeLimit: Int64 = IndexWriter.usualSizeLimit) throws -> Int {
    let writer = IndexWriter(file, sizeLimit: sizeLimit)
    let count = try writer.record(entries)
    try writer.write()
    return count
  }

  /// Records what is known of photos, as at the end of a session.
  func record(_ photos: PhotoBatch) throws -> Int {
    let writer = IndexWriter(file)
    let count = try writer.record(photos)
    try writer.write()
    return count
  }

  /// The contents of a folder's index.
  func contents(_ name: String) -> IndexedFolder? {
    IndexReader(file, asOwner: true)?.contents(ofFolder: folder.path("photos/\(name)"))
  }

  /// Returns the names of a folder's files of which something is in the index, sorted by their
  /// bytes.
  func known(_ name: String) -> [String] {
    guard let contents = contents(name) else { return [] }
    return (0..<contents.count).map { String(decoding: contents.name($0), as: UTF8.self) }.sorted()
  }

  /// Returns the bits of a picture's hash; nil if it has none, or none is known.
  func hash(_ name: String) -> UInt64? {
    var contents = contents("")
    return contents?.index(of: Array(name.utf8)[...]).flatMap { contents?.hash($0)?.bits }
  }

  /// Returns the facts of a file.
  func facts(_ name: String, in folder: String = "") -> PackedInfo? {
    var contents = contents(folder)
    return contents?.index(of: Array(name.utf8)[...]).flatMap { contents?.facts($0) }
  }
}

extension IndexDisk {
  /// Changes the database as any program can.
  func execute(_ statements: String) throws {
    try withDatabase { handle in
      guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
        throw POSIXError(.EIO)
      }
    }
  }

  private func withDatabase<Result>(_ body: (OpaquePointer?) throws -> Result) throws -> Result {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(database, &handle) == SQLITE_OK else { throw POSIXError(.EIO) }
    return try body(handle)
  }
}

extension PhotoBatch {
  /// Creates a batch of one photo, with what is known of it.
  fileprivate init(_ path: [UInt8], _ append: (inout InfoBlock) -> Void) {
    self.init(root: 0, path: path)
    var block = InfoBlock()
    append(&block)
    facts = block
  }
}

extension IndexWriter {
  /// Records photos, those of one folder after the other.
  func record(_ entries: [IndexDisk.Entry]) throws -> Int {
    var (count, rest) = (0, entries[...])
    for var photos in PhotoBatch.batches(of: entries.map(\.path)) {
      photos.facts = InfoBlock(rest.prefix(photos.count).map(\.info))
      rest = rest.dropFirst(photos.count)
      count += try record(photos)
    }
    return count
  }
}

extension FactRecorder {
  /// Records what is waiting, without a pause for more facts; gives up after 90 seconds.
  func recordAll(clock: () -> Instant) {
    let end = clock().advanced(bySeconds: 90)
    while !isIdle, clock() < end {
      // Half a second later, so that the recorder does not wait for more facts.
      advance(at: clock().advanced(bySeconds: 0.5))
      var requests = pollRequests
      poll(&requests, nfds_t(requests.count), 20)
    }
  }
}
