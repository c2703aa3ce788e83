import Glibc
import PhotoGridCore
import TestSupport
import Testing

@testable import PhotoLibrary

/// Workers that wait for a disk.
@Suite struct DiskWaitTests {
  private let start = Instant(seconds: 100)

  /// The seconds after which a process is found to wait that is active for these parts of each second;
  /// nil if it never is.
  private func discovery(_ shares: [Double]) -> Int? {
    var wait = DiskWait(from: start)
    var active = 3.0
    for (second, share) in shares.enumerated() {
      active += share
      wait.check(
        at: start.advanced(bySeconds: Double(second + 1)),
        ProcessorWait(threads: [7: UInt64(active * 5e8)], run: UInt64(active * 5e8)))
      if wait.isWaiting { return second + 1 }
    }
    return nil
  }

  @Test func `a process waits for a disk that has been inactive for a second, after two`() {
    #expect(discovery([0, 0, 0]) == 2)
    #expect(discovery([0.9, 0.2, 0]) == 2)
    #expect(discovery([0, 0.3, 1, 0.1]) == 4)
    #expect(discovery([0, 0.3, 0.5, 1, 0.9, 0.26]) == nil)
  }

  @Test func `without an account of its activity no process waits`() {
    var wait = DiskWait(from: start)
    for second in 1...9 { wait.check(at: start.advanced(bySeconds: Double(second)), nil) }
    #expect(!wait.isWaiting)
  }

  @Test func `between two checks, activity is not read`() {
    var wait = DiskWait(from: start)
    var count = 0
    func times() -> ProcessorWait {
      count += 1
      return ProcessorWait(threads: [:])
    }
    for tenth in 0...25 {
      wait.check(at: start.advanced(bySeconds: Double(tenth) / 10), times())
    }
    #expect(count == 2 && wait.isWaiting)
  }
}

extension PhotoStoreTests {
  @Test func `a worker waits for its disk, unless a photo in another folder needs it`() throws {
    let paths = photos(2) + [folder.write(image("card.jpg"), to: "elsewhere/photo.jpg")]
    var limits = Self.single
    limits.waitsForDisks = true
    let store = PhotoStore(
      worker: try worker(firstDoing: "\(untilDecoding(paths[0])); exec sleep 100"), limits: limits)
    store.index.append(paths)
    let (first, second, other) = (Photo.ID(0), Photo.ID(1), Photo.ID(2))
    let isWaiting = { (photo: Photo.ID) in
      if case .failed("waiting for the disk") = store.content(of: photo) { true } else { false }
    }
    var time = Instant(seconds: 100)
    var events: [StoreEvent] = []
    func pass(_ seconds: Double, until isDone: () -> Bool = { false }) {
      let end = time.advanced(bySeconds: seconds)
      while time < end, !isDone() {
        time = time.advanced(bySeconds: 0.4)
        events += store.service(at: time)
        usleep(2000)
      }
    }
    store.setDemands([.fitting(first, 64)], at: time)
    while !store.pool.slots.contains(where: { slot in
      if case .decode? = slot.jobs.first?.task { true } else { false }
    }) {
      _ = store.service(at: time)
      usleep(1000)
    }
    pass(1.5)
    #expect(!isWaiting(first))
    store.setDemands([.fitting(first, 64), .fitting(second, 64)], at: time)
    pass(100)
    #expect(events == [.waitingForDisk(first)])
    #expect(isWaiting(first) && !isWaiting(second), "the second was not asked for")
    #expect(store.failure(of: first) == nil)

    store.setDemands([first, second, other].map { .fitting($0, 64) }, at: time)
    pass(10) { store.picture(2) != nil }
    while store.picture(2) == nil { events += store.service(at: now()) }
    #expect(events.contains(.pictureReady(other)))
    // The disk of the first two is back by now.
    store.fetchAll(side: 64)
    #expect((0..<3).allSatisfy { store.picture($0) != nil })
    #expect(!isWaiting(first))
  }
}
