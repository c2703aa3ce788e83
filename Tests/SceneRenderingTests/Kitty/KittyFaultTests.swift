import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Terminals that refuse images, lose them, have no room for them, or do not respond.
struct KittyFaultTests {
  init() { UTF8Locale.use() }

  private static func story(
    _ medium: KittyMedium = .direct, photos count: Int = 4
  ) -> KittyStory {
    KittyStory(columns: 24, rows: 6, medium: medium, photos: (0..<count).map { SmoothPhoto($0) })
  }

  private static func scene(_ story: KittyStory, photos: Range<Int> = 0..<4) -> Scene {
    story.scene(
      photos.enumerated().map { place, photo in
        .clipped(
          photo, PixelRect(x: 4 + Double(place) * 56, y: 33, width: 53, height: 53))
      })
  }

  /// The photos with an image at the center of their tiles.
  private static func imaged(_ story: KittyStory, _ scene: Scene) -> Set<Int> {
    Set(
      scene.placements.filter { placement in
        let column = Int(placement.frame.center.x) / 10
        let row = Int(placement.frame.center.y) / 20
        return story.screen.placements.values.contains {
          $0.cells.contains(column: column, row: row)
        }
      }.map(\.photo.index))
  }

  @Test func `a terminal that takes neither shared memory nor files gets images in the stream`()
    throws
  {
    var story = Self.story(.sharedMemory)
    story.screen.storage = { _, _ in nil }
    let scene = Self.scene(story)

    try story.settle(scene)

    #expect(story.renderer.failure == nil)
    #expect(story.difference(from: scene) == nil)
  }

  @Test func `on a full disk the remaining images are sent in the stream`() throws {
    var story = Self.story(.sharedMemory)
    let scene = Self.scene(story)
    try story.show(scene)
    story.pictures.full = [.sharedMemory, .temporaryFile]

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a terminal that refuses the first image gets cells and the reason`() throws {
    var story = Self.story()
    story.screen.refusals = ["ENOTSUPPORTED:no \u{7}graphics"]
    let scene = Self.scene(story)

    try story.settle(scene)

    #expect(
      story.renderer.failure == "the terminal rejected graphics: ENOTSUPPORTED:no ?graphics")
    #expect(story.screen.images.isEmpty)
    #expect(Self.isDrawnByCells(story, scene))
  }

  @Test func `a terminal that does not respond gets cells, and the reason after some frames`()
    throws
  {
    var story = Self.story()
    story.screen.answers = false
    let scene = Self.scene(story)

    try story.settle(scene)
    #expect(story.renderer.failure == nil)
    #expect(Self.isDrawnByCells(story, scene))

    for _ in 0..<40 { try story.show(scene) }
    #expect(story.renderer.failure == "no response to graphics queries")
    #expect(Self.isDrawnByCells(story, scene))
  }

  @Test(arguments: [KittyMedium.direct, .sharedMemory])
  func `a terminal that is known to answer, and is slow, gets images in the end`(
    medium: KittyMedium
  ) throws {
    var story = KittyStory(
      columns: 24, rows: 6, medium: medium, photos: (0..<4).map { SmoothPhoto($0) },
      hasAnswered: true)
    story.screen.answers = false
    let scene = Self.scene(story)

    for _ in 0..<100 { try story.show(scene) }
    #expect(story.renderer.failure == nil)
    #expect(Self.isDrawnByCells(story, scene))

    story.screen.answers = true
    for _ in 0..<40 { try story.show(scene) }
    #expect(Self.imaged(story, scene) == [0, 1, 2, 3])
  }

  @Test func `a terminal that has answered once, and never again, gets cells`() throws {
    var story = KittyStory(
      columns: 24, rows: 6, photos: (0..<4).map { SmoothPhoto($0) }, hasAnswered: true)
    story.screen.answers = false
    let scene = Self.scene(story)

    for _ in 0..<310 { try story.show(scene) }
    #expect(story.renderer.failure == "no response to graphics queries")
    #expect(Self.isDrawnByCells(story, scene))
  }

  private static func isDrawnByCells(_ story: KittyStory, _ scene: Scene) -> Bool {
    story.screen.placements.isEmpty
      && scene.placements.allSatisfy {
        let cell = story.screen.text[Int($0.frame.center.x) / 10, Int($0.frame.center.y) / 20]
        return cell.background != .standard
      }
  }

  @Test func `an image that is refused once is sent again`() throws {
    var story = Self.story()
    let scene = Self.scene(story)
    try story.show(scene)
    story.screen.refusals = ["EINVAL:once"]

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a photo that is always refused is drawn with cells, and the others with images`()
    throws
  {
    var story = Self.story(photos: 4)
    let one = Self.scene(story, photos: 0..<1)
    try story.show(one)
    story.screen.refusals = Array(repeating: "EINVAL:never", count: 3)
    try story.settle(one)
    #expect(story.screen.refusals.isEmpty)

    let all = Self.scene(story)
    try story.settle(all)

    #expect(Self.imaged(story, all) == [1, 2, 3])
    #expect(story.renderer.store.cache.pictures(of: .photo(Photo.ID(0), frameIndex: nil)).isEmpty)
    #expect(story.renderer.failure == nil)
  }

  @Test func `a terminal that refuses everything gets cells`() throws {
    var story = Self.story(photos: 40)
    try story.show(Self.scene(story))
    story.screen.refusals = Array(repeating: "EINVAL:never", count: 1000)

    for start in 0..<36 { try story.settle(Self.scene(story, photos: start..<start + 4)) }

    #expect(story.renderer.failure == "the terminal rejected graphics: EINVAL:never")
    #expect(story.screen.refusals.count > 900)
  }

  @Test func `an image that the terminal lost is sent again`() throws {
    var story = Self.story(photos: 8)
    let scene = Self.scene(story)
    try story.settle(scene)
    try story.settle(Self.scene(story, photos: 4..<8))
    for id in story.screen.images.keys { story.screen.lose(id) }

    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
    #expect(story.renderer.failure == nil)
  }

  @Test func `a terminal that runs out of room gets a smaller budget of pixels`() throws {
    var story = Self.story(photos: 8)
    try story.settle(Self.scene(story))
    let before = story.renderer.store.cache.budget
    story.screen.refusals = ["ENOSPC:no room"]

    let scene = Self.scene(story, photos: 4..<8)
    try story.settle(scene)

    #expect(story.renderer.store.cache.budget < before / 2)
    #expect(story.difference(from: scene) == nil)
  }

  @Test func `a terminal without room for the first image gets images once it has room again`()
    throws
  {
    var story = Self.story(photos: 4)
    let one = Self.scene(story, photos: 0..<1)
    try story.show(one)
    story.screen.refusals = ["ENOSPC:no room", "ENOSPC:no room"]

    try story.settle(one)
    #expect(story.screen.refusals.isEmpty)
    #expect(story.difference(from: one) == nil)

    let all = Self.scene(story)
    try story.settle(all)
    #expect(story.difference(from: all) == nil)
  }

  @Test func `images off the screen are freed when the budget is reached`() throws {
    var story = Self.story(.sharedMemory, photos: 40)
    // Room for about ten tiles of 53 by 53 with their borders.
    story.renderer.store.cache.budget = 10 * 73 * 93
    for start in Array(0..<36) + (0..<36).reversed() {
      let scene = Self.scene(story, photos: start..<start + 4)
      try story.settle(scene)
      #expect(story.difference(from: scene) == nil, "at \(start)")
    }
    // The one pixel is the first image.
    #expect(story.screen.peakPixels <= story.renderer.store.cache.budget + 1)
  }

  @Test func `a screen that needs more than the budget draws the rest with cells`() throws {
    var story = Self.story(photos: 4)
    story.renderer.store.cache.budget = 2 * 73 * 93
    let scene = Self.scene(story)

    try story.settle(scene)

    #expect(Self.imaged(story, scene).count == 2)
  }

  @Test func `identifiers start over when they are used up, and none is used twice`() throws {
    // The first is a few below the last; the terminal refuses an identifier that it has.
    var story = Self.story(.sharedMemory, photos: 40)
    for start in 0..<36 { try story.settle(Self.scene(story, photos: start..<start + 4)) }

    #expect(story.screen.images.keys.contains { $0 < 20 })
    #expect(story.screen.images.keys.contains { $0 > KittyStory.firstID })
    #expect(!story.screen.images.keys.contains(0))
  }

  @Test(arguments: [
    "", "G", "Gi", "Gi=;OK", "Gi=1", "Gi=99999999999;OK", "Gi=-1;OK", "X", "Gi=7;ENOENT:x",
    "Gi=7,p=3;OK", "Gi=16777201;", "Gp=1;OK", "Gi=abc;OK", String(repeating: "G", count: 5000),
  ])
  func `a response to nothing changes nothing`(text: String) throws {
    var story = Self.story()
    let scene = Self.scene(story)
    try story.settle(scene)

    story.renderer.handle(graphicsReply: text)
    try story.settle(scene)

    #expect(story.difference(from: scene) == nil)
    #expect(story.renderer.failure == nil)
  }
}
