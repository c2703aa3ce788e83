/// Folders among the tiles: what is in them, going into them and out again.
extension Browser {
  /// How many tiles are folders; they are the first ones.
  package var folderCount: Int { collection.folderCount }

  /// The folder that is selected.
  package var currentFolder: Photo.ID? {
    !isInDetail && selection < folderCount ? photos[selection] : nil
  }

  // MARK: - What is in folders

  /// What is known of a folder; nil until it was read.
  package func folderPreview(of folder: Photo.ID) -> FolderPreview? { folders.previews[folder] }

  /// The folders in sight, or nearly so, into which nobody has looked yet, the nearest to the
  /// selection first.
  package var unglanced: [Photo.ID] {
    guard folderCount > 0 else { return [] }
    let view = PixelRect(
      x: 0, y: scroll.target - layout.scrollStep, width: viewport.pictureSize.width,
      height: viewport.pictureSize.height + 2 * layout.scrollStep)
    return layout.indices(in: view)
      .filter { $0 < folderCount && folders.needsPreview(photos[$0]) }
      .sorted { abs($0 - selection) < abs($1 - selection) }
      .map { photos[$0] }
  }

  // MARK: - Tiles

  /// The name of a folder in its own tile, aligned to cells; nil for photos, and where the tile is
  /// too low for it.
  func folderLabelFrame(at index: Int) -> PixelRect? {
    guard index < folderCount, layout.labelFrame(at: index) == nil else { return nil }
    let (tile, row) = (layout.frame(at: index), viewport.metrics.cell.height)
    guard tile.height >= 3 * row else { return nil }
    let y = (tile.maxY / row + 0.01).rounded(.down) * row - row
    return PixelRect(x: tile.minX, y: y, width: tile.width, height: row)
  }

  /// The part of a folder's tile that shows photos, wherever the tile is on its way: under the tab
  /// that makes it a folder, and above its name.
  func folderPlate(in frame: PixelRect, at index: Int) -> PixelRect {
    let tile = layout.frame(at: index)
    let top = folderTabHeight(of: tile)
    let bottom = folderLabelFrame(at: index)?.minY ?? tile.maxY
    let scale = frame.height / max(tile.height, 1)
    return PixelRect(
      x: frame.minX, y: frame.minY + top * scale, width: frame.width,
      height: (bottom - tile.minY - top) * scale)
  }

  /// The tab at the upper left of a folder's tile; without height where the tile is too low for it.
  func folderTab(in frame: PixelRect, at index: Int) -> PixelRect {
    let tile = layout.frame(at: index)
    let quantum = viewport.metrics.quantum
    let width = (tile.width * 0.4 / quantum.width).rounded() * quantum.width
    let (across, down) = (frame.width / max(tile.width, 1), frame.height / max(tile.height, 1))
    return PixelRect(
      x: frame.minX, y: frame.minY, width: width * across,
      height: folderTabHeight(of: tile) * down)
  }

  /// A tenth of the tile, on whole quanta; 0 where the tile is too low.
  private func folderTabHeight(of tile: PixelRect) -> Double {
    let quantum = viewport.metrics.quantum.height
    guard tile.height >= 8 * quantum else { return 0 }
    return max((tile.height / 10 / quantum).rounded(), 1) * quantum
  }

  /// The first photos of a folder, side by side on its plate.
  func samples(ofFolderAt index: Int, on plate: PixelRect) -> [(photo: Photo.ID, frame: PixelRect)]
  {
    guard let samples = folders.previews[photos[index]]?.samples, !samples.isEmpty else {
      return []
    }
    let (quantum, gap) = (viewport.metrics.quantum, viewport.metrics.gap)
    let rest = folderPlate(in: layout.frame(at: index), at: index)
    let frames = Self.sampleFrames(samples.count, on: rest.size, quantum: quantum, gap: gap)
    // On its way a tile may have another size than at rest.
    let origin = PixelRect(origin: .zero, size: rest.size)
    return zip(samples, frames).map { ($0, $1.carried(from: origin, to: plate)) }
  }

  /// Up to four frames on a plate, a gap from its edges and from each other, on whole quanta; fewer
  /// where there is no room.
  static func sampleFrames(
    _ count: Int, on plate: PixelSize, quantum: PixelSize, gap: PixelSize
  ) -> [PixelRect] {
    let room = PixelSize(width: plate.width - 2 * gap.width, height: plate.height - 2 * gap.height)
    guard room.width >= 5 * quantum.width, room.height >= 5 * quantum.height else {
      return [PixelRect(origin: .zero, size: plate)]
    }
    func parts(_ start: Double, _ length: Double, _ gap: Double, _ quantum: Double, _ isCut: Bool)
      -> [(start: Double, length: Double)]
    {
      guard isCut else { return [(start, length)] }
      let first = ((length - gap) / 2 / quantum).rounded(.down) * quantum
      return [(start, first), (start + first + gap, length - gap - first)]
    }
    let columns = parts(gap.width, room.width, gap.width, quantum.width, count > 1)
    let rows = parts(gap.height, room.height, gap.height, quantum.height, count > 2)
    let frames = rows.flatMap { row in
      columns.map { PixelRect(x: $0.start, y: row.start, width: $0.length, height: row.length) }
    }
    guard count == 3, let first = frames.first, let below = frames.last else {
      return Array(frames.prefix(count))
    }
    let tall = PixelRect(
      x: first.minX, y: first.minY, width: first.width, height: below.maxY - first.minY)
    return [tall, frames[1], below]
  }

  // MARK: - Going in and out

  /// Goes into a folder, if that can be read.
  mutating func enter(_ folder: Photo.ID, at now: Instant, effects: inout [Effect]) {
    if let preview = folders.previews[folder], preview.isCurrent, let words = preview.failure {
      showNotice("the folder cannot be read: \(words)", for: 2, at: now)
    } else {
      effects.append(.enter(folder))
    }
  }

  /// Takes the photos of another folder in place of those before.
  mutating func move(_ move: FolderMove, at now: Instant) {
    endDrag(at: now)
    folders.leave(
      move.from,
      view: FolderView(
        selected: photos.indices.contains(selection) ? photos[selection] : nil,
        scroll: scroll.target))
    let transition = options.motion == .none ? nil : self.transition(for: move, at: now)
    animator.stop()
    (mode, removalFade, viewBeforeFilter) = (.grid(closing: nil, nil), nil, nil)
    pointer.painting = nil
    rearrangement = Rearrangement()
    (hasUserInteracted, options.opensSinglePhoto) = (false, false)
    collection.move(to: move.photos)
    if case .outOf(let folder?) = move.way { folders.expirePreview(of: folder) }
    relayout()
    restoreView(move)
    refreshIfDue(at: now)
    folders.transition = transition
    if case .outOf(let folder?) = move.way { aimTransition(at: folder, at: now) }
  }

  /// The folder that one came from, or a photo of it, turned up: it is selected, unless the person
  /// has done something else by then.
  mutating func land(on tile: Photo.ID, at now: Instant) {
    guard !hasUserInteracted, let index = collection.index(of: tile) else { return }
    hasUserInteracted = true
    select(index, at: now)
    scroll.jump(to: scroll.target)
    aimTransition(at: tile, at: now)
  }

  /// Selects what was selected when the folder was left, or the folder that one comes from.
  private mutating func restoreView(_ move: FolderMove) {
    let view = folders.view(of: move.to)
    var selected = view?.selected
    if case .outOf(let folder?) = move.way, collection.index(of: folder) != nil {
      selected = folder
    }
    let index = selected.flatMap { selected in collection.index(of: selected) }
    selection = index ?? collection.firstIndex
    if index != nil { hasUserInteracted = true }
    scroll = Animated(0)
    guard !photos.isEmpty else { return }
    scroll.jump(
      to: scrollOffset(showing: selection, from: min(max(view?.scroll ?? 0, 0), scrollLimit)))
  }

  // MARK: - Motion

  /// The way that a move is seen to take, from what is on the screen now.
  private func transition(for move: FolderMove, at now: Instant) -> FolderTransition {
    let screen = viewport.pictureArea
    let isInward = move.isInward
    let timing = options.motion.tap
    let end = { (tile: PixelRect) in
      isInward
        ? Pose(frame: screen, backdrop: 0, opacity: 1)
        : Pose(frame: tile, backdrop: 1, opacity: 0)
    }
    // Turning back in the middle: what came goes again, on the way that it came.
    if var transition = folders.transition, transition.isInward != isInward,
      transition.folder == move.folder
    {
      var grid = self
      (grid.folders.transition, grid.viewer) = (nil, nil)
      transition.isInward = isInward
      transition.left = grid.scene(at: now).placements
      transition.progress.retarget(to: end(transition.tile), timing, at: now)
      return transition
    }
    let center = PixelRect(center: screen.center, size: screen.size.scaled(by: 0.2))
    var tile = screen
    if options.motion.travels {
      let index = isInward ? move.folder.flatMap { collection.index(of: $0) } : nil
      tile = index.map { tileFrame(of: $0, at: now) } ?? center
    }
    let start =
      isInward
      ? Pose(frame: tile, backdrop: 1, opacity: 0) : Pose(frame: screen, backdrop: 0, opacity: 1)
    return FolderTransition(
      isInward: isInward, folder: move.folder, tile: tile, left: scene(at: now).placements,
      screen: screen, progress: Animated(from: start, to: end(tile), timing, at: now))
  }

  /// Leads the way out to the tile of the folder that is left.
  private mutating func aimTransition(at folder: Photo.ID, at now: Instant) {
    guard var transition = folders.transition, !transition.isInward, options.motion.travels,
      let index = collection.index(of: folder)
    else { return }
    transition.folder = folder
    transition.tile = restingTileFrame(of: index)
    transition.progress.retarget(
      to: Pose(frame: transition.tile, backdrop: 1, opacity: 0), options.motion.tap, at: now)
    folders.transition = transition
  }
}
