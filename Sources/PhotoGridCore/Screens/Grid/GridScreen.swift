import Geometry
import Photos
import SceneModel

/// The grid of photos and folders as a screen; its tiles are in the gallery, as other screens need
/// them too.
struct GridScreen: Screen {
  /// The height of the content above which there is a scrubber, in screens.
  private static let minScrubberScreens = 1.5
  /// The width of the strip at the right edge where a hidden scrubber can be grabbed, in text
  /// columns.
  private static let edgeColumns = 1.0

  var traits: ScreenTraits { ScreenTraits(keyView: .grid) }

  func currentItem(in gallery: Gallery) -> Int? { gallery.items.isEmpty ? nil : gallery.selection }

  // MARK: - Commands

  func perform(
    _ command: Command, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome]? {
    switch command {
    case .navigation(.open): return [.open(gallery.selection)]
    case .navigation(.stepOut): return gallery.stepOut()
    case .viewer(.turn(let turning)): return turn(turning, count ?? 1, in: &gallery)
    case .navigation(.next), .navigation(.previous), .viewer: return []
    case .navigation(let command):
      gallery.changeGrid(at: now) { $0.navigate(command, count, in: $1) }
      return []
    case .grid(let command): return perform(command, count ?? 1, in: &gallery, at: now)
    case .album(.range) where gallery.collection.rangeAnchor == nil:
      gallery.collection.rangeAnchor = copiedItem(in: gallery)
      return []
    case .app, .album, .files, .culling, .comparison: return nil
    }
  }

  private func perform(
    _ command: Command.GridCommand, _ count: Int, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    switch command {
    case .goUp: return [.effect(.goUp)]
    case .nextSection: return goToSection(by: count, in: &gallery, at: now)
    case .previousSection: return goToSection(by: -count, in: &gallery, at: now)
    case .toggleLabels:
      gallery.changeLayout(at: now) { $0.restyle(in: $1) { $0.hasLabels.toggle() } }
    case .nextLayout: return changeLayout(by: count, in: &gallery, at: now)
    case .previousLayout: return changeLayout(by: -count, in: &gallery, at: now)
    case .largerTiles: return enlarge(by: count, in: &gallery, at: now)
    case .smallerTiles: return shrink(by: count, in: &gallery, at: now)
    case .zoomOut: return zoomOut(in: &gallery, at: now)
    case .resetTiles: gallery.changeLayout(at: now) { $0.resetTiles(in: $1) }
    case .gridLayout, .mosaicLayout, .bentoLayout, .rowsLayout:
      guard let kind = command.layout else { break }
      gallery.changeLayout(at: now) { $0.restyle(in: $1) { $0.kind = kind } }
    case .toggleCrop:
      guard gallery.grid.style.kind != .rows else {
        return [.notice("Rows always show whole photos", seconds: 1)]
      }
      gallery.changeGrid(at: now, gallery.options.motion.rearrangement) {
        $0.toggleContentMode(in: $1)
      }
    }
    return []
  }

  /// Rotates or flips the chosen photos in their tiles.
  ///
  /// A range goes on, so that the rotations of its photos can be saved next.
  private func turn(_ turning: Orientation, _ count: Int, in gallery: inout Gallery)
    -> [ScreenOutcome]
  {
    let photos = chosenFiles(in: gallery)
    guard !photos.isEmpty else {
      guard currentTile(in: gallery) != nil else { return [] }
      return [.notice("Only photos can be rotated", seconds: 2)]
    }
    for photo in photos { gallery.turn(photo, by: turning, count) }
    return [.turned, .notice(gallery.words(ofTurned: photos).capitalizedFirst, seconds: 2)]
  }

  private func changeLayout(by step: Int, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    gallery.changeLayout(at: now) { $0.changeLayout(by: step, in: $1) }
    return [.notice(gallery.grid.style.kind.rawValue, seconds: 1)]
  }

  private func enlarge(by steps: Int, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]
  {
    var limit: Grid.SizeLimit?
    gallery.changeLayout(at: now) { limit = $0.enlarge(by: steps, in: $1) }
    return limit == .fillsScreen ? [.notice("Tiles cannot get any larger", seconds: 1)] : []
  }

  /// Shrinks the tiles; if they cannot get smaller, zooms out to months.
  private func shrink(by steps: Int, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]
  {
    guard !gallery.isZooming(inward: true) else { return zoomOut(in: &gallery, at: now) }
    let before = gallery.grid.layout
    var limit: Grid.SizeLimit?
    gallery.changeLayout(at: now) { limit = $0.enlarge(by: -steps, in: $1) }
    return limit == .smallest && gallery.grid.layout == before
      ? zoomOut(in: &gallery, at: now) : []
  }

  private func zoomOut(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    guard !gallery.album.shown.isEmpty else { return [.notice("No photos to group", seconds: 2)] }
    gallery.endPresses(at: now)
    gallery.collection.needDates(true)
    let months = PeriodGrid(
      .month, of: gallery.gridContext(at: now), origin: gallery.selectedPhoto,
      spacing: gallery.options.layout.spacing)
    return [.zoom(months.zoomFromInside)]
  }

  // MARK: - Sections

  /// Selects the first photo of the section `steps` after the current one, or before it if
  /// negative; the first step back goes to the first photo of the current section.
  private func goToSection(by steps: Int, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    let (collection, selection) = (gallery.collection, gallery.selection)
    guard let present = collection.section(ofItem: selection) else { return [.noSections] }
    let sections = collection.sections
    let isInside = steps < 0 && selection > sections[present].range.lowerBound
    let wanted = present + steps + (isInside ? 1 : 0)
    go(toSection: min(max(wanted, 0), sections.count - 1), in: &gallery, at: now)
    return []
  }

  /// Selects the first photo of a section, and scrolls its heading to the top if there is enough
  /// content below it.
  private func go(toSection section: Int, in gallery: inout Gallery, at now: Instant) {
    let index = gallery.collection.sections[section].range.lowerBound
    gallery.changeGrid(at: now) { grid, context in
      grid.select(index, in: context)
      guard let heading = grid.layout.sectioned?.heading(ofSection: section) else { return }
      let offset = min(heading.minY, grid.scrollLimit(in: context.viewport))
      grid.scroll(
        to: grid.scrollOffset(showing: index, from: offset, in: context.viewport), in: context)
    }
  }

  func go(to index: Int, in gallery: inout Gallery, at now: Instant) {
    gallery.select(index, at: now)
  }

  func go(to date: CalendarDate, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    let collection = gallery.collection
    guard let found = collection.index(taken: date) else {
      return [
        .notice("The dates have not been read yet. Press gd, gm, or gy to read them.", seconds: 2)
      ]
    }
    if let section = collection.section(ofItem: found.index),
      collection.sections[section].range.lowerBound == found.index
    {
      go(toSection: section, in: &gallery, at: now)
    } else {
      gallery.select(found.index, at: now)
    }
    let words = gallery.options.dates.text(of: date)
    return found.isThen
      ? [] : [.notice("No photos from \(words). Showing the nearest one.", seconds: 2)]
  }

  // MARK: - The pointer

  func point(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]? {
    switch event.kind {
    case .pressed(.left):
      if !grabScrubber(at: event.position, in: &gallery, at: now) {
        gallery.pointer.gridPress = Drag(at: event.position, time: now)
        gallery.pointer.isDragOffered = false
      }
    case .dragged(.left):
      drag(to: event.position, in: &gallery, at: now)
      return dragOut(in: &gallery, at: now)
    case .released(.left):
      drag(to: event.position, in: &gallery, at: now)
      return release(event, in: &gallery, at: now)
    case .pressed(.right): return beginPainting(at: event.position, in: &gallery, at: now)
    case .dragged(.right): return paint(to: event.position, in: &gallery, at: now)
    case .released(.right): gallery.pointer.painting = nil
    case .wheel(let wheel): return turn(wheel, event.modifiers, in: &gallery, at: now)
    case .pressed, .dragged, .released, .moved: break
    }
    return []
  }

  private func drag(to position: PixelPoint, in gallery: inout Gallery, at now: Instant) {
    if gallery.grid.scrubber.heldAt != nil { return scrub(to: position.y, in: &gallery, at: now) }
    gallery.pointer.gridPress?.move(to: position, at: now)
  }

  /// Lets the pressed photo be dragged to another window, with all others if it is marked, if the
  /// terminal has offered that and the press is no longer a click.
  ///
  /// Nothing else can be dragged in the grid, so this need not wait until the pointer leaves the window,
  /// and whoever drags sees at once what is in the hand. An open photo stays: all directions there
  /// dismiss, swipe, or pan. The release may go to the other window, and does nothing here.
  func dragOut(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    guard gallery.pointer.isDragOffered, let press = gallery.pointer.gridPress,
      !press.isClick(on: gallery.viewport),
      let index = index(at: press.start, in: gallery, at: now),
      index >= gallery.collection.folderCount
    else { return [] }
    gallery.pointer.release()
    let (photo, album) = (gallery.items[index], gallery.album)
    let files = album.isMarked(photo) ? album.markedInOrder : album.files(ofTiles: [photo])
    return [.effect(.dragOut(files, showing: photo))]
  }

  /// Returns the folder whose tile is at a position; nil if there is none.
  func folder(at position: PixelPoint, in gallery: Gallery, at now: Instant) -> Photo.ID? {
    index(at: position, in: gallery, at: now).flatMap { index in
      (gallery.album.shownFilterCount..<gallery.collection.folderCount).contains(index)
        ? gallery.items[index] : nil
    }
  }

  private func release(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    guard gallery.grid.scrubber.heldAt == nil else {
      gallery.grid.scrubber.release(at: now)
      return []
    }
    guard gallery.endsClick(at: event.position, now) else { return [] }
    if let section = section(withHeadingAt: event.position, in: gallery, at: now) {
      return Self.mark(section: section, of: gallery.collection)
    }
    guard let index = index(at: event.position, in: gallery, at: now) else { return [] }
    return mark(byClickOn: index, event.modifiers, in: gallery) ?? [.open(index)]
  }

  /// Returns what a click with a modifier does: with Control it toggles the mark of the photo, with
  /// Alt it marks all photos from the selection to the clicked one; nil without a modifier.
  private func mark(
    byClickOn index: Int, _ modifiers: MouseEvent.Modifiers, in gallery: Gallery
  ) -> [ScreenOutcome]? {
    let (album, item) = (gallery.album, gallery.items[index])
    if modifiers.contains(.control) {
      let files = album.files(ofTiles: [item])
      return [.mark(files, !files.allSatisfy { album.marks.contains($0) }), .select(item)]
    }
    guard modifiers.contains(.alt) else { return nil }
    let selection = gallery.selection
    let range = min(selection, index)...max(selection, index)
    return [.mark(Array(gallery.items[range]), true), .select(item)]
  }

  /// Returns the outcome that marks the photos of a section, or removes their marks if all are
  /// marked already; of near duplicates it marks all but the best.
  static func mark(section: Int, of collection: PhotoCollection) -> [ScreenOutcome] {
    let album = collection.album
    if collection.grouping == .similar {
      guard case .similar = collection.sections[section].key else {
        return [.notice("These photos have no near duplicates", seconds: 2)]
      }
      return collection.markGroup(section)
    }
    let photos = album.files(ofTiles: collection.photos(inSection: section))
    guard !photos.isEmpty else { return [.notice("Folders cannot be marked", seconds: 1)] }
    let isMarked = photos.allSatisfy { album.marks.contains($0) }
    return [.change { $0.mark(photos, !isMarked) }]
  }

  private func turn(
    _ wheel: MouseEvent.Wheel, _ modifiers: MouseEvent.Modifiers, in gallery: inout Gallery,
    at now: Instant
  ) -> [ScreenOutcome] {
    switch wheel {
    case .up where modifiers.contains(.control):
      return gallery.isZooming(inward: true) ? [] : enlarge(by: 1, in: &gallery, at: now)
    case .down where modifiers.contains(.control): return shrink(by: 1, in: &gallery, at: now)
    case .up: gallery.changeGrid(at: now) { $0.scrollRows(-1, in: $1) }
    case .down: gallery.changeGrid(at: now) { $0.scrollRows(1, in: $1) }
    case .left, .right: break
    }
    return []
  }

  /// Starts painting with the right button: it marks photos, or removes marks if it starts on a
  /// marked photo.
  private func beginPainting(at position: PixelPoint, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    guard let index = index(at: position, in: gallery, at: now) else { return [] }
    gallery.pointer.painting = Pointer.Painting(
      isMarking: !gallery.album.isMarked(gallery.items[index]), last: position)
    return paint(to: position, in: &gallery, at: now)
  }

  /// Marks the photos between the last position of the pointer and this one, or removes their
  /// marks.
  private func paint(to position: PixelPoint, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    guard let painting = gallery.pointer.painting else { return [] }
    gallery.pointer.painting?.last = position
    // A fast pointer is reported at few positions only.
    let step = gallery.viewport.metrics.cell.height
    let distance = painting.last.distance(to: position)
    let count = max(Int(min(distance / step, 1000).rounded(.up)), 1)
    let touched = (0...count).compactMap { number -> Photo.ID? in
      let share = Double(number) / Double(count)
      let point = PixelPoint(
        x: painting.last.x + (position.x - painting.last.x) * share,
        y: painting.last.y + (position.y - painting.last.y) * share)
      return index(at: point, in: gallery, at: now).map { gallery.items[$0] }
    }
    return touched.isEmpty ? [] : [.mark(touched, painting.isMarking)]
  }

  private func index(at point: PixelPoint, in gallery: Gallery, at now: Instant) -> Int? {
    guard section(withHeadingAt: point, in: gallery, at: now) == nil else { return nil }
    let context = gallery.gridContext(at: now)
    // Where moving tiles overlap, the last one drawn is in front.
    return gallery.grid.visibleIndices(in: context).last {
      gallery.tilePose(of: $0, in: context).frame.contains(point)
    }
  }

  /// Returns the section whose visible heading contains a point of the picture area; nil if there
  /// is none.
  private func section(withHeadingAt point: PixelPoint, in gallery: Gallery, at now: Instant)
    -> Int?
  {
    guard let sectioned = gallery.grid.layout.sectioned else { return nil }
    let scroll = gallery.grid.scroll.value(at: now)
    return sectioned.sections(at: scroll).first {
      sectioned.visibleHeading(ofSection: $0, scroll: scroll).contains(point)
    } ?? sectioned.heading(at: PixelPoint(x: point.x, y: point.y + scroll))
  }

  // MARK: - The scrubber

  func scrubberScale(in gallery: Gallery) -> ScrubberScale? {
    let viewport = gallery.viewport
    guard
      gallery.grid.layout.contentHeight > Self.minScrubberScreens * viewport.pictureSize.height
    else { return nil }
    return ScrubberScale(itemCount: gallery.items.count, rowCount: viewport.pictureCells.rows)
  }

  /// Grabs the scrubber if a position is on it.
  ///
  /// - Returns: Whether the position is on the scrubber.
  private func grabScrubber(at position: PixelPoint, in gallery: inout Gallery, at now: Instant)
    -> Bool
  {
    guard let scale = scrubberScale(in: gallery) else { return false }
    let viewport = gallery.viewport
    let cell = viewport.metrics.cell
    let row = Int((position.y / cell.height).rounded(.down))
    let mark =
      gallery.grid.scrubber.isShown
      ? scale.texts(in: gallery).first { $0.row == row }?.text ?? "" : ""
    let columns = max(Self.edgeColumns, mark.isEmpty ? 0 : Double(CellText(mark).width + 2))
    guard row > 0, position.x >= viewport.pictureSize.width - columns * cell.width,
      viewport.pictureArea.contains(position)
    else { return false }
    scrub(to: position.y, in: &gallery, at: now)
    return true
  }

  /// Scrolls to the photos at a height of the scrubber, in pixels from the top of the picture area.
  private func scrub(to y: Double, in gallery: inout Gallery, at now: Instant) {
    guard let scale = scrubberScale(in: gallery) else {
      return gallery.grid.scrubber.release(at: now)
    }
    gallery.grid.scrubber.hold(at: y, now)
    // Pointing at the middle of a row selects the first photo of that row.
    let share = scale.share(atRow: y / gallery.viewport.metrics.cell.height - 0.5 + 1e-9)
    let index = scale.item(at: share)
    gallery.changeGrid(at: now) { grid, context in
      grid.jump(to: share >= 1 ? .infinity : grid.offset(showingAtTop: index), in: context)
    }
  }

  // MARK: - Time

  func settle(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    gallery.grid.settle(at: now)
    gallery.grid.scrubber.settle(at: now)
    return []
  }

  func follow(_ change: GalleryChange, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    switch change {
    case .viewport:
      gallery.grid.resize(in: gallery.gridContext(at: now))
      gallery.pointer.gridPress = nil
      gallery.grid.scrubber.release(at: now)
    // The gallery moves the tiles itself.
    case .items, .appended, .pressesEnded, .tiles, .sizes, .resized, .prepared, .filesChanged,
      .room:
      break
    }
    return []
  }

  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool {
    gallery.grid.isAnimating(at: now) || gallery.grid.scrubber.isMoving(at: now)
  }

  func nextChange(in gallery: Gallery) -> Instant? {
    [gallery.grid.reshapeDue, gallery.grid.scrubber.nextChange].compactMap(\.self).min()
  }
}

extension ScreenOutcome {
  /// The answer to a command about sections while there are none.
  static let noSections = notice("Nothing is grouped. Press gd, gm, gy, gf, or g*.", seconds: 2)
}

extension Grid {
  /// Moves the selection, or scrolls by pages; does nothing for other commands.
  mutating func navigate(_ command: Command.Navigation, _ count: Int?, in context: Context) {
    let number = count ?? 1
    let (items, selection) = (context.items, selection(in: context.items))
    switch command {
    case .left: move(.left, number, in: context)
    case .right: move(.right, number, in: context)
    case .up: move(.up, number, in: context)
    case .down: move(.down, number, in: context)
    case .pageForward: movePages(Double(number), in: context)
    case .pageBack: movePages(-Double(number), in: context)
    case .halfPageForward: movePages(Double(number) / 2, in: context)
    case .halfPageBack: movePages(-Double(number) / 2, in: context)
    case .first, .last, .tenForward, .tenBack, .next, .previous:
      if let index = command.destination(count, from: selection, in: items) {
        select(index, in: context)
      }
    case .open, .stepOut: break
    }
  }
}

extension Command.Navigation {
  /// Returns the index to which a command that counts items leads, in a grid and in the viewer; nil
  /// for all other commands.
  func destination(_ count: Int?, from index: Int, in items: GridItems) -> Int? {
    let number = count ?? 1
    switch self {
    case .first: return count.map { items.folderCount + $0 - 1 } ?? 0
    case .last: return count.map { items.folderCount + $0 - 1 } ?? items.count - 1
    case .tenForward: return index + 10 * number
    case .tenBack: return index - 10 * number
    case .next: return index + number
    case .previous: return index - number
    case .left, .right, .up, .down, .pageForward, .pageBack, .halfPageForward, .halfPageBack,
      .open, .stepOut:
      return nil
    }
  }
}
