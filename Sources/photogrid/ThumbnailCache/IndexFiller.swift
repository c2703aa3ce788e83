import Geometry
import Glibc
import PhotoLibrary
import Photos
import WorkerProtocol

/// Reads the facts and ratings of photos that are missing in the index, and records them and the
/// hashes of pictures there.
final class IndexFiller {
  private let index: PathIndex
  private let finder: FactFinder
  private let recorder: FactRecorder
  private let ratings: AnnotationClient
  private var missing: [Photo.ID] = []
  private var unrated: [Photo.ID] = []
  private(set) var unhashed: [Photo.ID] = []
  /// The number of photos whose facts have not been read yet; nil before the listing is complete.
  private var openCount: Int?

  init?(_ configuration: Configuration, index: PathIndex) throws(CommandFailure) {
    guard let recorder = FactRecorder(configuration) else { return nil }
    self.recorder = recorder
    self.index = index
    let worker = try WorkerExecutable.installed(configuration.sandbox)
    let headerReader = WorkerExecutable.library.confined(configuration.sandbox)
    finder = FactFinder(worker: worker, headerReader: headerReader) { index[$0] }
    ratings = AnnotationClient(worker: worker, isEmbedded: false) { index[$0] }
  }

  /// Whether all facts and ratings have been read, and recorded if possible.
  var isIdle: Bool { openCount == 0 && ratings.isIdle && recorder.isIdle }

  var pollRequests: [pollfd] {
    finder.pollRequests + ratings.pollRequests + recorder.pollRequests
  }

  func note(_ photos: [Photo.ID], _ facts: InfoBlock?) {
    for (index, photo) in photos.enumerated() {
      if facts?.rows[index].isKnown != true { missing.append(photo) }
      if facts?.rows[index].isHashKnown != true { unhashed.append(photo) }
      if facts?.rows[index].rating == nil { unrated.append(photo) }
    }
  }

  /// Records the hash of a photo, which came with a picture.
  func record(hashOf photo: Photo.ID, _ info: PhotoInfo, at now: Instant) {
    recorder.record(hashOf: info, ofFileAt: index[photo], at: now)
  }

  func start(at now: Instant) {
    openCount = missing.count
    finder.setDemands(missing, at: now)
    ratings.setDemands(visible: [], unrated, at: now)
  }

  func service(at now: Instant) {
    for batch in finder.service(at: now) {
      openCount = openCount.map { $0 - batch.facts.knownCount }
      recorder.record(batch, of: index, at: now)
    }
    for reading in ratings.service(at: now).flatMap(\.readings) where reading.stamp != 0 {
      recorder.record(
        reading.rating, stamp: reading.stamp, ofFileAt: index[reading.photo], at: now)
    }
    recorder.advance(at: now)
  }

  /// Records the facts and ratings read so far.
  func shutDown(at now: Instant) {
    finder.shutDown()
    ratings.shutDown { MonotonicClock.now }
    recorder.shutDown(at: now)
  }
}
