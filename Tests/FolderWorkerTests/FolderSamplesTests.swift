import Foundation
import Geometry
import TestSupport
import Testing
import WorkerProtocol

@testable import FolderWorker

/// The first photos of real folders.
@Suite(.serialized) final class FolderSamplesTests {
  private let temporary = TemporaryFolder()
  private var folder: String { temporary.path }

  private func add(_ names: String...) {
    for name in names {
      let path = "\(folder)/\(name)"
      let above = (path as NSString).deletingLastPathComponent
      try? FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
  }

  private func glance(_ name: String, includesHidden: Bool = false) -> FolderSamples {
    FolderSamples(reading: Array("\(folder)/\(name)".utf8), includesHidden: includesHidden)
  }

  /// The names below the folder.
  private func samples(_ name: String, includesHidden: Bool = false) -> [String] {
    glance(name, includesHidden: includesHidden).samples.map {
      String(decoding: $0.dropFirst(folder.utf8.count + 1), as: UTF8.self)
    }
  }

  @Test func `the first four photos are the preview of a folder`() {
    add(
      "a/10.jpg", "a/9.jpg", "a/notes.txt", "a/b.png", "a/c.png", "a/d.png", "a/.0.jpg", "a/x/0.jpg"
    )
    #expect(samples("a/") == ["a/9.jpg", "a/10.jpg", "a/b.png", "a/c.png"])
    #expect(samples("a/", includesHidden: true).first == "a/.0.jpg")
    add("b/one.jpg")
    #expect(samples("b/") == ["b/one.jpg"], "its own, though there are others below")
  }

  @Test
  func `a folder without photos is previewed by those of its first subfolders, down to a limit`() {
    add("n/2/a.jpg", "n/10/b.jpg", "n/10/c.jpg", "n/.hidden/0.jpg", "deep/1/2/3/4/5/a.jpg")
    #expect(samples("n/") == ["n/2/a.jpg", "n/10/b.jpg", "n/10/c.jpg"])
    #expect(samples("deep/").isEmpty)
  }

  @Test func `an empty folder, a missing one, and a link to itself are harmless`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/e", withIntermediateDirectories: true)
    #expect(glance("e/") == FolderSamples(folder: Array("\(folder)/e/".utf8)))
    #expect(glance("gone/").failure == .vanished)
    add("file")
    #expect(glance("file/").failure != nil)
    symlink(".", "\(folder)/e/loop")
    #expect(glance("e/").samples.isEmpty && glance("e/").failure == nil)
    symlink("self", "\(folder)/self")
    #expect(glance("self/").failure != nil)
  }

  @Test func `only a part of a very large folder is read`() {
    for number in 0..<3000 { add("large/\(number).txt") }
    for number in 0..<3 { add("large/photo\(number).jpg") }
    #expect(glance("large/").samples.count <= 3)
    for number in 0..<40 { add("wide/\(number)/notes.txt") }
    add("wide/39/last.jpg")
    #expect(glance("wide/").samples.isEmpty, "not all folders of a folder are looked into")
  }

  @Test func `a walk lists folders by name, before the photos and in order`() {
    add(
      "w/b/1.jpg", "w/a10/1.jpg", "w/a9/1.jpg", "w/x.jpg", "w/c.jpg/notes", "w/.h/1.jpg", "w/1.jpg")
    symlink("b", "\(folder)/w/link")
    var told: [String] = []
    var walk = FolderWalk { news in
      guard case .found(let batch) = news else { return }
      told += batch.names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
    var watch: FolderWatch?
    var request = ListingRequest(roots: [Array("\(folder)/w".utf8)])
    request.namesFolders = true
    let summary = walk.list(request, watch: &watch)
    #expect(told == ["a9/", "a10/", "b/", "c.jpg/", "link/", "1.jpg", "x.jpg"])
    #expect(!summary.wentDeeper)

    told = []
    walk.relist(
      FolderWalk.Start(root: 0, folder: Array("\(folder)/w/".utf8), level: 1), request)
    #expect(told == ["a9/", "a10/", "b/", "c.jpg/", "link/", "1.jpg", "x.jpg"])
  }
}
