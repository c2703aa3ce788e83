import Photos
import SceneModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Frames of animated photos, decoded by the real worker and cached by the store.
@Suite(.serialized) struct AnimationTests {
  let folder = TemporaryFolder()

  static let red = [220, 40, 40, 255]
  static let green = [40, 180, 60, 255]
  static let blue = [50, 80, 220, 255]
  static let yellow = [240, 210, 40, 255]
  static let nothing = [0, 0, 0, 0]

  /// A store that has described a file.
  func store(_ file: [UInt8], limits: StoreLimits? = nil) throws -> PhotoStore {
    let store = try PhotoStore.of([folder.write(file, to: "film")], limits: limits)
    store.fetchAll()
    return store
  }

  /// The demand for a photo's frames from one on, fitted into a square.
  func demand(_ side: Double = 1000, frameIndex: Int = 0) -> FrameDemand {
    FrameDemand(picture: .fitting(Photo.ID(0), side), frameIndex: frameIndex)
  }

  func frame(_ frameIndex: Int, in store: PhotoStore) -> Bitmap? {
    guard case .picture(let picture) = store.content(of: Photo.ID(0), frameIndex: frameIndex) else {
      return nil
    }
    return picture.full
  }

  /// The indices of the cached frames.
  func pages(of store: PhotoStore) -> [Int] {
    store.decodedFrames(of: Photo.ID(0))?.durations.keys.sorted() ?? []
  }

  /// Checks each pixel of a frame by the color of its quarter.
  func expect(_ bitmap: Bitmap?, quarters: [[Int]], _ comment: Comment) throws {
    let bitmap = try #require(bitmap, comment)
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let quarter = (y < bitmap.height / 2 ? 0 : 2) + (x < bitmap.width / 2 ? 0 : 1)
        let isAlike = areAlike([bitmap.pixel(x, y)], [quarters[quarter]], tolerance: 1)
        guard isAlike else {
          Issue.record("\(comment): \(bitmap.pixel(x, y)) at \(x), \(y)")
          return
        }
      }
    }
  }

  /// 16 by 8 pixels; each frame adds a quarter or half, with one of GIF's disposal methods.
  static let gif: TestGIF = {
    func color(_ color: [Int]) -> UInt32 { color[0..<3].reduce(0) { $0 << 8 | UInt32($1) } }
    let (red, green, blue) = (color(Self.red), color(Self.green), color(Self.blue))
    let yellow = color(Self.yellow)
    return TestGIF(
      width: 16, height: 8,
      frames: [
        .init(width: 16, height: 8, delay: 5) { _, _ in red },
        .init(x: 8, width: 8, height: 4, delay: 0, disposal: .previous) { _, _ in green },
        .init(y: 4, width: 8, height: 4, delay: 1, disposal: .background) { _, _ in blue },
        .init(x: 8, y: 4, width: 8, height: 4, delay: 2) { _, _ in yellow },
        .init(width: 16, height: 8, delay: 300) { x, _ in x < 8 ? nil : green },
      ], repeats: 2)
  }()

  @Test func `every frame of a GIF is drawn over what the previous ones have left`() throws {
    let store = try store(Self.gif.bytes)
    #expect(store.info(of: Photo.ID(0))?.frameCount == 5)

    store.play(demand(), at: now())
    // A busy worker sends them in several messages.
    let events = store.run()
    #expect(!events.isEmpty && events.allSatisfy { $0 == .framesChanged(Photo.ID(0)) })

    let (r, g, b, y, n) = (Self.red, Self.green, Self.blue, Self.yellow, Self.nothing)
    let expected = [[r, r, r, r], [r, g, r, r], [r, r, b, r], [r, r, n, y], [r, g, n, g]]
    for (frameIndex, quarters) in expected.enumerated() {
      try expect(frame(frameIndex, in: store), quarters: quarters, "frame \(frameIndex)")
    }
    // A delay of 0 or 1 hundredths counts as a tenth of a second.
    #expect(
      store.decodedFrames(of: Photo.ID(0))
        == DecodedFrames(
          frameCount: 5, loopCount: 3, durations: [0: 0.05, 1: 0.1, 2: 0.1, 3: 0.02, 4: 3]))
  }

  @Test func `every frame of a WebP is drawn over what the previous ones have left`() throws {
    let store = try store(image("film.webp"))
    #expect(store.info(of: Photo.ID(0))?.frameCount == 5)

    store.play(demand(), at: now())
    // A busy worker sends them in several messages.
    let events = store.run()
    #expect(!events.isEmpty && events.allSatisfy { $0 == .framesChanged(Photo.ID(0)) })

    let (r, g, b, n) = (Self.red, Self.green, Self.blue, Self.nothing)
    // Yellow with alpha 128, premultiplied, over nothing and over red.
    let (thin, mixed) = ([120, 105, 20, 128], [230, 125, 40, 255])
    let expected = [
      [r, r, r, r], [r, g, r, r], [r, n, b, r], [r, thin, b, mixed], [n, g, n, g],
    ]
    for (frameIndex, quarters) in expected.enumerated() {
      try expect(frame(frameIndex, in: store), quarters: quarters, "frame \(frameIndex)")
    }
    #expect(
      store.decodedFrames(of: Photo.ID(0))
        == DecodedFrames(
          frameCount: 5, loopCount: 2, durations: [0: 0.05, 1: 0.1, 2: 0.12, 3: 0.08, 4: 0.2]))
  }

  @Test func `frames arrive at the demanded size, and a larger size replaces them one by one`()
    throws
  {
    for file in [Self.gif.bytes, image("film.webp")] {
      let store = try store(file)
      store.play(demand(8), at: now())
      store.run()
      #expect((0..<5).map { frame($0, in: store)?.width } == [8, 8, 8, 8, 8])

      store.play(demand(16, frameIndex: 3), at: now())
      #expect((0..<5).map { frame($0, in: store)?.width } == [8, 8, 8, 8, 8])
      let events = store.run()

      #expect((0..<5).map { frame($0, in: store)?.width } == [16, 16, 16, 16, 16])
      // First the frames after the current one to the end, then those from the start.
      #expect(events.count { $0 == .framesChanged(Photo.ID(0)) } == 2)
      store.play(demand(8), at: now())
      #expect(store.isIdle)
      #expect(frame(2, in: store)?.width == 16)
    }
  }

  @Test func `only the frames of the photo that plays are cached`() throws {
    let paths = ["a.gif", "b.gif"].map { folder.write(Self.gif.bytes, to: $0) }
    let store = try PhotoStore.of(paths)
    store.fetchAll()
    let stills = store.heldByteCount

    store.play(demand(), at: now())
    store.run()
    #expect(store.heldByteCount > stills + 5 * 16 * 8 * 4)
    store.play(FrameDemand(picture: .fitting(Photo.ID(1), 16), frameIndex: 0), at: now())
    store.run()
    #expect(store.decodedFrames(of: Photo.ID(0)) == nil)
    #expect(store.decodedFrames(of: Photo.ID(1)) != nil)
    store.play(nil, at: now())

    #expect(store.heldByteCount == stills)
    // The first frame stays.
    try expect(
      frame(3, in: store), quarters: Array(repeating: Self.red, count: 4), "the photo as a still")
  }

  @Test func `the worker that decodes frames ends a moment after the last video is closed`() throws
  {
    let store = try store(Self.gif.bytes)
    #expect(store.framePool.runningCount == 0)
    let start = now()
    store.play(demand(), at: start)
    while store.framePool.isIdle == false || store.missingFrames != nil {
      wait(for: store.pollRequests, until: store.nextDeadline)
      _ = store.service(at: now())
    }
    let stills = store.pool.runningCount
    let end = now()
    store.play(nil, at: end)
    #expect(store.framePool.runningCount == 1 && store.nextDeadline != nil)

    _ = store.service(at: end.advanced(bySeconds: 0.9))
    #expect(store.framePool.runningCount == 1)
    _ = store.service(at: end.advanced(bySeconds: 1.1))
    #expect(store.framePool.runningCount == 0 && store.pool.runningCount == stills)
  }

  @Test func `a photo with one frame has no animation`() throws {
    for name in ["card.gif", "card.webp", "card.jpg", "card.tif"] {
      let store = try store(image(name))
      store.play(demand(), at: now())

      #expect(store.isIdle)
      #expect(store.info(of: Photo.ID(0))?.frameCount == 1)
      #expect(store.decodedFrames(of: Photo.ID(0)) == nil)
    }
  }

  @Test func `the next frames of a long animation are cached, and those shown before are evicted`()
    throws
  {
    var limits = PhotoStoreTests.single
    // Ten frames with their mipmap levels.
    limits.frameBudget = 10 * 64 * 32 * 4 * 4 / 3
    let colors = (0..<60).map { UInt32($0 * 4) << 16 }
    let film = TestGIF.film(colors, width: 64, height: 32)
    let store = try store(film.bytes, limits: limits)
    let still = store.heldByteCount

    for frameIndex in (0..<60) + [0, 1, 2] {
      store.play(demand(64, frameIndex: frameIndex), at: now())
      store.run()

      let there = pages(of: store)
      #expect(
        there.count <= 10 && there.contains(frameIndex) && there.contains((frameIndex + 1) % 60))
      #expect(store.heldByteCount <= still + limits.frameBudget)
      for frameIndex in there {
        #expect(
          frame(frameIndex, in: store)?.pixel(5, 5) == [frameIndex * 4, 0, 0, 255],
          "frame \(frameIndex)")
      }
    }
  }

  @Test func `the current frame and the next are cached whatever the budget`() throws {
    var limits = PhotoStoreTests.single
    limits.frameBudget = 1
    let store = try store(Self.gif.bytes, limits: limits)

    for frameIndex in [0, 1, 4] {
      store.play(demand(frameIndex: frameIndex), at: now())
      store.run()
      #expect(pages(of: store) == [frameIndex, (frameIndex + 1) % 5].sorted())
    }
  }
}
