extension PixelRect {
  /// Returns the frame of a whole photo inside this tile; the entire tile if the photo's size is
  /// unknown.
  ///
  /// The frame's size and its offset in the tile are whole quanta, so in a tile aligned to quanta
  /// the frame is aligned too.
  package func wholePhoto(of photo: PixelSize?, quantum: PixelSize) -> PixelRect {
    guard let photo, !photo.isEmpty else { return self }
    let fitted = AspectRatioLayout(contentMode: .fit).childFrame(in: self, idealSize: photo).size
    func snapped(_ length: Double, _ room: Double, _ step: Double) -> (offset: Double, side: Double)
    {
      let side = min(max((length / step).rounded(), 1) * step, max(room, step))
      return (((room - side) / 2 / step).rounded(.down) * step, side)
    }
    let (x, width) = snapped(fitted.width, size.width, quantum.width)
    let (y, height) = snapped(fitted.height, size.height, quantum.height)
    return PixelRect(x: minX + x, y: minY + y, width: width, height: height)
  }

  /// Whether a photo has the shape of this tile, to within a quantum.
  package func hasShape(of photo: PixelSize, quantum: PixelSize) -> Bool {
    guard !photo.isEmpty, !size.isEmpty else { return false }
    let relative = photo.aspectRatio / size.aspectRatio
    let lost = 1 - min(relative, 1 / relative)
    return lost * width <= quantum.width || lost * height <= quantum.height
  }
}
