import PhotoGridCore

/// A renderer that sends the pixels of scenes at rest in pieces, and draws moving scenes by cells.
protocol PieceRenderer: SceneRenderer {
  /// The cells that show pixels, and those whose pixels are still to be sent.
  var screen: PixelScreen { get set }
}

extension PieceRenderer {
  package var placementUnit: CellMetrics.PlacementUnit { .pixels }

  package func samplesPerPixel(cell: PixelSize) -> Double { 1 }

  /// The pixels of a piece, their colors as they are chosen, and the bytes that are sent.
  package var bytesPerPixel: Int { 12 }

  package var mask: CellRect? {
    get { screen.mask }
    set { screen.mask = newValue }
  }

  package var hasRowBelow: Bool {
    get { screen.hasRowBelow }
    set { screen.hasRowBelow = newValue }
  }

  package var byteBudget: Int {
    get { screen.byteBudget }
    set { screen.byteBudget = newValue }
  }

  package var shownCells: ShownCells? {
    get { screen.shownCells }
    set { screen.shownCells = newValue }
  }
}
