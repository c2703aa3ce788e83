import CSQLite
import FactIndex
import Foundation
import PhotoGridCore
import TestSupport
import WorkerProtocol

/// A folder with photos and an index.
struct IndexDisk {
  let folder = TemporaryFolder()
  var cache: [UInt8] { folder.path("cache") }
  var file: IndexFile { IndexFile(folder: cache) }
  var database: String { "\(folder.path)/cache/index.sqlite" }

  init() { file.makeFolder() }

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

  func entry(
    _ name: String, length: Int = 10, modified: Int = 1_600_000_000, camera: String? = "Canon A1"
  ) -> IndexEntry {
    var info = PhotoInfo(
      size: PixelSize(width: 40, height: 30), orientation: 6, format: .jpeg, byteCount: length,
      modified: modified, taken: "2024-05-01T12:30:00", isIncomplete: false)
    var metadata = PhotoMetadata()
    metadata.camera = camera
    metadata.sensitivity = 200
    metadata.aperture = 2.8
    info.metadata = metadata
    return IndexEntry(path: folder.path("photos/\(name)"), info: info)
  }

  @discardableResult
  func record(_ names: [String], sizeLimit: Int64 = IndexWriter.usualSizeLimit) throws -> Int {
    try IndexWriter(file, sizeLimit: sizeLimit).record(names.map { entry($0) })
  }

  /// The contents of a folder's index.
  func contents(_ name: String) -> IndexedFolder? {
    IndexReader(file)?.contents(ofFolder: folder.path("photos/\(name)"))
  }

  /// Records facts, and packs them, as at the end of a session.
  func pack(_ names: [String]) throws {
    let writer = IndexWriter(file)
    _ = try writer.record(names.map { entry($0) })
    writer.close()
  }

  /// Returns the names of a folder's files of which something is in the index, sorted by their
  /// bytes.
  func known(_ name: String) -> [String] {
    guard let contents = contents(name) else { return [] }
    return (0..<contents.count).map { String(decoding: contents.name($0), as: UTF8.self) }.sorted()
  }

  /// Returns the facts of a file.
  func facts(_ name: String, in folder: String = "") -> PackedFacts? {
    var contents = contents(folder)
    return contents?.index(of: Array(name.utf8)[...]).flatMap { contents?.facts($0) }
  }
}

extension IndexDisk {
  /// Changes the database as any program can.
  func execute(_ statements: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(database, &handle) == SQLITE_OK,
      sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK
    else { throw POSIXError(.EIO) }
  }
}
