import Geometry
import SceneModel

/// Draws scenes inside of tmux in a terminal that supports kitty's protocol: scenes at rest with
/// real pixels, moving ones by cells.
///
/// tmux passes the commands on without understanding them. Images are shown by placeholder
/// characters, which tmux treats as text. Placeholders show a whole image in whole cells, so an
/// image is exactly the part of a photo under the cells inside its tile; the tile's edges are drawn
/// by cells.
///
/// tmux drops commands while the pane is out of sight or the window has to be redrawn, and its
/// terminal may be exchanged for another at any time. So an image is shown only once the terminal has
/// responded to its placement, and cells until then. While responses would go to another pane, images
/// are sent without asking for any, repeated a few times, and asked about later.
package struct PlaceholderRenderer: KittyImageRenderer {
  var store: KittyImageStore
  var cells: CellRenderer
  package var passage = Passage()
  /// The images on the screen, and their cells.
  private var shown: [Patch] = []
  /// The images whose placement was sent, and what the terminal has said about them.
  private var arrivals: [UInt32: Arrival] = [:]
  /// Whether colors, which encode the identifiers of images, reach the terminal unchanged.
  private let canNameImages: Bool
  package private(set) var isUnfinished = false
  package private(set) var nextRepaint: Instant?

  /// The time after which a character is written again, in seconds: after new images, and always.
  private static let (firstRepaint, repaintInterval) = (0.05, 0.8)

  private struct Patch: Equatable {
    var image: UInt32
    var spec: KittySpec
    var cells: CellRect
  }

  /// Whether an image is in the terminal.
  private struct Arrival {
    /// Whether the terminal has responded to its placement.
    var isThere = false
    /// Whether to place it once more, to learn whether it is still there.
    var isInDoubt = false
    /// When to place it again; nil if no response is missing.
    var retry: KittyRetry?
    /// When to send it again; nil if the terminal was asked about it.
    var repetition: KittyRetry?

    /// Whether no response came to any of the placements.
    var isGivenUp: Bool { retry?.isOver ?? false }

    /// Returns when to send it again if it is sent again now; nil if that is not due.
    func repeated(at now: Instant) -> KittyRetry? {
      guard var next = repetition, next.isDue(at: now) else { return nil }
      return next
    }

    /// Returns whether to place it now.
    mutating func isDue(at now: Instant) -> Bool {
      guard isInDoubt else { return retry?.isDue(at: now) ?? false }
      isInDoubt = false
      retry = KittyRetry(at: now)
      return true
    }
  }

  /// An image to show, the picture to make it from, and its cells.
  private struct PlacedImage {
    var spec: KittySpec
    var cells: CellRect
    var picture: Mipmap
  }

  package init(_ traits: PictureTraits, firstID: UInt32, handover: @escaping KittyHandover) {
    store = KittyImageStore(traits, firstID: firstID, handover: handover)
    cells = CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    canNameImages = traits.depth == .full
  }

  package var placementUnit: CellMetrics.PlacementUnit { .cells }
  package func samplesPerPixel(cell: PixelSize) -> Double {
    canNameImages ? max(cells.samplesPerPixel(cell: cell), 1) : cells.samplesPerPixel(cell: cell)
  }

  mutating func forgetPlacements() {
    // A renderer that takes over draws over all placeholders.
    cells.patches = []
    shown = []
    arrivals = [:]
  }

  mutating func forget(_ image: UInt32) {
    arrivals[image] = nil
    shown.removeAll { $0.image == image }
  }

  package mutating func invalidate() {
    // tmux clears its own screen: the terminal around it keeps its images.
    cells.invalidate()
    shown = []
    checkPictures(all: true)
  }

  package var nextRetry: Instant? {
    (arrivals.values.map(\.retry?.deadline) + [store.transport.retryDeadline])
      .compactMap(\.self).min()
  }

  package mutating func checkPictures(all: Bool) {
    store.renew()
    for (image, arrival) in arrivals where arrival.retry == nil || arrival.isGivenUp {
      guard all || arrival.isGivenUp || image == shown.first?.image else { continue }
      arrivals[image]?.isInDoubt = true
    }
  }

  package mutating func handle(graphicsReply text: String) {
    guard let reply = KittyReply(text) else { return }
    let arrival = arrivals[reply.image]
    if reply.isOK, arrival != nil {
      arrivals[reply.image] = Arrival(isThere: true)
      store.confirm(reply.image)
    } else if arrival?.isThere ?? false {
      // Another terminal took the place of the one that had the image: it has none of the others.
      store.remove(reply.image)
      forget(reply.image)
      checkPictures(all: true)
    } else if let refused = store.handle(reply) {
      forget(refused)
    }
  }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    isUnfinished = false
    var patches: [Patch] = []
    if canNameImages {
      let images =
        scene.isMoving || !store.transport.isOpen
        ? [] : placedImages(in: scene, metrics: metrics, content: content)
      store.answer = passage.returnsResponses ? .failure : .never
      if passage.isOpen, passage.returnsResponses || store.transport.isOpen {
        var uploads = store.writer(after: bytes.uploads)
        if store.beginFrame(for: scene, at: passage.time, to: &uploads) {
          send(images, to: &uploads)
        }
        bytes.uploads = uploads.bytes
      }
      patches = images.compactMap { patch(of: $0) }
    }
    // Cells that are no longer patches are drawn in this frame.
    cells.patches = patches.map(\.cells)
    cells.frame(for: scene, metrics: metrics, content: content, into: &bytes.picture)
    isUnfinished = isUnfinished || cells.isUnfinished
    var picture = store.writer(after: bytes.picture)
    let new = patches.filter { !shown.contains($0) }
    for patch in patches { store.use(patch.image) }
    for patch in new { Placeholders.encode(patch.image, in: patch.cells, to: &picture) }
    repaint(patches, areNew: !new.isEmpty, to: &picture)
    shown = patches
    if passage.isOpen, passage.returnsResponses || store.transport.isOpen {
      forget(store.endFrame(to: &picture))
    }
    bytes.picture = picture.bytes
  }
}

extension PlaceholderRenderer {
  /// Writes a character of the images again if that is due.
  ///
  /// kitty 0.48 paints the images of characters that it reads only with the next change of its screen.
  /// tmux writes the characters again after another window, a popup or copy mode, and does not tell.
  private mutating func repaint(
    _ patches: [Patch], areNew: Bool, to picture: inout KittyWriter
  ) {
    guard let patch = patches.first else {
      nextRepaint = nil
      return
    }
    if areNew {
      nextRepaint = passage.time.advanced(bySeconds: Self.firstRepaint)
    } else if nextRepaint.map({ $0 <= passage.time }) ?? true {
      let first = CellRect(origin: patch.cells.origin, size: CellSize(columns: 1, rows: 1))
      Placeholders.encode(patch.image, in: first, to: &picture)
      nextRepaint = passage.time.advanced(bySeconds: Self.repaintInterval)
    }
  }

  /// Sends missing images, and places those of which the terminal has not said that it has them.
  private mutating func send(_ images: [PlacedImage], to uploads: inout KittyWriter) {
    let missing = images.filter {
      !store.transport.isRefused($0.spec.subject)
        && !store.cache.isHeld($0.spec, from: PictureStamp($0.picture))
    }
    let (coarse, fine) = (
      missing.filter { PictureStamp($0.picture).isCoarse(for: $0.spec) },
      missing.filter { !PictureStamp($0.picture).isCoarse(for: $0.spec) }
    )
    let repeated = passage.returnsResponses ? [] : images.filter { repetition(of: $0) != nil }
    let wanted = fine + coarse.filter { store.isDue($0.spec) } + repeated
    // tmux drops all output once the line to its terminal lags behind by some: so only one image is
    // on its way in the stream.
    let isBusy =
      !store.transport.medium.isLocal && passage.returnsResponses
      && arrivals.values.contains { !$0.isThere && $0.retry?.deadline != nil }
    let requests =
      isBusy ? [] : store.transport.medium.isLocal ? wanted[...] : wanted.prefix(1)
    forget(
      store.send(
        requests.map { KittyImageRequest(spec: $0.spec, picture: $0.picture) }, isMoving: false,
        to: &uploads))
    isUnfinished = store.isUnfinished || wanted.count < missing.count + repeated.count
    var wantedIDs: Set<UInt32> = []
    for image in images {
      guard let held = store.cache.picture(for: image.spec) else { continue }
      wantedIDs.insert(held.id)
      if !passage.returnsResponses {
        guard arrivals[held.id] == nil else { continue }
        uploads.placeVirtually(held.id, on: image.cells.size, answer: .never)
        let next =
          repetition(of: image) ?? KittyRetry(at: passage.time, firstDelay: KittyRetry.blindDelay)
        arrivals[held.id] = Arrival(isThere: true, isInDoubt: true, repetition: next)
        store.confirm(held.id)
      } else if arrivals[held.id, default: Arrival(isInDoubt: true)].isDue(at: passage.time) {
        uploads.placeVirtually(held.id, on: image.cells.size, answer: .always)
      }
    }
    // Images that the scene no longer shows are placed when another one does.
    for (image, arrival) in arrivals where arrival.retry != nil && !wantedIDs.contains(image) {
      arrivals[image] = Arrival(isThere: arrival.isThere, isInDoubt: true)
    }
  }

  /// Returns when to send an image again if what shows it was sent without asking for a response, and
  /// is to be sent again now.
  private func repetition(of image: PlacedImage) -> KittyRetry? {
    store.cache.picture(for: image.spec) { arrivals[$0]?.isThere ?? false }
      .flatMap { arrivals[$0.id]?.repeated(at: passage.time) }
  }

  private mutating func forget(_ images: [UInt32]) {
    for image in images { forget(image) }
  }

  /// Returns what shows an image: itself once it is there, until then what has shown the same part of
  /// the photo before; nil for cells.
  private func patch(of image: PlacedImage) -> Patch? {
    let isThere = { (image: UInt32) in arrivals[image]?.isThere ?? false }
    if let held = store.cache.picture(for: image.spec, where: isThere) {
      return Patch(image: held.id, spec: image.spec, cells: image.cells)
    }
    return shown.first {
      $0.cells == image.cells && $0.spec.showsSamePart(as: image.spec) && isThere($0.image)
    }
  }

  /// Returns the images of a scene and their cells, nearest to the selection first.
  private func placedImages(
    in scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent
  ) -> [PlacedImage] {
    let cell = metrics.cell
    let area = CellSize(
      columns: Int((scene.size.width / cell.width + 1e-6).rounded(.down)),
      rows: Int((scene.size.height / cell.height + 1e-6).rounded(.down)))
    guard scene.placements.count <= KittyLimits.placements else { return [] }
    let center = scene.ring?.tile.center ?? PixelRect(origin: .zero, size: scene.size).center
    var images: [(distance: Double, image: PlacedImage)] = []
    let captions = scene.captions.compactMap { $0.cells(metrics) }
    for (index, placement) in scene.placements.enumerated() where placement.opacity > 1 - 1 / 512 {
      let frame = placement.frame
      let isCovered = scene.placements[(index + 1)...].contains { $0.frame.intersects(frame) }
      // Cells draw badges, and the shade over a rejected photo.
      guard !isCovered, placement.shade == 0,
        case .picture(let picture) = content(placement),
        let inside = CellRect(inside: frame, cell: cell, area: area),
        mask.map({ inside.without($0) == [inside] }) ?? true
      else { continue }
      let texts =
        (index < scene.tileCount ? captions : [])
        + BadgeLine.lines(of: placement, metrics).map(\.cells)
      let free = texts.reduce([inside]) { parts, text in parts.flatMap { $0.without(text) } }
      for cells in free.flatMap({ pieces(of: $0, cell: cell) }) {
        let part = cells.frame(cell: cell)
        let image = PlacedImage(
          spec: Self.spec(of: part, of: placement), cells: cells, picture: picture)
        images.append((part.center.distance(to: center), image))
      }
    }
    return images.sorted { $0.distance < $1.distance }.map(\.image)
  }

  /// Returns the image of a part of a photo's frame.
  private static func spec(of part: PixelRect, of placement: Placement) -> KittySpec {
    KittySpec(
      subject: .photo(of: placement),
      region: part.crop(showing: placement.crop, in: placement.frame),
      width: max(Int(part.width.rounded()), 1), height: max(Int(part.height.rounded()), 1),
      border: .zero)
  }

  /// Cuts cells into rectangles that placeholders can number, and whose images are quickly sent.
  private func pieces(of cells: CellRect, cell: PixelSize) -> [CellRect] {
    var (columns, rows) = (Placeholders.limit, Placeholders.limit)
    if !store.transport.medium.isLocal {
      let side = Double(KittyLimits.pixelsPerPiece).squareRoot()
      columns = max(Int(side / cell.width), 1)
      rows = max(Int(side / cell.height), 1)
    }
    return stride(from: cells.rows.lowerBound, to: cells.rows.upperBound, by: rows).flatMap { top in
      stride(from: cells.columns.lowerBound, to: cells.columns.upperBound, by: columns).map {
        left in
        CellRect(
          columns: left..<min(left + columns, cells.columns.upperBound),
          rows: top..<min(top + rows, cells.rows.upperBound))
      }
    }
  }
}

/// Text that a terminal replaces by the parts of an image ("Unicode placeholders" of kitty's
/// protocol).
///
/// A multiplexer can move it like any other text. Each cell is the character U+10EEEE in a color
/// that is the identifier of the image, with two combining marks for the cell's row and column in
/// the image.
enum Placeholders {
  /// The most rows, and the most columns, that can be numbered.
  static var limit: Int { marks.count }

  /// Appends the text that shows an image in some cells, at most `limit` columns and rows.
  ///
  /// Each cell contains its row and column, so that multiplexers may write any part of the text
  /// again.
  static func encode(_ image: UInt32, in cells: CellRect, to writer: inout KittyWriter) {
    // The color is the identifier, which has no more than 24 bits.
    let color = (image >> 16 & 255, image >> 8 & 255, image & 255)
    writer.bytes += "\u{1B}[38;2;\(color.0);\(color.1);\(color.2)m".utf8
    for row in 0..<cells.size.rows {
      writer.moveCursor(column: cells.origin.column, row: cells.origin.row + row)
      for column in 0..<cells.size.columns {
        writer.bytes += placeholder
        writer.bytes += marks[row]
        writer.bytes += marks[column]
      }
    }
    writer.bytes += "\u{1B}[0m".utf8
  }

  private static let placeholder = Array("\u{10EEEE}".utf8)

  /// The combining marks for 0, 1, 2 and so on, in UTF-8.
  static let marks: [[UInt8]] = numerals.map { Array(String($0).utf8) }

  /// The marks above a letter in Unicode 6.0, except those that are composed with letters or with
  /// other marks, as in the protocol's documentation.
  private static var numerals: [Unicode.Scalar] {
    let blocks: [ClosedRange<UInt32>] = [
      0x300...0x20FF, 0x2CE0...0x2DFF, 0xA66F...0xAAFF, 0xFE20...0xFE2F, 0x10A00...0x10A3F,
      0x1D185...0x1D244,
    ]
    let composed: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F,
      0x311, 0x313, 0x314, 0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
    ]
    return blocks.joined().lazy.filter { !composed.contains($0) }.compactMap(Unicode.Scalar.init)
      .filter { scalar in
        let properties = scalar.properties
        guard properties.canonicalCombiningClass.rawValue == 230,
          properties.generalCategory == .nonspacingMark, let age = properties.age
        else { return false }
        return (age.major, age.minor) <= (6, 0)
      }
  }
}
