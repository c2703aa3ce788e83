import Geometry
import SceneModel

/// Draws scenes with real pixels by kitty's graphics protocol: a picture is sent once as an image,
/// and each frame only places images.
///
/// All that the terminal has no image of is drawn by cells behind the images: labels, words, and
/// photos whose images are not sent yet. So a picture appears immediately by cells, and then by
/// pixels once its image has arrived. If the protocol fails, the cells remain.
package struct KittyRenderer: KittyImageRenderer {
  var store: KittyImageStore
  var cells: CellRenderer
  private var placements = KittyPlacements()
  private let appearance: Appearance
  private var badges: BadgePictures
  package private(set) var isUnfinished = false

  package init(_ traits: PictureTraits, firstID: UInt32, handover: @escaping KittyHandover) {
    store = KittyImageStore(traits, firstID: firstID, handover: handover)
    cells = CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    appearance = traits.appearance
    badges = BadgePictures(traits.appearance)
  }

  package var placementUnit: CellMetrics.PlacementUnit { .pixels }
  package func samplesPerPixel(cell: PixelSize) -> Double { 1 }

  /// The pictures of a frame, encoded for sending.
  package var bytesPerPixel: Int { 8 }

  mutating func forgetPlacements() { placements.forgetAll() }

  mutating func forget(_ image: UInt32) { placements.forget(image) }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    isUnfinished = false
    store.cache.screenPixels = Int(scene.size.width * scene.size.height)
    var uploads = store.writer(after: bytes.uploads)
    guard store.beginFrame(for: scene, to: &uploads) else {
      placements.forgetAll()
      bytes.uploads = uploads.bytes
      cells.frame(for: scene, metrics: metrics, content: content, into: &bytes.picture)
      isUnfinished = cells.isUnfinished
      return
    }

    let scene = badges.expand(scene, metrics)
    let badges = badges
    var view = KittyView(
      scene: scene, metrics: metrics, cache: store.cache, appearance: appearance,
      content: { badges.content(of: $0) ?? content($0) })
    closeGap(aroundRaisedTileIn: &view)
    let (requests, isWaiting) = requests(for: view)
    for id in store.send(requests, isMoving: scene.isMoving, to: &uploads) { placements.forget(id) }
    isUnfinished = isWaiting || store.isUnfinished
    bytes.uploads = uploads.bytes

    let drawing = drawing(of: view)
    var picture = store.writer(after: bytes.picture)
    placements.begin()
    for (put, owner) in drawing.puts {
      store.use(put.image)
      placements.put(put, owner: owner, to: &picture)
    }
    cells.frame(
      for: drawing.cellScene, metrics: metrics,
      content: { badges.content(of: $0) ?? content($0) }, into: &picture.bytes)
    isUnfinished = isUnfinished || cells.isUnfinished
    placements.end(to: &picture)
    store.endFrame(to: &picture)
    bytes.picture = picture.bytes
  }
}

/// The sizes of the images that show a placement.
extension KittyRenderer {
  /// Returns the images that show a placement at rest, pixel for pixel.
  ///
  /// There is one, or several beside each other if sending a single image would take too long.
  func exactSpecs(for visible: KittyView.VisiblePlacement, in view: KittyView) -> [KittySpec] {
    var frame = visible.frame.roundedToPixels
    var crop = visible.crop
    let area = view.areaFrame
    if frame.width > area.width + 1 || frame.height > area.height + 1 {
      // Only the visible part of a photo that is larger than the screen.
      guard let part = frame.intersection(area)?.roundedToPixels else { return [] }
      crop = part.crop(showing: crop, in: frame)
      frame = part
    }
    var spec = KittySpec(
      subject: visible.subject, region: crop, width: Int(frame.width), height: Int(frame.height),
      border: .zero)
    if visible.subject.isFrame, crop == .unit, let full = visible.picture?.full,
      full.width < spec.width
    {
      // The terminal enlarges it: for thirty pictures a second, that is most of the work.
      (spec.width, spec.height) = (full.width, full.height)
    }
    guard visible.subject.isPhoto, !store.transport.medium.isLocal,
      spec.pixelCount > KittyLimits.pixelsPerPiece
    else {
      // Two cells for a large image, so that a border of one cell remains at half the size.
      let isLarge = spec.pixelCount > KittyLimits.pixelsPerPiece
      var whole = spec
      whole.border = view.border(cells: isLarge ? 2 : 1)
      return [whole]
    }
    return pieces(of: spec, in: frame, view: view)
  }

  private func pieces(of spec: KittySpec, in frame: PixelRect, view: KittyView) -> [KittySpec] {
    let limit = Double(KittyLimits.pixelsPerPiece)
    let rows = max((limit.squareRoot() / view.cell.height).rounded(.down), 1)
    let columns = max((limit / (rows * view.cell.height) / view.cell.width).rounded(.down), 1)
    func cuts(_ start: Double, _ end: Double, step: Double) -> [Double] {
      var edges = [start]
      var next = ((start / step).rounded(.down) + 1) * step
      while next.rounded() < end {
        edges.append(next.rounded())
        next += step
      }
      return edges + [end]
    }
    let across = cuts(frame.minX, frame.maxX, step: columns * view.cell.width)
    let down = cuts(frame.minY, frame.maxY, step: rows * view.cell.height)
    let border = view.border(cells: 1)
    var result: [KittySpec] = []
    for (top, bottom) in zip(down, down.dropFirst()) {
      for (left, right) in zip(across, across.dropFirst()) {
        let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        var piece = spec
        piece.region = part.crop(showing: spec.region, in: frame)
        piece.width = Int(part.width)
        piece.height = Int(part.height)
        piece.border = Insets(
          left: left == frame.minX ? border.left : 0, top: top == frame.minY ? border.top : 0,
          right: right == frame.maxX ? border.right : 0,
          bottom: bottom == frame.maxY ? border.bottom : 0)
        result.append(piece)
      }
    }
    return result
  }

  /// Returns the image of a whole photo in one of a few sizes.
  ///
  /// The sizes are the size that fits the screen, a half of it, a quarter and so on. The smallest
  /// one of at least `density` is chosen; a smaller one if sending it would take too long, and none
  /// larger than the picture.
  func wholeSpec(for visible: KittyView.VisiblePlacement, in view: KittyView, density: Double)
    -> KittySpec
  {
    let screen = view.areaFrame.wholePhoto(
      of: visible.wholeSize, placementStep: PixelSize(width: 1, height: 1)
    ).size
    var scale = 1.0
    while scale > 1 / 32, screen.width * scale / 2 >= 0.98 * density { scale /= 2 }
    let limit = Double(KittyLimits.pixelsPerPiece)
    while !store.transport.medium.isLocal, screen.width * screen.height * scale * scale > limit {
      scale /= 2
    }
    var (width, height) = (screen.width * scale, screen.height * scale)
    if let full = visible.picture?.full, Double(full.width) < width {
      (width, height) = (Double(full.width), Double(full.height))
    }
    return KittySpec(
      subject: visible.subject, region: .unit, width: max(Int(width.rounded()), 1),
      height: max(Int(height.rounded()), 1),
      border: view.border(cells: width * height > limit ? 2 : 1))
  }
}

extension KittySpec {
  static func veil(_ alpha: UInt8) -> KittySpec {
    KittySpec(subject: .veil(alpha), region: .unit, width: 1, height: 1, border: .zero)
  }

  /// Whether the image contains all that a placement shows, within half a pixel.
  func covers(_ visible: KittyView.VisiblePlacement) -> Bool {
    let (across, down) = (0.5 / visible.wholeSize.width, 0.5 / visible.wholeSize.height)
    return region.minX <= visible.crop.minX + across && region.maxX >= visible.crop.maxX - across
      && region.minY <= visible.crop.minY + down && region.maxY >= visible.crop.maxY - down
  }

  /// Whether the image contains no more than a placement shows, within half a pixel.
  func isCut(to visible: KittyView.VisiblePlacement) -> Bool {
    let (across, down) = (0.5 / visible.wholeSize.width, 0.5 / visible.wholeSize.height)
    return region.minX >= visible.crop.minX - across && region.maxX <= visible.crop.maxX + across
      && region.minY >= visible.crop.minY - down && region.maxY <= visible.crop.maxY + down
  }
}

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
      of: visible.wholeSize, placementStep: PixelSize(width: 1, height: 1))
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
