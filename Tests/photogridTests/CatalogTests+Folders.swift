import Geometry
import PhotoLibrary
import Testing
import WorkerProtocol

@testable import photogrid

/// Folders: listed again, as items of the listing, and left for others.
extension CatalogTests {
  // MARK: - Listing again

  @Test func `a second listing applies the differences`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.find("p/a/", ["4.jpg"])
    story.find("p/b/", ["5.jpg"])
    let before = story.catalog.listing
    _ = story.catalog.drainUpdates()

    story.relist(
      "p/",
      [
        ("p/", ["0.jpg", "2.jpg", "3.jpg", "9.jpg"]), ("p/b/", ["5.jpg"]), ("p/c/", ["6.jpg"]),
      ])

    #expect(
      story.paths == ["p/0.jpg", "p/2.jpg", "p/3.jpg", "p/9.jpg", "p/b/5.jpg", "p/c/6.jpg"])
    #expect(story.photo("p/3.jpg") == before[2])
    #expect(story.photo("p/b/5.jpg") == before[4])
    #expect(story.catalog.drainUpdates().isRearranged)
  }

  @Test func `a second listing without differences changes nothing`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg"])
    _ = story.catalog.drainUpdates()
    story.relist("p/", [("p/", ["1.jpg", "2.jpg"])])
    let news = story.catalog.drainUpdates()
    #expect(!news.isRearranged && news.appended.isEmpty && news.changed.isEmpty)
  }

  @Test func `photos of an unreadable folder are not removed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.relist("p/", isComplete: false, [("p/", ["2.jpg", "4.jpg"])])
    #expect(story.paths == ["p/1.jpg", "p/2.jpg", "p/3.jpg", "p/4.jpg"])
  }

  @Test func `a second listing changes only its own folder`() {
    var story = Story()
    story.find("p/", ["1.jpg"])
    story.find("p/a/", ["2.jpg"])
    story.find("p/a/deep/", ["3.jpg"])
    story.find("p/ab/", ["4.jpg"])
    story.relist("p/a/", isDeep: false, [("p/a/", ["0.jpg"])])
    #expect(story.paths == ["p/1.jpg", "p/a/0.jpg", "p/a/deep/3.jpg", "p/ab/4.jpg"])
    story.relist("p/a/", [])
    #expect(story.paths == ["p/1.jpg", "p/ab/4.jpg"])
    story.relist("p/", isDeep: false, [])
    #expect(story.paths == ["p/ab/4.jpg"])
  }

  // MARK: - Folders

  @Test func `folders come before photos, and keep their IDs when renamed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "3.jpg"])
    story.find("p/", ["b/", "a/"].sorted())
    #expect(story.paths == ["p/a/", "p/b/", "p/1.jpg", "p/3.jpg"])
    let a = story.photo("p/a/")
    story.change(.renamed(path("p/a/"), to: path("p/c/")), .present(path("p/2.jpg")))
    #expect(story.paths == ["p/b/", "p/c/", "p/1.jpg", "p/2.jpg", "p/3.jpg"])
    #expect(story.photo("p/c/") == a)
    story.relist("p/", [("p/", ["c/", "d/", "1.jpg"])])
    #expect(story.paths == ["p/c/", "p/d/", "p/1.jpg"] && story.photo("p/c/") == a)
    story.change(.absent(path("p/d/")))
    #expect(story.paths == ["p/c/", "p/1.jpg"])
  }

  @Test func `a photo has the same ID in every listing of its folder`() {
    var story = Story()
    story.find("p/", ["a/", "1.jpg"])
    let sample = story.catalog.previewedPhoto(at: Array("p/a/2.jpg".utf8))
    #expect(sample == story.catalog.previewedPhoto(at: Array("p/a/2.jpg".utf8)))
    let before = story.catalog.listing

    #expect(!story.catalog.isKnown(Array("p/a/".utf8)))
    story.catalog.move(from: Array("p/".utf8), to: Array("p/a/".utf8))
    #expect(story.catalog.listing.isEmpty)
    story.find("p/a/", ["1.jpg", "2.jpg", "10.jpg"])
    #expect(story.paths == ["p/a/1.jpg", "p/a/2.jpg", "p/a/10.jpg"])
    #expect(story.photo("p/a/2.jpg") == sample)

    #expect(story.catalog.isKnown(Array("p/".utf8)))
    story.catalog.move(from: Array("p/a/".utf8), to: Array("p/".utf8))
    #expect(story.catalog.listing == before)
    story.relist("p/", [("p/", ["a/", "0.jpg"])])
    #expect(story.paths == ["p/a/", "p/0.jpg"])
    #expect(Set(story.catalog.listing).count == 2)

    // With subfolders, the same photos are listed below another folder.
    story.catalog.move(from: Array("p/".utf8), to: [])
    story.find("p/a/", ["2.jpg"], root: 3)
    #expect(story.catalog.listing.first == sample)
    #expect(sample.map { story.index.table.path(of: $0) } == path("p/a/2.jpg", root: 3))
    // The listing of several roots is not remembered.
    story.catalog.move(from: [0], to: Array("p/a/".utf8))
    #expect(!story.catalog.isKnown([0]))
  }
}
