import PhotoGridCore

/// Draws scenes with real pixels by kitty's graphics protocol: a picture is sent once, and each
/// frame only says where the parts of it are.
///
/// What the terminal does not hold as an image is drawn by cells behind the images: labels, words,
/// and photos on their way. So a picture appears by cells at once and becomes pixels when it has
/// arrived; and where the protocol fails, the cells stay.
package struct KittyRenderer: SceneRenderer {
  var holdings: KittyHoldings
  private var cells: CellRenderer
  private var stage = KittyStage()
  private let quietTone: RGB
  package private(set) var isUnfinished = false

  /// A renderer that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - traits: The terminal; its medium is the fastest that may work.
  ///   - firstID: Where its identifiers begin; a random one, as other programs have theirs.
  ///   - handover: Gives bytes to the terminal by name.
  package init(_ traits: PictureTraits, firstID: UInt32, handover: @escaping KittyHandover) {
    holdings = KittyHoldings(traits, firstID: firstID, handover: handover)
    cells = CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    quietTone = traits.appearance.quietTone
  }

  package var grain: CellMetrics.Grain { .pixels }
  package func samplesPerPixel(cell: PixelSize) -> Double { 1 }
  package var failure: String? { holdings.link.failure }

  package var mask: CellRect? {
    get { cells.mask }
    set { cells.mask = newValue }
  }

  package var byteBudget: Int {
    get { cells.byteBudget }
    set {
      cells.byteBudget = newValue
      holdings.byteBudget = newValue
    }
  }

  package mutating func invalidate() {
    cells.invalidate()
    // A cleared screen takes images along in some terminals and leaves them in others.
    holdings.forgetImages()
    stage.forgetAll()
  }

  package mutating func take(graphicsReply text: String) {
    guard let reply = KittyReply(text), let lost = holdings.take(reply) else { return }
    stage.forget(lost)
  }

  package mutating func farewell() -> [UInt8] {
    stage.forgetAll()
    return holdings.farewell()
  }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    isUnfinished = false
    var uploads = holdings.writer(after: bytes.uploads)
    guard holdings.beginFrame(for: scene, to: &uploads) else {
      stage.forgetAll()
      bytes.uploads = uploads.bytes
      cells.frame(for: scene, metrics: metrics, content: content, into: &bytes.picture)
      isUnfinished = cells.isUnfinished
      return
    }

    let view = KittyView(
      scene: scene, metrics: metrics, shelf: holdings.shelf, quietTone: quietTone,
      content: content)
    let (wishes, isWaiting) = wishes(for: view)
    for id in holdings.send(wishes, isMoving: scene.isMoving, to: &uploads) { stage.forget(id) }
    isUnfinished = isWaiting || holdings.isUnfinished
    bytes.uploads = uploads.bytes

    let drawing = drawing(of: view)
    var picture = holdings.writer(after: bytes.picture)
    stage.begin()
    for (put, owner) in drawing.puts {
      holdings.use(put.image)
      stage.put(put, owner: owner, to: &picture)
    }
    cells.frame(for: drawing.cellScene, metrics: metrics, content: content, into: &picture.bytes)
    isUnfinished = isUnfinished || cells.isUnfinished
    stage.end(to: &picture)
    holdings.endFrame(to: &picture)
    bytes.picture = picture.bytes
  }
}
