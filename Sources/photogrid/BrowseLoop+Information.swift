import PhotoGridCore

/// The panel about a photo lies over others, which a press on it is not meant for.
extension BrowseLoop {
  /// Whether a press of the mouse is on the panel.
  func isOnInformation(_ event: MouseEvent) -> Bool {
    guard browser.informedPhoto != nil || browser.inspectedFolder != nil, browser.panel == nil,
      let area = terminal.panelArea,
      case .pressed = event.kind
    else { return false }
    let cell = browser.viewport.metrics.cell
    let (column, row) = (event.position.x / cell.width, event.position.y / cell.height)
    return (Double(area.origin.column)..<Double(area.origin.column + area.size.columns))
      .contains(column)
      && (Double(area.origin.row)..<Double(area.origin.row + area.size.rows)).contains(row)
  }
}
