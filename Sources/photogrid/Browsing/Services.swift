import Geometry
import PhotoGridCore
import PhotoLibrary
import Photos
import SceneModel

/// The services that work in other processes, apart from the lister.
struct Services {
  let store: PhotoStore
  /// Reads the facts of files for sorting and filtering.
  let facts: FactFinder
  /// Records facts for later sessions; nil if storing is disabled.
  let recorder: FactRecorder?
  /// Reads the metadata of the inspected photo, and encodes pictures for terminals that display
  /// picture files.
  let side: SideClient
  /// Completes paths, and hashes files, to tell copies from photos that look alike.
  let library: LibraryClient
  let annotations: AnnotationClient
  let fileOperations: FileOperationClient
  var opener = ExternalOpener()
  var clipboard: PictureClipboard
  var drags = DragExchange()

  /// Creates the services for a store's photos, which start workers with the first demands.
  init(
    _ store: PhotoStore, worker: WorkerExecutable, _ configuration: Configuration,
    _ environment: TerminalEnvironment
  ) {
    self.store = store
    clipboard = PictureClipboard(environment)
    recorder = FactRecorder(configuration)
    let index = store.index
    let sandbox = configuration.sandbox
    facts = FactFinder(worker: worker, headerReader: .library.confined(sandbox)) { index[$0] }
    side = SideClient(worker: worker) { index[$0] }
    library = LibraryClient(executable: .library.confined(sandbox)) { index[$0] }
    let embedsRatings = configuration.session.embedsRatings
    annotations = AnnotationClient(worker: worker, isEmbedded: embedsRatings) { index[$0] }
    fileOperations = FileOperationClient(
      executable: .fileWorker.confined(sandbox), journal: BaseDirectory.newJournal)
  }

  var all: [any PolledService] {
    [store, facts, side, library, annotations, fileOperations, opener, clipboard, drags]
      + [recorder].compactMap(\.self)
  }

  /// Reads a photo's file again, because it may have changed.
  func reload(_ photo: Photo.ID, at now: Instant) {
    store.reload(photo, at: now)
    facts.reload(photo, at: now)
    side.forget(photo)
    library.forget(photo)
  }

  /// Reads a photo's metadata again, because its sidecar may have changed.
  func reloadMetadata(of photo: Photo.ID, at now: Instant) {
    facts.reload(photo, at: now)
    side.forget(photo)
    store.recheck(photo, at: now)
  }

  /// Replaces the demands on all services by the browser's current demands, but for pictures.
  func setDemands(of browser: Browser, readsFacts: Bool, at now: Instant) {
    store.play(browser.frameDemand, at: now)
    facts.setDemands(readsFacts ? browser.missingFacts : [], at: now)
    store.setHashDemands(browser.collection.missingHashes, at: now)
    side.setDemand(browser.inspectedPhoto, at: now)
    library.setDemands(browser.uncomparedFiles, at: now)
    if !browser.completesFolders { library.dropPath() }
    annotations.setDemands(
      visible: browser.visibleUnrated, browser.missingRatings, at: now)
  }

  func setPictureDemands(_ demands: [Demand], of browser: Browser, at now: Instant) {
    store.drawingByteCount = browser.drawingByteCount
    store.setDemands(demands, at: now, distance: browser.distanceFromViewport)
  }

  /// Ends all services.
  ///
  /// - Returns: A message about ratings that may not have been written; nil if all were.
  mutating func shutDown() -> String? {
    clipboard.shutDown()
    store.shutDown()
    facts.shutDown()
    let unwritten = annotations.shutDown { MonotonicClock.now }
    recorder?.shutDown()
    side.shutDown()
    library.shutDown()
    fileOperations.shutDown()
    return unwritten > 0
      ? "disk not responding; may not have been saved: "
        + "\(unwritten) \(unwritten == 1 ? "rating" : "ratings")" : nil
  }
}
