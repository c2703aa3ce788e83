import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing

/// Hashes of files by the real reader.
@Suite(.serialized) struct DigestFinderTests {
  @Test func `copies have the same hash, other files another, and missing ones none`() throws {
    let folder = TemporaryFolder()
    let paths = [
      folder.write([1, 2, 3], to: "a"), folder.write([1, 2, 3], to: "b"),
      folder.write([1, 2, 4], to: "c"), Array("/none".utf8),
    ]
    let finder = DigestFinder(executable: try .program()) { paths[$0.index] }
    var digests: [Int: ContentDigest?] = [:]
    let start = now()
    while digests.count < 4, now().seconds(since: start) < 60 {
      finder.setDemands((0..<4).filter { digests[$0] == nil }.map { Photo.ID($0) }, at: now())
      wait(for: finder.pollRequests, until: finder.nextDeadline)
      for update in finder.service(at: now()) { digests[update.photo.index] = .some(update.digest) }
    }
    let found = (0..<4).map { digests[$0] ?? nil }
    #expect(found[0] != nil && found[0] == found[1] && found[2] != nil && found[2] != found[0])
    #expect(digests.count == 4 && found[3] == nil)
    finder.setDemands([], at: now())
    #expect(finder.pollRequests.isEmpty, "its process has ended")
  }
}
