import Geometry
import Photos
import SceneModel

/// The state that all screens share: the photos and folders, the grid of their tiles, and the
/// picture area that shows them.
struct Gallery: Equatable, Sendable {
  /// Options from the command line, as changed by keys since.
  var options: Browser.Options
  var viewport: Viewport
  var collection: PhotoCollection
  var grid: Grid
  /// Previews of folders, and the transition between two grids.
  var folders = FolderNavigation()
  /// The pointer in a grid, and double clicks anywhere.
  var pointer = Pointer()
  /// The playback of the current photo; nil if nothing moves in it.
  var playback: Playback?
  /// The first film that was open, about which the bar says that films have no sound; nil before it.
  var firstOpenFilm: Photo.ID?
  /// The fade-out of an open photo whose file was removed.
  var removalFade: RemovalFade?
  /// The timing with which photos in flight follow their tiles, which have moved; nil if none have.
  var movedTiles: Timing?

  init(options: Browser.Options, viewport: Viewport, collection: PhotoCollection) {
    self.options = options
    self.viewport = viewport
    self.collection = collection
    grid = Grid(style: options.layout, contentMode: options.crop, viewport: viewport)
  }

  var items: [Photo.ID] { collection.items }

  /// The listing, with its order, filter and marks.
  var album: Album { collection.album }

  var tiles: GridItems { GridItems(collection) }

  var selection: Int { grid.selected?.file.flatMap { collection.index(of: $0) } ?? 0 }

  /// The photo that is selected in the grid; nil for a folder.
  var selectedPhoto: Photo.ID? { collection.photoIndex(selection).map { items[$0] } }

  /// The indices of the range that is being selected, from its anchor to the selection; nil if no
  /// range is.
  var range: ClosedRange<Int>? { collection.range(to: selection) }

  /// The photos of the range that is being selected; nil if no range is.
  var rangePhotos: [Photo.ID]? { range.map { items[$0].filter { !album.isFolder($0) } } }

  // MARK: - The grid

  func gridContext(at now: Instant) -> Grid.Context {
    Grid.Context(items: tiles, viewport: viewport, motion: options.motion, now: now)
  }

  /// Changes the grid; photos that fly to their tiles follow with the given timing, or with that of
  /// scrolling.
  mutating func changeGrid(
    at now: Instant, _ timing: Timing? = nil, _ change: (inout Grid, Grid.Context) -> Void
  ) {
    let offset = grid.scroll.target
    change(&grid, gridContext(at: now))
    if timing == nil, grid.scroll.target != offset { grid.scrubber.show(at: now) }
    movedTiles = timing ?? options.motion.scroll
  }

  /// Changes the layout; photos that fly to their tiles will follow if it differs.
  mutating func changeLayout(at now: Instant, _ change: (inout Grid, Grid.Context) -> Void) {
    pointer.gridPress = nil
    let before = grid.layout
    change(&grid, gridContext(at: now))
    if grid.layout != before { movedTiles = options.motion.rearrangement }
  }

  mutating func select(_ index: Int, at now: Instant) {
    changeGrid(at: now) { $0.select(index, in: $1) }
  }

  /// Selects an item without motion, as if the user had selected it.
  mutating func jump(to index: Int, at now: Instant) {
    grid.hasUserInteracted = true
    select(index, at: now)
    grid.scroll.jump(to: grid.scroll.target)
  }

  /// Scrolls to the tile of a photo that begins to fly there, at once if the grid is hidden.
  mutating func reveal(_ index: Int, isHidden: Bool, at now: Instant) {
    let offset = scrollOffset(showing: index)
    if isHidden {
      grid.scroll.jump(to: offset)
    } else {
      grid.scroll(to: offset, in: gridContext(at: now))
    }
  }

  /// Returns the scroll offset nearest to the present one at which a tile is visible.
  func scrollOffset(showing index: Int) -> Double {
    grid.scrollOffset(showing: index, from: grid.scroll.target, in: viewport)
  }

  /// Whether a transition between photos, months and years is in progress in a direction.
  func isZooming(inward isInward: Bool) -> Bool {
    guard let transition = folders.transition, case .period? = transition.tileItem else {
      return false
    }
    return transition.isInward == isInward
  }

  /// Whether a mouse button is held in a grid.
  var isPointerDown: Bool { pointer.isDown || grid.scrubber.heldAt != nil }

  mutating func endPresses(at now: Instant) {
    pointer.release()
    grid.scrubber.release(at: now)
  }

  /// Ends a press on a grid, and returns whether it is a click, other than the second one of a
  /// double click.
  mutating func endsClick(at position: PixelPoint, _ now: Instant) -> Bool {
    guard let press = pointer.gridPress else { return false }
    pointer.gridPress = nil
    return press.isClick(on: viewport) && !isDoubleClick(at: position, now)
  }

  /// Records a click, and returns whether it is the second one of a double click.
  mutating func isDoubleClick(at position: PixelPoint, _ now: Instant) -> Bool {
    pointer.isDoubleClick(at: position, within: Viewer.dragThreshold * viewport.metrics.point, now)
  }

  // MARK: - Tiles

  /// Returns the pose of a tile at the time of the context, in pixels of the picture area.
  func tilePose(of index: Int, in context: Grid.Context) -> Pose {
    let pose = grid.tilePose(of: index, in: context)
    return folders.transition?.arriving(pose, at: context.now) ?? pose
  }

  /// Returns the frame of a tile once the grid is at rest, in pixels of the picture area.
  ///
  /// The grid rests at the target of its scrolling, or at the given scroll offset.
  func restingTileFrame(of index: Int, scrolledTo offset: Double? = nil) -> PixelRect {
    grid.restingTileFrame(of: index, scrolledTo: offset, tiles, in: viewport)
  }

  /// The indices of the tiles that are visible, or will be once the grid is at rest.
  var visibleItems: Range<Int> { grid.layout.indices(in: grid.restingView(in: viewport)) }

  // MARK: - Photos

  /// The photos with visible tiles whose titles and captions have still to be read.
  var missingCaptions: [Photo.ID] {
    guard grid.style.hasLabels, grid.style.prefersCaptions else { return [] }
    return visibleItems.compactMap { index in
      guard items.indices.contains(index) else { return nil }
      let item = items[index]
      return album.isFolder(item) || !album.lacksWords(item) ? nil : item
    }
  }

  func size(of photo: Photo.ID) -> PixelSize? { collection.size(of: photo) }

  /// Returns a photo's rotation for this session, beyond the orientation in its file.
  func orientation(of photo: Photo.ID) -> Orientation { collection.orientation(of: photo) }

  func photo(at index: Int) -> Photo.ID? { collection.photoIndex(index).map { items[$0] } }

  /// Returns the photo at an index with the area that displays it; nil until its size is known.
  func stage(of index: Int) -> Magnification.PhotoInArea? {
    guard items.indices.contains(index), let size = size(of: items[index]) else { return nil }
    return viewport.stage(for: size)
  }

  /// Rotates or flips a photo a number of times.
  mutating func turn(_ photo: Photo.ID, by turning: Orientation, _ count: Int) {
    for _ in 0..<count % 4 { collection.turn(photo, by: turning) }
  }

  /// Returns the bar's message about photos that were just rotated or flipped.
  func words(ofTurned photos: [Photo.ID]) -> String {
    let rotations = Set(photos.map { orientation(of: $0) })
    guard rotations != [.upright] else { return "\(album.photoLabel(of: photos))not rotated" }
    let words = rotations.count == 1 ? rotations.first?.label : nil
    return "\(album.photoLabel(of: photos))\(words ?? "rotated"); W saves it"
  }

  /// Returns the rotated files among files that belong together, grouped by their rotation.
  func turned(_ files: [Photo.ID]) -> [[Photo.ID]] {
    Dictionary(grouping: files) { orientation(of: $0) }.filter { $0.key != .upright }
      .sorted { $0.key.number < $1.key.number }.map(\.value)
  }

  /// Returns the placement of a photo that fills a frame, cropped to the frame's proportions.
  func placement(of photo: Photo.ID, in frame: PixelRect, opacity: Double) -> Placement {
    let crop =
      collection.size(of: photo).map { PixelRect.fillCrop(of: $0, in: frame.size) } ?? .unit
    return Placement(
      photo: photo, frameIndex: playback(of: photo)?.shownFrame, frame: frame, crop: crop,
      opacity: opacity, orientation: collection.orientation(of: photo))
  }

  // MARK: - Pictures

  /// Returns the picture of a photo that fits or fills a frame.
  func demand(
    for photo: Photo.ID, in frame: PixelSize, mode: ContentMode,
    _ proximity: Demand.Proximity = .visible
  ) -> Demand {
    let part = mode == .fill ? frame.scaled(by: fillScale(of: photo, in: frame)) : frame
    let size = PixelSize(width: sampleCount(part.width), height: sampleCount(part.height))
    // Pictures are requested as the file has them, before the user's rotation.
    return Demand(
      photo: photo, size: collection.orientation(of: photo).turned(size), mode: mode,
      proximity: proximity)
  }

  /// Returns the picture of a photo that fits the screen.
  func screenDemand(of index: Int, _ proximity: Demand.Proximity = .visible) -> Demand {
    demand(for: items[index], in: viewport.photoArea.size, mode: .fit, proximity)
  }

  /// Returns the scale of the picture that fills a frame: less than 1 if nearly all of the picture would
  /// be clipped, as in a tile of a few rows that is as wide as the screen.
  private func fillScale(of photo: Photo.ID, in frame: PixelSize) -> Double {
    guard let size = size(of: photo), !frame.isEmpty else { return 1 }
    let crop = PixelRect.fillCrop(of: size, in: frame)
    let visible = frame.width * frame.height
    let whole = visible / (crop.width * crop.height)
    // In pixels: enough for a sharp picture in a square tile that shows a tenth of a panorama.
    let most = max(visible * 16, 512 * 512)
    return min(1, (most / whole).squareRoot())
  }

  private func sampleCount(_ pixels: Double) -> Double {
    max((pixels * viewport.metrics.samplesPerPixel).rounded(.up), 1)
  }
}
