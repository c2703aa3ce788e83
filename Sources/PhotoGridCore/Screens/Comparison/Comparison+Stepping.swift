/// Stepping to other photos, and removing photos that disappear.
extension Comparison {
  /// Returns the photos that the panes show after a step in the display order.
  ///
  /// The pinned photo stays: of the photos A to E, the panes B and C would become C and D, or B and
  /// D while B is pinned.
  ///
  /// - Parameters:
  ///   - count: The number of places; negative to go back.
  ///   - order: The photos in display order.
  /// - Returns: The photos, by pane; nil if there are none in that direction.
  func stepped(by count: Int, in order: Order) -> [Photo.ID]? {
    let pin = pinned.flatMap(order.place)
    // The places of the photos in an order without the pinned photo.
    let places = panes.map { pane -> Int? in
      guard pane.photo != pinned, let place = order.place(pane.photo) else { return nil }
      return pin.map { $0 < place } == true ? place - 1 : place
    }
    let moving = places.compactMap(\.self)
    guard let first = moving.min(), let last = moving.max() else { return nil }
    let end = order.photos.count - (pin == nil ? 1 : 2)
    let step = min(max(count, -first), end - last)
    guard step != 0, step.signum() == count.signum() else { return nil }
    return zip(panes, places).map { pane, place in
      guard let place = place.map({ $0 + step }) else { return pane.photo }
      return order.photos[
        order.photos.startIndex + (pin.map { $0 <= place } == true ? place + 1 : place)]
    }
  }

  /// The photos in display order.
  struct Order {
    /// The photos.
    var photos: ArraySlice<Photo.ID>
    /// Returns a photo's place among them, from 0; nil if it is not there.
    var place: (Photo.ID) -> Int?
  }

  /// Shows other photos in the panes, without motion, at the same part of each.
  mutating func show(_ photos: [Photo.ID], in context: Context) {
    let focus = focusIndex
    press = nil
    for (index, photo) in photos.enumerated() where panes[index].photo != photo {
      panes[index].photo = photo
      panes[index].resetView()
      let target = Pose(frame: wholeFrame(of: panes[index], in: context), backdrop: 0)
      panes[index].whole.shift(by: target - panes[index].whole.target)
    }
    leaving.removeAll { photos.contains($0.photo) }
    focused = panes[focus].photo
  }

  /// Removes photos that no longer exist.
  mutating func removeMissing(in context: Context) {
    leaving.removeAll { context.photos[$0.photo] == nil }
    if isClosing { return panes.removeAll { context.photos[$0.photo] == nil } }
    for photo in panes.map(\.photo) where context.photos[photo] == nil {
      remove(photo, in: context)
    }
  }
}
