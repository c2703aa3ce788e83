import PhotoGridCore

/// The choice of images to send.
extension KittyRenderer {
  /// Returns the images that the terminal lacks, most urgent first, and whether there will be more
  /// if nothing happens for a while.
  func requests(for view: KittyView) -> (requests: [KittyImageRequest], isWaiting: Bool) {
    guard view.scene.placements.count <= KittyLimits.placements else { return ([], false) }
    var result = sheetRequests(for: view)
    var found: [(rank: Double, request: KittyImageRequest)] = []
    var spare: [(rank: Double, request: KittyImageRequest)] = []
    let center = view.scene.ring?.tile.center ?? view.areaFrame.center
    for visible in view.visiblePlacements {
      guard let visible, !visible.isMessage, !store.transport.isRefused(visible.subject) else {
        continue
      }
      // The user looks first at what lies on top, then at what is near the selection.
      let distance = visible.frame.center.distance(to: center)
      let rank = visible.depth > 0 ? distance - 1e6 * Double(visible.depth) : distance
      let requests =
        view.scene.isMoving
        ? movingRequests(for: visible, in: view) : exactRequests(for: visible, in: view)
      for request in requests.wanted { found.append((rank, request)) }
      for request in requests.spare { spare.append((rank, request)) }
    }
    result += found.sorted { $0.rank < $1.rank }.map(\.request)
    let due = spare.filter { store.isDue($0.request.spec) }
    return (
      result + due.sorted { $0.rank < $1.rank }.map(\.request), due.count < spare.count
    )
  }

  /// Returns requests for veils and rings, without which the scene is wrong; they cost almost
  /// nothing.
  private func sheetRequests(for view: KittyView) -> [KittyImageRequest] {
    var result: [KittyImageRequest] = []
    func request(_ spec: KittySpec) {
      if !store.transport.isRefused(spec.subject), store.cache.picture(for: spec) == nil {
        result.append(KittyImageRequest(spec: spec, picture: view.raisedPicture))
      }
    }
    for layer in view.fade.layers {
      if case .veil(let alpha) = layer { request(.veil(alpha)) }
    }
    // Most tiles have the same size, and so have their rings.
    for ring in view.rings where !result.contains(where: { $0.spec == view.ringSpec(ring) }) {
      request(view.ringSpec(ring))
    }
    return result
  }

  /// Returns requests for images that show a placement at rest, pixel for pixel.
  ///
  /// Spare requests are for images that are not needed now: a picture that is too small, or an
  /// image for the next movement.
  private func exactRequests(
    for visible: KittyView.VisiblePlacement, in view: KittyView
  ) -> (wanted: [KittyImageRequest], spare: [KittyImageRequest]) {
    let specs = exactSpecs(for: visible, in: view)
    guard visible.subject.isPhoto else {
      return (
        specs.filter { store.cache.picture(for: $0) == nil }.map { KittyImageRequest(spec: $0) }, []
      )
    }
    guard let picture = visible.picture else { return ([], []) }
    let stamp = PictureStamp(picture)
    var (wanted, spare) = ([KittyImageRequest](), [KittyImageRequest]())
    for spec in specs where !store.cache.isHeld(spec, from: stamp) {
      // An image of a picture that is too small will soon be made again.
      let request = KittyImageRequest(spec: spec, picture: picture)
      if stamp.isCoarse(for: spec) { spare.append(request) } else { wanted.append(request) }
    }
    let isPiecemeal = specs.count > 1 && !(wanted.isEmpty && spare.isEmpty)
    let isLate = store.transport.medium.isLocal && spare.contains { !store.isDue($0.spec) }
    if isPiecemeal || isLate, densestCover(of: visible) == nil {
      let whole = wholeSpec(for: visible, in: view, density: visible.density)
      wanted.insert(KittyImageRequest(spec: whole, picture: picture), at: 0)
    }
    if spare.isEmpty, wanted.isEmpty, let request = flightRequest(for: visible, picture, in: view) {
      spare.append(request)
    }
    return (wanted, spare)
  }

  /// Returns a request for the whole photo in the scale of its tile, for the start of a flight,
  /// when more than the tile's crop becomes visible.
  private func flightRequest(
    for visible: KittyView.VisiblePlacement, _ picture: Mipmap, in view: KittyView
  ) -> KittyImageRequest? {
    guard visible.crop != .unit, store.cache.pixelCount < store.cache.budget / 2 else {
      return nil
    }
    let isSelected = view.scene.ring.map { $0.tile.intersects(visible.frame) } ?? true
    guard store.transport.medium.isLocal || isSelected else { return nil }
    let size = visible.wholeSize
    guard size.width * size.height <= Double(4 * KittyLimits.pixelsPerPiece) else { return nil }
    let spec = KittySpec(
      subject: visible.subject, region: .unit, width: max(Int(size.width.rounded()), 1),
      height: max(Int(size.height.rounded()), 1), border: view.border(cells: 1))
    return store.cache.isHeld(spec, from: PictureStamp(picture))
      ? nil : KittyImageRequest(spec: spec, picture: picture)
  }

  /// Returns requests for images that are good enough for a moving placement.
  private func movingRequests(
    for visible: KittyView.VisiblePlacement, in view: KittyView
  ) -> (wanted: [KittyImageRequest], spare: [KittyImageRequest]) {
    let held = store.cache.pictures(of: visible.subject)
    let isSmall = visible.frame.width * visible.frame.height <= Double(KittyLimits.pixelsPerPiece)
    guard visible.subject.isPhoto else {
      guard held.isEmpty, let spec = exactSpecs(for: visible, in: view).first else {
        return ([], [])
      }
      return ([KittyImageRequest(spec: spec)], [])
    }
    guard let picture = visible.picture else { return ([], []) }
    if held.isEmpty, isSmall {
      return (
        exactSpecs(for: visible, in: view).map { KittyImageRequest(spec: $0, picture: picture) }, []
      )
    }
    // Over a slow line only the photo in front is sent while it moves.
    guard
      store.transport.medium.isLocal || held.isEmpty || visible.depth > 0
        || view.visiblePlacements.count == 1
    else {
      return ([], [])
    }
    let whole = wholeRequests(for: visible, picture, in: view)
    return (whole.isEmpty ? landingRequests(for: visible, picture, in: view) : whole, [])
  }

  /// Returns a request for the whole photo of a moving placement, if the terminal's images are much
  /// too coarse.
  private func wholeRequests(
    for visible: KittyView.VisiblePlacement, _ picture: Mipmap, in view: KittyView
  ) -> [KittyImageRequest] {
    let best = densestCover(of: visible)
    if let best, visible.density <= 1.6 * best.spec.density { return [] }
    let spec = wholeSpec(for: visible, in: view, density: visible.density)
    if let best, spec.density <= 1.2 * best.spec.density { return [] }
    guard !store.cache.isHeld(spec, from: PictureStamp(picture)) else { return [] }
    return [KittyImageRequest(spec: spec, picture: picture)]
  }

  /// Returns requests for a photo in flight to its place on the whole screen, so that it is sharp
  /// as soon as it lands, if the line can take the bytes during the flight.
  private func landingRequests(
    for visible: KittyView.VisiblePlacement, _ picture: Mipmap, in view: KittyView
  ) -> [KittyImageRequest] {
    let frame = view.areaFrame.wholePhoto(
      of: visible.wholeSize, quantum: PixelSize(width: 1, height: 1))
    guard !store.transport.medium.isLocal, visible.depth > 0,
      visible.wholeSize.width <= frame.width + 1,
      frame.width * frame.height <= KittyLimits.pixelsInFlight(byteBudget: store.byteBudget)
    else { return [] }
    var landed = visible
    (landed.frame, landed.crop) = (frame, .unit)
    let stamp = PictureStamp(picture)
    return exactSpecs(for: landed, in: view)
      .filter { !stamp.isCoarse(for: $0) && !store.cache.isHeld($0, from: stamp) }
      .map { KittyImageRequest(spec: $0, picture: picture) }
  }

  private func densestCover(of visible: KittyView.VisiblePlacement) -> KittyPicture? {
    store.cache.pictures(of: visible.subject).filter { $0.spec.covers(visible) }
      .max { $0.spec.density < $1.spec.density }
  }
}
