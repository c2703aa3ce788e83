import PhotoGridCore

// MARK: - Which images

extension KittyRenderer {
  /// The images that the terminal lacks, most urgent first; and whether there
  /// will be more if nothing happens.
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
      // What lies on top is what the eye is on, then what is near the selection.
      let distance = visible.frame.center.distance(to: center)
      let rank = visible.depth > 0 ? distance - 1e6 * Double(visible.depth) : distance
      let requests =
        view.scene.isMoving
        ? movingRequests(for: visible, in: view) : exactRequests(for: visible, in: view)
      for request in requests.wanted { found.append((rank, request)) }
      for request in requests.spare { spare.append((rank, request)) }
    }
    result += found.sorted { $0.rank < $1.rank }.map(\.request)
    guard !spare.isEmpty else { return (result, false) }
    guard store.isLeisurely else { return (result, true) }
    return (result + spare.sorted { $0.rank < $1.rank }.map(\.request), false)
  }

  /// Veils and rings: without them the scene is wrong, and they cost next to nothing.
  private func sheetRequests(for view: KittyView) -> [KittyImageRequest] {
    var result: [KittyImageRequest] = []
    func request(_ spec: KittySpec) {
      if !store.transport.isRefused(spec.subject), store.cache.picture(for: spec) == nil {
        result.append(KittyImageRequest(spec: spec))
      }
    }
    for layer in view.fade.layers {
      if case .veil(let alpha) = layer { request(.veil(alpha)) }
    }
    // Tiles are mostly of one size, and so are their rings.
    for ring in view.rings where !result.contains(where: { $0.spec == view.ringSpec(ring) }) {
      request(view.ringSpec(ring))
    }
    return result
  }

  /// What shows a placement exactly where nothing moves; and what would help it to move.
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
      // Made from too little, it would soon be made again.
      let request = KittyImageRequest(spec: spec, picture: picture)
      if stamp.isCoarse(for: spec) { spare.append(request) } else { wanted.append(request) }
    }
    let isPiecemeal = specs.count > 1
    if isPiecemeal, !wanted.isEmpty || !spare.isEmpty, densestCover(of: visible) == nil {
      let whole = wholeSpec(for: visible, in: view, density: visible.density)
      wanted.insert(KittyImageRequest(spec: whole, picture: picture), at: 0)
    }
    if spare.isEmpty, wanted.isEmpty, let request = flightRequest(for: visible, picture, in: view) {
      spare.append(request)
    }
    return (wanted, spare)
  }

  /// The whole photo at the size of its tile, for the moment when more than the tile's crop shows.
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

  /// What makes a moving placement presentable.
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

  /// The whole photo for a moving placement, if what the terminal has is much too coarse.
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

  /// What a photo in flight needs where it lands as it fits the screen, so that it is sharp there at
  /// once, if the line can take that during the flight.
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

// MARK: - How large

extension KittyRenderer {
  /// The images that show a placement at rest, pixel for pixel: one, or several beside each other
  /// where one would be too long on its way.
  func exactSpecs(for visible: KittyView.VisiblePlacement, in view: KittyView) -> [KittySpec] {
    var frame = visible.frame.roundedToPixels
    var crop = visible.crop
    let area = view.areaFrame
    if frame.width > area.width + 1 || frame.height > area.height + 1 {
      // Of what is larger than the screen only the visible part.
      guard let part = frame.intersection(area)?.roundedToPixels else { return [] }
      crop = part.asPart(of: frame, showing: crop)
      frame = part
    }
    let spec = KittySpec(
      subject: visible.subject, region: crop, width: Int(frame.width), height: Int(frame.height),
      border: .zero)
    guard visible.subject.isPhoto, !store.transport.medium.isLocal,
      spec.pixelCount > KittyLimits.pixelsPerPiece
    else {
      // Scaled down to a half, a large one still has a cell's width of border.
      let isLarge = spec.pixelCount > KittyLimits.pixelsPerPiece
      var whole = spec
      whole.border = view.border(cells: isLarge ? 2 : 1)
      return [whole]
    }
    return pieces(of: spec, in: frame, view: view)
  }

  /// Cuts an image along the boundaries of cells.
  private func pieces(of spec: KittySpec, in frame: PixelRect, view: KittyView) -> [KittySpec] {
    let limit = Double(KittyLimits.pixelsPerPiece)
    let rows = max((limit.squareRoot() / view.cell.height).rounded(.down), 1)
    let columns = max((limit / (rows * view.cell.height) / view.cell.width).rounded(.down), 1)
    func cuts(_ start: Double, _ end: Double, step: Double) -> [Double] {
      var places = [start]
      var next = ((start / step).rounded(.down) + 1) * step
      while next.rounded() < end {
        places.append(next.rounded())
        next += step
      }
      return places + [end]
    }
    let across = cuts(frame.minX, frame.maxX, step: columns * view.cell.width)
    let down = cuts(frame.minY, frame.maxY, step: rows * view.cell.height)
    let border = view.border(cells: 1)
    var result: [KittySpec] = []
    for (top, bottom) in zip(down, down.dropFirst()) {
      for (left, right) in zip(across, across.dropFirst()) {
        let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        var piece = spec
        piece.region = part.asPart(of: frame, showing: spec.region)
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

  /// The whole photo in one of few sizes: as it fits the screen, or halves of that, the
  /// smallest of at least a density; smaller where it would be too long on its way, and never
  /// larger than the picture.
  func wholeSpec(for visible: KittyView.VisiblePlacement, in view: KittyView, density: Double)
    -> KittySpec
  {
    let screen = view.areaFrame.wholePhoto(
      of: visible.wholeSize, quantum: PixelSize(width: 1, height: 1)
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

extension KittyView {
  /// The selection's ring if it shows.
  var ring: Scene.Ring? { fade.showsGround ? scene.ring : nil }

  /// The rings of marked tiles if they show.
  var marks: [Scene.Ring] { fade.showsGround ? scene.marks : [] }

  /// All rings that show.
  var rings: [Scene.Ring] { (ring.map { [$0] } ?? []) + marks }

  /// The ring's place, with the tile in the middle of it.
  func ringFrame(_ ring: Scene.Ring) -> PixelRect {
    let tile = scene.isMoving ? ring.tile : ring.tile.roundedToPixels
    return PixelRect(
      x: tile.minX - gap.width, y: tile.minY - gap.height, width: tile.width + 2 * gap.width,
      height: tile.height + 2 * gap.height)
  }

  /// The image of a ring.
  func ringSpec(_ ring: Scene.Ring) -> KittySpec {
    let (width, height) = (Int(ring.tile.width.rounded()), Int(ring.tile.height.rounded()))
    return KittySpec(
      subject: .ring(ring.meaning, width: width, height: height), region: .unit,
      width: width + 2 * Int(gap.width.rounded()), height: height + 2 * Int(gap.height.rounded()),
      border: border(cells: 1))
  }

  /// A border of so many cells on all sides.
  func border(cells count: Int) -> Insets {
    let (width, height) = (
      count * Int(cell.width.rounded(.up)), count * Int(cell.height.rounded(.up))
    )
    return Insets(left: width, top: height, right: width, bottom: height)
  }
}

extension KittySpec {
  /// The image of a veil: one pixel.
  static func veil(_ alpha: UInt8) -> KittySpec {
    KittySpec(subject: .veil(alpha), region: .unit, width: 1, height: 1, border: .zero)
  }

  /// Whether it shows all that a placement shows, to half a pixel.
  func covers(_ visible: KittyView.VisiblePlacement) -> Bool {
    let (across, down) = (0.5 / visible.wholeSize.width, 0.5 / visible.wholeSize.height)
    return region.minX <= visible.crop.minX + across && region.maxX >= visible.crop.maxX - across
      && region.minY <= visible.crop.minY + down && region.maxY >= visible.crop.maxY - down
  }

  /// Whether it shows no more than a placement shows, to half a pixel.
  func isCut(to visible: KittyView.VisiblePlacement) -> Bool {
    let (across, down) = (0.5 / visible.wholeSize.width, 0.5 / visible.wholeSize.height)
    return region.minX >= visible.crop.minX - across && region.maxX <= visible.crop.maxX + across
      && region.minY >= visible.crop.minY - down && region.maxY <= visible.crop.maxY + down
  }
}

extension PixelRect {
  /// The part that both share; nil if there is none.
  func intersection(_ other: PixelRect) -> PixelRect? {
    let (left, top) = (max(minX, other.minX), max(minY, other.minY))
    let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
    guard left < right, top < bottom else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// What this part of a frame shows, where the frame shows `crop`.
  func asPart(of frame: PixelRect, showing crop: PixelRect) -> PixelRect {
    let (across, down) = (crop.width / frame.width, crop.height / frame.height)
    return PixelRect(
      x: crop.minX + (minX - frame.minX) * across, y: crop.minY + (minY - frame.minY) * down,
      width: width * across, height: height * down)
  }
}
