extension LayoutStyle {
  /// Whether a layout depends only on the number of tiles, not on the photos' aspect ratios.
  private var dependsOnCountOnly: Bool { [.grid, .mosaic, .bento].contains(kind) }

  /// Returns the layout of sections to draw, with headings on text rows and tiles on whole quanta.
  ///
  /// - `area`: The size of the picture area, in pixels.
  /// - `ratio`: Returns the aspect ratio of the photo at an index, width divided by height; nil if
  ///   it is unknown.
  package func snapped(
    _ sections: Sections, in area: PixelSize, metrics: CellMetrics,
    ratio: (Int) -> Double? = { _ in nil }
  ) -> TileLayout {
    let row = metrics.cell.height
    return .sections(
      SectionedLayout(
        sections, width: area.width, headingHeight: row, row: row,
        dependsOnCountOnly: dependsOnCountOnly
      ) { range in
        snapped(
          range.count, in: area, metrics: metrics, ratio: { ratio(range.lowerBound + $0) })
      })
  }

  /// Returns the exact layout of sections, with fractions.
  package func exact(
    _ sections: Sections, in area: PixelSize, metrics: CellMetrics,
    ratio: (Int) -> Double? = { _ in nil }
  ) -> TileLayout {
    .sections(
      SectionedLayout(
        sections, width: area.width, headingHeight: metrics.cell.height, row: nil,
        dependsOnCountOnly: dependsOnCountOnly
      ) { range in
        exact(range.count, in: area, metrics: metrics, ratio: { ratio(range.lowerBound + $0) })
      })
  }
}
