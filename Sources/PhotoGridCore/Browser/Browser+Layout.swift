/// Changing the layout while looking: every photo flies from its old frame to its new one.
extension Browser {
  /// Goes on to another of the layouts, in a circle.
  mutating func changeLayout(by step: Int, at now: Instant) {
    let kinds = [LayoutStyle.Kind.grid, .mosaic, .bento]
    let present = kinds.firstIndex(of: options.layout.kind) ?? 0
    let next = ((present + step) % kinds.count + kinds.count) % kinds.count
    rearrange(at: now) { $0.kind = kinds[next] }
    switch options.layout.kind {
    case .grid: say("grid", for: 1, at: now)
    case .mosaic: say("mosaic", for: 1, at: now)
    case .bento: say("bento", for: 1, at: now)
    }
  }

  /// Makes tiles larger or smaller by as little as makes a difference.
  mutating func enlarge(by steps: Int, at now: Instant) {
    let direction = steps > 0 ? 1 : -1
    for _ in 0..<min(abs(steps), LayoutStyle.enlargements.count) {
      let before = layout
      repeat {
        let next = options.layout.enlargement + direction
        guard LayoutStyle.enlargements.contains(next) else { return }
        rearrange(at: now) { $0.enlargement = next }
      } while layout == before
    }
  }

  /// Takes the tiles to what a change of the style makes of the layout; the selection stays in
  /// sight, near to where it was.
  mutating func rearrange(at now: Instant, _ change: (inout LayoutStyle) -> Void) {
    let before = Rearrangement.Arrangement(layout: layout, scroll: scroll.value(at: now))
    change(&options.layout)
    relayout()
    gridPress = nil
    guard layout != before.layout, !photos.isEmpty else { return }
    let row = viewport.metrics.cell.height
    let place = before.frame(at: selection).minY
    let offset = ((layout.frame(at: selection).minY - place) / row).rounded() * row
    scroll.jump(to: scrollOffset(showing: selection, from: min(max(offset, 0), scrollLimit)))
    if options.motion.travels {
      rearrangement.add(
        from: before, to: Rearrangement.Arrangement(layout: layout, scroll: scroll.target),
        options.motion.rearrangement, at: now)
    }
    retargetReturn(options.motion.rearrangement, at: now)
  }

  /// Clipped photos become whole ones in their tiles, or the other way round.
  mutating func toggleCrop(at now: Instant) {
    options.crop = options.crop == .fill ? .fit : .fill
    let target = options.crop == .fit ? 1.0 : 0
    if options.motion.travels {
      wholeness.retarget(to: target, options.motion.rearrangement, at: now)
    } else {
      wholeness.jump(to: target)
    }
    retargetReturn(options.motion.rearrangement, at: now)
  }

  // MARK: - Frames

  /// Where a photo's tile is at a moment, in the picture area: the photo itself where it is shown
  /// whole.
  func tileFrame(of index: Int, at now: Instant) -> PixelRect {
    let place = layout.frame(at: index).offset(x: 0, y: -scroll.value(at: now))
    let tile = rearrangement.frame(at: index, from: place, at: now)
    return pictureFrame(of: index, in: tile, wholeness: wholeness.value(at: now))
  }

  /// Where a photo's tile will be when everything has come to rest.
  func restingTileFrame(of index: Int) -> PixelRect {
    let tile = layout.frame(at: index).offset(x: 0, y: -scroll.target)
    return pictureFrame(of: index, in: tile, wholeness: wholeness.target)
  }

  /// The frame between a tile and the whole photo inside of it.
  private func pictureFrame(of index: Int, in tile: PixelRect, wholeness: Double) -> PixelRect {
    guard wholeness > 0 else { return tile }
    let whole = tile.wholePhoto(of: size(of: photos[index]), quantum: viewport.metrics.quantum)
    func mix(_ clipped: Double, _ whole: Double) -> Double {
      clipped + (whole - clipped) * min(wholeness, 1)
    }
    return PixelRect(
      x: mix(tile.minX, whole.minX), y: mix(tile.minY, whole.minY),
      width: mix(tile.width, whole.width), height: mix(tile.height, whole.height))
  }

  /// The photos of which something may be seen at a moment.
  func visibleIndices(at now: Instant) -> [Int] {
    let area = viewport.pictureArea
    let present = layout.indices(in: area.offset(x: 0, y: scroll.value(at: now)))
    let departed = rearrangement.departed(from: area)
    guard !departed.isEmpty else { return Array(present) }
    let all = departed.reduce(into: Set(present)) { $0.formUnion($1) }
    return all.filter { photos.indices.contains($0) }.sorted()
  }

  /// The photo that is seen at a point.
  func index(at point: PixelPoint, _ now: Instant) -> Int? {
    // Where tiles cross on their way, the one drawn last is in front.
    visibleIndices(at: now).last { tileFrame(of: $0, at: now).contains(point) }
  }
}
