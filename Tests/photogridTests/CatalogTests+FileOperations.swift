import PhotoLibrary
import Photos
import Testing
import WorkerProtocol

@testable import photogrid

/// File operations: photos that this program trashes, restores and renames.
extension CatalogTests {
  @Test func `a trashed photo is removed at once, and the report of the lister changes nothing`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    _ = story.catalog.drainUpdates()
    story.catalog.removeMoved([Photo.ID(1)])
    #expect(story.paths == ["p/1.jpg", "p/3.jpg"] && story.catalog.drainUpdates().isRearranged)
    story.catalog.removeMoved([Photo.ID(1)])
    story.change(.absent(path("p/2.jpg")))
    #expect(story.paths == ["p/1.jpg", "p/3.jpg"] && !story.catalog.drainUpdates().isRearranged)

    story.catalog.insertRestored([Photo.ID(1)])
    #expect(story.catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(story.catalog.drainUpdates().isRearranged)
    story.change(.present(path("p/2.jpg")))
    #expect(story.catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(!story.catalog.drainUpdates().isRearranged)
  }

  @Test func `if the lister reports an operation first, the operation's result changes nothing`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.change(.absent(path("p/2.jpg")))
    story.catalog.removeMoved([Photo.ID(1)])
    #expect(story.paths == ["p/1.jpg", "p/3.jpg"])
    story.change(.present(path("p/2.jpg")))
    #expect(story.photo("p/2.jpg") == Photo.ID(3), "it may be another file")
    story.catalog.insertRestored([Photo.ID(1)])
    #expect(story.catalog.listing == (0..<3).map { Photo.ID($0) })
    story.change(.renamed(path("p/2.jpg"), to: path("p/9.jpg")))
    story.catalog.rename([(Photo.ID(1), path("p/9.jpg"))], listed: [Photo.ID(1)])
    #expect(story.paths == ["p/1.jpg", "p/3.jpg", "p/9.jpg"])
    #expect(story.photo("p/9.jpg") == Photo.ID(1))
  }

  @Test func `a photo renamed by this program keeps its ID at its new index`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.catalog.rename([(Photo.ID(0), path("p/2b.jpg"))], listed: [Photo.ID(0)])
    #expect(story.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
    #expect(story.catalog.drainUpdates().renamed == [Photo.ID(0)])
    story.change(.renamed(path("p/1.jpg"), to: path("p/2b.jpg")))
    #expect(story.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
  }

  @Test func `a renamed photo that the lister had reported as missing is listed again`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.change(.absent(path("p/1.jpg")))
    #expect(story.paths == ["p/2.jpg", "p/3.jpg"])
    story.catalog.rename([(Photo.ID(0), path("p/2b.jpg"))], listed: [Photo.ID(0)])
    #expect(story.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
    // The second part of the report comes later.
    story.change(.present(path("p/2b.jpg")))
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
    #expect(story.catalog.listing.count == 3)
  }

  @Test func `a photo that was given by its path and trashed returns only when it is restored`() {
    var story = Story()
    story.find("", ["a.jpg"], root: 0)
    story.find("", ["b.jpg"], root: 1)
    story.catalog.ignore(path("a.jpg"))
    story.catalog.removeMoved([Photo.ID(0)])
    story.change(.present(path("a.jpg")))
    #expect(story.paths == ["b.jpg"])
    story.catalog.insertRestored([Photo.ID(0)])
    #expect(story.paths == ["a.jpg", "b.jpg"])
  }

  @Test func `photos of a list are removed and inserted at their indices too`() {
    let index = PathIndex()
    var catalog = Catalog(isOrdered: false, index: index)
    for batch in PhotoBatch.batches(of: ["z.jpg", "a.jpg", "m.jpg"].map { Array($0.utf8) }) {
      catalog.insert(batch)
    }
    catalog.removeMoved([Photo.ID(0), Photo.ID(1)])
    #expect(catalog.listing == [Photo.ID(2)])
    catalog.insertRestored([Photo.ID(1)])
    catalog.insertRestored([Photo.ID(0), Photo.ID(1)])
    #expect(catalog.listing == (0..<3).map { Photo.ID($0) })
    catalog.rename([(Photo.ID(0), path("0.jpg"))], listed: [Photo.ID(0)])
    #expect(catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(index[Photo.ID(0)] == Array("0.jpg".utf8))
  }
}
