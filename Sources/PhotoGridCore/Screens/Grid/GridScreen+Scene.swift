import Geometry
import Photos
import SceneModel

extension GridScreen {
  func draw(into scene: inout Scene, _ frame: SceneFrame) {
    addTiles(to: &scene, frame)
    addHeadings(to: &scene, frame)
    addScrubber(to: &scene, frame)
  }

  // MARK: - Tiles

  private func addTiles(to scene: inout Scene, _ frame: SceneFrame) {
    let (gallery, now) = (frame.gallery, frame.now)
    let (collection, grid) = (gallery.collection, gallery.grid)
    let context = gallery.gridContext(at: now)
    for (item, pose) in grid.exitingTiles(in: context) {
      if let file = item.file { draw(file, pose, to: &scene, frame) }
    }
    guard !collection.items.isEmpty else {
      if collection.listingNotes == nil, collection.album.listing.isEmpty {
        addSkeleton(to: &scene, frame)
      }
      return
    }
    let selection = gallery.selection
    let range = collection.range(to: selection)
    func isMarked(_ index: Int) -> Bool { collection.isMarked(index, in: range) }
    let isMoving = !grid.rearrangement.isOver(at: now)
    let isArranged = !isMoving && gallery.folders.transition == nil
    // The selected tile flies above its neighbors, unless a photo lies over all of them.
    let hasOpenPhoto = frame.photoScreen?.traits.openPhoto != nil
    let isRaised = isMoving && !hasOpenPhoto && gallery.removalFade == nil
    for index in grid.visibleIndices(in: context) {
      let label = labelFrame(of: index, in: gallery)
      func text() -> String {
        let item = collection.items[index]
        let caption = grid.style.prefersCaptions ? collection.album.caption(of: item) : nil
        return (isMarked(index) ? "*" : "") + (caption ?? frame.name(item))
      }
      if isArranged, let label {
        let shifted = label.offset(x: 0, y: -grid.scroll.value(at: now))
        draw(name: text(), in: shifted, to: &scene, frame)
      }
      if isMarked(index) { scene.marks.append(ring(of: index, .marked, in: context, frame)) }
      if isArranged, !hasOpenPhoto, label == nil, grid.style.hasLabels {
        addName(text(), onTileOf: index, to: &scene, in: context, frame)
      }
      if !isRaised || index != selection { addTile(index, to: &scene, in: context, frame) }
    }
    if isRaised { addTile(selection, to: &scene, in: context, frame) }
    scene.ring = ring(
      of: selection, isMarked(selection) ? .selectedAndMarked : .selected, in: context, frame)
    scene.ring?.isRaised = isRaised
    if isArranged { scene.outlines = stackOutlines(frame) }
  }

  /// The frame of an item's name, in content coordinates; nil if no name is drawn.
  private func labelFrame(of index: Int, in gallery: Gallery) -> PixelRect? {
    gallery.grid.layout.labelFrame(at: index)
      ?? (index < gallery.collection.folderCount
        ? gallery.folderTile(at: index).labelFrame : nil)
  }

  private func draw(
    name: String, in label: PixelRect, to scene: inout Scene, _ frame: SceneFrame
  ) {
    let columns = frame.gallery.viewport.metrics.columns(inside: label).count
    let text = CellText(name).truncatedMiddle(to: columns).string
    scene.labels.append(Scene.Label(text: text, frame: label, opacity: frame.gridOpacity))
  }

  private func addTile(
    _ index: Int, to scene: inout Scene, in context: Grid.Context, _ frame: SceneFrame
  ) {
    let item = frame.gallery.items[index]
    guard frame.photoScreen?.hidesTile(of: item, in: frame.gallery) != true else { return }
    let pose = frame.gallery.tilePose(of: index, in: context)
    if index < frame.gallery.collection.folderCount {
      addFolder(at: index, pose, to: &scene, frame)
    } else {
      draw(item, pose, frame.gallery.badges(onTileOf: index), to: &scene, frame)
    }
  }

  private func ring(
    of index: Int, _ meaning: Scene.Ring.Meaning, in context: Grid.Context,
    _ frame: SceneFrame
  ) -> Scene.Ring {
    let pose = frame.gallery.tilePose(of: index, in: context)
    let isStill = frame.gallery.folders.transition == nil
    return Scene.Ring(
      tile: pose.frame, opacity: frame.gridOpacity * (isStill ? 1 : pose.opacity),
      meaning: meaning)
  }

  /// Draws a photo's tile, if any of it is visible.
  private func draw(
    _ photo: Photo.ID, _ pose: Pose, _ badges: Badges? = nil, to scene: inout Scene,
    _ frame: SceneFrame
  ) {
    guard pose.frame.intersects(frame.gallery.viewport.pictureArea) else { return }
    var tile = frame.gallery.placement(
      of: photo, in: pose.frame, opacity: frame.gridOpacity * pose.opacity)
    tile.show(badges)
    scene.placements.append(tile)
  }

  private func addFolder(
    at index: Int, _ pose: Pose, to scene: inout Scene, _ frame: SceneFrame
  ) {
    let gallery = frame.gallery
    guard pose.frame.intersects(gallery.viewport.pictureArea) else { return }
    let opacity = frame.gridOpacity * pose.opacity
    let tile = gallery.folderTile(at: index)
    // What the folder's tile says stands on the plate alone.
    let tab = (photo: Photo.ID.unlisted, frame: tile.tab(in: pose.frame))
    let plate = (photo: gallery.items[index], frame: tile.plate(in: pose.frame))
    for part in [tab, plate] where part.frame.height > 0 {
      scene.placements.append(
        Placement(photo: part.photo, frame: part.frame, crop: .unit, opacity: opacity)
          .clipped(to: gallery.viewport.pictureArea))
    }
    for (photo, part) in gallery.folderSamples(at: index, in: pose.frame) {
      scene.placements.append(gallery.placement(of: photo, in: part, opacity: opacity))
    }
  }

  /// Adds a screenful of placeholder tiles, shown until the listing finds the first photos.
  private func addSkeleton(to scene: inout Scene, _ frame: SceneFrame) {
    let layout = frame.gallery.grid.layout
    var index = 0
    while layout.frame(at: index).minY < scene.size.height, index < 100_000 {
      let still = Pose(frame: layout.frame(at: index), backdrop: 1)
      let pose = frame.gallery.folders.transition?.arriving(still, at: frame.now) ?? still
      scene.placements.append(
        Placement(
          photo: .unlisted, frame: pose.frame, crop: .unit,
          opacity: frame.gridOpacity * pose.opacity))
      index += 1
    }
  }

  /// Adds the name of a photo in the last row of its tile, in a layout that has no row of its own
  /// for names.
  private func addName(
    _ name: String, onTileOf index: Int, to scene: inout Scene, in context: Grid.Context,
    _ frame: SceneFrame
  ) {
    let metrics = frame.gallery.viewport.metrics
    guard index >= frame.gallery.collection.folderCount,
      let row = Scene.Label.lastRow(
        of: frame.gallery.tilePose(of: index, in: context).frame, metrics),
      !row.columns.isEmpty
    else { return }
    scene.captions.append(
      Scene.Label(
        text: CellText(name).truncatedMiddle(to: row.columns.count).string,
        at: row.columns.lowerBound, row: row.number, metrics, opacity: frame.gridOpacity))
  }

  // MARK: - Headings

  /// Adds the visible headings; those of the topmost sections stay at the top of the screen until
  /// the next ones push them out.
  private func addHeadings(to scene: inout Scene, _ frame: SceneFrame) {
    let gallery = frame.gallery
    guard let sectioned = gallery.grid.layout.sectioned, gallery.folders.transition == nil else {
      return
    }
    let scroll = gallery.grid.scroll.value(at: frame.now)
    let topmost = sectioned.sections(at: scroll)
    for section in topmost.lowerBound..<sectioned.sectionCount {
      let heading = sectioned.visibleHeading(ofSection: section, scroll: scroll)
      guard heading.minY < scene.size.height else { break }
      let text = gallery.collection.heading(
        ofSection: section, gallery.options.dates,
        columns: gallery.viewport.metrics.columns(inside: heading).count - 2)
      let label = Scene.Label(
        text: " " + text, frame: heading, opacity: frame.gridOpacity, isHeading: true)
      // A caption hides the tiles behind it; a label does not cut off tiles that fly to new places.
      if topmost.contains(section), gallery.grid.rearrangement.isOver(at: frame.now) {
        scene.captions.append(label)
      } else {
        scene.labels.append(label)
      }
    }
  }

  // MARK: - The scrubber

  /// Adds the scrubber's texts and its current position.
  private func addScrubber(to scene: inout Scene, _ frame: SceneFrame) {
    let gallery = frame.gallery
    guard gallery.grid.scrubber.isShown, gallery.folders.transition == nil,
      let scale = scrubberScale(in: gallery)
    else { return }
    let columns = gallery.viewport.pictureCells.columns
    let dates = gallery.options.dates
    let row = presentRow(on: scale, frame)
    for mark in scale.texts(in: gallery) where mark.row != row {
      draw(" \(mark.text) ", atRow: mark.row, endingAt: columns, to: &scene, frame)
    }
    draw("←", atRow: row, endingAt: columns, to: &scene, frame)
    guard let y = gallery.grid.scrubber.heldAt else { return }
    let pointed = scale.item(at: scale.share(atRow: y / gallery.viewport.metrics.cell.height - 0.5))
    let item = gallery.collection.sections.isEmpty ? pointed : firstVisibleTile(frame)
    guard let words = gallery.collection.scrubberTitle(ofItem: item, dates) else { return }
    let title = CellText(words).truncatedMiddle(to: max(columns - 4, 1))
    draw(" \(title.string) ", atRow: row, endingAt: columns - 1, to: &scene, frame, isHeading: true)
  }

  private func draw(
    _ text: String, atRow row: Int, endingAt end: Int, to scene: inout Scene,
    _ frame: SceneFrame,
    isHeading: Bool = false
  ) {
    let cell = frame.gallery.viewport.metrics.cell
    let width = CellText(text).width
    guard width <= end else { return }
    scene.captions.append(
      Scene.Label(
        text: text,
        frame: PixelRect(
          x: Double(end - width) * cell.width, y: Double(row) * cell.height,
          width: Double(width) * cell.width, height: cell.height),
        opacity: frame.gridOpacity, isHeading: isHeading))
  }

  /// Returns the row of the current position: the pointer's row while it holds the scrubber,
  /// otherwise the row of the first visible tile.
  private func presentRow(on scale: ScrubberScale, _ frame: SceneFrame) -> Int {
    let (grid, viewport) = (frame.gallery.grid, frame.gallery.viewport)
    if let y = grid.scrubber.heldAt {
      let row = (y / viewport.metrics.cell.height).rounded(.down)
      return Int(min(max(row, 1), Double(scale.rowCount - 1)))
    }
    let isAtEnd = grid.scroll.value(at: frame.now) >= grid.scrollLimit(in: viewport)
    return isAtEnd ? scale.rowCount - 1 : scale.row(ofItem: firstVisibleTile(frame))
  }

  /// Returns the index of the first tile below the heading at the top of the screen.
  private func firstVisibleTile(_ frame: SceneFrame) -> Int {
    let (grid, viewport) = (frame.gallery.grid, frame.gallery.viewport)
    let heading = grid.layout.headingHeight
    // Without a heading, the space above the first row of tiles is not of the row before it.
    let top =
      grid.scroll.value(at: frame.now) + (heading > 0 ? heading : viewport.metrics.cell.height)
    let view = PixelRect(x: 0, y: top, width: 1, height: viewport.pictureSize.height)
    let last = max(frame.gallery.items.count - 1, 0)
    return min(grid.layout.indices(in: view).lowerBound, last)
  }

  // MARK: - Pictures

  func demands(in gallery: Gallery) -> ScreenDemands {
    let indices = gallery.grid.demandedIndices(around: gallery.selection, in: gallery.viewport)
    return ScreenDemands(
      visible: indices.visible.flatMap { gallery.tileDemands(of: $0, .visible) },
      ahead: indices.nearby.flatMap { gallery.tileDemands(of: $0, .nearby) })
  }

  func visibleItems(in gallery: Gallery) -> [Int] { Array(gallery.visibleItems) }

  /// Returns the visible and nearly visible folders whose previews are missing or out of date,
  /// nearest to the selection first.
  func missingPreviews(in gallery: Gallery) -> [Photo.ID] {
    let (grid, items, selection) = (gallery.grid, gallery.items, gallery.selection)
    let folders = gallery.album.shownFilterCount..<gallery.collection.folderCount
    guard !folders.isEmpty else { return [] }
    let step = grid.layout.scrollStep
    let size = gallery.viewport.pictureSize
    let view = PixelRect(
      x: 0, y: grid.scroll.target - step, width: size.width, height: size.height + 2 * step)
    return grid.layout.indices(in: view)
      .filter { folders.contains($0) && gallery.folders.needsPreview(items[$0]) }
      .sorted { abs($0 - selection) < abs($1 - selection) }
      .map { items[$0] }
  }
}

extension ScrubberScale {
  /// Returns the texts of rows for the items of a gallery.
  func texts(in gallery: Gallery) -> [(row: Int, text: String)] {
    texts { gallery.collection.scrubberMark(ofItem: $0, gallery.options.dates) }
  }
}

extension Gallery {
  fileprivate func tileDemands(of index: Int, _ proximity: Demand.Proximity) -> [Demand] {
    guard index < collection.folderCount else { return [tileDemand(of: index, proximity)] }
    return folderSamples(at: index, in: grid.layout.frame(at: index)).map {
      demand(for: $0.photo, in: $0.frame.size, mode: .fill, proximity)
    }
  }

  func tileDemand(of index: Int, _ proximity: Demand.Proximity) -> Demand {
    // Rows never clip photos, and a picture of a panorama that fills its tile would be huge.
    demand(
      for: items[index], in: grid.layout.frame(at: index).size,
      mode: grid.style.kind == .rows ? .fit : .fill, proximity)
  }

  func folderTile(at index: Int) -> FolderTile {
    FolderTile(at: index, in: grid.layout, metrics: viewport.metrics)
  }

  /// Returns the first photos of a folder, with their frames on its tile, given the tile's current
  /// frame.
  func folderSamples(at index: Int, in frame: PixelRect) -> [(photo: Photo.ID, frame: PixelRect)] {
    let samples = folders.previews[items[index]]?.samples ?? []
    return Array(zip(samples, folderTile(at: index).sampleFrames(samples.count, in: frame)))
  }
}

extension Scene.Label {
  /// Returns the last row of cells that a tile covers, and the columns in it; nil if the tile is
  /// lower than a row.
  ///
  /// Aligned to a row of cells, a text hides no more of the picture than needed.
  package static func lastRow(
    of tile: PixelRect, _ metrics: CellMetrics
  ) -> (number: Int, columns: Range<Int>)? {
    let row = ((tile.maxY + 0.01) / metrics.cell.height).rounded(.down) - 1
    guard row * metrics.cell.height >= tile.minY - 0.01, row >= 0 else { return nil }
    return (Int(row), metrics.columns(inside: tile))
  }

  package init(text: String, at column: Int, row: Int, _ metrics: CellMetrics, opacity: Double) {
    let cell = metrics.cell
    self.init(
      text: text,
      frame: PixelRect(
        x: Double(column) * cell.width, y: Double(row) * cell.height,
        width: Double(CellText(text).width) * cell.width, height: cell.height),
      opacity: opacity)
  }
}

extension SectionedLayout {
  /// Returns the frame of a heading in the picture area: at its place in the content, or at the top
  /// while its section scrolls.
  func visibleHeading(ofSection section: Int, scroll: Double) -> PixelRect {
    var frame = heading(ofSection: section).offset(x: 0, y: -scroll)
    guard frame.minY < 0 else { return frame }
    let below = sections(beside: section).upperBound
    let next = below < sectionCount ? heading(ofSection: below).minY - scroll : .infinity
    frame.origin.y = min(0, next - frame.height)
    return frame
  }
}
