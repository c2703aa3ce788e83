extension LayoutStyle {
  /// Whether the same number of tiles has the same layout, whichever photos they are of.
  private var dependsOnCountOnly: Bool { [.grid, .mosaic, .bento].contains(kind) }

  /// The layout of sections as it is drawn by cells: headings on text rows, tiles on whole quanta.
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

  /// The exact layout of sections, fractions kept.
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
