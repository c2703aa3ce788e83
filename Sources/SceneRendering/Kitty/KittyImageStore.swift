import PhotoGridCore

/// A request to send an image to the terminal.
struct KittyImageRequest {
  var spec: KittySpec
  /// What to make it from, for photos.
  var picture: Mipmap?
}

/// How much a frame may do beside drawing, so that keys are answered at once.
enum KittyLimits {
  /// In pixels scaled: about three milliseconds.
  static let workPerFrame = 240_000
  /// The same for the most urgent image of what the terminal holds no image of, where nothing moves
  /// and the terminal is near: a photo on the whole screen, which would otherwise take a dozen
  /// frames, and be drawn by cells meanwhile, which takes as long.
  static let workOfUrgentImage = 4_000_000
  /// Larger images that are not needed at once wait on a terminal that is near as well, in pixels: a
  /// photo on the whole screen whose picture is still too small, which would be scaled up in vain
  /// if the next photo or the sharp picture comes first.
  static let spareWithoutRest = 500_000
  /// What a pixel that is packed into a PNG costs.
  static let workOfPackedPixel = 5
  /// What an image without a photo costs.
  static let workOfFlat = 8_000
  /// After so many bytes no further image is sent: a tenth of a second on a line of 1 MB/s.
  static let bytesPerFrame = 64 << 10
  /// The same while something moves.
  static let bytesPerMovingFrame = 16 << 10
  /// Scenes of more tiles are drawn by cells: so small ones take no fewer bytes as images.
  static let placements = 1000
  /// Larger images are cut into pieces where they go through the stream, since nothing can be shown
  /// while one is on its way.
  static let pixelsPerPiece = 60_000

  /// The pixels that a line can take in half of a flight, by what it takes in a frame.
  static func pixelsInFlight(byteBudget: Int) -> Double {
    // A frame has 40 ms of the line, a flight is 0.35 s long, and a pixel takes 1.3 bytes.
    Double(byteBudget) * (0.35 / 2 / 0.04) / 1.3
  }
}

/// The images in the terminal: sends and frees them.
struct KittyImageStore {
  private(set) var transport: KittyTransport
  var cache: KittyImageCache
  /// Bytes that a frame should not pass.
  var byteBudget = Int.max
  /// The frames so far.
  private(set) var frameNumber = 0
  /// Whether some requests did not fit into the last frame.
  private(set) var isUnfinished = false
  /// Frames since anything moved, or the selection or the photo in front changed.
  private var restingFrames = 0
  private var lastRing: Scene.Ring?
  private var lastFront: Photo.ID?
  private let appearance: Appearance
  private let isWrapped: Bool
  /// Images that are no longer needed, freed before the next frame.
  private var orphans: [UInt32] = []
  /// Freed images, which have become single pixels; their identifiers are used again.
  private var blanks: [UInt32] = []
  /// Images in whose place others were sent, to be freed once those are shown.
  private var replaced: [UInt32] = []
  /// The picture that is being scaled, over several frames if it is large.
  private var scaling: Scaling?

  /// A large picture on its way into pixels of its image's size.
  private struct Scaling {
    var spec: KittySpec
    var stamp: PictureStamp
    var work: PictureScaling
  }

  /// Nothing held yet; see `KittyRenderer` for the parameters.
  init(_ traits: PictureTraits, firstID: UInt32, handover: @escaping KittyHandover) {
    transport = KittyTransport(
      medium: traits.kittyMedium, isKnownToAnswer: traits.hasKittyAnswered, handover: handover)
    cache = KittyImageCache(after: firstID)
    appearance = traits.appearance
    isWrapped = traits.isMultiplexed
  }

  /// Whether to send an image that will perhaps never be needed, or soon in a better form: where
  /// bytes are dear, or the image takes several frames, only when nothing has happened for a third
  /// of a second.
  func isDue(_ spare: KittySpec) -> Bool {
    restingFrames >= 20
      || transport.medium.isLocal && spare.pixelCount <= KittyLimits.spareWithoutRest
  }

  /// A writer of commands that goes on after some bytes.
  func writer(after bytes: [UInt8] = []) -> KittyWriter {
    KittyWriter(bytes: bytes, isWrapped: isWrapped)
  }

  /// Begins a frame: frees what is not needed, and asks the terminal whether it takes images.
  ///
  /// - Returns: Whether it does.
  mutating func beginFrame(for scene: Scene, to writer: inout KittyWriter) -> Bool {
    frameNumber += 1
    isUnfinished = false
    let front = scene.placements.last?.photo
    let isResting = !scene.isMoving && scene.ring == lastRing && front == lastFront
    restingFrames = isResting ? restingFrames + 1 : 0
    (lastRing, lastFront) = (scene.ring, front)
    if transport.failure != nil { forgetImages() }
    free(orphans, to: &writer)
    orphans = []
    if transport.isAsking { transport.ask(id: { cache.takeID() }, to: &writer) }
    return transport.isOpen
  }

  /// Marks an image as shown by the frame.
  mutating func use(_ id: UInt32) { cache.use(id, frame: frameNumber) }

  /// Ends a frame: frees what it does not show any more and none will, which is what was replaced,
  /// and rings, each of which belongs to one size of tile.
  ///
  /// - Returns: The images that went.
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
  /// - Returns: The image that was lost or refused, if the response reports that.
  mutating func handle(_ reply: KittyReply) -> UInt32? {
    if transport.handle(reply) {
      orphans.append(reply.image)
      return nil
    }
    guard !reply.isOK, let picture = cache.remove(reply.image) else { return nil }
    orphans.append(reply.image)
    if reply.isFull { cache.lowerBudget() }
    transport.countFault(of: picture.spec.subject, reply)
    return reply.image
  }

  /// Forgets all images, which may or may not be in the terminal still.
  mutating func forgetImages() {
    orphans += cache.ids + replaced + blanks
    blanks = []
    if let id = transport.reset() { orphans.append(id) }
    replaced = []
    cache.removeAll()
    scaling = nil
  }

  /// Returns the bytes that free all images of this program.
  mutating func cleanupBytes() -> [UInt8] {
    forgetImages()
    var writer = writer()
    free(orphans, to: &writer)
    orphans = []
    return writer.bytes
  }

  /// Frees images that no placement shows.
  ///
  /// kitty 0.26 takes freeing one image as freeing all that have no placement. So as long as others
  /// are held, an image is sent again under its identifier, as one pixel.
  private mutating func free(_ ids: [UInt32], to writer: inout KittyWriter) {
    for id in ids {
      if cache.isEmpty {
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
  /// - Returns: The images that had to go for it.
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

  /// Sends an image, or prepares it as far as the frame allows.
  ///
  /// - Returns: Whether it is done.
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
        of: color, width: spec.width, height: spec.height, border: spec.border)
      writer.transmit(add(spec), .png, file, answer: .failure)
      work -= KittyLimits.workOfFlat
    case .ring(let meaning, let width, let height):
      let (across, down) = ((spec.width - width) / 2, (spec.height - height) / 2)
      let file = PNG.file(
        of: appearance.color(of: meaning), width: spec.width, height: spec.height,
        hole: Insets(left: across, top: down, right: across, bottom: down), meaning: meaning,
        border: spec.border)
      writer.transmit(add(spec), .png, file, answer: .failure)
      work -= KittyLimits.workOfFlat
    case .veil(let alpha):
      let color = appearance.backdrop
      writer.transmit(
        add(spec), .rgba(width: 1, height: 1), [color.red, color.green, color.blue, alpha],
        answer: .failure)
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
      raster, border: spec.border, id: add(spec, source: stamp), answer: .failure, to: &writer)
    for picture in older {
      cache.remove(picture.id)
      replaced.append(picture.id)
    }
    return true
  }

  private mutating func add(_ spec: KittySpec, source: PictureStamp? = nil) -> UInt32 {
    let id = blanks.popLast() ?? cache.takeID()
    cache.add(spec, id: id, source: source, frame: frameNumber)
    return id
  }
}
