import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Pictures inside tmux, decoded from its text.
struct PlaceholderTests {
  init() { UTF8Locale.use() }

  private static let background = RGB(16, 20, 24)

  private struct Story {
    var renderer: PlaceholderRenderer
    var screen: KittyScreen
    let pictures = NamedPictures()
    let photos: [SmoothPhoto]
    var frame = FrameBytes()
    /// The time of the next frame; each takes a tenth of a second.
    var time = 0.0
    /// Whether tmux says that it passes commands on.
    var isOpen = true
    /// Whether responses come back, rather than go to another pane.
    var returnsResponses = true
    /// Whether tmux drops commands without saying so.
    var dropsCommands = false

    init(columns: Int, rows: Int, medium: KittyMedium = .direct, photos count: Int = 6) {
      let traits = PictureTraits(
        kittyMedium: medium, isMultiplexed: true,
        appearance: Appearance(background: PlaceholderTests.background), glyphs: .half)
      renderer = PlaceholderRenderer(traits, firstID: 0xABCD00, handover: pictures.give)
      screen = KittyScreen(columns: columns, rows: rows)
      screen.isWrapped = true
      screen.storage = pictures.take
      photos = (0..<count).map { SmoothPhoto($0) }
    }

    func scene(
      _ placements: [Placement], ring: Scene.Ring? = nil, isMoving: Bool = false
    ) -> Scene {
      let area = CellMetrics.standard.size(
        of: CellSize(columns: screen.columns, rows: screen.rows))
      return Scene(size: area, placements: placements, ring: ring, isMoving: isMoving)
    }

    /// The images that the last frame sends.
    var sentIDs: [UInt32] {
      String(decoding: frame.uploads, as: UTF8.self).matches(of: /a=t,[^;]*?i=([0-9]+)/)
        .compactMap { UInt32($0.output.1) }
    }

    mutating func show(_ scene: Scene) throws {
      frame.removeAll()
      renderer.passage = Passage(
        isOpen: isOpen, returnsResponses: returnsResponses, time: Instant(seconds: time))
      time += 0.1
      renderer.frame(
        for: scene, metrics: .standard,
        content: { [photos] in .picture(photos[$0.photo.index].mipmap) },
        into: &frame)
      screen.dropsCommands = dropsCommands
      try screen.apply(frame)
      let replies = screen.takeReplies()
      if !returnsResponses, !replies.isEmpty {
        throw KittyScreen.Wrong(what: "\(replies) for another pane")
      }
      for reply in replies { renderer.handle(graphicsReply: reply) }
    }

    mutating func settle(_ scene: Scene) throws {
      for _ in 0..<100 {
        try show(scene)
        if !renderer.isUnfinished, frame.isEmpty { return }
      }
      throw KittyScreen.Wrong(what: "it never settles")
    }

    /// The number of pixels in a frame that differ from the photo's, in the rows of cells that lie
    /// inside the frame or in the others.
    func wrongPixels(of placement: Placement, inside: Bool) -> Int {
      let map = screen.rendered(over: PlaceholderTests.background)
      return map.places(in: placement.frame).count { x, y, place in
        let frame = placement.frame
        let isInside =
          (frame.minY / 20).rounded(.up) * 20 <= place.y
          && place.y < (frame.maxY / 20).rounded(.down) * 20
        guard isInside == inside else { return false }
        let crop = placement.crop
        let color = photos[placement.photo.index].color(
          crop.minX + (place.x - frame.minX) / frame.width * crop.width,
          crop.minY + (place.y - frame.minY) / frame.height * crop.height)
        let seen = map[x, y]
        return abs(seen.red - color.red) > 6 || abs(seen.green - color.green) > 6
          || abs(seen.blue - color.blue) > 6
      }
    }

    var placeholderCount: Int {
      (0..<screen.rows).reduce(0) { sum, row in
        sum + (0..<screen.columns).count { screen.placeholder($0, row) != nil }
      }
    }
  }

  /// Tiles of 6 columns and 3 rows, some aligned to cells and some to half cells.
  private static func tiles(scrolledBy offset: Double = 0) -> [Placement] {
    (0..<6).map {
      .clipped(
        $0,
        PixelRect(
          x: 10 + Double($0 % 3) * 70, y: 10 + Double($0 / 3) * 70 - offset, width: 60, height: 60))
    }
  }

  @Test func `numerals are the combining marks that the protocol lists`() {
    let scalars = Placeholders.marks.compactMap {
      String(decoding: $0, as: UTF8.self).unicodeScalars.first
    }
    #expect(scalars.count == 297)
    #expect(scalars.prefix(6).map(\.value) == [0x305, 0x30D, 0x30E, 0x310, 0x312, 0x33D])
    #expect(scalars.suffix(3).map(\.value) == [0x1D242, 0x1D243, 0x1D244])
    #expect(zip(scalars, scalars.dropFirst()).allSatisfy { $0 < $1 })
    #expect(scalars.allSatisfy { $0.properties.generalCategory == .nonspacingMark })
  }

  @Test(arguments: KittyMedium.allCases)
  func `scenes at rest are shown by pixels in all cells that are covered whole`(medium: KittyMedium)
    throws
  {
    var story = Story(columns: 22, rows: 8, medium: medium)
    let scene = story.scene(
      Self.tiles(), ring: Scene.Ring(tile: Self.tiles()[1].frame, opacity: 1))

    try story.settle(scene)

    // The upper tiles are aligned to half cells: two rows of each are inside.
    #expect(story.placeholderCount == 3 * 6 * 2 + 3 * 6 * 3)
    for tile in Self.tiles() {
      #expect(story.wrongPixels(of: tile, inside: true) == 0, "\(tile.photo)")
      // The halves above and below are drawn with cells, which are coarser.
      #expect(story.wrongPixels(of: tile, inside: false) < 60 * 20, "\(tile.photo)")
    }
    #expect(story.screen.text[8, 0].text != " ", "the ring")
  }

  @Test func `a photo on the whole screen is sent in pieces that fit together`() throws {
    var story = Story(columns: 60, rows: 20, photos: 1)
    let photo = Placement.clipped(0, PixelRect(x: 35, y: 0, width: 530, height: 400))

    try story.settle(story.scene([photo]))

    #expect(story.screen.images.count > 2)
    #expect(story.placeholderCount == 52 * 20)
    let inner = Placement.clipped(0, PixelRect(x: 40, y: 0, width: 520, height: 400))
    var expected = inner
    expected.crop = inner.frame.crop(showing: photo.crop, in: photo.frame)
    #expect(story.wrongPixels(of: expected, inside: true) == 0)
  }

  @Test func `moving scenes are drawn with cells, and leave none behind`() throws {
    var story = Story(columns: 22, rows: 8)
    try story.settle(story.scene(Self.tiles()))
    for offset in stride(from: 0.0, through: 40, by: 10) {
      try story.show(story.scene(Self.tiles(scrolledBy: offset), isMoving: true))
      #expect(story.placeholderCount == 0)
    }
    let scene = story.scene(Self.tiles(scrolledBy: 40))
    try story.settle(scene)

    for tile in scene.placements where tile.frame.maxY > 0 {
      let visible = tile.frame.intersection(PixelRect(origin: .zero, size: scene.size))
      let frame = try #require(visible)
      var part = tile
      part.crop = frame.crop(showing: tile.crop, in: tile.frame)
      part.frame = frame
      #expect(story.wrongPixels(of: part, inside: true) == 0, "\(tile.photo)")
    }
  }

  @Test func `a panel covers placeholders, which return when it closes`() throws {
    var story = Story(columns: 22, rows: 8)
    let scene = story.scene(Self.tiles())
    try story.settle(scene)
    let count = story.placeholderCount
    let mask = CellRect(
      origin: CellPoint(column: 3, row: 1), size: CellSize(columns: 7, rows: 4))
    story.renderer.mask = mask
    try story.settle(scene)
    // Other text is written there.
    try story.screen.apply(
      (1..<5).flatMap { Array("\u{1B}[\($0 + 1);4Hsomebody".utf8.prefix(12)) })

    #expect(story.placeholderCount < count)
    story.renderer.mask = nil
    try story.settle(scene)

    #expect(story.placeholderCount == count)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
  }

  @Test func `only the frontmost of overlapping placements is drawn with pixels`() throws {
    var story = Story(columns: 22, rows: 8)
    let front = Placement.clipped(5, PixelRect(x: 30, y: 20, width: 120, height: 80))

    try story.settle(story.scene(Array(Self.tiles().prefix(3)) + [front]))

    #expect(story.wrongPixels(of: front, inside: true) == 0)
    #expect(story.placeholderCount == 12 * 4 + 6 * 2)
  }

  @Test func `everything is freed through tmux`() throws {
    var story = Story(columns: 22, rows: 8)
    try story.settle(story.scene(Self.tiles()))

    try story.screen.apply(story.renderer.cleanupBytes())

    #expect(story.screen.images.isEmpty)
  }

  @Test func `a lost image is sent again`() throws {
    var story = Story(columns: 22, rows: 8)
    let scene = story.scene(Self.tiles())
    try story.settle(scene)
    let id = try #require(story.screen.placeholder(2, 1)).image
    story.screen.lose(id)
    story.renderer.handle(graphicsReply: "Gi=\(id);ENOENT:lost")

    try story.settle(scene)

    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
    let new = try #require(story.screen.placeholder(2, 1)).image
    #expect(new != id, "the terminal may have the old image still, if tmux dropped what frees it")
  }

  @Test func `an image of which tmux drops all but the placement is sent again after a key`() throws
  {
    var story = Story(columns: 22, rows: 8, medium: .sharedMemory)
    try story.settle(story.scene([]))
    let scene = story.scene(Self.tiles())
    story.dropsCommands = true
    for _ in 0..<10 {
      try story.show(scene)
      for id in story.sentIDs { story.renderer.handle(graphicsReply: "Gi=\(id);ENOENT:lost") }
    }
    #expect(story.sentIDs.isEmpty, "what is lost each time is not sent in each frame")

    story.dropsCommands = false
    story.renderer.checkPictures(all: false)
    try story.settle(scene)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
  }

  @Test func `a terminal without support for placeholders gets cells`() throws {
    var story = Story(columns: 22, rows: 8)
    story.screen.knowsPlaceholders = false

    for _ in 0..<40 { try story.show(story.scene(Self.tiles())) }

    #expect(story.screen.uploadCount == 3)
    #expect(story.placeholderCount == 0)
    #expect(story.renderer.failure == "no response to graphics queries")
  }

  @Test func `nothing is sent while tmux redraws its window, and cells are drawn meanwhile`() throws
  {
    var story = Story(columns: 22, rows: 8)
    let scene = story.scene(Self.tiles())
    story.isOpen = false
    for _ in 0..<20 {
      try story.show(scene)
      #expect(story.frame.uploads.isEmpty)
    }
    #expect(story.screen.uploadCount == 0 && story.placeholderCount == 0)

    story.isOpen = true
    try story.settle(scene)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }

    // What is there stays on the screen.
    let count = story.placeholderCount
    story.isOpen = false
    story.screen.clearText()
    story.renderer.invalidate()
    try story.show(scene)
    #expect(story.placeholderCount == count && story.frame.uploads.isEmpty)
  }

  @Test(arguments: KittyMedium.allCases)
  func `pictures that tmux drops are sent again, and their tiles are drawn by cells until then`(
    medium: KittyMedium
  ) throws {
    var story = Story(columns: 22, rows: 8, medium: medium)
    let scene = story.scene(Self.tiles())
    // First the first image, then those of photos.
    for first in [true, false] {
      story.dropsCommands = true
      for _ in 0..<4 { try story.show(scene) }
      #expect(story.placeholderCount == 0)
      story.dropsCommands = false
      if first { for _ in 0..<10 where story.screen.uploadCount == 0 { try story.show(scene) } }
    }
    while story.time < 6 { try story.show(scene) }

    #expect(story.placeholderCount == 3 * 6 * 2 + 3 * 6 * 3)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
    #expect(story.renderer.failure == nil && story.renderer.nextRetry == nil)
  }

  @Test func `a terminal that never responds to pictures gets each three times, until it responds`()
    throws
  {
    var story = Story(columns: 22, rows: 8, medium: .sharedMemory)
    try story.settle(story.scene([]))
    let scene = story.scene(Self.tiles())
    let commands = story.screen.commandCount
    story.screen.answers = false
    while story.time < 60 { try story.show(scene) }

    #expect(story.screen.commandCount == commands + 6 + 3 * 6, "6 images, each placed 3 times")
    #expect(story.placeholderCount == 0 && story.renderer.nextRetry == nil)
    story.screen.answers = true
    story.renderer.checkPictures(all: false)
    try story.settle(scene)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
  }

  @Test func `another terminal in its place gets all pictures, however often that happens`() throws
  {
    var story = Story(columns: 22, rows: 8)
    let scene = story.scene(Self.tiles())
    try story.settle(scene)
    let count = story.placeholderCount
    for _ in 0..<5 {
      for id in story.screen.images.keys { story.screen.lose(id) }
      story.renderer.checkPictures(all: false)
      try story.settle(scene)
      #expect(story.placeholderCount == count)
      for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
    }
  }

  @Test(arguments: KittyMedium.allCases)
  func `while responses would go to another pane, pictures are sent without any`(
    medium: KittyMedium
  ) throws {
    var story = Story(columns: 22, rows: 8, medium: medium)
    story.returnsResponses = false
    try story.settle(story.scene([]))
    #expect(story.screen.uploadCount == 0, "the first image needs a response")
    story.returnsResponses = true
    try story.settle(story.scene([]))

    let scene = story.scene(Self.tiles())
    story.returnsResponses = false
    try story.settle(scene)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }

    // What was lost is found out later.
    for id in story.screen.images.keys { story.screen.lose(id) }
    try story.settle(scene)
    #expect(story.screen.images.isEmpty)
    story.returnsResponses = true
    try story.settle(scene)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
    #expect(story.renderer.nextRetry == nil)
  }

  @Test(arguments: KittyMedium.allCases)
  func `pictures sent without a response are sent again after some seconds, and then no more`(
    medium: KittyMedium
  ) throws {
    var story = Story(columns: 22, rows: 8, medium: medium)
    try story.settle(story.scene([]))
    let scene = story.scene(Self.tiles())
    story.returnsResponses = false
    story.dropsCommands = true
    let start = story.time
    while story.time < start + 1.5 { try story.show(scene) }
    #expect(story.screen.images.isEmpty)

    story.dropsCommands = false
    while story.time < start + 4 { try story.show(scene) }
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
    while story.time < start + 9 { try story.show(scene) }
    let count = story.screen.uploadCount
    while story.time < start + 20 { try story.show(scene) }
    #expect(story.screen.uploadCount == count)
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
  }

  @Test func `cells that take over leave no placeholders`() throws {
    var story = Story(columns: 22, rows: 8)
    let scene = story.scene(Self.tiles())
    // Before their images are there, pictures are drawn by the same cells.
    try story.settle(scene)
    #expect(story.placeholderCount > 0)

    let traits = PictureTraits(
      appearance: Appearance(background: Self.background), glyphs: .half)
    var bytes = FrameBytes()
    bytes.picture = story.renderer.cleanupBytes()
    var cells = CellRenderer(
      glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    cells.shownCells = story.renderer.shownCells
    cells.frame(
      for: scene, metrics: .standard,
      content: { [photos = story.photos] in .picture(photos[$0.photo.index].mipmap) }, into: &bytes)
    try story.screen.apply(bytes)

    #expect(story.placeholderCount == 0)
  }

  @Test func `a check of pictures that are there changes nothing on the screen`() throws {
    var story = Story(columns: 22, rows: 8)
    let scene = story.scene(Self.tiles())
    try story.settle(scene)
    let uploads = story.screen.uploadCount
    for all in [false, true] {
      story.renderer.checkPictures(all: all)
      try story.show(scene)
      #expect(!story.frame.uploads.isEmpty && story.frame.picture.isEmpty)
      try story.settle(scene)
    }
    #expect(story.screen.uploadCount == uploads && story.renderer.nextRetry == nil)
  }

  @Test func `the next frame of a photo takes the place of the last once it is there`() throws {
    var story = Story(columns: 22, rows: 8, medium: .sharedMemory)
    var tile = Placement.clipped(0, PixelRect(x: 10, y: 20, width: 60, height: 60))
    try story.settle(story.scene([tile]))
    let count = story.placeholderCount
    let first = try #require(story.screen.placeholder(2, 2)).image

    tile.frameIndex = 1
    story.dropsCommands = true
    for _ in 0..<3 {
      try story.show(story.scene([tile]))
      #expect(story.placeholderCount == count)
      #expect(story.screen.placeholder(2, 2)?.image == first)
    }
    story.dropsCommands = false
    while story.time < 3 { try story.show(story.scene([tile])) }
    #expect(story.placeholderCount == count)
    #expect(story.screen.placeholder(2, 2)?.image != first)
  }

  @Test func `one character is written again after images have come, and in every second`() throws {
    var story = Story(columns: 22, rows: 8)
    let scene = story.scene(Self.tiles())
    try story.settle(scene)
    var times: [Double] = []
    while times.count < 3, story.time < 20 {
      let time = story.time
      try story.show(scene)
      guard !story.frame.picture.isEmpty else { continue }
      times.append(time)
      let text = String(decoding: story.frame.picture, as: UTF8.self)
      #expect(text.unicodeScalars.count { $0 == "\u{10EEEE}" } == 1)
    }
    #expect(times.count == 3 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 1 })
    for tile in Self.tiles() { #expect(story.wrongPixels(of: tile, inside: true) == 0) }
    try story.show(story.scene([]))
    #expect(story.renderer.nextRepaint == nil)
  }

  @Test func `with 256 colours, which cannot encode image numbers, cells are drawn`() throws {
    var story = Story(columns: 22, rows: 8)
    let traits = PictureTraits(
      kittyMedium: .direct, isMultiplexed: true, glyphs: .half, depth: .palette256)
    story.renderer = PlaceholderRenderer(traits, firstID: 1, handover: { _, _ in nil })

    try story.settle(story.scene(Self.tiles()))

    #expect(story.screen.uploadCount == 0)
    #expect(story.placeholderCount == 0)
  }
}
