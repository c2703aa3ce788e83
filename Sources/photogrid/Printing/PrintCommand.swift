import Geometry
import Glibc
import PhotoLibrary
import Photos
import SceneModel
import SceneRendering
import TerminalIO
import WorkerRuntime

/// `--print`, `--json` and `--all`: prints pictures as text, the facts, or the names of photos.
struct PrintCommand {
  let configuration: Configuration
  let store: PhotoStore
  /// Reads the facts that the index does not have.
  let reader: FactReader
  /// Reads the ratings that the index does not have.
  let ratings: RatingReader
  private var source: PhotoSource
  private var renderer: CellRenderer
  let columns: Int
  let rows: Int
  let metrics: CellMetrics
  /// Whether any of the given paths cannot be read.
  var hasProblems = false
  /// All photos, with their known facts.
  var album = Album()
  /// Where photos were taken, if the index has that.
  var locations: [Photo.ID: PhotoMetadata.Location] = [:]
  /// The photos to print, in order.
  var photos: [Photo.ID] = []
  /// The sections of `photos`; empty without a grouping.
  var sections = Sections()

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
        case .listed(let summary):
          try source.check(summary)
          let problems = source.problems(in: summary)
          hasProblems = !problems.isEmpty
          if !configuration.isQuiet { problems.forEach { StandardStream.printError($0) } }
        case .failed(let message): throw CommandFailure(message, status: .nothingShown)
        // Only if folders are watched.
        case .located, .relisting, .relisted, .changed, .lost, .previewed, .checked: break
        }
      }
    }
  }

  private mutating func receive(_ facts: InfoBlock, of photos: [Photo.ID]) {
    album.learn(facts, of: photos)
    for (index, location) in facts.locations where index < photos.count {
      locations[photos[index]] = location
    }
  }

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
    album.extend(by: all)
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
    album.learn(InfoBlock(unknown.map { reader.info(of: $0) }), of: unknown)
    album.refresh()
    // Scripts get every photo.
    if configuration.mode != .printPictures { album.fanOutAll() }
    photos = album.shown
    sections = album.sections(by: view.grouping)
  }

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
    let whole = PixelRect(origin: .zero, size: area).wholePhoto(
      of: size, placementStep: metrics.cell)
    let frame = PixelRect(origin: .zero, size: whole.size)
    try print(
      Scene(
        size: PixelSize(width: area.width, height: frame.height),
        placements: [Placement(photo: photo, frame: frame, crop: .unit)]))
  }

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
      try print(scene(of: layout, in: area))
    }
  }

  /// The area in which photos are laid out.
  var page: PixelSize { metrics.size(of: CellSize(columns: columns, rows: rows)) }

  private mutating func print(_ scene: Scene) throws(CommandFailure) {
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

/// The page that is printed: its layout and its scenes.
extension PrintCommand {
  /// Returns the layout of all photos.
  ///
  /// - `snapped`: Whether tiles are placed at whole cells.
  func layout(snapped: Bool) -> TileLayout {
    let ratios = aspectRatios()
    let photos = photos
    let ratio = { ratios[photos[$0]] }
    let style = configuration.view.layout
    return switch (snapped, sections.isEmpty) {
    case (true, true): style.snapped(photos.count, in: page, metrics: metrics, ratio: ratio)
    case (true, false): style.snapped(sections.ranges, in: page, metrics: metrics, ratio: ratio)
    case (false, true): style.exact(photos.count, in: page, metrics: metrics, ratio: ratio)
    case (false, false): style.exact(sections.ranges, in: page, metrics: metrics, ratio: ratio)
    }
  }

  private var isRows: Bool { configuration.view.layout.kind == .rows }

  /// Returns the aspect ratios of photos if the layout depends on them; otherwise none.
  func aspectRatios() -> [Photo.ID: Double] {
    guard isRows else { return [:] }
    var ratios: [Photo.ID: Double] = [:]
    for photo in photos { ratios[photo] = album.size(of: photo)?.aspectRatio }
    let unknown = photos.filter { ratios[$0] == nil }
    reader.setDemands(unknown)
    for photo in unknown { ratios[photo] = reader.info(of: photo)?.size.aspectRatio }
    return ratios
  }

  func demands(for indices: Range<Int>, of layout: TileLayout) -> [Demand] {
    indices.map { index in
      let tile = layout.frame(at: index).size.scaled(by: samplesPerPixel)
      let size = PixelSize(width: tile.width.rounded(.up), height: tile.height.rounded(.up))
      return Demand(photo: photos[index], size: size, mode: isRows ? .fit : .fill)
    }
  }

  /// Returns whether a photo is printed whole inside a tile of another shape.
  private func isWhole(_ size: PixelSize?, in tile: PixelRect) -> Bool {
    guard isRows || configuration.view.crop == .fit else { return false }
    return size.map { !tile.hasShape(of: $0, placementStep: metrics.placementStep) } ?? false
  }

  func isSettled(_ photo: Photo.ID) -> Bool {
    store.failure(of: photo) != nil || store.isDecoded(photo)
  }

  func scene(of layout: TileLayout, in area: PixelRect) -> Scene {
    var scene = Scene(size: area.size)
    addHeadings(of: layout, in: area, to: &scene)
    for index in layout.indices(in: area) {
      let photo = photos[index]
      let tile = layout.frame(at: index).offset(x: 0, y: -area.minY)
      let size = store.info(of: photo)?.size
      let frame =
        isWhole(size, in: tile)
        ? tile.wholePhoto(of: size, placementStep: metrics.placementStep) : tile
      let crop = size.map { PixelRect.fillCrop(of: $0, in: frame.size) } ?? .unit
      scene.placements.append(Placement(photo: photo, frame: frame, crop: crop))
      let caption = configuration.view.layout.prefersCaptions ? album.caption(of: photo) : nil
      let name = CellText(caption ?? PhotoName.printable(store.index[photo]))
      if let label = layout.labelFrame(at: index) {
        let text = name.truncatedMiddle(to: metrics.columns(inside: label).count).string
        scene.labels.append(
          Scene.Label(text: text, frame: label.offset(x: 0, y: -area.minY), opacity: 1))
      } else if configuration.view.layout.hasLabels,
        let row = Scene.Label.lastRow(of: frame, metrics), !row.columns.isEmpty
      {
        scene.captions.append(
          Scene.Label(
            text: name.truncatedMiddle(to: row.columns.count).string, at: row.columns.lowerBound,
            row: row.number, metrics, opacity: 1))
      }
    }
    // Captions lie over the tiles.
    scene.tileCount = scene.placements.count
    return scene
  }

  private func addHeadings(of layout: TileLayout, in area: PixelRect, to scene: inout Scene) {
    guard let sectioned = layout.sectioned else { return }
    for section in sectioned.sections(at: area.minY).lowerBound..<sectioned.sectionCount {
      let frame = sectioned.heading(ofSection: section)
      guard frame.minY < area.maxY else { break }
      guard frame.minY >= area.minY else { continue }
      let text = album.heading(
        of: sections[section], .ofLocale, isSettled: true,
        columns: metrics.columns(inside: frame).count - 1)
      scene.labels.append(
        Scene.Label(
          text: text, frame: frame.offset(x: 0, y: -area.minY), opacity: 1, isHeading: true))
    }
  }
}

extension PrintCommand {
  /// Returns the facts of a photo if the index has all of them.
  private func knownInfo(of photo: Photo.ID) -> PhotoInfo? {
    album.info(of: photo, takenAt: locations[photo])
  }

  func printFacts() throws(CommandFailure) {
    let layout = layout(snapped: false)
    reader.setDemands(photos.filter { knownInfo(of: $0) == nil })
    let unrated = photos.filter { album.rating(of: $0) == nil }
    let found = ratings.read(unrated)
    let new = Dictionary(found.map { ($0.photo, $0.rating) }) { $1 }
    for (index, photo) in photos.enumerated() {
      var info = knownInfo(of: photo) ?? reader.info(of: photo)
      if info == nil {
        // The file is read again for the reason of the failure.
        store.describe([photo], at: MonotonicClock.now)
        try wait { store.info(of: photo) != nil || store.failure(of: photo) != nil }
        info = store.info(of: photo)
      }
      let paired = album.pairedFiles(of: photo).map { store.index[$0] }
      let line = FactLine(
        path: store.index[photo], info: info,
        date: info.flatMap { album.dating.date(of: $0, at: store.index[photo]) },
        rating: album.rating(of: photo) ?? new[photo] ?? .none,
        failure: store.failure(of: photo), frame: layout.frame(at: index),
        section: sections.isEmpty
          ? nil : album.path(of: sections[sections.section(ofItem: index)].key),
        pair: paired.first { !LivePhoto.isFilm($0) },
        film: paired.first { LivePhoto.isFilm($0) }
          ?? LivePhoto.existingFilms(beside: store.index[photo]).first,
        stack: album.stack(of: photo).map { $0 + 1 })
      try StandardStream.deliver(line.text + "\n")
    }
  }
}
