extension Viewer {
  /// What is around the open photo at a moment.
  struct Context {
    /// The screen.
    var viewport: Viewport
    /// How much moves, and how fast.
    var motion: MotionSetting
    /// The moment.
    var now: Instant
    /// The photo's size as it is seen, in pixels of its own; nil until it is known.
    var size: PixelSize?
    /// Where its tile is once the grid rests, in pixels of the picture area.
    var tile: PixelRect
    /// The same after the grid was scrolled to bring the tile into sight.
    var tileInSight: PixelRect
    /// The photo before it in the order on screen, if there is one.
    var previous: Photo.ID?
    /// The photo after it in the order on screen, if there is one.
    var next: Photo.ID?

    /// The photo and the screen that it is magnified on; nil until its size is known.
    var stage: Magnification.Stage? { size.map { viewport.stage(for: $0) } }

    /// From one photo's centre to its neighbour's while they are swiped, in pixels.
    var swipePitch: Double {
      viewport.pictureSize.width + 2 * viewport.metrics.cell.width
    }

    /// The neighbour that a sideways offset brings into sight, if there is one.
    func neighbor(at offset: Double) -> Photo.ID? { offset < 0 ? next : previous }

    /// The same around a grid that has the tile in sight.
    var scrolledToTile: Context {
      var context = self
      context.tile = tileInSight
      return context
    }
  }
}

extension Viewport {
  /// A photo of a size in pixels, and the screen that it is magnified on.
  func stage(for photo: PixelSize) -> Magnification.Stage {
    Magnification.Stage(photo: photo, area: pictureArea, quantum: metrics.quantum)
  }

  /// The frame of a photo on the screen: on whole quanta where it fits, larger than the screen where
  /// it is magnified, a square where its size is not known.
  func screenFrame(of photo: PixelSize?, _ view: Magnification) -> PixelRect {
    guard let photo else {
      return pictureArea.wholePhoto(
        of: PixelSize(width: 1, height: 1), quantum: metrics.quantum)
    }
    return view.frame(on: stage(for: photo))
  }
}
