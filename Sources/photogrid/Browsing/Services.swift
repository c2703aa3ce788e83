import PhotoGridCore
import PhotoLibrary

/// The services that work in other processes, apart from the lister.
struct Services {
  /// The pictures and facts of photos.
  let store: PhotoStore
  /// Reads the facts of files for sorting and filtering.
  let facts: FactFinder
  /// Records facts for later sessions; nil if storing is disabled.
  let recorder: FactRecorder?
  /// Reads the metadata of the inspected photo, and encodes pictures for terminals that display
  /// picture files.
  let side: SideClient
  /// Hashes files, to tell copies from photos that look alike.
  let digests: DigestFinder
  /// Reads and writes the ratings of photos.
  let ratings: RatingClient
  /// Moves, copies and renames photos, also to the trash and back.
  let fileOperations: FileOperationClient
  /// Completes a path that the user is typing.
  let folderNames: FolderNamesClient
  /// Opens photos with other programs.
  var opener = ExternalOpener()
  /// Puts pictures on the clipboard.
  var clipboard: PictureClipboard

  /// Creates the services for a store's photos, which start workers with the first demands.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - worker: The program that decodes photos.
  ///   - configuration: The options for ratings, storing and the sandbox.
  ///   - environment: The terminal's description in the environment.
  init(
    _ store: PhotoStore, worker: WorkerExecutable, _ configuration: Configuration,
    _ environment: TerminalEnvironment
  ) {
    self.store = store
    clipboard = PictureClipboard(environment)
    recorder = FactRecorder(configuration)
    let index = store.index
    let sandbox = configuration.sandbox
    facts = FactFinder(worker: worker, headerReader: .reader.confined(sandbox)) { index[$0] }
    side = SideClient(worker: worker) { index[$0] }
    digests = DigestFinder(executable: .reader.confined(sandbox)) { index[$0] }
    let embedsRatings = configuration.session.embedsRatings
    ratings = RatingClient(worker: worker, isEmbedded: embedsRatings) { index[$0] }
    fileOperations = FileOperationClient(
      executable: .fileWorker.confined(sandbox), journal: BaseDirectory.newJournal)
    folderNames = FolderNamesClient(executable: .reader.confined(sandbox))
  }

  /// All services.
  var all: [any PolledService] {
    [store, facts, side, digests, ratings, fileOperations, folderNames, opener, clipboard]
      + [recorder].compactMap(\.self)
  }

  /// Reads a photo's file again, because it may have changed.
  func reload(_ photo: Photo.ID, at now: Instant) {
    store.reload(photo, at: now)
    facts.reload(photo, at: now)
    side.forget(photo)
    digests.forget(photo)
  }

  /// Reads a photo's metadata again, because its sidecar may have changed.
  func reloadMetadata(of photo: Photo.ID, at now: Instant) {
    facts.reload(photo, at: now)
    side.forget(photo)
  }

  /// Replaces the demands on all services by the browser's current demands.
  ///
  /// - Parameters:
  ///   - browser: The browser.
  ///   - readsFacts: Whether files are read for their facts; false while facts may still be found
  ///     in the index.
  ///   - now: The current time.
  func setDemands(of browser: Browser, readsFacts: Bool, at now: Instant) {
    setPictureDemands(of: browser, at: now)
    store.play(browser.animationDemand, at: now)
    facts.setDemands(readsFacts ? browser.missingFacts : [], at: now)
    store.setHashDemands(browser.collection.missingHashes, at: now)
    side.setDemand(browser.inspectedPhoto, at: now)
    digests.setDemands(browser.uncomparedFiles, at: now)
    if browser.prompt?.kind.isFolder != true { folderNames.shutDown() }
    ratings.setDemands(
      visible: browser.visibleUnrated, browser.missingRatings, at: now)
  }

  /// Replaces the demands for pictures by the browser's current demands.
  func setPictureDemands(of browser: Browser, at now: Instant) {
    store.setDemands(browser.demands(at: now), at: now, distance: browser.distanceFromViewport)
  }

  /// Ends all services.
  mutating func shutDown() {
    clipboard.shutDown()
    store.shutDown()
    facts.shutDown()
    ratings.shutDown()
    recorder?.shutDown()
    side.shutDown()
    digests.shutDown()
    fileOperations.shutDown()
    folderNames.shutDown()
  }
}
