import PhotoGridCore

/// Shows scenes at rest by iTerm2's inline images, and moving ones by cells.
///
/// The images are files that are encoded elsewhere: `takeEncodings` names the pictures, and when their
/// files have come, the next frame shows them.
package struct ITermRenderer: PieceRenderer {
  var screen: PixelScreen
  private var piece = PixelPiece()
  private var deliveries: [Delivery] = []
  private var encodings: [PictureEncoding] = []
  private var lastID: UInt32 = 0
  private var failuresInARow = 0

  /// A piece of the screen that is being made a file, or has been.
  private struct Delivery {
    var id: UInt32
    var rect: CellRect
    /// What has to be blank before.
    var openCells: [CellRect]
    var file: [UInt8]?
  }

  /// The most pixels of an image: four bytes for each, in base 64, are less than the 1,048,576
  /// bytes that iTerm2 takes in a sequence.
  private static let pixelsOfPiece = 1 << 17
  /// Images of fewer pixels are exact: a file of another kind would hardly be smaller.
  private static let smallPiece = 1 << 10
  /// As many pieces are on their way at once.
  private static let deliveriesAtOnce = 4
  /// Files that could not be made, one after the other, until cells have to do.
  private static let mostFailures = 3
  /// Bytes of a frame, so that it is taken in no more time than cells are.
  private static let bytesOfFrame = 1 << 19

  /// A renderer that has shown nothing yet.
  package init(_ traits: PictureTraits) { screen = PixelScreen(traits) }

  package private(set) var isUnfinished = false

  package var failure: String? {
    failuresInARow < Self.mostFailures ? nil : "pictures cannot be made files"
  }

  package mutating func invalidate() {
    screen.invalidate()
    deliveries = []
  }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    guard !scene.isMoving, failure == nil else {
      deliveries = []
      screen.drawByCells(scene, metrics: metrics, content: content, into: &bytes.picture)
      isUnfinished = false
      return
    }
    let changed = screen.prepare(scene, metrics: metrics, content: content)
    deliveries.removeAll { changed.contains(anyOf: $0.rect) || !screen.isPending($0.rect) }
    let mayFollow = screen.drawCells(
      of: scene, metrics: metrics, content: content, into: &bytes.picture)
    if mayFollow {
      showFiles(into: &bytes.picture)
      askForFiles()
    }
    let waits = mayFollow && !deliveries.contains { $0.file != nil }
    isUnfinished = screen.hasBacklog || screen.hasPending && !waits
  }

  package mutating func takeEncodings() -> [PictureEncoding] {
    defer { encodings = [] }
    return encodings.filter { encoding in deliveries.contains { $0.id == encoding.id } }
  }

  package mutating func receive(file: [UInt8]?, of encoding: UInt32) {
    failuresInARow = file == nil ? failuresInARow + 1 : 0
    guard let index = deliveries.firstIndex(where: { $0.id == encoding }) else { return }
    if let file {
      deliveries[index].file = file
    } else {
      deliveries.remove(at: index)
    }
  }

  private mutating func showFiles(into bytes: inout [UInt8]) {
    let limit = bytes.count + min(Self.bytesOfFrame, byteBudget)
    while bytes.count < limit, let index = deliveries.firstIndex(where: { $0.file != nil }) {
      let delivery = deliveries.remove(at: index)
      screen.clear(delivery.openCells, into: &bytes)
      ITermImage.append(delivery.file ?? [], in: delivery.rect, to: &bytes)
      screen.wasSent(delivery.rect)
    }
  }

  private mutating func askForFiles() {
    let wide = PixelSize(width: 1e6, height: 1e6)
    while deliveries.count < Self.deliveriesAtOnce,
      let rect = screen.nextPiece(
        within: wide, atMost: Self.pixelsOfPiece, except: deliveries.map(\.rect))
    {
      screen.paint(rect, into: &piece)
      lastID &+= 1
      deliveries.append(Delivery(id: lastID, rect: rect, openCells: piece.openCells))
      let isExact = !piece.openCells.isEmpty || piece.width * piece.height < Self.smallPiece
      encodings.append(
        PictureEncoding(id: lastID, bitmap: piece.bitmap, format: isExact ? .png : .jpeg))
    }
  }
}
