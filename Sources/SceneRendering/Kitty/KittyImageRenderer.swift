import PhotoGridCore

/// A renderer that sends pictures by kitty's protocol, and draws by cells all pictures of which the
/// terminal has no image.
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
