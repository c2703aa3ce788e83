/// Everything that is in the picture area at one instant; the whole of it, every time.
package struct Scene: Equatable, Sendable {
  /// The picture area: all text rows but the bar's, in pixels, origin at the top left.
  package var size: PixelSize
  /// Photos, back to front.
  package var placements: [Placement]
  /// The frame around the selected tile, drawn in the gap and never over the photo.
  package var ring: Ring?
  /// The frames around marked tiles, drawn in the gap too, under `ring`.
  package var marks: [Ring]
  /// Text rows under tiles, and headings above them.
  package var labels: [Label]
  /// Text rows over the tiles and behind all other placements: what stays in sight while tiles
  /// scroll.
  package var captions: [Label] = []
  /// The number of placements, from the first, that `captions` lie over.
  package var tileCount = 0
  /// Whether something moves: then coarse samples do, and the next scene is a frame away.
  package var isMoving: Bool

  /// A scene of the given parts.
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

  /// A frame around a tile: one gap wide, outside of `tile`.
  package struct Ring: Equatable, Sendable {
    package var tile: PixelRect
    /// 0 to 1, over the terminal's background.
    package var opacity: Double
    package var meaning: Meaning

    /// What a ring says of its tile, by its shape: closed around the selected tile, corners around
    /// a marked one, and around one that is both the sides between those corners.
    package enum Meaning: Equatable, Sendable { case selected, marked, selectedAndMarked }

    /// A ring around a tile.
    package init(tile: PixelRect, opacity: Double, meaning: Meaning = .selected) {
      self.tile = tile
      self.opacity = opacity
      self.meaning = meaning
    }
  }

  /// One row of text, already printable and cut to its width.
  package struct Label: Equatable, Sendable {
    package var text: String
    /// Where it is drawn: one text row high, aligned to cells.
    package var frame: PixelRect
    /// 0 to 1, over the terminal's background.
    package var opacity: Double
    /// Whether it stands out among other labels.
    package var isHeading: Bool

    /// A label in a frame.
    package init(text: String, frame: PixelRect, opacity: Double, isHeading: Bool = false) {
      self.text = text
      self.frame = frame
      self.opacity = opacity
      self.isHeading = isHeading
    }
  }
}

/// One photo, or the part of it that is shown, in its place.
package struct Placement: Equatable, Sendable {
  package var photo: Photo.ID
  /// Which of an animated photo's frames is seen, from 0; 0 for all others.
  package var page: Int
  /// Where the visible part lies in the picture area; may reach outside of it.
  package var frame: PixelRect
  /// The part of the picture that fills the frame, in fractions of the picture, 0 to 1.
  package var crop: PixelRect
  /// 0 to 1, over what lies behind: other placements, else the terminal's background.
  package var opacity: Double
  /// Which part of the photo the picture is of, as the file has it upright; nil for one of the
  /// whole photo.
  package var region: PhotoRegion?
  /// How the picture is turned beyond what the file says; frame and crop are as it is seen.
  package var orientation: Orientation
  /// How it is seen where it is not behind the one that takes its place; nil for as everywhere.
  package var outside: Outside?

  /// What is outside of the frame of the next placement.
  ///
  /// A terminal that fades one picture only after the other need not look at it.
  package struct Outside: Equatable, Sendable {
    package var frame: PixelRect
    /// 0 to 1, in place of the placement's own.
    package var opacity: Double

    /// What is outside of a frame.
    package init(frame: PixelRect, opacity: Double) {
      self.frame = frame
      self.opacity = opacity
    }
  }

  /// A placement of a photo's crop in a frame.
  package init(
    photo: Photo.ID, page: Int = 0, frame: PixelRect, crop: PixelRect, opacity: Double = 1,
    region: PhotoRegion? = nil, orientation: Orientation = .upright
  ) {
    self.photo = photo
    self.page = page
    self.frame = frame
    self.crop = crop
    self.opacity = opacity
    self.region = region
    self.orientation = orientation
  }
}

extension Placement {
  /// The same picture without what an area has no room for.
  ///
  /// Only along axes on which the frame is longer than the area: what is small may still be moved
  /// about in it, and out of it.
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
    result.crop = PixelRect(
      x: x.crop.low, y: y.crop.low, width: x.crop.side, height: y.crop.side)
    return result
  }
}

/// What there is to show of a photo at the moment.
package enum TileContent: Sendable {
  /// Nothing decoded yet: the average colour if it is known, else a quiet tone.
  case waiting(RGB?)
  /// The best picture there is, of the whole photo.
  case picture(Mipmap)
  /// It cannot be shown; printable words that say why.
  case failed(String)
}

/// A picture at its full size and in halves, so that scaling it down need not read every pixel.
package struct Mipmap: Sendable {
  /// The picture, then each level half as large, down to one where a side is 1.
  package let levels: [Bitmap]

  /// The picture with all its halves.
  package init(_ bitmap: Bitmap) {
    var levels = [bitmap]
    while let last = levels.last, last.width > 1, last.height > 1 {
      levels.append(last.halved())
    }
    self.levels = levels
  }

  /// The picture at its full size.
  package var full: Bitmap { levels[0] }
}

extension Bitmap {
  /// The mean of each square of four pixels; an odd last row or column is dropped.
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
