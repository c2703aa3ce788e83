import PhotoGridCore

/// A scene as images see it: what each placement shows, and what lies over what.
struct KittyView {
  /// A placement with what there is to show of it.
  struct Sight {
    /// Its place in the scene's order.
    var index: Int
    /// The photo's number; another for what has none.
    var owner: Int32
    var subject: KittySubject
    /// Where it is, in pixels; at rest whole ones.
    var frame: PixelRect
    /// The part of the subject that the frame shows, in fractions.
    var crop: PixelRect
    /// The photo's best picture; nil for what is no photo, and where it is not at hand any more.
    var picture: Mipmap?
    /// Whether words are to be seen, which only cells can show.
    var isWords = false
    /// On top of how many others it lies.
    var depth = 0

    /// Pixels that the whole width of the subject would have at this magnification.
    var density: Double { frame.width / crop.width }
    /// The size that the whole of the subject would have.
    var wholeSize: PixelSize {
      PixelSize(width: frame.width / crop.width, height: frame.height / crop.height)
    }
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
  /// What shows, by the scene's order; nil for what does not.
  private(set) var sights: [Sight?]

  /// Placements beyond this number get an order by number instead of by what they overlap.
  private static let overlapLimit = 300

  /// The view of a scene.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - metrics: The terminal's cells.
  ///   - shelf: What the terminal holds: a photo of which it does needs no picture to be shown.
  ///   - quietTone: The colour of a tile without a picture.
  ///   - content: What there is to show of each placement.
  init(
    scene: Scene, metrics: CellMetrics, shelf: KittyShelf, quietTone: RGB,
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
    sights = Array(repeating: nil, count: scene.placements.count)
    for layer in fade.layers {
      guard case .placements(let range) = layer else { continue }
      for index in range {
        add(index, shelf: shelf, quietTone: quietTone, content: content)
      }
      findDepths(in: range)
    }
  }

  /// The picture area in pixels.
  var areaFrame: PixelRect { PixelRect(origin: .zero, size: scene.size) }

  private mutating func add(
    _ index: Int, shelf: KittyShelf, quietTone: RGB, content: (Placement) -> TileContent
  ) {
    let placement = scene.placements[index]
    let frame = scene.isMoving ? placement.frame : placement.frame.roundedToPixels
    guard placement.crop.width > 0, placement.crop.height > 0, frame.width > 0, frame.height > 0,
      frame.intersects(areaFrame)
    else { return }
    var sight = Sight(
      index: index,
      owner: placement.photo == .unlisted ? -100 - Int32(index) : placement.photo.number,
      subject: .photo(of: placement), frame: frame,
      crop: placement.crop)
    switch content(placement) {
    case .picture(let picture): sight.picture = picture
    case .failed: sight.isWords = true
    case .waiting(let color):
      guard shelf.pictures(of: sight.subject).isEmpty else { break }
      sight.subject = .flat(color ?? quietTone)
      sight.crop = .unit
    }
    sights[index] = sight
  }

  private mutating func findDepths(in range: Range<Int>) {
    let isLong = range.count > Self.overlapLimit
    for index in range {
      guard let frame = sights[index]?.frame else { continue }
      if isLong {
        sights[index]?.depth = index - range.lowerBound
        continue
      }
      var depth = 0
      for other in range.lowerBound..<index {
        guard let below = sights[other], below.depth >= depth, below.frame.intersects(frame) else {
          continue
        }
        depth = below.depth + 1
      }
      sights[index]?.depth = depth
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
