import Geometry
import Photos

/// The parts of a folder's tile: a tab on top that makes it look like a folder, a plate with its
/// first photos, and its name.
///
///     ▄▄▄▄▄▄           tab
///     ┌──────────────┐ plate
///     │ photo  photo │
///     │ photo  photo │
///     └──────────────┘
///     name
///
/// All frames are in pixels, aligned to whole placement steps. The parts are measured on the tile
/// at rest; while the tile moves, they are moved and scaled with it.
struct FolderTile {
  /// The frame of the tile in the layout.
  let tile: PixelRect
  let metrics: CellMetrics
  /// The frame of the name inside the tile, aligned to cells; nil if names are below the tiles, or
  /// the tile is too low for a name.
  let labelFrame: PixelRect?

  init(at index: Int, in layout: TileLayout, metrics: CellMetrics) {
    tile = layout.frame(at: index)
    self.metrics = metrics
    let row = metrics.cell.height
    guard layout.labelFrame(at: index) == nil, tile.height >= 3 * row else {
      labelFrame = nil
      return
    }
    let y = (tile.maxY / row + 0.01).rounded(.down) * row - row
    labelFrame = PixelRect(x: tile.minX, y: y, width: tile.width, height: row)
  }

  /// The height of the tab: a tenth of the tile; 0 if the tile is too short for a tab.
  private var tabHeight: Double {
    let placementStep = metrics.placementStep.height
    guard tile.height >= 8 * placementStep else { return 0 }
    return max((tile.height / 10 / placementStep).rounded(), 1) * placementStep
  }

  func plate(in frame: PixelRect) -> PixelRect {
    let bottom = labelFrame?.minY ?? tile.maxY
    let scale = frame.height / max(tile.height, 1)
    return PixelRect(
      x: frame.minX, y: frame.minY + tabHeight * scale, width: frame.width,
      height: (bottom - tile.minY - tabHeight) * scale)
  }

  /// Returns the frame of the tab at the upper left, given the tile's current frame; its height is
  /// 0 if the tile is too low for a tab.
  func tab(in frame: PixelRect) -> PixelRect {
    let placementStep = metrics.placementStep
    let width = (tile.width * 0.4 / placementStep.width).rounded() * placementStep.width
    let (across, down) = (frame.width / max(tile.width, 1), frame.height / max(tile.height, 1))
    return PixelRect(x: frame.minX, y: frame.minY, width: width * across, height: tabHeight * down)
  }

  /// Returns the frames of photos laid out on the plate.
  ///
  /// - Returns: A frame for each photo; fewer if there is no space.
  func sampleFrames(_ count: Int, in frame: PixelRect) -> [PixelRect] {
    guard count > 0 else { return [] }
    let rest = PixelRect(origin: .zero, size: plate(in: tile).size)
    let frames = Self.sampleFrames(
      count, on: rest.size, placementStep: metrics.placementStep, gap: metrics.gap)
    let plate = plate(in: frame)
    return frames.map { $0.carried(from: rest, to: plate) }
  }

  /// Returns up to four frames on a plate, a gap away from its edges and from each other, aligned
  /// to whole placement steps; only one, the whole plate, if there is no space.
  ///
  /// Two frames are side by side; of three, the first is as tall as the others together.
  static func sampleFrames(
    _ count: Int, on plate: PixelSize, placementStep: PixelSize, gap: PixelSize
  ) -> [PixelRect] {
    let room = PixelSize(width: plate.width - 2 * gap.width, height: plate.height - 2 * gap.height)
    guard room.width >= 5 * placementStep.width, room.height >= 5 * placementStep.height else {
      return [PixelRect(origin: .zero, size: plate)]
    }
    func parts(
      _ start: Double, _ length: Double, _ gap: Double, _ placementStep: Double, _ isCut: Bool
    ) -> [(start: Double, length: Double)] {
      guard isCut else { return [(start, length)] }
      let first = ((length - gap) / 2 / placementStep).rounded(.down) * placementStep
      return [(start, first), (start + first + gap, length - gap - first)]
    }
    let columns = parts(gap.width, room.width, gap.width, placementStep.width, count > 1)
    let rows = parts(gap.height, room.height, gap.height, placementStep.height, count > 2)
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
}

/// The first photos of a folder, as its tile shows them.
package struct FolderPreview: Equatable, Sendable {
  package var samples: [Photo.ID]
  /// Why the folder cannot be read, printable; nil if it can.
  package var failure: String?
  /// Whether the preview is up to date; if not, the folder must be read again.
  package var isCurrent = true

  /// The largest number of photos that are searched for.
  package static let maxSamples = 4

  package init(samples: [Photo.ID], failure: String? = nil) {
    self.samples = samples
    self.failure = failure
  }
}
