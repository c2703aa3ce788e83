extension Viewer {
  /// The surroundings of the open photo at a moment.
  struct Context {
    /// The screen's size and metrics.
    var viewport: Viewport
    /// The amount and speed of motion.
    var motion: MotionSetting
    /// The current time.
    var now: Instant
    /// The photo's size as displayed, in its own pixels; nil until it is known.
    var size: PixelSize?
    /// The frame of the photo's tile after all motion of the grid, in pixels of the picture area.
    var tile: PixelRect
    /// The frame of the photo's tile after the grid has also been scrolled to show it.
    var tileAfterScrolling: PixelRect
    /// The photo before this one in display order; nil if there is none.
    var previous: Photo.ID?
    /// The photo after this one in display order; nil if there is none.
    var next: Photo.ID?

    /// The photo and the area that displays it; nil until its size is known.
    var stage: Magnification.Stage? { size.map { viewport.stage(for: $0) } }

    /// The distance between the centers of two neighboring photos during a swipe, in pixels.
    var swipePitch: Double {
      viewport.pictureSize.width + 2 * viewport.metrics.cell.width
    }

    /// Returns the neighbor that a horizontal offset makes visible; nil if there is none.
    func neighbor(at offset: Double) -> Photo.ID? { offset < 0 ? next : previous }

    /// The same context, but with the grid scrolled to show the tile.
    var scrolledToTile: Context {
      var context = self
      context.tile = tileAfterScrolling
      return context
    }
  }
}

extension Viewer.Context {
  /// Creates the surroundings of the photo at an index, as if it were open.
  init(ofItemAt index: Int, in gallery: Gallery, at now: Instant) {
    let item = gallery.items[index]
    self.init(
      viewport: gallery.viewport, motion: gallery.options.motion, now: now,
      size: gallery.size(of: item), tile: gallery.restingTileFrame(of: index),
      tileAfterScrolling: gallery.restingTileFrame(
        of: index, scrolledTo: gallery.scrollOffset(showing: index)),
      previous: gallery.photo(at: index - 1), next: gallery.photo(at: index + 1))
  }
}

extension Viewport {
  /// Returns the stage of a photo with the given size in pixels.
  func stage(for photo: PixelSize) -> Magnification.Stage {
    Magnification.Stage(photo: photo, area: pictureArea, quantum: metrics.quantum)
  }

  /// Returns the frame of a photo on the screen: on whole quanta at fit, larger than the screen if
  /// the photo is magnified, and a square if its size is unknown.
  func screenFrame(of photo: PixelSize?, _ view: Magnification) -> PixelRect {
    guard let photo else {
      return pictureArea.wholePhoto(
        of: PixelSize(width: 1, height: 1), quantum: metrics.quantum)
    }
    return view.frame(on: stage(for: photo))
  }
}
