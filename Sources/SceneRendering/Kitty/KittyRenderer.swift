import PhotoGridCore

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
  package private(set) var isUnfinished = false

  /// Creates a renderer that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - traits: The traits of the terminal; `kittyMedium` is the fastest medium that may work.
  ///   - firstID: The number after which identifiers of images start; a random one, as other
  ///     programs in the terminal have identifiers, too.
  ///   - handover: Stores bytes for the terminal under a name.
  package init(_ traits: PictureTraits, firstID: UInt32, handover: @escaping KittyHandover) {
    store = KittyImageStore(traits, firstID: firstID, handover: handover)
    cells = CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    appearance = traits.appearance
  }

  package var grain: CellMetrics.Grain { .pixels }
  package func samplesPerPixel(cell: PixelSize) -> Double { 1 }

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

    var view = KittyView(
      scene: scene, metrics: metrics, cache: store.cache, appearance: appearance,
      content: content)
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
    cells.frame(for: drawing.cellScene, metrics: metrics, content: content, into: &picture.bytes)
    isUnfinished = isUnfinished || cells.isUnfinished
    placements.end(to: &picture)
    store.endFrame(to: &picture)
    bytes.picture = picture.bytes
  }
}
