/// The pictures that the screen needs.
extension Browser {
  /// Returns the pictures that are needed now, most urgent first; none while the visible tiles are
  /// about to change.
  package func demands(at now: Instant) -> [Demand] {
    isOrderProvisional(at: now) ? [] : demands
  }

  /// The longest time that demands wait for the end of a listing, in seconds from its first item.
  private static let longestWait = 1.0

  /// Whether the photos will be sorted again soon, by recorded facts that arrive with the listing.
  private func isOrderProvisional(at now: Instant) -> Bool {
    guard collection.listingNotes == nil, album.isStale, album.order.needsFacts,
      album.hasRecordedFacts, mode.periods == nil, viewer == nil, let since = grid.filledSince
    else { return false }
    return now.seconds(since: since) < Self.longestWait
  }

  /// The pictures that the current screen needs, most urgent first.
  ///
  /// The open photo comes first, then the visible tiles, the neighbors of the open photo, and the
  /// tiles just outside the viewport.
  package var demands: [Demand] {
    guard mode.periods == nil else { return periodDemands }
    var result = comparisonDemands
    let open = isInDetail ? viewerIndex : nil
    if let open {
      if let closeUpDemand { result.append(closeUpDemand) }
      if !isSteppingMagnified { addScreen(open, .visible, to: &result) }
      if let playedIndex, playedIndex != open { addScreen(playedIndex, .visible, to: &result) }
      if let nextSlide { addScreen(nextSlide, .visible, to: &result) }
    }
    let indices = grid.demandedIndices(around: selection, in: viewport)
    addTiles(indices.visible, .visible, to: &result)
    if let open {
      addCloseUpsAhead(of: open, to: &result)
      if !isSteppingMagnified {
        addScreen(open + 1, .neighbor, to: &result)
        addScreen(open - 1, .neighbor, to: &result)
      }
    }
    addTiles(indices.nearby, .nearby, to: &result)
    return result
  }

  private func addTiles(
    _ indices: some Sequence<Int>, _ place: Demand.Place, to demands: inout [Demand]
  ) {
    for index in indices {
      let isFolder = index < collection.folderCount
      for var demand in isFolder ? sampleDemands(of: index) : [tileDemand(of: index)] {
        demand.place = place
        demands.append(demand)
      }
    }
  }

  /// Whether the user is stepping through magnified photos, so that only parts of them are needed.
  private var isSteppingMagnified: Bool { viewer?.wholeDue != nil && closeUpDemand?.region != nil }

  /// The distances, in the direction of the last step, of the photos that are decoded in advance
  /// while the open one is magnified.
  ///
  /// If the user steps quickly, there is no time to decode a photo after the step to it.
  private static let stepsAhead = [1, -1, 2, 3]

  /// Adds the regions of the neighbors of the open photo that a step to them would show.
  private func addCloseUpsAhead(of open: Int, to demands: inout [Demand]) {
    guard let viewer, slideshow == nil else { return }
    for step in Self.stepsAhead {
      let index = open + (viewer.goesBack ? -step : step)
      guard let place = collection.photoIndex(index), let stage = stage(of: place) else { continue }
      let demand = closeUpDemand(
        of: photos[place], viewer.viewForNext, on: stage, panDirection: .zero, isAhead: true)
      if let demand { demands.append(demand) }
    }
  }

  private func addScreen(_ index: Int, _ place: Demand.Place, to demands: inout [Demand]) {
    guard collection.photoIndex(index) != nil else { return }
    var demand = screenDemand(of: index)
    demand.place = place
    demands.append(demand)
  }

  /// A function that returns a photo's distance from the visible tiles, in items.
  ///
  /// The distance is 0 for a visible photo, also on the tile of a folder, a month or a year, and
  /// `Int.max` for a photo without a tile.
  package var distanceFromViewport: (Photo.ID) -> Int {
    let visible = grid.layout.indices(in: grid.restingView(in: viewport))
    let collection = collection
    let samples = Set(
      visible.prefix { $0 < collection.folderCount }
        .flatMap { folders.previews[collection.items[$0]]?.samples ?? [] }
        + periodDemands.lazy.filter { $0.place == .visible }.map(\.photo))
    return { photo in
      guard !samples.contains(photo) else { return 0 }
      guard let index = collection.index(of: photo) else { return .max }
      return max(visible.lowerBound - index, index - visible.upperBound + 1, 0)
    }
  }

  // MARK: - One picture

  /// Returns the picture that a photo's tile needs.
  func tileDemand(of index: Int) -> Demand {
    // Rows never clip photos, and a picture of a panorama that fills its tile would be huge.
    demand(
      for: collection.items[index], in: grid.layout.frame(at: index).size,
      mode: grid.style.kind == .rows ? .fit : .fill)
  }

  /// Returns the picture of a photo that fits the screen.
  func screenDemand(of index: Int) -> Demand {
    demand(for: collection.items[index], in: viewport.pictureSize, mode: .fit)
  }

  /// Returns the pictures that a folder's tile needs.
  private func sampleDemands(of index: Int) -> [Demand] {
    folderSamples(at: index, in: grid.layout.frame(at: index)).map {
      demand(for: $0.photo, in: $0.frame.size, mode: .fill)
    }
  }

  /// Returns the picture of a photo that fits or fills a frame.
  func demand(for photo: Photo.ID, in frame: PixelSize, mode: ContentMode) -> Demand {
    let size = PixelSize(width: sampleCount(frame.width), height: sampleCount(frame.height))
    // Pictures are requested as the file has them, before the user's rotation.
    return Demand(
      photo: photo, size: collection.orientation(of: photo).turned(size), mode: mode)
  }

  private func sampleCount(_ pixels: Double) -> Double {
    max((pixels * viewport.metrics.samplesPerPixel).rounded(.up), 1)
  }
}
