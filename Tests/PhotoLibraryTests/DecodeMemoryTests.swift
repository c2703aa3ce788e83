import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// The memory that all workers together may take for decoding.
struct DecodeMemoryTests {
  @Test func `photos that need much memory are decoded one after the other, small ones meanwhile`()
    throws
  {
    let folder = TemporaryFolder()
    // Nine megapixels take eight bytes each: twice that is more than all may have.
    let large = TestGIF.film([0x28B43C], width: 3000, height: 3000).bytes
    var paths = (0..<4).map { folder.write(large, to: "large-\($0).gif") }
    paths += (0..<6).map { folder.write(image("card.webp"), to: "\($0)") }
    var limits = StoreLimits()
    limits.workerCount = 2
    limits.decodeMemory = 136 << 20
    let store = try PhotoStore.of(paths, limits: limits)
    var most = 0
    store.setDemands(store.photos.map { .fitting($0, 100) }, at: now())
    store.run { store in
      let large = store.pool.slots.count { slot in
        slot.jobs.first.map { job in
          if case .decode = job.task { return store.history.neededMemory[job.task.photo] != nil }
          return false
        } ?? false
      }
      most = max(most, large)
    }
    for number in paths.indices {
      #expect(store.picture(number) != nil, "\(store.failure(of: Photo.ID(number)) ?? "")")
    }
    #expect(most == 1)
  }

  @Test func `a photo too large to decode beside small ones is decoded alone`() {
    var limits = StoreLimits()
    limits.workerCount = 4
    let small = DecodeProtocol.Request.plainMemory
    #expect(limits.share(of: 0) == small)
    #expect(limits.share(of: 100 << 20) == 100 << 20)
    #expect(limits.share(of: 612 << 20) == limits.decodeMemory)
    #expect(limits.share(of: .max) == limits.decodeMemory)
    limits.workerCount = 64
    #expect(64 * limits.share(of: 0) <= limits.decodeMemory, "all of many workers may decode")
    #expect(limits.share(of: 100 << 20) == limits.decodeMemory)
  }

  @Test func `a worker that asks for memory again and again fails the photo`() {
    var history = DecodeHistory()
    let answers = (0..<2).map { history.didNeedMemory(100 + $0, for: Photo.ID(0)) }
    #expect(answers == [true, false])
    #expect(FailureReason.needsMemory(7).message == "too large to decode")
  }
}
