import TestSupport
import Testing

@testable import Photos

@Suite struct PhotoSetTests {
  @Test(arguments: seeds(1...5))
  func `a photo set behaves like a set of the standard library`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (mine, theirs) = (PhotoSet(), Set<Photo.ID>())
    for _ in 0..<500 {
      let photo = Photo.ID([0, 1, 63, 64, 65, 127, 128, 500].randomElement(using: &random)!)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let isNew = mine.insert(photo)
        #expect(isNew == theirs.insert(photo).inserted)
      case 2:
        let wasThere = mine.remove(photo)
        #expect(wasThere == (theirs.remove(photo) != nil))
      case 3:
        let other = [Photo.ID(0), Photo.ID(64), Photo.ID(127)]
        mine.subtract(PhotoSet(other))
        theirs.subtract(other)
      default: #expect(mine.contains(photo) == theirs.contains(photo))
      }
      #expect(mine.count == theirs.count && mine.isEmpty == theirs.isEmpty)
      #expect(mine == PhotoSet(theirs) && mine.photos == theirs.sorted())
    }
  }

  @Test func `an unlisted photo is in no set`() {
    var set = PhotoSet()
    let isNew = set.insert(.unlisted)
    #expect(!isNew)
    #expect(!set.contains(.unlisted))
    #expect(set.isEmpty)
  }
}
