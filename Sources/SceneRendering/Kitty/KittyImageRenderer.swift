import PhotoGridCore

/// A renderer that sends pictures by kitty's protocol, and draws by cells what the terminal does not
/// hold as an image.
protocol KittyImageRenderer: SceneRenderer {
  /// The images in the terminal.
  var store: KittyImageStore { get set }
  /// Draws what no image shows.
  var cells: CellRenderer { get set }

  /// Forgets where the screen shows images.
  mutating func forgetPlacements()

  /// Forgets where the screen shows an image that the terminal has lost.
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
    // A cleared screen takes images along in some terminals and leaves them in others.
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
