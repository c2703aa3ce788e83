import PhotoGridCore

/// Draws scenes with real pixels by kitty's graphics protocol: a picture is sent once, and each
/// frame only says where the parts of it are.
///
/// What the terminal does not hold as an image is drawn by cells behind the images: labels, words,
/// and photos on their way. So a picture appears by cells at once and becomes pixels when it has
/// arrived; and where the protocol fails, the cells stay.
package struct KittyRenderer: SceneRenderer {
  var cells: CellRenderer
  var link: KittyLink
  var shelf: KittyShelf
  let appearance: Appearance
  private var stage = KittyStage()
  /// Images that nobody needs any more, to be taken away with the next frame.
  private var orphans: [UInt32] = []
  /// Images in whose place others were sent, to be taken away once those are shown.
  private var replaced: [UInt32] = []
  /// The picture that is being scaled, over several frames if it is large.
  private var scaling: Scaling?
  /// The frames so far.
  private(set) var frameNumber = 0
  /// Frames since anything moved or the selection changed.
  private(set) var restingFrames = 0
  private var lastRing: Scene.Ring?
  package private(set) var isUnfinished = false

  /// A large picture on its way into pixels of its image's size.
  private struct Scaling {
    var spec: KittySpec
    var stamp: PictureStamp
    var work: PictureScaling
  }

  /// A renderer that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - traits: The terminal; its medium is the fastest that may work.
  ///   - firstID: Where its identifiers begin; a random one, as other programs have theirs.
  ///   - handover: Gives bytes to the terminal by name.
  package init(_ traits: PictureTraits, firstID: UInt32, handover: @escaping KittyHandover) {
    cells = CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    link = KittyLink(medium: traits.kittyMedium, handover: handover)
    shelf = KittyShelf(after: firstID)
    appearance = traits.appearance
  }

  package var grain: CellMetrics.Grain { .pixels }
  package func samplesPerPixel(cell: PixelSize) -> Double { 1 }
  package var failure: String? { link.failure }

  package var mask: CellRect? {
    get { cells.mask }
    set { cells.mask = newValue }
  }

  package var byteBudget: Int {
    get { cells.byteBudget }
    set { cells.byteBudget = newValue }
  }

  package mutating func invalidate() {
    cells.invalidate()
    // A cleared screen takes images along in some terminals and leaves them in others.
    forgetImages()
    link.reset()
  }

  package mutating func take(graphicsReply text: String) {
    guard let reply = KittyReply(text) else { return }
    if link.take(reply) {
      orphans.append(reply.image)
      return
    }
    guard !reply.isOK, let picture = shelf.remove(reply.image) else { return }
    stage.forget(reply.image)
    orphans.append(reply.image)
    if reply.isFull { shelf.lowerBudget() }
    link.takeFault(of: picture.spec.subject, reply)
  }

  package mutating func farewell() -> [UInt8] {
    forgetImages()
    var writer = KittyWriter(isWrapped: false)
    freeOrphans(to: &writer)
    return writer.bytes
  }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    frameNumber += 1
    restingFrames = scene.isMoving || scene.ring != lastRing ? 0 : restingFrames + 1
    lastRing = scene.ring
    isUnfinished = false
    var uploads = KittyWriter(bytes: bytes.uploads, isWrapped: false)
    if link.isAsking { link.ask(id: { shelf.takeID() }, to: &uploads) }
    guard link.isOpen else {
      if link.failure != nil { forgetImages() }
      freeOrphans(to: &uploads)
      bytes.uploads = uploads.bytes
      cells.frame(for: scene, metrics: metrics, content: content, into: &bytes.picture)
      return
    }

    let view = KittyView(
      scene: scene, metrics: metrics, shelf: shelf, quietTone: appearance.quietTone,
      content: content)
    freeOrphans(to: &uploads)
    let (wishes, isWaiting) = wishes(for: view)
    isUnfinished = isWaiting
    upload(wishes, isMoving: scene.isMoving, to: &uploads)
    bytes.uploads = uploads.bytes

    var picture = KittyWriter(bytes: bytes.picture, isWrapped: false)
    let drawing = drawing(of: view)
    stage.begin()
    for put in drawing.puts {
      shelf.use(put.put.image, frame: frameNumber)
      stage.put(put.put, owner: put.owner, to: &picture)
    }
    cells.frame(
      for: drawing.cellScene, metrics: metrics, content: content, into: &picture.bytes)
    isUnfinished = isUnfinished || cells.isUnfinished
    stage.end(to: &picture)
    freeReplaced(to: &picture)
    bytes.picture = picture.bytes
  }
}

// MARK: - What the terminal holds

extension KittyRenderer {
  private mutating func forgetImages() {
    orphans += shelf.ids
    shelf.removeAll()
    stage.forgetAll()
    scaling = nil
  }

  private mutating func freeOrphans(to writer: inout KittyWriter) {
    for id in orphans { writer.free(id) }
    orphans = []
  }

  /// Frees what the frame does not show any more and none will: older images of what it shows, and
  /// rings, each of which belongs to one size of tile.
  private mutating func freeReplaced(to writer: inout KittyWriter) {
    for id in shelf.ringIDs where shelf.picture(id)?.lastFrame != frameNumber {
      shelf.remove(id)
      replaced.append(id)
    }
    for id in replaced { writer.free(id) }
    replaced = []
  }

  /// Sends what is wished for, as much as a frame may take.
  private mutating func upload(
    _ wishes: [KittyWish], isMoving: Bool, to writer: inout KittyWriter
  ) {
    var work = KittyLimits.workPerFrame
    let byteLimit = min(
      isMoving ? KittyLimits.bytesPerMovingFrame : KittyLimits.bytesPerFrame, byteBudget)
    let start = writer.bytes.count
    for wish in wishes {
      guard work > 0, writer.bytes.count - start < byteLimit else {
        isUnfinished = true
        return
      }
      guard let evicted = shelf.makeRoom(for: wish.spec.pixelCount, frame: frameNumber) else {
        continue
      }
      for id in evicted {
        stage.forget(id)
        writer.free(id)
      }
      switch wish.spec.subject {
      case .photo:
        guard let picture = wish.picture else { continue }
        guard advance(wish.spec, of: picture, work: &work, to: &writer) else {
          isUnfinished = true
          return
        }
      case .flat(let color):
        let file = PNG.file(
          of: color, width: wish.spec.width, height: wish.spec.height, border: wish.spec.border)
        send(file, for: wish.spec, work: &work, to: &writer)
      case .ring(let width, let height):
        let (across, down) = ((wish.spec.width - width) / 2, (wish.spec.height - height) / 2)
        let file = PNG.file(
          of: appearance.accent, width: wish.spec.width, height: wish.spec.height,
          hole: Insets(left: across, top: down, right: across, bottom: down),
          border: wish.spec.border)
        send(file, for: wish.spec, work: &work, to: &writer)
      case .veil(let alpha):
        let color = appearance.backdrop
        let id = shelf.add(wish.spec, source: nil, frame: frameNumber)
        writer.transmit(
          id, .rgba(width: 1, height: 1), [color.red, color.green, color.blue, alpha],
          answer: .failure)
      }
    }
  }

  private mutating func send(
    _ file: [UInt8], for spec: KittySpec, work: inout Int, to writer: inout KittyWriter
  ) {
    let id = shelf.add(spec, source: nil, frame: frameNumber)
    writer.transmit(id, .png, file, answer: .failure)
    work -= KittyLimits.workOfFlat
  }

  /// Makes an image of a photo, or a part of it, and sends it when it is whole.
  ///
  /// - Returns: Whether it was sent.
  private mutating func advance(
    _ spec: KittySpec, of picture: Mipmap, work: inout Int, to writer: inout KittyWriter
  ) -> Bool {
    let stamp = PictureStamp(picture)
    if scaling?.spec != spec || scaling?.stamp != stamp {
      scaling = PictureScaling(
        picture, region: spec.region, width: spec.width, height: spec.height
      ).map { Scaling(spec: spec, stamp: stamp, work: $0) }
    }
    guard let before = scaling?.work.remaining else { return true }
    scaling?.work.advance(pixels: max(work, 1))
    guard let after = scaling?.work.remaining, after == 0, let raster = scaling?.work.raster else {
      work = 0
      return false
    }
    scaling = nil
    work -= before - after
    work -= spec.pixelCount * (link.medium.isLocal ? 1 : KittyLimits.workOfPackedPixel)
    let id = shelf.add(spec, source: stamp, frame: frameNumber)
    link.send(raster, border: spec.border, id: id, answer: .failure, to: &writer)
    // What it replaces is not shown any more from this frame on.
    for old in shelf.pictures(of: spec.subject)
    where old.id != id && spec.isSatisfied(by: old.spec) && old.source != stamp {
      shelf.remove(old.id)
      replaced.append(old.id)
    }
    return true
  }
}

/// How much a frame may do beside drawing, so that keys are answered at once.
enum KittyLimits {
  /// In pixels scaled: about four milliseconds.
  static let workPerFrame = 240_000
  /// What a pixel that is packed into a PNG costs.
  static let workOfPackedPixel = 5
  /// What an image without a photo costs.
  static let workOfFlat = 8_000
  /// After so many bytes no other image is begun: a tenth of a second on a link of 1 MB/s.
  static let bytesPerFrame = 64 << 10
  /// The same while something moves.
  static let bytesPerMovingFrame = 16 << 10
  /// Larger images are cut into pieces where they go through the stream, since nothing can be shown
  /// while one is on its way.
  static let pixelsPerPiece = 60_000
}
