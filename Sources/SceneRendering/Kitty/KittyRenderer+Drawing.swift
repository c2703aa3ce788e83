import Geometry
import SceneModel

/// A frame as images and cells.
struct KittyDrawing {
  /// The placements of images, each with its owner (see `KittyPlacements.Slot`).
  var puts: [(put: KittyPlacement, owner: Int32)] = []
  /// The rest of the scene, which is drawn by cells behind the images.
  var cellScene: Scene
}

extension KittyRenderer {
  /// Returns the frame, with all images that the terminal has.
  func drawing(of view: KittyView) -> KittyDrawing {
    var drawing = KittyDrawing(cellScene: view.scene)
    guard view.scene.placements.count <= KittyLimits.placements else { return drawing }
    drawing.cellScene.placements = []
    drawing.cellScene.ring = nil
    (drawing.cellScene.marks, drawing.cellScene.outlines) = ([], [])
    drawing.cellScene.labels = Self.labels(view.scene.labels, in: view)
    drawing.cellScene.captions = Self.labels(view.scene.captions, in: view)
    drawing.cellScene.tileCount = 0
    var builder = Builder(view: view, holes: [mask].compactMap { $0 }, drawing: drawing)
    var ringDepth = 0
    var depth = view.fade.layers.reduce(0) { $0 + Self.depths(of: $1, in: view) }
    let top = depth
    for (number, layer) in view.fade.layers.enumerated().reversed() {
      depth -= Self.depths(of: layer, in: view)
      switch layer {
      case .veil(let alpha):
        if let picture = store.cache.picture(for: .veil(alpha)) {
          builder.addVeil(picture, owner: -10 - Int32(number), depth: depth)
        }
      case .rings: ringDepth = depth
      case .placements(let indices):
        // Front to back, since placements drawn by cells cut holes into images behind them.
        for visible in indices.reversed().compactMap({ view.visiblePlacements[$0] }) {
          if visible.index < view.scene.tileCount { builder.coverCaptions() }
          let (pictures, isCovered) = pictures(for: visible, in: view)
          for (level, picture) in pictures.enumerated() {
            builder.draw(
              picture, of: visible,
              depth: depth + visible.depth * Self.levels + min(level, Self.levels - 1))
          }
          // By cells, a badge would cut a hole into its tile; without its image, it waits.
          if !isCovered, !visible.isBadge { builder.addCells(of: visible) }
        }
      }
    }
    builder.coverCaptions()
    addRings(to: &builder, depth: ringDepth, top: top)
    return builder.finished
  }

  /// Returns the labels to draw by cells: opaque ones where veils fade them, and none if they are
  /// not visible.
  private static func labels(_ labels: [Scene.Label], in view: KittyView) -> [Scene.Label] {
    guard view.fade.showsGround else { return [] }
    guard view.fade.dimsLabels else { return labels }
    return labels.map {
      var label = $0
      label.opacity = 1
      return label
    }
  }

  /// The most images of a photo that may lie over each other, each at its own depth.
  private static let levels = 4

  private static func depths(of layer: FadeStack.Layer, in view: KittyView) -> Int {
    switch layer {
    case .veil: 1
    case .rings: 3
    case .placements(let indices):
      (indices.reduce(0) { max($0, view.visiblePlacements[$1]?.depth ?? 0) } + 1) * levels
    }
  }

  private func addRings(to builder: inout Builder, depth: Int, top: Int) {
    if let ring = builder.view.ring {
      builder.drawing.cellScene.ring = left(
        of: ring, owner: -1, depth: ring.isRaised ? top : depth + 2, in: &builder)
    }
    builder.drawing.cellScene.marks = builder.view.marks.compactMap {
      left(of: $0, owner: -2, depth: depth + 1, in: &builder)
    }
    builder.drawing.cellScene.outlines = builder.view.outlines.compactMap {
      left(of: $0, owner: -3, depth: depth, in: &builder)
    }
  }

  /// Adds the image of a ring, if the terminal has it.
  ///
  /// - Returns: The ring to draw by cells; nil if there is an image.
  private func left(
    of ring: Scene.Ring, owner: Int32, depth: Int, in builder: inout Builder
  ) -> Scene.Ring? {
    guard let picture = store.cache.picture(for: builder.view.ringSpec(ring)) else {
      var shown = ring
      shown.opacity = 1
      return shown
    }
    let frame = builder.view.ringFrame(ring)
    builder.draw(picture, in: frame, showing: .unit, owner: owner, depth: depth)
    return nil
  }

  /// Returns the images that show a placement, back to front, and whether they cover it completely.
  func pictures(
    for visible: KittyView.VisiblePlacement, in view: KittyView
  ) -> (pictures: [KittyPicture], isCovered: Bool) {
    let held = store.cache.pictures(of: visible.subject)
    guard !visible.isMessage, !held.isEmpty else { return ([], false) }
    if !view.scene.isMoving {
      let specs = exactSpecs(for: visible, in: view)
      let exact = specs.compactMap { store.cache.picture(for: $0) }
      if !exact.isEmpty, exact.count == specs.count { return (exact, true) }
    }
    let best = Self.best(of: held.filter { $0.spec.covers(visible) }, for: visible)
    // Through a translucent image, another one behind it would be visible.
    guard visible.isOpaque else { return best.map { ([$0], true) } ?? ([], false) }
    let enough = best?.spec.density ?? 0
    guard enough < 0.95 * visible.density else { return (best.map { [$0] } ?? [], best != nil) }
    let finer = held.filter { $0.spec.density > 1.05 * enough }
      .sorted { ($0.spec.density, $0.id) < ($1.spec.density, $1.id) }
    // A photo that is visible as a whole becomes sharp in one frame, not piece by piece.
    if let best, visible.isWhole, !Self.isComplete(finer) { return ([best], true) }
    return ((best.map { [$0] } ?? []) + finer, best != nil)
  }

  /// Whether the images of the largest density, taken together, show the whole photo.
  private static func isComplete(_ pictures: [KittyPicture]) -> Bool {
    guard let most = pictures.last?.spec.density else { return false }
    let area = pictures.filter { $0.spec.density > 0.98 * most }
      .reduce(0) { $0 + $1.spec.region.width * $1.spec.region.height }
    return area > 0.995
  }

  /// Returns the image that shows a placement best.
  ///
  /// Images of sufficient density are preferred; of these, images whose edges are those of the
  /// placement rather than cut at cells; of these, the smallest.
  private static func best(
    of pictures: [KittyPicture], for visible: KittyView.VisiblePlacement
  ) -> KittyPicture? {
    pictures.min { left, right in
      func rank(_ picture: KittyPicture) -> (Int, Double) {
        let density = picture.spec.density
        guard density >= 0.98 * visible.density else { return (2, -density) }
        return (picture.spec.isCut(to: visible) ? 0 : 1, density)
      }
      return rank(left) < rank(right)
    }
  }
}

/// Assembles a drawing, front to back.
private struct Builder {
  let view: KittyView
  /// The cells that nothing further behind may cover.
  var holes: [CellRect]
  var drawing: KittyDrawing
  /// Whether the captions are among the holes.
  private var hasCoveredCaptions = false

  init(view: KittyView, holes: [CellRect], drawing: KittyDrawing) {
    (self.view, self.holes, self.drawing) = (view, holes, drawing)
  }

  /// Keeps captions free of all that is added afterwards.
  mutating func coverCaptions() {
    guard !hasCoveredCaptions else { return }
    hasCoveredCaptions = true
    holes += view.captions
  }

  var finished: KittyDrawing {
    var drawing = drawing
    drawing.cellScene.placements.reverse()
    return drawing
  }

  mutating func draw(_ picture: KittyPicture, of visible: KittyView.VisiblePlacement, depth: Int) {
    draw(picture, in: visible.frame, showing: visible.crop, owner: visible.owner, depth: depth)
  }

  mutating func draw(
    _ picture: KittyPicture, in frame: PixelRect, showing crop: PixelRect, owner: Int32, depth: Int
  ) {
    let alignment = CellAlignment(
      picture.spec, frame: frame, crop: crop, cell: view.cell, area: view.area)
    guard let alignment else { return }
    for part in uncovered(alignment.cells) {
      let put = KittyPlacement(
        image: picture.id, cells: part, source: alignment.source(under: part), depth: depth)
      drawing.puts.append((put, owner))
    }
  }

  mutating func addVeil(_ picture: KittyPicture, owner: Int32, depth: Int) {
    let all = CellRect(origin: CellPoint(column: 0, row: 0), size: view.area)
    for part in view.undimmedLabels.reduce(
      uncovered(all), { parts, label in parts.flatMap { $0.without(label) } }
    ) {
      let put = KittyPlacement(
        image: picture.id, cells: part, source: KittySource(x: 0, y: 0, width: 1, height: 1),
        depth: depth)
      drawing.puts.append((put, owner))
    }
  }

  /// Adds a placement that is drawn by cells, which no image behind it may cover.
  mutating func addCells(of visible: KittyView.VisiblePlacement) {
    var placement = view.scene.placements[visible.index]
    placement.opacity = 1
    drawing.cellScene.placements.append(placement)
    if visible.index < view.scene.tileCount { drawing.cellScene.tileCount += 1 }
    if let hole = CellRect(inside: visible.frame, cell: view.cell, area: view.area) {
      holes.append(hole)
    }
  }

  private func uncovered(_ cells: CellRect) -> [CellRect] {
    holes.reduce([cells]) { parts, hole in parts.flatMap { $0.without(hole) } }
  }
}

/// The tile that flies above its neighbors.
///
/// While the tile flies, the crop of its photo changes, and the image ends at whole cells, up to a
/// cell inside the tile. Neighbors would show in the gap between the image and the ring.
extension KittyRenderer {
  /// The area of the largest tile with strips, in pixels: a larger ring's image would take more
  /// than a millisecond per frame.
  private static let maxTileWithStrips = 500_000.0

  /// Fills the gap: by strips of the photo that are sent with the ring in every frame, or, on a remote
  /// terminal and around a large tile, by drawing the ring around the visible part.
  func closeGap(aroundRaisedTileIn view: inout KittyView) {
    guard view.scene.isMoving, let ring = view.scene.ring, ring.isRaised,
      let visible = view.visiblePlacements.last(where: {
        $0?.frame == ring.tile && $0?.isBadge == false
      }) ?? nil,
      let picture = pictures(for: visible, in: view).pictures.first,
      let alignment = CellAlignment(
        picture.spec, frame: visible.frame, crop: visible.crop, cell: view.cell, area: view.area)
    else { return }
    let shown = Self.part(of: visible.frame, shownOn: alignment.cells, in: view)
    let isSmall =
      visible.frame.width * visible.frame.height <= Self.maxTileWithStrips
    guard store.transport.medium.isLocal, isSmall, let picture = visible.picture else {
      view.raisedTile = shown
      return
    }
    view.strips = KittyStrips(of: visible, around: shown)
    view.raisedPicture = picture
  }

  private static func part(
    of frame: PixelRect, shownOn cells: CellRect, in view: KittyView
  ) -> PixelRect {
    let (area, cells) = (view.areaFrame, cells.frame(cell: view.cell))
    // Edges outside of the screen stay as they are.
    let left = frame.minX < 0 ? frame.minX : max(frame.minX, cells.minX)
    let right = frame.maxX > area.maxX ? frame.maxX : min(frame.maxX, cells.maxX)
    let top = frame.minY < 0 ? frame.minY : max(frame.minY, cells.minY)
    let bottom = frame.maxY > area.maxY ? frame.maxY : min(frame.maxY, cells.maxY)
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// The strips along the edges of a tile that the image of its photo leaves free.
struct KittyStrips: Hashable {
  /// The subject of the tile's image.
  let subject: KittySubject
  /// The part of the subject that the whole tile shows, in fractions of its sides.
  let crop: PixelRect
  /// The breadth of each strip, in pixels; 0 for none.
  let widths: Insets

  /// Creates the strips of a placement around its visible part; nil if that is the whole tile.
  init?(of visible: KittyView.VisiblePlacement, around shown: PixelRect) {
    let frame = visible.frame
    // The ring's image is placed at whole pixels, up to half a pixel from its exact place.
    func width(_ gap: Double) -> Int { gap > 0 ? Int(gap.rounded(.up)) + 1 : 0 }
    widths = Insets(
      left: width(shown.minX - frame.minX), top: width(shown.minY - frame.minY),
      right: width(frame.maxX - shown.maxX), bottom: width(frame.maxY - shown.maxY))
    guard widths != .zero else { return nil }
    (subject, crop) = (visible.subject, visible.crop)
  }
}
