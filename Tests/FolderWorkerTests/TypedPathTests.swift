import Geometry
import Glibc
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

@testable import FolderWorker

/// Paths that are typed with composed letters, and names on the disk that have decomposed ones.
@Suite struct TypedPathTests {
  private let folder = TemporaryFolder()
  private let composed = "Z\u{fc}rich"
  private let decomposed = "Zu\u{308}rich"

  private func bytes(_ path: String) -> [UInt8] { Array("\(folder.path)/\(path)".utf8) }

  @Test func `a typed path stands for the file with the same letters`() {
    mkdir("\(folder.path)/\(decomposed)", 0o700)
    folder.write([1], to: "\(decomposed)/Caf\u{e9}.jpg")
    #expect(
      TypedPath.existing(bytes("\(composed)/Cafe\u{301}.jpg"))
        == bytes("\(decomposed)/Caf\u{e9}.jpg"))
    #expect(TypedPath.existing(bytes("\(composed)//")) == bytes("\(decomposed)//"))
    // What does not exist stays as it was typed.
    #expect(TypedPath.existing(bytes("\(composed)/n\u{e9}w")) == bytes("\(decomposed)/n\u{e9}w"))
    #expect(TypedPath.existing(bytes("Gen\u{e8}ve/a")) == bytes("Gen\u{e8}ve/a"))
    #expect(TypedPath.existing([0xff, 0xfe]) == [0xff, 0xfe])
    #expect(TypedPath.existing([]) == [])
    // A file that exists is itself, whatever others there are.
    mkdir("\(folder.path)/\(composed)", 0o700)
    #expect(TypedPath.existing(bytes(composed)) == bytes(composed))
  }

  @Test func `a folder is listed, and completed, by other letters than its own`() throws {
    mkdir("\(folder.path)/\(decomposed)", 0o700)
    folder.write(image("card.jpg"), to: "\(decomposed)/a.jpg")
    var found: [[UInt8]] = []
    var walk = FolderWalk { event in
      if case .found(let batch) = event { found.append(batch.folder) }
    }
    var watch: FolderWatch?
    _ = walk.list(ListingRequest(roots: [bytes(composed)]), watch: &watch)
    #expect(found == [bytes(decomposed) + [0x2f]])
    guard case .names(let names, _) = FolderNames.response(to: bytes("Z\u{fc}")) else {
      Issue.record("no names")
      return
    }
    #expect(names == [Array(decomposed.utf8)])
  }
}
