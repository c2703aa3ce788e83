import Geometry
import Photos
import SceneModel

/// A request to send an image to the terminal.
struct KittyImageRequest {
  var spec: KittySpec
  /// The picture to make it from, for photos.
  var picture: Mipmap?
}

/// Sends images to the terminal, and frees them.
struct KittyImageStore {
  private(set) var transport: KittyTransport
  var cache: KittyImageCache
  var byteBudget = Int.max
  /// The responses that the terminal should send about images.
  var answer = KittyWriter.Answer.failure
  /// The number of the current frame, from 1.
  private(set) var frameNumber = 0
  /// Whether some requests were left out of the last frame.
  private(set) var isUnfinished = false
  /// The number of frames since something moved, or the selection or the front photo changed.
  private var restingFrames = 0
  private var lastRing: Scene.Ring?
  private var lastFront: Photo.ID?
  private let appearance: Appearance
  private let isWrapped: Bool
  private let knowsTransientImages: Bool
  /// Images that are no longer needed; they are freed at the start of the next frame.
  private var orphans: [UInt32] = []
  /// Freed images that were replaced by single pixels; their identifiers are used again first.
  private var blanks: [UInt32] = []
  /// Images that are being replaced; they are freed once a frame shows the new ones.
  private var replaced: [UInt32] = []
  /// The picture that is being scaled, which takes several frames if it is large.
  private var scaling: Scaling?

  /// A picture that is being scaled to the size of its image.
  private struct Scaling {
    var spec: KittySpec
    var stamp: PictureStamp
    var work: PictureScaling
  }

  init(_ traits: PictureTraits, firstID: UInt32, handover: @escaping KittyHandover) {
    transport = KittyTransport(
      medium: traits.kittyMedium, isKnownToAnswer: traits.hasKittyAnswered, handover: handover)
    cache = KittyImageCache(after: firstID)
    appearance = traits.appearance
    isWrapped = traits.isMultiplexed
    knowsTransientImages = traits.knowsTransientImages
  }

  /// Whether to send an image that may never be needed, or may soon be replaced by a better one.
  ///
  /// If it goes through the stream, or takes several frames, it waits until nothing has happened
  /// for a third of a second.
  func isDue(_ spare: KittySpec) -> Bool {
    restingFrames >= 20
      || transport.medium.isLocal && spare.pixelCount <= KittyLimits.spareWithoutRest
  }

  func writer(after bytes: [UInt8] = []) -> KittyWriter {
    KittyWriter(bytes: bytes, isWrapped: isWrapped)
  }

  /// Begins a frame: frees images that are not needed, and tests whether the terminal accepts
  /// images.
  ///
  /// - Returns: Whether images can be sent.
  mutating func beginFrame(
    for scene: Scene, at now: Instant = Instant(nanoseconds: 0), to writer: inout KittyWriter
  ) -> Bool {
    frameNumber += 1
    isUnfinished = false
    let front = scene.placements.last?.photo
    let isResting = !scene.isMoving && scene.ring == lastRing && front == lastFront
    restingFrames = isResting ? restingFrames + 1 : 0
    (lastRing, lastFront) = (scene.ring, front)
    if transport.failure != nil { forgetImages() }
    free(orphans, to: &writer)
    orphans = []
    if transport.isAsking { transport.ask(id: { cache.takeID() }, at: now, to: &writer) }
    return transport.isOpen
  }

  mutating func use(_ id: UInt32) { cache.use(id, frame: frameNumber) }

  /// Ends a frame: frees images that were replaced, and rings that it does not show.
  ///
  /// Each ring belongs to one size of tile, so it is not needed again.
  ///
  /// - Returns: The images that were freed.
  @discardableResult
  mutating func endFrame(to writer: inout KittyWriter) -> [UInt32] {
    defer { replaced = [] }
    for id in cache.ringIDs where cache.picture(id)?.lastFrame != frameNumber {
      cache.remove(id)
      replaced.append(id)
    }
    free(replaced, to: &writer)
    return replaced
  }

  /// Handles a response of the terminal.
  ///
  /// - Returns: The image, if the response reports that it was lost or refused; nil otherwise.
  mutating func handle(_ reply: KittyReply) -> UInt32? {
    if transport.handle(reply) {
      orphans.append(reply.image)
      return nil
    }
    guard !reply.isOK, let picture = cache.remove(reply.image) else { return nil }
    orphans.append(reply.image)
    if reply.isFull { cache.lowerBudget() }
    if isWrapped, reply.isMissing {
      transport.countLoss(of: picture.spec.subject)
    } else {
      transport.countFault(of: picture.spec.subject, reply)
    }
    return reply.image
  }

  /// Removes an image that the terminal no longer has.
  mutating func remove(_ id: UInt32) {
    if cache.remove(id) != nil { orphans.append(id) }
  }

  /// Asks again whether the terminal accepts images, if it has not responded.
  mutating func renew() { transport.renew() }

  /// Notes that the terminal has an image; the images that it replaces are freed once the next
  /// frame shows it.
  mutating func confirm(_ id: UInt32) {
    guard let newer = cache.picture(id) else { return }
    transport.forgiveFaults(of: newer.spec.subject)
    for older in cache.pictures(of: newer.spec.subject).prefix(while: { $0.id != id })
    where newer.spec.isSatisfied(by: older.spec) {
      cache.remove(older.id)
      replaced.append(older.id)
    }
  }

  mutating func forgetImages() {
    orphans += cache.ids + replaced + blanks
    blanks = []
    if let id = transport.reset() { orphans.append(id) }
    replaced = []
    cache.removeAll()
    scaling = nil
  }

  mutating func cleanupBytes() -> [UInt8] {
    forgetImages()
    var writer = writer()
    free(orphans, to: &writer)
    orphans = []
    return writer.bytes
  }

  /// Frees images that no placement shows.
  ///
  /// In kitty 0.26, freeing one image frees all that have no placement. So as long as there are
  /// other images, an image is not freed, but replaced by a single pixel with the same identifier.
  ///
  /// Through a multiplexer, images are freed, since the terminals around it are newer. If it
  /// dropped the pixel, and then the image that uses the identifier next, the terminal would show
  /// another photo.
  private mutating func free(_ ids: [UInt32], to writer: inout KittyWriter) {
    for id in ids {
      if cache.isEmpty || isWrapped {
        writer.free(id)
      } else {
        writer.transmit(id, .rgba(width: 1, height: 1), [0, 0, 0, 0], answer: .never)
        blanks.append(id)
      }
    }
  }
}

// MARK: - Sending

extension KittyImageStore {
  /// Sends requested images, most urgent first, up to the limits of a frame.
  ///
  /// - Returns: The images that were evicted to make room.
  mutating func send(
    _ requests: [KittyImageRequest], isMoving: Bool, to writer: inout KittyWriter
  ) -> [UInt32] {
    var work = KittyLimits.workPerFrame
    let byteLimit = min(
      isMoving ? KittyLimits.bytesPerMovingFrame : KittyLimits.bytesPerFrame, byteBudget)
    let start = writer.bytes.count
    var gone: [UInt32] = []
    for (number, request) in requests.enumerated() {
      guard work > 0, writer.bytes.count - start < byteLimit else {
        isUnfinished = true
        break
      }
      guard let evicted = cache.makeRoom(for: request.spec.pixelCount, frame: frameNumber) else {
        continue
      }
      free(evicted, to: &writer)
      gone += evicted
      let isUrgent =
        number == 0 && !isMoving && transport.medium.isLocal
        && cache.pictures(of: request.spec.subject).isEmpty
      let extra = isUrgent ? max(KittyLimits.workOfUrgentImage - work, 0) : 0
      work += extra
      let isDone = send(request, work: &work, to: &writer)
      work -= extra
      guard isDone else {
        isUnfinished = true
        break
      }
    }
    return gone
  }

  /// Sends an image, or scales a part of its picture if that takes too much work for one frame.
  ///
  /// - Returns: Whether the image is done.
  private mutating func send(
    _ request: KittyImageRequest, work: inout Int, to writer: inout KittyWriter
  ) -> Bool {
    let spec = request.spec
    switch spec.subject {
    case .photo:
      guard let picture = request.picture else { return true }
      return send(spec, of: picture, work: &work, to: &writer)
    case .flat(let color):
      let file = PNG.file(
        of: RingInk(color), width: spec.width, height: spec.height, border: spec.border)
      writer.transmit(insert(spec), .png, file, answer: answer)
      work -= KittyLimits.workOfFlat
    case .ring(let meaning, let width, let height, let strips):
      let ring = RingImage(spec, tile: (width, height), appearance.ink(of: meaning))
      if let strips, let picture = request.picture {
        let raster = ring.raster(with: strips, of: picture)
        transport.send(raster, border: spec.border, id: insert(spec), answer: answer, to: &writer)
        // Only the strips are scaled.
        work -= spec.pixelCount / 4
      } else {
        writer.transmit(insert(spec), .png, ring.file, answer: answer)
        work -= KittyLimits.workOfFlat
      }
    case .veil(let alpha):
      let color = appearance.backdrop
      writer.transmit(
        insert(spec), .rgba(width: 1, height: 1), [color.red, color.green, color.blue, alpha],
        answer: answer)
    }
    return true
  }

  private mutating func send(
    _ spec: KittySpec, of picture: Mipmap, work: inout Int, to writer: inout KittyWriter
  ) -> Bool {
    let stamp = PictureStamp(picture)
    if scaling?.spec != spec || scaling?.stamp != stamp {
      scaling = PictureScaling(
        picture, region: spec.region, width: spec.width, height: spec.height
      ).map { Scaling(spec: spec, stamp: stamp, work: $0) }
    }
    guard let before = scaling?.work.remaining else { return true }
    scaling?.work.advance(pixels: work)
    guard scaling?.work.remaining == 0, let raster = scaling?.work.raster else {
      work = 0
      return false
    }
    scaling = nil
    work -=
      before + spec.pixelCount * (transport.medium.isLocal ? 1 : KittyLimits.workOfPackedPixel)
    let older = cache.pictures(of: spec.subject).filter {
      spec.isSatisfied(by: $0.spec) && $0.source != stamp
    }
    transport.send(
      raster, border: spec.border, id: insert(spec, source: stamp),
      isTransient: knowsTransientImages && spec.subject.isFrame, answer: answer, to: &writer)
    // Through a multiplexer, an older image stays until the terminal has the new one.
    guard !isWrapped else { return true }
    for picture in older {
      cache.remove(picture.id)
      replaced.append(picture.id)
    }
    return true
  }

  private mutating func insert(_ spec: KittySpec, source: PictureStamp? = nil) -> UInt32 {
    let id = blanks.popLast() ?? cache.takeID()
    cache.insert(spec, id: id, source: source, frame: frameNumber)
    return id
  }
}

/// A renderer that sends pictures by kitty's protocol, and draws by cells what the terminal has no
/// image of.
protocol KittyImageRenderer: SceneRenderer {
  var store: KittyImageStore { get set }
  /// Draws all that no image shows.
  var cells: CellRenderer { get set }

  mutating func forgetPlacements()

  /// Forgets the placements of an image that the terminal has lost.
  mutating func forget(_ image: UInt32)
}

extension KittyImageRenderer {
  package var failure: String? { store.transport.failure }

  package var mask: CellRect? {
    get { cells.mask }
    set { cells.mask = newValue }
  }

  package var byteBudget: Int {
    get { cells.byteBudget }
    set {
      cells.byteBudget = newValue
      store.byteBudget = newValue
    }
  }

  package var shownCells: ShownCells? {
    get { cells.shownCells }
    set { cells.shownCells = newValue }
  }

  package mutating func invalidate() {
    cells.invalidate()
    // Clearing the screen deletes images in some terminals, and keeps them in others.
    store.forgetImages()
    forgetPlacements()
  }

  package mutating func handle(graphicsReply text: String) {
    guard let reply = KittyReply(text), let lost = store.handle(reply) else { return }
    forget(lost)
  }

  package mutating func cleanupBytes() -> [UInt8] {
    forgetPlacements()
    return store.cleanupBytes()
  }
}
