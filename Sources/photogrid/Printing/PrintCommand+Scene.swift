import PhotoGridCore
import PhotoLibrary

/// The page that is printed: its layout and its scenes.
extension PrintCommand {
  /// Returns the layout of all photos.
  ///
  /// - Parameter snapped: Whether tiles are placed at whole cells.
  /// - Returns: The layout.
  func layout(snapped: Bool) -> TileLayout {
    let ratios = aspectRatios()
    let ratio = { ratios[photos[$0]] }
    let style = configuration.view.layout
    return switch (snapped, sections.isEmpty) {
    case (true, true): style.snapped(photos.count, in: page, metrics: metrics, ratio: ratio)
    case (true, false): style.snapped(sections, in: page, metrics: metrics, ratio: ratio)
    case (false, true): style.exact(photos.count, in: page, metrics: metrics, ratio: ratio)
    case (false, false): style.exact(sections, in: page, metrics: metrics, ratio: ratio)
    }
  }

  private var isRows: Bool { configuration.view.layout.kind == .rows }

  /// Returns the aspect ratios of photos if the layout depends on them; otherwise none.
  func aspectRatios() -> [Photo.ID: Double] {
    guard isRows else { return [:] }
    var ratios: [Photo.ID: Double] = [:]
    for photo in photos { ratios[photo] = album.size(of: photo)?.aspectRatio }
    let unknown = photos.filter { ratios[$0] == nil }
    reader.setDemands(unknown)
    for photo in unknown { ratios[photo] = reader.info(of: photo)?.size.aspectRatio }
    return ratios
  }

  /// Returns the pictures that tiles need.
  func demands(for indices: Range<Int>, of layout: TileLayout) -> [Demand] {
    indices.map { index in
      let tile = layout.frame(at: index).size.scaled(by: samplesPerPixel)
      let size = PixelSize(width: tile.width.rounded(.up), height: tile.height.rounded(.up))
      return Demand(photo: photos[index], size: size, mode: isRows ? .fit : .fill)
    }
  }

  /// Returns whether a photo is printed whole inside a tile of another shape.
  private func isWhole(_ size: PixelSize?, in tile: PixelRect) -> Bool {
    guard isRows || configuration.view.crop == .fit else { return false }
    return size.map { !tile.hasShape(of: $0, quantum: metrics.quantum) } ?? false
  }

  /// Returns whether a photo has been decoded or has failed.
  func isSettled(_ photo: Photo.ID) -> Bool {
    store.failure(of: photo) != nil || store.isDecoded(photo)
  }

  /// Returns the scene of an area of the page.
  func scene(of layout: TileLayout, in area: PixelRect) -> Scene {
    var scene = Scene(size: area.size)
    addHeadings(of: layout, in: area, to: &scene)
    for index in layout.indices(in: area) {
      let photo = photos[index]
      let tile = layout.frame(at: index).offset(x: 0, y: -area.minY)
      let size = store.info(of: photo)?.size
      let frame =
        isWhole(size, in: tile) ? tile.wholePhoto(of: size, quantum: metrics.quantum) : tile
      let crop = size.map { PixelRect.fillCrop(of: $0, in: frame.size) } ?? .unit
      scene.placements.append(Placement(photo: photo, frame: frame, crop: crop))
      let name = CellText(PhotoName.printable(store.index[photo]))
      if let label = layout.labelFrame(at: index) {
        let text = name.truncatedMiddle(to: metrics.columns(inside: label).count).string
        scene.labels.append(
          Scene.Label(text: text, frame: label.offset(x: 0, y: -area.minY), opacity: 1))
      } else if configuration.view.layout.hasLabels,
        let row = Scene.Label.lastRow(of: frame, metrics), !row.columns.isEmpty
      {
        scene.captions.append(
          Scene.Label(
            text: name.truncatedMiddle(to: row.columns.count).string, at: row.columns.lowerBound,
            row: row.number, metrics, opacity: 1))
      }
    }
    return scene
  }

  private func addHeadings(of layout: TileLayout, in area: PixelRect, to scene: inout Scene) {
    guard let sectioned = layout.sectioned else { return }
    for section in sectioned.section(at: area.minY)..<sectioned.sectionCount {
      let frame = sectioned.heading(ofSection: section)
      guard frame.minY < area.maxY else { break }
      guard frame.minY >= area.minY else { continue }
      let text = album.heading(
        of: sections[section], .ofLocale, isSettled: true, columns: columns)
      scene.labels.append(
        Scene.Label(
          text: text, frame: frame.offset(x: 0, y: -area.minY), opacity: 1, isHeading: true))
    }
  }
}
