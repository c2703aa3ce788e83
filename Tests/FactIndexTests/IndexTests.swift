import FactIndex
import Foundation
import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

/// What is recorded of photos can be read again, as long as the files stay the same.
@Suite struct IndexTests {
  @Test func `What was recorded is known in the next session`() throws {
    let disk = IndexDisk()
    try disk.write(["a.jpg", "b.jpg", "sub/c.jpg"])
    #expect(try disk.record(["a.jpg", "b.jpg", "sub/c.jpg"]) == 3)
    #expect(disk.known("") == ["a.jpg", "b.jpg"])
    #expect(disk.known("sub/") == ["c.jpg"])
    #expect(disk.known("other/") == [])
  }
}
