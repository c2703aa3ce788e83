import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing

/// Hashes of files, and completed paths, by the real process.
@Suite(.serialized) struct LibraryClientTests {
  @Test func `copies have the same hash, other files another, and missing ones none`() throws {
    let folder = TemporaryFolder()
    let paths = [
      folder.write([1, 2, 3], to: "a"), folder.write([1, 2, 3], to: "b"),
      folder.write([1, 2, 4], to: "c"), Array("/none".utf8),
    ]
    let client = LibraryClient(executable: try .program()) { paths[$0.index] }
    var digests: [Int: ContentDigest?] = [:]
    let start = now()
    while digests.count < 4, now().seconds(since: start) < 60 {
      client.setDemands((0..<4).filter { digests[$0] == nil }.map { Photo.ID($0) }, at: now())
      wait(for: client.pollRequests, until: client.nextDeadline)
      for case .digests(let updates) in client.service(at: now()) {
        for update in updates { digests[update.photo.index] = .some(update.digest) }
      }
    }
    let found = (0..<4).map { digests[$0] ?? nil }
    #expect(found[0] != nil && found[0] == found[1] && found[2] != nil && found[2] != found[0])
    #expect(digests.count == 4 && found[3] == nil)
    client.setDemands([], at: now())
    #expect(client.pollRequests.isEmpty, "its process has ended")
  }

  @Test func `of paths that are typed while one is completed, only the latest is`() throws {
    let folder = TemporaryFolder()
    for name in ["apples", "apricots", "plums"] { mkdir("\(folder.path)/\(name)", 0o700) }
    let client = LibraryClient(executable: try .program()) { _ in [] }
    for text in ["p", "a", "ap"] {
      client.findFolders(Array("\(folder.path)/\(text)".utf8), for: text, at: now())
    }

    var found: [FolderMatches] = []
    let start = now()
    while found.last?.text != "ap", now().seconds(since: start) < 60 {
      wait(for: client.pollRequests, until: client.nextDeadline)
      for case .folders(let matches) in client.service(at: now()) { found.append(matches) }
    }
    #expect(found.map(\.text) == ["p", "ap"])
    #expect(found.map(\.names) == [["plums"], ["apples", "apricots"]])
    client.dropPath()
    #expect(client.pollRequests.isEmpty, "its process has ended")
  }
}
