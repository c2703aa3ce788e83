import FactIndex
import Foundation
import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

/// Facts that were packed at the end of a session are the same as before, and in the order of a
/// listing.
@Suite struct PackTests {
  private static func names(_ count: Int) -> [String] { (0..<count).map { "IMG_\($0).jpg" } }

  @Test(arguments: [1, 300, 9000])
  func `packed facts are those that were recorded`(count: Int) throws {
    let disk = IndexDisk()
    let names = Self.names(count)
    try disk.write(names)
    try disk.record(names)
    var recorded = try #require(disk.contents(""))
    let before = names.map { recorded.fact(of: $0) }
    try disk.pack(names)

    var contents = try #require(disk.contents(""))
    #expect(contents.sortedCount == count)
    #expect(names.map { contents.fact(of: $0) } == before)
    for (place, name) in names.enumerated() {
      try #require(contents.index(of: Array(name.utf8)[...]) == place)
    }
    #expect(contents.stamp(0) == FileStamp(of: disk.folder.path("photos/\(names[0])")))
    #expect(contents.pools.camera.text(contents.facts(0).camera) == "Canon A1")
    #expect(try IndexWriter(disk.file).clear() == count)
  }
}

extension IndexedFolder {
  /// Returns the facts of a file.
  fileprivate mutating func fact(of name: String) -> PackedFacts? {
    index(of: Array(name.utf8)[...]).map { facts($0) }
  }
}
