import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO

/// `--print`, `--json` and `--all`: prints pictures as text, the facts, or the names of photos.
struct PrintCommand {
  /// The options of the program.
  let configuration: Configuration
  /// The pictures and the paths of photos.
  let store: PhotoStore
  /// Reads the facts that the index does not have.
  let reader: FactReader
  /// Reads the ratings that the index does not have.
  let ratings: RatingReader
  private var source: PhotoSource
  private var renderer: CellRenderer
  /// The width of the page in cells.
  let columns: Int
  /// The height of the page in cells.
  let rows: Int
  /// The size of a cell, in pixels.
  let metrics: CellMetrics
  /// Whether any of the given paths cannot be read.
  var hasProblems = false
  /// All photos, with their known facts.
  var album = Album()
  /// Where photos were taken, if the index has that.
  var places: [Photo.ID: PhotoMetadata.Place] = [:]
  /// The photos to print, in order.
  var photos: [Photo.ID] = []
  /// The sections of `photos`; empty without a grouping.
  var sections = Sections()

  /// Creates a command that prints for a terminal with the given traits, size and cells.
  init(
    _ configuration: Configuration, traits: TerminalTraits, window: WindowSize, cell: PixelSize,
    store: PhotoStore, source: PhotoSource, worker: WorkerExecutable
  ) {
    self.configuration = configuration
    self.store = store
    self.source = source
    reader = FactReader(store, worker: worker, configuration.sandbox)
    ratings = RatingReader(store, worker: worker)
    renderer = CellRenderer(
      glyphs: traits.glyphs.value, depth: traits.colors.value,
      appearance: traits.pictureTraits(for: .cells).appearance)
    let viewport = Viewport(window, cell: cell)
    columns = configuration.view.geometry?.columns ?? viewport.cells.columns
    rows = configuration.view.geometry?.rows ?? viewport.cells.rows
    metrics = viewport.metrics
  }

  /// Prints all photos; a photo that cannot be shown is a tile or a line with a message.
  ///
  /// - Throws: `CommandFailure` if nothing can be shown.
  mutating func run() throws(CommandFailure) -> ExitStatus {
    defer {
      source.shutDown()
      store.shutDown()
      reader.shutDown()
      ratings.shutDown()
    }
    try list()
    guard store.index.count > 0 else {
      // Messages about unreadable folders were printed before.
      if hasProblems { return .nothingShown }
      throw CommandFailure("\(source.title): no photos here", status: .nothingShown)
    }
    try arrange()
    guard !photos.isEmpty else {
      throw CommandFailure("\(source.title): no photo matches the filter", status: .nothingShown)
    }
    if configuration.mode == .printNames {
      try printNames()
      return .done
    }
    if configuration.mode == .printFacts {
      try printFacts()
    } else if store.index.count == 1, !configuration.view.alwaysGrid {
      try printPhoto()
    } else {
      try printGrid()
    }
    return photos.allSatisfy { store.failure(of: $0) != nil } ? .nothingShown : .done
  }

  /// Lists all photos.
  private mutating func list() throws(CommandFailure) {
    while !source.pollRequests.isEmpty {
      Poll.wait(source.pollRequests, until: source.nextDeadline)
      for event in source.service(at: MonotonicClock.now) {
        switch event {
        case .found(let batch):
          let photos = store.index.append(batch).map { Photo.ID($0) }
          try store.index.checkOverflow()
          if let facts = batch.facts { receive(facts, of: photos) }
          if !source.isOrdered, let first = photos.first {
            source.lookUp(batch, from: first.index, at: MonotonicClock.now)
          }
        case .known(let batch):
          guard let facts = batch.facts, batch.root + batch.count <= store.index.count else {
            break
          }
          let photos = (batch.root..<batch.root + batch.count).map { Photo.ID($0) }
          receive(facts, of: photos)
        case .finished(_, let problems):
          hasProblems = !problems.isEmpty
          if !configuration.isQuiet { problems.forEach { StandardStream.printError($0) } }
        case .failed(let message): throw CommandFailure(message, status: .nothingShown)
        // Only if folders are watched.
        case .relisting, .relisted, .changed, .lost, .previewed, .checked: break
        }
      }
    }
  }

  /// Receives facts of photos from the index.
  private mutating func receive(_ facts: FactBlock, of photos: [Photo.ID]) {
    album.updateFacts(of: photos, facts)
    for (index, place) in facts.places where index < photos.count { places[photos[index]] = place }
  }

  /// Sorts and filters the photos.
  private mutating func arrange() throws(CommandFailure) {
    let view = configuration.view
    let all = (0..<store.index.count).map { Photo.ID($0) }
    album.date(by: view.dating)
    album.joinPairs(view.joinsPairs)
    album.stack(within: view.stackSeconds)
    var named = 0
    while named < all.count {
      let batch = store.index.table.names(from: Photo.ID(named), atMost: .max)
      album.name(batch)
      named += batch.count
    }
    album.append(all)
    album.folder =
      FolderLocation(
        source.isOrdered ? source.request.roots : [], isOnePhoto: source.isOnePhoto
      ).base
    album.sort(by: view.grouping.order(replacing: view.order))
    album.show(only: view.filter)
    album.updateRatings(ratings.read(album.missingRatings))
    album.updateHashes(try HashReader(store).read(album.missingHashes))
    let unknown = album.unknown
    reader.setDemands(unknown)
    for photo in unknown {
      album.updateFacts(of: photo, reader.info(of: photo).map { FileFacts($0) } ?? .unreadable)
    }
    album.refresh()
    // Scripts get every photo.
    if configuration.mode != .printPictures { album.fanOutAll() }
    photos = album.shown
    sections = album.sections(by: view.grouping)
  }

  /// Services the workers until a condition is true.
  func wait(until isDone: () -> Bool) throws(CommandFailure) {
    while !isDone() {
      for event in store.service(at: MonotonicClock.now) {
        if case .unusable(let error) = event {
          throw CommandFailure(error.message, status: .nothingShown)
        }
      }
      if isDone() { return }
      Poll.wait(store.pollRequests, until: store.nextDeadline)
    }
  }

  // MARK: - Pictures

  /// The number of samples per pixel, along either axis.
  var samplesPerPixel: Double {
    renderer.samplesPerPixel(cell: metrics.cell)
  }

  /// Prints a single photo as large as the page allows.
  private mutating func printPhoto() throws(CommandFailure) {
    let photo = photos[0]
    let area = metrics.size(of: CellSize(columns: columns, rows: rows))
    let room = area.scaled(by: samplesPerPixel)
    store.setDemands([Demand(photo: photo, size: room, mode: .fit)], at: MonotonicClock.now)
    try wait { store.remaining == 0 }
    // Whole cells, nearest to the photo's aspect ratio.
    let size = store.info(of: photo)?.size ?? area
    let whole = PixelRect(origin: .zero, size: area).wholePhoto(of: size, quantum: metrics.cell)
    let frame = PixelRect(origin: .zero, size: whole.size)
    try write(
      Scene(
        size: PixelSize(width: area.width, height: frame.height),
        placements: [Placement(photo: photo, frame: frame, crop: .unit)]))
  }

  /// Prints the grid, strip by strip.
  private mutating func printGrid() throws(CommandFailure) {
    let row = metrics.cell.height
    let layout = layout(snapped: true)
    let height = Int((layout.contentHeight / row).rounded(.up))
    // Strips of about a row of tiles, so that the first are printed while others are decoded.
    let strip = max(Int((layout.scrollStep / row).rounded(.up)), 1)
    for top in stride(from: 0, to: height, by: strip) {
      let area = PixelRect(
        x: 0, y: Double(top) * row, width: page.width,
        height: Double(min(strip, height - top)) * row)
      let ahead = PixelRect(
        origin: area.origin, size: PixelSize(width: area.width, height: 3 * area.height))
      store.setDemands(demands(for: layout.indices(in: ahead), of: layout), at: MonotonicClock.now)
      let seen = layout.indices(in: area)
      try wait { seen.allSatisfy { isSettled(photos[$0]) } }
      try write(scene(of: layout, in: area))
    }
  }

  /// The area in which photos are laid out.
  var page: PixelSize { metrics.size(of: CellSize(columns: columns, rows: rows)) }

  private mutating func write(_ scene: Scene) throws(CommandFailure) {
    let text = renderer.text(of: scene, metrics: metrics) { [store] in store.content(of: $0.photo) }
    try StandardStream.deliver(text)
  }

  /// Prints the names of all files of the photos, in the same form as the names of marked photos.
  private func printNames() throws(CommandFailure) {
    for photo in album.files(of: photos) {
      try StandardStream.deliver(store.index[photo] + [configuration.input.separator])
    }
  }
}
