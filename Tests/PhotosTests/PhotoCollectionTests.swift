import TestSupport
import Testing

@testable import Geometry
@testable import Photos

@Suite struct PhotoCollectionTests {
  /// Photos numbered from 0 on, with the given names.
  private func collection(_ names: [String]) -> PhotoCollection {
    var collection = PhotoCollection()
    collection.learn(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(names)))
    collection.extend(by: names.indices.map { Photo.ID($0) })
    return collection
  }

  /// Whether every item, and nothing else, is found at its index.
  private func hasSoundIndices(_ collection: PhotoCollection) -> Bool {
    (-1..<12).map { Photo.ID($0) }.allSatisfy {
      collection.index(of: $0) == collection.items.firstIndex(of: $0)
    }
  }

  @Test func `items are found at their indices after sorting, filtering and relisting`() throws {
    var collection = collection(["b", "d", "a", "c"])
    #expect(hasSoundIndices(collection))
    collection.sort(by: SortOrder(by: .name))
    #expect(collection.items == [2, 0, 3, 1].map { Photo.ID($0) } && hasSoundIndices(collection))
    collection.show(only: try Filter(parsing: "-a"))
    #expect(collection.items == [0, 3, 1].map { Photo.ID($0) } && hasSoundIndices(collection))
    collection.relist([Photo.ID(1), Photo.ID(2), Photo.ID(0)])
    #expect(collection.items == [0, 1].map { Photo.ID($0) } && hasSoundIndices(collection))
    collection.showAll()
    #expect(collection.items == [2, 0, 1].map { Photo.ID($0) } && hasSoundIndices(collection))
  }

  @Test func `folders that are found later come before the photos`() {
    var collection = collection(["a", "b"])
    collection.learn(NameBatch(first: Photo.ID(2), folder: [], names: nameBlock(["f/", "c"])))
    collection.extend(by: [Photo.ID(2), Photo.ID(3)])
    #expect(collection.items == [2, 0, 1, 3].map { Photo.ID($0) })
    #expect(hasSoundIndices(collection) && collection.folderCount == 1)
    #expect(collection.photoIndex(0) == nil && collection.photoIndex(1) == 1)
    #expect(collection.firstIndex == 1)
  }

  @Test func `a removed item is replaced by the next one that is still there`() {
    let old = collection(["a", "b", "c", "d"])
    var new = old
    new.relist([Photo.ID(0), Photo.ID(3)])
    #expect(new.replacement(for: Photo.ID(0), in: old) == Photo.ID(0))
    #expect(new.replacement(for: Photo.ID(1), in: old) == Photo.ID(3))
    new.relist([Photo.ID(0), Photo.ID(1)])
    #expect(new.replacement(for: Photo.ID(3), in: old) == Photo.ID(1), "at the end the one before")
    new.relist([])
    #expect(new.replacement(for: Photo.ID(3), in: old) == nil)
  }

  @Test func `the matches of a search follow the order`() throws {
    var collection = collection(["xb", "a", "xa"])
    collection.find(try Filter(parsing: "x"))
    #expect(collection.search?.matches == [0, 2])
    collection.sort(by: SortOrder(by: .name))
    #expect(collection.search?.matches == [1, 2])
  }

  @Test func `new facts take effect after a short delay, or at once when all are known`() throws {
    var collection = collection(["a", "b"])
    collection.show(only: try Filter(parsing: "type:png"))
    _ = collection.learn(InfoBlock([nil]), of: [Photo.ID(0)])
    let isDueAtOnce = collection.isRefreshDue(at: Instant(seconds: 10))
    #expect(!isDueAtOnce)
    let due = try #require(collection.refreshDue)
    #expect(due.seconds(since: Instant(seconds: 10)) == 0.3)
    let isDueThen = collection.isRefreshDue(at: due)
    #expect(isDueThen)
    _ = collection.learn(InfoBlock([nil]), of: [Photo.ID(1)])
    collection.learn(ListingNotes())
    let isDueAgain = collection.isRefreshDue(at: due)
    #expect(isDueAgain)
  }
}
