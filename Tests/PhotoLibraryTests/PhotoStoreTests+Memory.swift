import Photos
import SceneModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Memory: the budget of pictures, and what is left of those beyond it.
extension PhotoStoreTests {
  // MARK: Memory

  @Test
  func `pictures beyond the budget leave their mean colour, the longest unused first`()
    throws
  {
    var limits = Self.single
    // Two pictures of 64 by 32, with their mipmap levels.
    limits.memoryBudget = 2 * 64 * 32 * 4 * 4 / 3
    let store = try PhotoStore.of(photos(4), limits: limits)
    for photo in store.photos {
      store.setDemands([.fitting(photo, 64)], at: now())
      store.run()
    }

    #expect((0..<4).filter { store.picture($0) != nil } == [2, 3])
    #expect(store.heldByteCount <= limits.memoryBudget)
    guard case .waiting(let color?) = store.content(of: Photo.ID(0)) else {
      Issue.record("no colour is left of the first photo")
      return
    }
    // The mean of the four quarters.
    #expect(areAlike([[color.red, color.green, color.blue].map(Int.init)], [[137, 127, 90]]))
    #expect(store.info(of: Photo.ID(0)) != nil)

    store.setDemands([.fitting(Photo.ID(0), 64)], at: now())
    #expect(store.run() == [.pictureReady(Photo.ID(0))])
  }

  @Test func `pictures made of those in memory take a part of the budget`() throws {
    var limits = Self.single
    limits.memoryBudget = 4 * 64 * 32 * 4 * 4 / 3
    let store = try PhotoStore.of(photos(4), limits: limits)
    store.derivedByteCount = limits.memoryBudget / 2
    for photo in store.photos {
      store.setDemands([.fitting(photo, 64)], at: now())
      store.run()
    }

    #expect((0..<4).filter { store.picture($0) != nil } == [2, 3])
    #expect(store.heldByteCount <= limits.memoryBudget / 2)
  }

  @Test func `the frames of what plays take a part of the budget`() throws {
    var limits = Self.single
    limits.memoryBudget = 4 * 64 * 32 * 4 * 4 / 3
    let gif = TestGIF(
      width: 64, height: 32,
      frames: (0..<3).map { number in
        .init(width: 64, height: 32) { _, _ in UInt32(number) * 0x404040 }
      }, repeats: 2)
    let paths = photos(4) + [folder.write(gif.bytes, to: "film")]
    let store = try PhotoStore.of(paths, limits: limits)
    for photo in store.photos {
      store.setDemands([.fitting(photo, 64)], at: now())
      store.run()
    }
    #expect((0..<4).count { store.picture($0) != nil } > 2)
    store.play(
      FrameDemand(picture: .fitting(Photo.ID(4), 64), frameIndex: 0), at: now())
    store.run()

    #expect(store.decodedFrames(of: Photo.ID(4)) != nil)
    #expect(store.heldByteCount <= limits.memoryBudget)
  }

  @Test func `demanded pictures stay even beyond the budget`() throws {
    var limits = Self.single
    limits.memoryBudget = 1
    let store = try PhotoStore.of(photos(4), limits: limits)

    store.fetchAll()

    #expect((0..<4).allSatisfy { store.picture($0) != nil })
  }

  @Test func `beyond the budget a picture is downsampled to the demanded size`() throws {
    var limits = Self.single
    limits.memoryBudget = 1
    let store = try PhotoStore.of(photos(1), limits: limits)
    store.fetchAll()
    #expect(store.picture(0)?.width == 64)

    store.setDemands([.fitting(Photo.ID(0), 20)], at: now())

    #expect(store.picture(0)?.width == 32)
    #expect(store.isIdle)
  }
}
