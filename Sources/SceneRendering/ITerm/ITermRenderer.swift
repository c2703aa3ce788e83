import Geometry
import Photos
import SceneModel

/// Draws scenes at rest by iTerm2's inline images, and moving scenes by cells.
///
/// Images are files, which others encode: `takeEncodings` returns the pictures to encode, `receive`
/// gets their files, and the next frame shows them.
package struct ITermRenderer: PieceRenderer {
  var screen: PixelScreen
  private var piece = PixelPiece()
  /// The pieces that are being encoded, or wait to be shown.
  private var deliveries: [Delivery] = []
  private var encodings: [PictureEncoding] = []
  private var lastID: UInt32 = 0
  private var failuresInARow = 0

  /// A piece of the screen whose file was requested.
  private struct Delivery {
    var id: UInt32
    var rect: CellRect
    /// The cells that must be blank before the piece is shown.
    var openCells: [CellRect]
    /// The file; nil until it has arrived.
    var file: [UInt8]?
  }

  /// The most pixels of an image: at four bytes each they take, in base64, less than the 1,048,576
  /// bytes that iTerm2 accepts in a sequence.
  private static let pixelsOfPiece = 1 << 17
  private static let smallPiece = 1 << 10
  /// The most pieces whose files are requested or wait to be shown.
  private static let deliveriesAtOnce = 4
  /// The number of failures in a row after which only cells are drawn.
  private static let maxFailures = 3
  /// The most bytes of a frame, so that the terminal reads it as fast as a frame of cells.
  private static let bytesOfFrame = 1 << 19

  package init(_ traits: PictureTraits) { screen = PixelScreen(traits) }

  package private(set) var isUnfinished = false

  package var failure: String? {
    failuresInARow < Self.maxFailures ? nil : "cannot write temporary files"
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
      ITermImage.encode(delivery.file ?? [], in: delivery.rect, to: &bytes)
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

/// The control sequence that shows an image file in the terminal: iTerm2's "Images" protocol, OSC
/// 1337.
enum ITermImage {
  /// Encodes the sequences that show a file in a rectangle of cells; the cursor is anywhere
  /// afterwards.
  static func encode(_ file: [UInt8], in rect: CellRect, to bytes: inout [UInt8]) {
    bytes += "\u{1B}[\(rect.origin.row + 1);\(rect.origin.column + 1)H".utf8
    bytes += "\u{1B}]1337;File=inline=1;size=\(file.count);".utf8
    bytes += "width=\(rect.size.columns);height=\(rect.size.rows);".utf8
    bytes += "preserveAspectRatio=0;doNotMoveCursor=1:".utf8
    bytes.reserveCapacity(bytes.count + Base64.count(of: file.count) + 1)
    Base64.encode(file[...], to: &bytes)
    bytes.append(0x07)
  }
}
