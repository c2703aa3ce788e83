import PhotoGridCore

/// The text cells on the screen, in the glyphs and colours of the renderer that drew them.
package struct ShownCells {
  fileprivate var glyphs: GlyphSet
  fileprivate var depth: ColorDepth
  fileprivate var size: CellSize
  fileprivate var cells: [Cell]
}

extension CellRenderer {
  package var shownCells: ShownCells? {
    get { ShownCells(glyphs: glyphs, depth: depth, size: shownSize, cells: shown) }
    set {
      invalidate()
      guard let newValue, newValue.glyphs == glyphs, newValue.depth == depth else { return }
      (shownSize, shown) = (newValue.size, newValue.cells)
    }
  }
}
