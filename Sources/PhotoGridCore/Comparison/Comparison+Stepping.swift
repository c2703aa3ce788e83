/// Going on to other photos, and what happens to photos that disappear.
extension Comparison {
  /// Returns the photos some places further in the order on screen, by pane; the pinned one stays.
  ///
  /// - Parameters:
  ///   - count: The number of places; negative to go back.
  ///   - order: The photos in the order on screen.
  /// - Returns: The photos to show; nil if there are none in that direction.
  func stepped(by count: Int, in order: Order) -> [Photo.ID]? {
    let pin = pinned.flatMap(order.place)
    // The places that the photos would have without the pinned one.
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

  /// The photos in the order on screen.
  struct Order {
    /// The photos.
    var photos: ArraySlice<Photo.ID>
    /// Returns a photo's place among them, from 0; nil if it is not there.
    var place: (Photo.ID) -> Int?
  }

  /// Shows other photos in the panes, without motion, at the same place of each.
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

  /// Takes out photos that do not exist any more.
  mutating func removeMissing(in context: Context) {
    leaving.removeAll { context.photos[$0.photo] == nil }
    if isClosing { return panes.removeAll { context.photos[$0.photo] == nil } }
    for photo in panes.map(\.photo) where context.photos[photo] == nil {
      remove(photo, in: context)
    }
  }
}
