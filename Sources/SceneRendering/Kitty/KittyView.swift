import Geometry
import Photos
import SceneModel

/// A scene as a stack of images: the contents of each placement, and their order in depth.
struct KittyView {
  /// A placement on the screen, with its content.
  struct VisiblePlacement {
    /// The index among the scene's placements.
    var index: Int
    /// The number of the photo; a negative number if there is none.
    var owner: Int32
    var subject: KittySubject
    var frame: PixelRect
    /// The part of the subject that the frame shows, in fractions.
    var crop: PixelRect
    /// The photo's best picture; nil if there is no photo, or its picture was evicted.
    var picture: Mipmap?
    /// Whether it shows a message, which only cells can show.
    var isMessage = false
    /// Whether it is a badge of the tile behind it.
    var isBadge = false
    /// The number of placements in the longest pile below it; 0 if it lies on none.
    var depth = 0

    /// The width that the whole subject would have at this magnification, in pixels.
    var density: Double { frame.width / crop.width }
    /// The size that the whole subject would have at this magnification, in pixels.
    var wholeSize: PixelSize {
      PixelSize(width: frame.width / crop.width, height: frame.height / crop.height)
    }
    /// Whether the whole subject is visible.
    var isWhole: Bool { crop.width > 0.999 && crop.height > 0.999 }
    /// Whether the picture has no translucent pixels.
    var isOpaque: Bool { picture?.full.isOpaque ?? true }
  }

  let scene: Scene
  let cell: PixelSize
  let gap: PixelSize
  let area: CellSize
  /// The order of opaque placements and veils.
  let fade: FadeStack
  /// The cells of captions, in which tiles draw nothing.
  let captions: [CellRect]
  /// The cells of labels and captions that veils must not dim.
  let undimmedLabels: [CellRect]
  /// The visible part of the tile that flies above its neighbors; nil if it is the whole tile.
  var raisedTile: PixelRect?
  /// The strips of that tile that are drawn with its ring; nil if there are none.
  var strips: KittyStrips?
  /// The picture of that tile, from which the strips are made.
  var raisedPicture: Mipmap?
  /// The visible placements, in the scene's order; nil for each that is not visible.
  private(set) var visiblePlacements: [VisiblePlacement?]

  private static let overlapLimit = 300

  /// Creates the view of a scene.
  init(
    scene: Scene, metrics: CellMetrics, cache: KittyImageCache, appearance: Appearance,
    content: (Placement) -> TileContent
  ) {
    self.scene = scene
    captions = scene.captions.compactMap { $0.cells(metrics) }
    cell = metrics.cell
    gap = metrics.gap
    // A little less, so that rounding errors in a layout do not add a cell.
    area = CellSize(
      columns: Int((scene.size.width / cell.width - 1e-6).rounded(.up).clamped(to: 0...10_000)),
      rows: Int((scene.size.height / cell.height - 1e-6).rounded(.up).clamped(to: 0...10_000)))
    fade = FadeStack(scene, hasVeils: appearance.background != nil)
    undimmedLabels =
      fade.showsGround && !fade.dimsLabels
      ? captions + scene.labels.compactMap { $0.cells(metrics) } : []
    visiblePlacements = Array(repeating: nil, count: scene.placements.count)
    for layer in fade.layers {
      guard case .placements(let indices) = layer else { continue }
      for index in indices {
        place(index, cache: cache, quietTone: appearance.quietTone, content: content)
      }
      findDepths(of: indices)
    }
  }

  var areaFrame: PixelRect { PixelRect(origin: .zero, size: scene.size) }

  private mutating func place(
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
    visible.isBadge = BadgePictures.isBadge(placement)
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

  private mutating func findDepths(of indices: [Int]) {
    let isLong = indices.count > Self.overlapLimit
    for (number, index) in indices.enumerated() {
      guard let frame = visiblePlacements[index]?.frame else { continue }
      if isLong {
        visiblePlacements[index]?.depth = number
        continue
      }
      var depth = 0
      for other in indices[..<number] {
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
  /// The rectangle with every edge at the nearest whole pixel, and at least one pixel wide and
  /// high.
  var roundedToPixels: PixelRect {
    let (left, top) = (minX.rounded(), minY.rounded())
    return PixelRect(
      x: left, y: top, width: max(maxX.rounded() - left, 1), height: max(maxY.rounded() - top, 1))
  }
}

/// The rings around tiles, and the transparent borders of images.
extension KittyView {
  /// The ring of the selection, around the visible part of its tile; nil if it is not visible.
  var ring: Scene.Ring? {
    guard fade.showsGround, var ring = scene.ring else { return nil }
    if let raisedTile { ring.tile = raisedTile }
    return ring
  }

  var marks: [Scene.Ring] { fade.showsGround ? scene.marks : [] }

  var outlines: [Scene.Ring] { fade.showsGround ? scene.outlines : [] }

  var rings: [Scene.Ring] { (ring.map { [$0] } ?? []) + marks + outlines }

  /// Returns the outer frame of a ring, in pixels; its tile is in the middle.
  func ringFrame(_ ring: Scene.Ring) -> PixelRect {
    let tile = scene.isMoving ? ring.tile : ring.tile.roundedToPixels
    let breadth = ring.breadth ?? gap
    return PixelRect(
      x: tile.minX - breadth.width, y: tile.minY - breadth.height,
      width: tile.width + 2 * breadth.width, height: tile.height + 2 * breadth.height)
  }

  func ringSpec(_ ring: Scene.Ring) -> KittySpec {
    let (width, height) = (Int(ring.tile.width.rounded()), Int(ring.tile.height.rounded()))
    let breadth = ring.breadth ?? gap
    return KittySpec(
      subject: .ring(
        ring.meaning, width: width, height: height, strips: ring.isRaised ? strips : nil),
      region: .unit,
      width: width + 2 * Int(breadth.width.rounded()),
      height: height + 2 * Int(breadth.height.rounded()),
      border: border(cells: 1))
  }

  /// Returns a border of a number of cells on all sides, in pixels.
  func border(cells count: Int) -> Insets {
    let (width, height) = (
      count * Int(cell.width.rounded(.up)), count * Int(cell.height.rounded(.up))
    )
    return Insets(left: width, top: height, right: width, bottom: height)
  }
}
