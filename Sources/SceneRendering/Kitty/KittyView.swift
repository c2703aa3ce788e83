import PhotoGridCore

/// A scene as a stack of images: what each placement shows, and which lies over which.
struct KittyView {
  /// A placement that is on the screen, with what can be shown of it.
  struct VisiblePlacement {
    /// Its place in the scene's order.
    var index: Int
    /// The photo's number; another for what has none.
    var owner: Int32
    var subject: KittySubject
    /// Where it is, in pixels; at rest whole ones.
    var frame: PixelRect
    /// The part of the subject that the frame shows, in fractions.
    var crop: PixelRect
    /// The photo's best picture; nil for what is no photo, and where it was evicted.
    var picture: Mipmap?
    /// Whether it shows a message, which only cells can show.
    var isMessage = false
    /// On top of how many others it lies.
    var depth = 0

    /// Pixels that the whole width of the subject would have at this magnification.
    var density: Double { frame.width / crop.width }
    /// The size that the whole of the subject would have.
    var wholeSize: PixelSize {
      PixelSize(width: frame.width / crop.width, height: frame.height / crop.height)
    }
    /// Whether all of the subject is seen.
    var isWhole: Bool { crop.width > 0.999 && crop.height > 0.999 }
    /// Whether the picture has no pixel through which others show.
    var isOpaque: Bool { picture?.full.isOpaque ?? true }
  }

  let scene: Scene
  let cell: PixelSize
  let gap: PixelSize
  /// The picture area in cells.
  let area: CellSize
  let fade: FadeStack
  /// The cells of captions, which tiles leave free.
  let captions: [CellRect]
  /// The part that shows of the tile that flies above its neighbors; nil for all of it.
  var raisedTile: PixelRect?
  /// What shows, by the scene's order; nil for what does not.
  private(set) var visiblePlacements: [VisiblePlacement?]

  /// Placements beyond this number get an order by number instead of by what they overlap.
  private static let overlapLimit = 300

  /// The view of a scene.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - metrics: The terminal's cells.
  ///   - cache: The images in the terminal, which can show photos whose pictures were evicted.
  ///   - quietTone: The colour of a tile without a picture.
  ///   - content: What there is to show of each placement.
  init(
    scene: Scene, metrics: CellMetrics, cache: KittyImageCache, quietTone: RGB,
    content: (Placement) -> TileContent
  ) {
    self.scene = scene
    captions = scene.captions.compactMap { $0.cells(metrics) }
    cell = metrics.cell
    gap = metrics.gap
    // A hair less, so that rounding in a layout does not make another cell.
    area = CellSize(
      columns: Int((scene.size.width / cell.width - 1e-6).rounded(.up).clamped(to: 0...10_000)),
      rows: Int((scene.size.height / cell.height - 1e-6).rounded(.up).clamped(to: 0...10_000)))
    fade = FadeStack(scene)
    visiblePlacements = Array(repeating: nil, count: scene.placements.count)
    for layer in fade.layers {
      guard case .placements(let range) = layer else { continue }
      for index in range {
        add(index, cache: cache, quietTone: quietTone, content: content)
      }
      findDepths(in: range)
    }
  }

  /// The picture area in pixels.
  var areaFrame: PixelRect { PixelRect(origin: .zero, size: scene.size) }

  private mutating func add(
    _ index: Int, cache: KittyImageCache, quietTone: RGB, content: (Placement) -> TileContent
  ) {
    let placement = scene.placements[index]
    let frame = scene.isMoving ? placement.frame : placement.frame.roundedToPixels
    guard placement.crop.width > 0, placement.crop.height > 0, frame.width > 0, frame.height > 0,
      frame.intersects(areaFrame)
    else { return }
    var visible = VisiblePlacement(
      index: index,
      owner: placement.photo == .unlisted ? -100 - Int32(index) : placement.photo.number,
      subject: .photo(of: placement), frame: frame,
      crop: placement.crop)
    switch content(placement) {
    case .picture(let picture): visible.picture = picture
    case .failed: visible.isMessage = true
    case .waiting(let color):
      guard cache.pictures(of: visible.subject).isEmpty else { break }
      visible.subject = .flat(color ?? quietTone)
      visible.crop = .unit
    }
    visiblePlacements[index] = visible
  }

  private mutating func findDepths(in range: Range<Int>) {
    let isLong = range.count > Self.overlapLimit
    for index in range {
      guard let frame = visiblePlacements[index]?.frame else { continue }
      if isLong {
        visiblePlacements[index]?.depth = index - range.lowerBound
        continue
      }
      var depth = 0
      for other in range.lowerBound..<index {
        guard let below = visiblePlacements[other], below.depth >= depth,
          below.frame.intersects(frame)
        else {
          continue
        }
        depth = below.depth + 1
      }
      visiblePlacements[index]?.depth = depth
    }
  }
}

extension PixelRect {
  /// The rectangle with every edge on the nearest whole pixel, and at least one pixel large.
  var roundedToPixels: PixelRect {
    let (left, top) = (minX.rounded(), minY.rounded())
    return PixelRect(
      x: left, y: top, width: max(maxX.rounded() - left, 1), height: max(maxY.rounded() - top, 1))
  }
}
