import Geometry
import Photos
import SceneModel

extension Panel {
  /// Creates a box above the bar with a message or a question; nil if the bar has room for it.
  init?(_ text: String?, in viewport: Viewport) {
    guard let text, CellText(text).width > Bar.room(width: viewport.cells.columns) else {
      return nil
    }
    let columns = Panel.columnsAboveBar(in: viewport)
    self = Panel(title: "", words: text, columns: columns).aboveBar(in: viewport)
  }
}

extension PhotoCollection {
  /// Returns the panel that says why nothing is shown, and what to do then; nil if something is.
  func emptyPanel(way: String? = nil, in viewport: Viewport) -> Panel? {
    emptyPanel(way: way)?.wrapped(to: viewport.cells.columns - 4)
  }

  private func emptyPanel(way: String?) -> Panel? {
    guard items.isEmpty, let notes = listingNotes else { return nil }
    guard album.listing.isEmpty else { return filteredOut(way: way) }
    if let failure = notes.failure {
      return Panel(
        title: failure,
        lines: [
          "This folder cannot be read: \(failure).",
          "BackSpace goes up a folder, R tries again, and q quits.",
        ])
    }
    return Panel(
      title: "No photos here",
      lines: [
        "Looked for JPEG, PNG, GIF, WebP, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000,",
        "SVG, BMP, TGA, PSD, ICO, PCX, DDS, PNM, HDR, EXR, FITS, raw files, and videos.",
        "BackSpace goes up a folder, ? shows the keys, and q quits.",
      ])
  }

  /// Returns the panel that is shown if there are photos, but none passes the filter or is marked.
  private func filteredOut(way: String?) -> Panel {
    let reason: String
    let usualWay: String
    if let text = album.filter?.text {
      let photos =
        album.showsMarkedOnly
        ? "None of the marked photos" : "None of the \(album.photos.count) photos"
      let verdict = album.progress == nil ? "match" : "so far match"
      reason = "\(photos) \(verdict) '\(CellText(text).truncatedTail(to: 40).string)'."
      usualWay = "Esc shows all photos; f changes the filter."
    } else {
      reason = "No photos here are marked."
      usualWay = "Esc shows all photos."
    }
    return Panel(
      title: "Nothing to show",
      lines: [reason] + [album.exclusion].compactMap(\.self) + [way ?? usualWay])
  }
}

extension Viewport {
  /// The largest width of the information panel's text, in cells.
  private static let informationWidth = 36
  /// The smallest width of the information panel's text, in cells, unless the screen is narrower.
  private static let narrowestInformation = 18

  /// The narrowest screen, in cells, on which an open photo has its place beside the information
  /// panel; on a narrower one the panel lies over it.
  private static let widthForBoth = 60
  /// The width of the panel's text beside an open photo, in cells, if the screen is narrow.
  private static let narrowInformation = 28
  /// The room that the panel's text leaves to an open photo on a screen wide enough, in cells.
  private static let photoColumns = 44

  /// The columns of the information panel with its border, and one between it and an open photo; 0 if
  /// the panel lies over the photo.
  var columnsBesidePhotos: Int {
    guard let text = informationSize, cells.columns >= Self.widthForBoth else { return 0 }
    return text.columns + 5
  }

  /// The cells for the information panel's text; nil if the screen has no room for a panel.
  package var informationSize: CellSize? {
    let cells = pictureCells
    let share =
      cells.columns >= Self.widthForBoth
      ? max(cells.columns - Self.photoColumns, Self.narrowInformation)
      : max(cells.columns * 6 / 10 - 4, Self.narrowestInformation)
    let columns = min(Self.informationWidth, share, cells.columns - 4)
    let room = CellSize(columns: columns, rows: cells.rows - 2)
    return room.columns > 0 && room.rows > 0 ? room : nil
  }
}

extension Panel {
  /// Returns the panel with longer lines than a number of cells broken between words.
  fileprivate func wrapped(to columns: Int) -> Panel {
    var panel = self
    panel.lines = lines.flatMap { line in
      CellText.wrapped(line.split(separator: " ").map(String.init), to: columns, separator: " ")
    }
    return panel
  }

  /// Returns the left side if the panel on the right would hide the tile and a panel on the left would
  /// not, otherwise the right side.
  func position(beside tile: PixelRect?, in viewport: Viewport) -> Position {
    guard let tile else { return .right }
    let cell = viewport.metrics.cell
    let columns = lines.map { CellText($0).width }.max() ?? 0
    let size = PixelSize(
      width: Double(columns + 4) * cell.width, height: Double(lines.count + 2) * cell.height)
    let right = PixelRect(
      origin: PixelPoint(x: viewport.pictureSize.width - size.width, y: 0), size: size)
    let left = PixelRect(origin: .zero, size: size)
    return tile.intersects(right) && !tile.intersects(left) ? .left : .right
  }
}
