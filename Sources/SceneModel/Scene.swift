import Geometry
import Photos

/// The complete content of the picture area at one instant.
package struct Scene: Equatable, Sendable {
  /// The size in pixels of the picture area: all text rows except the status bar's.
  ///
  /// Its origin is at the top left.
  package var size: PixelSize
  /// The photos, from back to front.
  package var placements: [Placement]
  /// The ring around the selected tile, drawn in the gap, never over its photo, and over other
  /// photos only if it is raised.
  package var ring: Ring?
  /// The rings around marked tiles, drawn in the gap under `ring`.
  package var marks: [Ring]
  /// The frames that hold the tiles of unfolded stacks together, drawn in the gap under `marks`.
  package var outlines: [Ring] = []
  /// The text rows below tiles, and the headings above them.
  package var labels: [Label]
  /// The text rows drawn over the tiles but behind all other placements, such as a heading that
  /// stays at the top while tiles scroll.
  package var captions: [Label] = []
  /// The number of placements, counted from the first, that are drawn behind `captions`.
  package var tileCount = 0
  /// Whether anything moves, so that coarse samples suffice and the next scene follows a frame
  /// later.
  package var isMoving: Bool

  package init(
    size: PixelSize, placements: [Placement] = [], ring: Ring? = nil, marks: [Ring] = [],
    labels: [Label] = [], isMoving: Bool = false
  ) {
    self.size = size
    self.placements = placements
    self.ring = ring
    self.marks = marks
    self.labels = labels
    self.isMoving = isMoving
  }

  /// The label of the tile that the ring is around; nil without one.
  package var selectedLabel: Label? {
    guard let tile = ring?.tile else { return nil }
    return labels.first { label in
      !label.isHeading && label.frame.minX < tile.maxX && label.frame.maxX > tile.minX
        && (tile.minY..<tile.maxY + label.frame.height).contains(label.frame.minY)
    }
  }

  /// A frame around a tile, or around a row of tiles, outside `tile`.
  package struct Ring: Equatable, Sendable {
    package var tile: PixelRect
    /// The opacity over the terminal's background, 0 to 1.
    package var opacity: Double
    package var meaning: Meaning
    /// Whether the ring is drawn over other photos, because its tile flies above its neighbors.
    package var isRaised: Bool
    /// The width of the sides and the height of the top and bottom, in pixels; nil for one gap.
    package var breadth: PixelSize?

    /// The state of a tile that a ring indicates by its shape.
    ///
    /// The ring is closed around a selected tile, and consists of corners around a marked tile.
    /// Around a tile that is both it is closed, with the corners of a mark; without colors it
    /// consists of the sides between these corners. `stack` is the quiet frame of an unfolded stack.
    package enum Meaning: Equatable, Sendable { case selected, marked, selectedAndMarked, stack }

    package init(
      tile: PixelRect, opacity: Double, meaning: Meaning = .selected, isRaised: Bool = false
    ) {
      self.tile = tile
      self.opacity = opacity
      self.meaning = meaning
      self.isRaised = isRaised
    }
  }

  /// A row of text, already printable and truncated to its width.
  package struct Label: Equatable, Sendable {
    package var text: String
    /// The frame of the label: one text row high, aligned to cells.
    package var frame: PixelRect
    /// The opacity over the terminal's background, 0 to 1.
    package var opacity: Double
    /// Whether the label stands out among other labels.
    package var isHeading: Bool
    /// Whether the text has the color of the ring around the selected tile.
    package var isAccented = false
    /// The color of the text; nil for the usual color of a label or heading.
    package var color: RGB?

    package init(text: String, frame: PixelRect, opacity: Double, isHeading: Bool = false) {
      self.text = text
      self.frame = frame
      self.opacity = opacity
      self.isHeading = isHeading
    }
  }
}

/// A photo, or its visible part, at its position in a scene.
package struct Placement: Equatable, Sendable {
  package var photo: Photo.ID
  /// The index of the video's frame that is shown; nil for the photo's own picture, which is no frame.
  package var frameIndex: Int?
  /// The frame of the visible part in the picture area; it can extend beyond the area.
  package var frame: PixelRect
  /// The part of the picture that fills the frame, in fractions of the picture.
  package var crop: PixelRect
  /// The opacity over other placements or the terminal's background, 0 to 1.
  package var opacity: Double
  /// The region of the photo that the picture shows, before `orientation` is applied; nil for a
  /// picture of the whole photo.
  package var region: PhotoRegion?
  /// The additional orientation of the picture, beyond the file's own; frame and crop apply to the
  /// result.
  package var orientation: Orientation
  /// The appearance outside the frame of a photo that fades in over this one; nil if it is the same
  /// as inside.
  package var outside: Outside?
  /// The badges in the corners of the frame; nil for none.
  package var badges: Badges?
  /// How far the badges have faded in, 0 to 1.
  package var badgeOpacity = 1.0
  /// The share of its brightness that the photo lacks, 0 to 1.
  package var shade = 0.0

  /// The appearance of a placement outside the frame of the next one.
  ///
  /// A renderer that fades pictures one after the other can ignore it.
  package struct Outside: Equatable, Sendable {
    /// The frame of the next placement, in the picture area.
    package var frame: PixelRect
    /// The opacity outside the frame, 0 to 1, instead of the placement's own.
    package var opacity: Double

    package init(frame: PixelRect, opacity: Double) {
      self.frame = frame
      self.opacity = opacity
    }
  }

  package init(
    photo: Photo.ID, frameIndex: Int? = nil, frame: PixelRect, crop: PixelRect, opacity: Double = 1,
    region: PhotoRegion? = nil, orientation: Orientation = .upright
  ) {
    self.photo = photo
    self.frameIndex = frameIndex
    self.frame = frame
    self.crop = crop
    self.opacity = opacity
    self.region = region
    self.orientation = orientation
  }
}

extension Placement {
  /// Returns the placement clipped to an area.
  ///
  /// It is clipped only along axes on which the frame is longer than the area; a smaller frame can
  /// be moved around in the area, and out of it, without another crop.
  package func clipped(to area: PixelRect) -> Placement {
    func clip(
      _ low: Double, _ high: Double, _ crop: (low: Double, side: Double), _ room: (Double, Double)
    ) -> (low: Double, side: Double, crop: (low: Double, side: Double)) {
      let (start, end) = (max(low, room.0), min(high, room.1))
      guard high - low > room.1 - room.0, start < end else { return (low, high - low, crop) }
      let scale = crop.side / (high - low)
      return (start, end - start, (crop.low + (start - low) * scale, (end - start) * scale))
    }
    let x = clip(frame.minX, frame.maxX, (crop.minX, crop.width), (area.minX, area.maxX))
    let y = clip(frame.minY, frame.maxY, (crop.minY, crop.height), (area.minY, area.maxY))
    var result = self
    result.frame = PixelRect(x: x.low, y: y.low, width: x.side, height: y.side)
    result.crop = PixelRect(x: x.crop.low, y: y.crop.low, width: x.crop.side, height: y.crop.side)
    return result
  }
}

/// The content currently available for a photo.
package enum TileContent: Sendable {
  /// Nothing is decoded yet; the color is the photo's average, or nil for a neutral tone.
  case waiting(RGB?)
  /// The best available picture of the whole photo.
  case picture(Mipmap)
  /// The photo cannot be shown; the text is a printable reason.
  case failed(String)
}

/// A picture with successively halved copies, so that downsampling need not read every pixel.
package struct Mipmap: Sendable {
  /// The magnification from which each pixel of a photo is shown as a square, instead of mixing
  /// pixels.
  package static let squareScale = 4.0

  /// Whether the picture has all pixels of the photo, or of its part, so that none is made up if
  /// they are shown as squares.
  package var isComplete = false
  /// The picture, followed by levels half as large each, until a side is 1.
  package let levels: [Bitmap]

  /// Creates a picture with at most `count` levels: a frame of a film that fills the screen has no use for
  /// more, and making them costs more than showing it.
  package init(_ bitmap: Bitmap, levels count: Int = .max) {
    var levels = [bitmap]
    while levels.count < count, let last = levels.last, last.width > 1, last.height > 1 {
      levels.append(last.halved())
    }
    self.levels = levels
  }

  package var full: Bitmap { levels[0] }
}

extension Bitmap {
  /// Returns the bitmap at half the size, averaging each square of four pixels; an odd last row or
  /// column is dropped.
  fileprivate func halved() -> Bitmap {
    let (halfWidth, halfHeight) = (width / 2, height / 2)
    let stride = width * 4
    let halves = [UInt8](unsafeUninitializedCapacity: halfWidth * halfHeight * 4) { out, count in
      pixels.withUnsafeBufferPointer { source in
        var written = 0
        for y in 0..<halfHeight {
          var from = y * 2 * stride
          for _ in 0..<halfWidth {
            for channel in 0..<4 {
              let at = from + channel
              let sum =
                UInt16(source[at]) + UInt16(source[at + 4])
                + UInt16(source[at + stride]) + UInt16(source[at + stride + 4])
              out[written] = UInt8((sum + 2) / 4)
              written += 1
            }
            from += 8
          }
        }
        count = written
      }
    }
    return Bitmap(width: halfWidth, height: halfHeight, pixels: halves, isOpaque: isOpaque)
  }
}
