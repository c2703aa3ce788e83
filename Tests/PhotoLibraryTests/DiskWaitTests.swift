import Geometry
import Glibc
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Workers whose answers are late, as if they waited for a disk.
extension PhotoStoreTests {
  /// A store whose clock is moved on by the test, and what it reports.
  private final class Waiting {
    let store: PhotoStore
    var time = Instant(seconds: 100)
    var events: [StoreEvent] = []

    init(_ store: PhotoStore) { self.store = store }

    func demand(_ photos: Photo.ID...) {
      store.setDemands(photos.map { .fitting($0, 64) }, at: time)
    }

    /// Lets a time pass in steps, until something is done.
    func pass(_ seconds: Double, until isDone: () -> Bool = { false }) {
      let end = time.advanced(bySeconds: seconds)
      while time < end, !isDone() {
        time = time.advanced(bySeconds: 0.4)
        events += store.service(at: time)
        usleep(2000)
      }
    }

    /// Runs without letting time pass, until something is done.
    func run(until isDone: () -> Bool) {
      for _ in 0..<60_000 where !isDone() {
        events += store.service(at: time)
        usleep(1000)
      }
    }

    /// Whether a worker has the request to decode a photo.
    func isDecoding(_ photo: Photo.ID) -> Bool {
      store.pool.slots.contains { slot in
        if case .decode(let demand)? = slot.jobs.first?.task {
          demand.photo == photo
        } else {
          false
        }
      }
    }

    func isWaiting(_ photo: Photo.ID) -> Bool {
      if case .failed("waiting for the disk") = store.content(of: photo) { true } else { false }
    }
  }

  private func waiting(_ paths: [[UInt8]], doing lines: String) throws -> Waiting {
    var limits = Self.single
    limits.waitsForDisks = true
    let store = PhotoStore(worker: folder.script(lines), limits: limits)
    store.index.append(paths)
    return Waiting(store)
  }

  @Test func `a worker waits for its disk, unless a photo in another folder needs it`() throws {
    let paths = photos(2) + [folder.write(image("card.jpg"), to: "elsewhere/photo.jpg")]
    // The disk is dead for two workers, and back for the third.
    let waiting = try waiting(
      paths,
      doing: """
        for number in 1 2; do
        if mkdir \(folder.path)/started-$number 2>/dev/null; then
        \(untilDecoding(paths[0], token: 0)); exec sleep 1000
        fi
        done
        exec \(try real())
        """)
    let (first, second, other) = (Photo.ID(0), Photo.ID(1), Photo.ID(2))
    waiting.demand(first)
    waiting.run { waiting.isDecoding(first) }
    waiting.pass(4)
    #expect(!waiting.isWaiting(first))
    waiting.demand(first, second)
    waiting.pass(4)
    #expect(waiting.events == [.waitingForDisk(first)])
    #expect(waiting.isWaiting(first) && !waiting.isWaiting(second), "the second was not asked for")

    // It may be stuck itself, so another one is asked in the end, for the second photo.
    waiting.pass(30) { access("\(folder.path)/started-2", F_OK) == 0 }
    waiting.run { waiting.isDecoding(second) }
    waiting.pass(6)
    #expect(waiting.isDecoding(second) && waiting.isWaiting(second))
    #expect(waiting.store.failure(of: first) == nil && waiting.store.failure(of: second) == nil)

    // That one does not wait until its time is over.
    waiting.demand(first, second, other)
    waiting.run { waiting.store.picture(2) != nil }
    #expect(waiting.events.contains(.pictureReady(other)))
    // The disk of the first two is back by now.
    waiting.store.fetchAll(side: 64)
    #expect((0..<3).allSatisfy { waiting.store.picture($0) != nil })
    #expect(!waiting.isWaiting(first))
  }

  @Test(arguments: ["kill -STOP $$", "exec sleep 1000"])
  func `a worker that is stopped or hangs delays the photos of its folder, and loses none`(
    line: String
  ) throws {
    let paths = photos(12)
    let waiting = try waiting(
      paths,
      doing: """
        if mkdir \(folder.path)/started 2>/dev/null; then
        \(untilDecoding(paths[0])); \(line)
        fi
        exec \(try real())
        """)
    let photos = waiting.store.photos
    waiting.store.setDemands(photos.map { .fitting($0, 64) }, at: waiting.time)
    waiting.run { waiting.isDecoding(photos[0]) }

    waiting.pass(31)
    waiting.run { photos.allSatisfy { waiting.store.isFulfilled(.fitting($0, 64)) } }

    #expect(photos.allSatisfy { waiting.store.picture($0.index) != nil })
    #expect(photos.allSatisfy { waiting.store.failure(of: $0) == nil && !waiting.isWaiting($0) })
  }

  @Test func `a film whose workers do nothing ends, and says why`() throws {
    let paths = [folder.write(TestFilm.small("short.mp4"), to: "a.mp4")]
    let info = try filmInfo(paths)
    let waiting = try waiting(
      paths,
      doing: """
        if mkdir \(folder.path)/started 2>/dev/null; then
        \(sending([(1, .described(info))], hello: [.current]))
        else
        \(sending([], hello: [.current]))
        fi
        exec sleep 1000
        """)
    waiting.store.describe([Photo.ID(0)], at: waiting.time)
    waiting.run { waiting.store.info(of: Photo.ID(0)) != nil }
    let film = FrameDemand(picture: .fitting(Photo.ID(0), 64), .film, frameIndex: 0)
    waiting.store.play(film, at: waiting.time)
    var number = 0
    while number < 400, !waiting.events.contains(.filmFailed(Photo.ID(0), "took too long")) {
      number += 1
      waiting.pass(0.4)
    }

    #expect(waiting.events.contains(.filmFailed(Photo.ID(0), "took too long")), "\(waiting.events)")
    #expect(number > 100, "a second one was asked")
    #expect(waiting.store.missingFrames == nil)
  }

  /// The facts of the first of some films, which a real worker reads.
  private func filmInfo(_ paths: [[UInt8]]) throws -> PhotoInfo {
    let store = try PhotoStore.of(paths, limits: Self.single)
    store.describe([Photo.ID(0)], at: now())
    store.run()
    return try #require(store.info(of: Photo.ID(0)))
  }

  @Test func `a film that finds no process left says so`() throws {
    let paths = [folder.write(TestFilm.small("short.mp4"), to: "a.mp4")]
    let info = try filmInfo(paths)
    // The second worker is the one for frames.
    let store = PhotoStore(
      worker: folder.script(
        """
        if mkdir \(folder.path)/started 2>/dev/null; then
        \(sending([(1, .described(info))], hello: [.current]))
        else
        \(sending([(1, .failed(.unreadable(EAGAIN)))], hello: [.current]))
        fi
        exec sleep 1000
        """),
      limits: Self.single)
    store.index.append(paths)
    store.describe([Photo.ID(0)], at: now())
    while store.info(of: Photo.ID(0)) == nil {
      wait(for: store.pollRequests, until: store.nextDeadline)
      _ = store.service(at: now())
    }
    let film = FrameDemand(picture: .fitting(Photo.ID(0), 64), .film, frameIndex: 0)
    store.play(film, at: now())

    #expect(
      store.run().contains(.filmFailed(Photo.ID(0), "cannot be read: too many processes")))
  }
}
