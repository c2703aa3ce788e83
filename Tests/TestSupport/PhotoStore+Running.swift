import CLinux
import Geometry
import Glibc
import PhotoLibrary
import Photos
import SceneModel
import Testing
import WorkerProtocol

/// The current time, for calls of the library.
package func now() -> Instant {
  Instant(nanoseconds: monotonic_nanoseconds())
}

/// Waits until one of the descriptors is ready, a deadline passes or ten seconds are over.
package func wait(
  for requests: [pollfd], until deadline: Instant?
) {
  var polled = requests
  let seconds = max(0, min(deadline?.seconds(since: now()) ?? 10, 10))
  poll(&polled, nfds_t(polled.count), Int32((seconds * 1000).rounded(.up)))
}

extension PhotoStore {
  /// Runs the loop until nothing is left to do, and returns all events but those of hashes, which
  /// come with every picture.
  ///
  /// `each` is called after every round.
  @discardableResult
  package func run(_ each: (PhotoStore) -> Void = { _ in }) -> [StoreEvent] {
    runToEnd(each).filter { if case .hashed = $0 { false } else { true } }
  }

  /// Runs the loop until nothing is left to do, and returns all events.
  package func runToEnd(_ each: (PhotoStore) -> Void = { _ in }) -> [StoreEvent] {
    var events: [StoreEvent] = []
    let start = now()
    while !isIdle {
      guard now().seconds(since: start) < 60 else {
        Issue.record("not idle after a minute, \(remaining) wishes left")
        break
      }
      wait(for: pollRequests, until: nextDeadline)
      events += service(at: now())
      each(self)
    }
    return events
  }

  /// A store of the given photos, by default with real workers.
  package static func of(
    _ paths: [[UInt8]], worker: WorkerExecutable? = nil, limits: StoreLimits? = nil
  ) throws -> PhotoStore {
    var few = StoreLimits()
    few.workerCount = 2
    let store = PhotoStore(worker: try worker ?? .find(), limits: limits ?? few)
    store.index.append(paths)
    return store
  }

  /// Demands all photos fitted in a square, and runs until they are ready or have failed.
  @discardableResult
  package func fetchAll(side: Double = 1000) -> [StoreEvent] {
    setDemands(photos.map { .fitting($0, side) }, at: now())
    return run()
  }

  /// Fetches the first photo alone, and then all.
  package func fetchFirstThenAll() {
    setDemands([.fitting(Photo.ID(0), 1000)], at: now())
    run()
    fetchAll()
  }

  /// The IDs of all photos, in order.
  package var photos: [Photo.ID] { (0..<index.count).map { Photo.ID($0) } }

  /// The decoded pixels of a photo, if there are any.
  package func picture(_ number: Int) -> Bitmap? {
    guard case .picture(let picture) = content(of: Photo.ID(number)) else { return nil }
    return picture.full
  }
}

extension Demand {
  /// A demand for a photo that fits into a square.
  package static func fitting(_ photo: Photo.ID, _ side: Double) -> Demand {
    Demand(photo: photo, size: PixelSize(width: side, height: side), mode: .fit)
  }
  /// A demand for exactly a region of the first photo.
  package static func region(_ region: PhotoRegion) -> Demand {
    Demand(photo: Photo.ID(0), region: Region(needed: region, wanted: region))
  }
}
