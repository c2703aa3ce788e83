import PhotoGridCore
import PhotoLibrary

/// The services that work in other processes, apart from the lister.
struct Services {
  /// The pictures and facts of photos.
  let store: PhotoStore
  /// Reads what sorting and filtering need to know about files.
  let facts: FactFinder
  /// Reads the metadata of the inspected photo.
  let metadata: MetadataFinder
  /// Encodes pictures for terminals that are sent files.
  let pictureFiles: PictureFiles
  /// Moves photos to the trash and back, and renames them.
  let fileOperations: FileOperationClient
  /// Opens photos with other programs.
  var opener = ExternalOpener()

  /// Services for the photos of a store, which start workers when there is something to do.
  init(_ store: PhotoStore, worker: WorkerExecutable) {
    self.store = store
    let index = store.index
    facts = FactFinder(worker: worker) { index[$0] }
    metadata = MetadataFinder(worker: worker) { index[$0] }
    pictureFiles = PictureFiles(worker: worker)
    fileOperations = FileOperationClient()
  }

  /// All services, to wait for.
  var all: [any PolledService] {
    [store, facts, metadata, pictureFiles, fileOperations, opener]
  }

  /// Reads again what is known about a photo's file, which may have changed.
  func reload(_ photo: Photo.ID, at now: Instant) {
    store.reload(photo, at: now)
    facts.reload(photo, at: now)
    metadata.forget(photo)
  }

  /// Sets what the browser needs, in place of what it needed before.
  func setDemands(of browser: Browser, at now: Instant) {
    setPictureDemands(of: browser, at: now)
    store.play(browser.reelDemand, at: now)
    facts.setDemands(browser.collection.missingFacts, at: now)
    metadata.setDemand(browser.inspectedPhoto, at: now)
  }

  /// Sets the pictures that the browser needs.
  func setPictureDemands(of browser: Browser, at now: Instant) {
    store.setDemands(browser.demands, at: now, distance: browser.distanceFromSight)
  }

  /// Ends all services.
  ///
  /// - Returns: A message about files that are still being moved, which goes on.
  mutating func shutDown() -> String? {
    store.shutDown()
    facts.shutDown()
    metadata.shutDown()
    pictureFiles.shutDown()
    fileOperations.shutDown()
    let count = fileOperations.openCount
    return count > 0 ? "files: \(count) are still being moved" : nil
  }
}
