import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// A film among photos: it plays in its tile after a moment, and on the whole screen at once.
@Suite(.traced) struct FilmStoryTests {
  static let film = Photo.ID(1)
  static let timing = FilmTiming(length: 60, frameRate: 25)

  /// Twenty items, of which the second is a film of a minute at 25 frames a second.
  static func story(motion: MotionSetting = .full, selects: Bool = true) -> Story {
    var story = Story(photos: 20, motion: motion)
    var info = PhotoInfo(
      size: PixelSize(width: 1920, height: 1080), orientation: 1, format: .film, byteCount: 1000,
      modified: 0, taken: nil)
    (info.length, info.frameRate) = (60, 25)
    story.send(.filesRead([(film, info)]))
    if selects { story.keys("l") }
    return story
  }

  /// Delivers the frames in a range, or in as many ranges as there are.
  static func deliver(_ ranges: Range<Int>..., to story: inout Story) {
    let frames = ranges.flatMap { $0.map { ($0, 0.04) } }
    story.send(
      .framesUpdated(
        film,
        DecodedFrames(
          frameCount: timing.frameCount, loopCount: nil,
          durations: Dictionary(uniqueKeysWithValues: frames), film: timing)))
  }

  /// The index of the film's frame in the scene; nil for its own picture.
  static func frame(in story: Story) -> Int? {
    story.scene.placements.last { $0.photo == film }?.frameIndex
  }

  static func line(in story: Story) -> String? {
    let text = story.scene.captions.map(\.text).joined()
    return text.contains("●") ? text : nil
  }

  @Test func `a film plays in its tile once it has been selected for a moment`() {
    var story = Self.story()
    let start = story.now
    #expect(story.browser.frameDemand == nil)
    #expect(story.browser.nextChange == start.advanced(bySeconds: 0.6))

    story.wait(0.59)
    #expect(story.browser.frameDemand == nil)
    story.wait(0.05)
    #expect(story.browser.frameDemand?.frameIndex == 0)
    #expect(story.browser.frameDemand?.picture.mode == .fill)
    // Its own picture stays until the first frame is there.
    #expect(Self.frame(in: story) == nil)

    Self.deliver(0..<10, to: &story)
    #expect(Self.frame(in: story) == 0)
    story.wait(0.21)
    #expect(Self.frame(in: story) == 5)
    // The next film is not started by moving past it.
    story.keys("l")
    #expect(story.browser.frameDemand == nil && Self.frame(in: story) == nil)
  }

  @Test func `moving across films starts none of them`() {
    var story = Self.story(selects: false)
    for _ in 0..<6 {
      story.keys("l")
      story.wait(0.3)
      #expect(story.browser.frameDemand == nil)
      story.keys("h")
    }
  }

  @Test func `an opened film plays at once, in flight, and plays on in its tile`() {
    var story = Self.story()
    story.send(.key(.enter))
    #expect(story.browser.frameDemand?.frameIndex == 0)
    #expect(story.browser.frameDemand?.picture.mode == .fit)
    story.wait(0.1)
    Self.deliver(0..<100, to: &story)
    story.wait(0.1)
    #expect(Self.frame(in: story) == 2)
    #expect(story.browser.isAnimating(at: story.now), "it still flies")
    story.wait(0.4)
    #expect(Self.frame(in: story) == 12)

    story.send(.key(.escape))
    story.wait(0.1)
    #expect((14...15).contains(Self.frame(in: story) ?? 0), "it plays while it flies home")
    story.wait(1)
    #expect((39...40).contains(Self.frame(in: story) ?? 0))
    #expect(story.browser.frameDemand?.picture.mode == .fill)
  }

  @Test func `frames that the screen was too slow for are skipped`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<100, to: &story)
    story.send(.drawn(isWhole: false))
    story.now = story.now.advanced(bySeconds: 0.2)
    story.send(.tick)
    #expect(Self.frame(in: story) == 0)
    story.send(.drawn(isWhole: true))
    story.send(.tick)
    #expect(Self.frame(in: story) == 5)
  }

  @Test func `a late frame holds playback, and earlier frames stay on the screen`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<3, to: &story)
    story.wait(2)
    #expect(Self.frame(in: story) == 2)
    #expect(story.browser.frameDemand?.frameIndex == 2)
    Self.deliver(0..<30, to: &story)
    story.wait(0.05)
    #expect((3...4).contains(Self.frame(in: story) ?? 0))
  }

  @Test func `h and l go five seconds back and forward while it plays, and to photos otherwise`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<10, to: &story)
    story.wait(0.45)

    story.keys("l")
    #expect(story.browser.frameDemand?.frameIndex == 9 + 125)
    // What is shown stays until the frame is there, and is kept in memory for that.
    #expect(Self.frame(in: story) == 9)
    #expect(story.browser.frameDemand?.shownIndex == 9)
    story.keys("2l")
    #expect(story.browser.frameDemand?.frameIndex == 9 + 3 * 125)
    Self.deliver(9..<10, 384..<400, to: &story)
    #expect(Self.frame(in: story) == 384)
    story.wait(0.09)
    #expect(Self.frame(in: story) == 386)
    story.send(.key(.left))
    #expect(story.browser.frameDemand?.frameIndex == 386 - 125)
    story.keys("99h")
    #expect(story.browser.frameDemand?.frameIndex == 0)

    Self.deliver(0..<10, to: &story)
    story.keys("a")
    story.keys("l")
    #expect(story.browser.current == Photo.ID(2))
  }

  @Test func `a period and a comma step while it is paused`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<20, to: &story)
    story.wait(0.45)
    let before = Self.frame(in: story) ?? 0

    story.keys("a")
    story.wait(3)
    #expect(Self.frame(in: story) == before && story.browser.nextChange == nil)
    story.keys(".")
    #expect(Self.frame(in: story) == before + 1)
    story.keys(",,,")
    #expect(Self.frame(in: story) == before - 2)
    story.keys("4.")
    #expect(Self.frame(in: story) == before + 2)
    // A frame that is not in memory is waited for.
    story.keys("50.")
    #expect(Self.frame(in: story) == before + 2)
    Self.deliver(40..<100, to: &story)
    #expect(Self.frame(in: story) == before + 52)
    story.keys("a")
    story.wait(0.09)
    #expect(Self.frame(in: story) == before + 54)
  }

  @Test func `a film on the whole screen ends with its last frame, and a plays it again`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<2, to: &story)
    story.keys("99l")
    #expect(story.browser.frameDemand?.frameIndex == 1499)
    Self.deliver(1490..<1500, to: &story)
    story.wait(3)
    #expect(Self.frame(in: story) == 1499)
    #expect(story.browser.nextChange == nil, "nothing wakes the program")
    story.keys("a")
    #expect(story.browser.frameDemand?.frameIndex == 0)
    Self.deliver(0..<10, to: &story)
    story.wait(0.09)
    #expect(Self.frame(in: story) == 2)
  }

  @Test func `a film that breaks off plays up to there, and does not pretend to be longer`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<250, to: &story)
    story.wait(1)
    var short = Self.timing
    short.end(at: 250)
    story.send(
      .framesUpdated(
        Self.film,
        DecodedFrames(
          frameCount: 250, loopCount: nil,
          durations: Dictionary(uniqueKeysWithValues: (0..<250).map { ($0, 0.04) }), film: short)))
    let notice = story.browser.bar(
      Bar.Facts(source: "", name: "a", info: nil, failure: nil, loading: 0), at: story.now)
    #expect(notice.left == "This video is damaged and ends at 0:10")
    story.keys("9l")
    #expect(Self.frame(in: story) == 249)
    var facts = Bar.Facts(source: "", name: "a", info: .plain, failure: nil, loading: 0)
    #expect(story.browser.bar(facts, at: story.now).right.contains("0:09 of 0:10"))
    story.wait(5)
    facts.name = "b"
    #expect(story.browser.bar(facts, at: story.now).left == "b")
  }

  // MARK: - The line

  @Test func `the line shows while it is paused, and a moment after each seek`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<1500, to: &story)
    story.wait(1)
    #expect(Self.line(in: story) == nil)

    story.keys("l")
    let line = Self.line(in: story)
    #expect(
      line == " 0:06 " + String(repeating: "━", count: 9) + "●"
        + String(repeating: "─", count: 78) + " 1:00 ")
    let played = story.scene.captions.filter(\.isAccented)
    #expect(played.map(\.text) == [String(repeating: "━", count: 9) + "●"])
    #expect(played.first?.frame.minX == 60 && played.first?.frame.width == 100)
    story.wait(1.9)
    #expect(Self.line(in: story) != nil)
    story.wait(0.2)
    #expect(Self.line(in: story) == nil)

    story.keys("a")
    story.wait(5)
    #expect(Self.line(in: story) != nil)
    // Not in flight.
    story.send(.key(.escape))
    #expect(Self.line(in: story) == nil)
  }

  @Test func `the pointer drags the line, the frame follows, and it plays on from there`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<10, to: &story)
    story.wait(0.5)
    // 100 columns of 10 pixels; 30 rows of pictures, of 20 pixels. The track has 88 columns.
    story.mouse(.pressed(.left), 500, 590)
    let middle = story.browser.frameDemand?.frameIndex ?? 0
    #expect(abs(middle - 750) < 10, "\(middle)")
    story.mouse(.dragged(.left), 280, 500)
    let quarter = story.browser.frameDemand?.frameIndex ?? 0
    #expect(abs(quarter - 375) < 10, "\(quarter)")
    story.wait(3)
    #expect(Self.line(in: story) != nil, "it stays while it is held")
    Self.deliver(quarter..<(quarter + 50), to: &story)
    #expect(Self.frame(in: story) == quarter)
    story.wait(1)
    #expect(Self.frame(in: story) == quarter, "it waits for the pointer")

    story.mouse(.released(.left), 280, 500)
    story.wait(0.09)
    #expect(Self.frame(in: story) == quarter + 2)
    // The row above is the line's too.
    story.mouse(.pressed(.left), 500, 565)
    #expect(abs((story.browser.frameDemand?.frameIndex ?? 0) - 750) < 10)
    story.mouse(.released(.left), 500, 565)
    // A press elsewhere is one on the photo.
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.released(.left), 500, 300)
    story.wait(1)
    #expect(story.browser.viewer == nil)
  }

  @Test func `A and :speed change how fast an open film plays, and slow motion elsewhere`() {
    var story = Self.story()
    story.send(.key(.enter))
    Self.deliver(0..<1500, to: &story)
    story.wait(1)
    func frames(in seconds: Double) -> Int {
      let before = Self.frame(in: story) ?? 0
      story.wait(seconds)
      return (Self.frame(in: story) ?? 0) - before
    }
    for (keys, speed, count) in [
      ("A", "½×", 12), ("A", "¼×", 6), ("A", "2×", 50), ("A", "1×", 25), (":speed 1/4", "¼×", 6),
      (":speed 2", "2×", 50), (":speed 0.5", "½×", 12), (":speed ¼", "¼×", 6),
    ] {
      story.keys(keys)
      if keys.count > 1 { story.send(.key(.enter)) }
      #expect(story.bar.left == "Speed \(speed)")
      _ = frames(in: 0.2)
      let shown = frames(in: 1)
      #expect(abs(shown - count) <= 1, "\(speed): \(shown)")
    }
    #expect(story.browser.options.motion == .full)
    story.keys(":motion slow")
    story.send(.key(.enter))
    #expect(story.browser.options.motion == .slow)
    story.keys(":speed 3")
    story.send(.key(.enter))
    #expect(story.browser.palette != nil && story.bar.right == "Type 1/4, 1/2, 1, or 2")
    story.send(.key(.escape))
    // Another photo plays at its own speed, and A has no film to change.
    story.keys("n")
    story.keys("A")
    #expect(story.browser.options.motion == .full)
    story.keys("p")
    #expect((story.browser.gallery.playback?.speed ?? .normal) == .normal)
  }

  @Test func `the first film that is open says that films have no sound`() {
    var story = Self.story()
    Self.deliver(0..<10, to: &story)
    story.wait(1)
    func right() -> String {
      story.browser.bar(
        Bar.Facts(source: "", name: "a", info: .plain, failure: nil, loading: 0), at: story.now
      ).right
    }
    #expect(!right().contains("no sound"), "in its tile")
    story.send(.key(.enter))
    story.wait(1)
    Self.deliver(0..<10, to: &story)
    story.wait(0.1)
    #expect(right().contains("0:00 of 1:00 · no sound"), "\(right())")
  }

  @Test func `with reduced motion a film waits for a`() {
    var story = Self.story(motion: .reduced)
    story.wait(2)
    #expect(story.browser.frameDemand == nil)
    story.send(.key(.enter))
    story.wait(1)
    #expect(story.browser.frameDemand == nil)
    story.keys("a")
    #expect(story.browser.frameDemand?.frameIndex == 0)
    Self.deliver(0..<10, to: &story)
    story.wait(0.09)
    #expect(Self.frame(in: story) == 2)
  }

  @Test func `a slideshow shows a film to its end`() {
    var story = Self.story()
    story.keys("3s")
    story.wait(0.5)
    for photo in 1..<4 {
      story.send(.prepared(Photo.ID(photo), isShown: true))
    }
    Self.deliver(0..<1500, to: &story)
    story.send(.prepared(Photo.ID(2), isShown: true))
    story.wait(30)
    #expect(story.browser.current == Self.film)
    story.wait(31)
    #expect(story.browser.current != Self.film)
  }

  // MARK: - Timing

  @Test(
    arguments: [
      (60.0, 25.0, 25.0, 1500), (1, 59.94, 29.97, 30), (2, 120, 30, 60), (0.01, 24, 24, 1),
      (10, 0.2, 0.2, 2),
    ] as [(Double, Double, Double, Int)])
  func `a film is shown at a rate that screens keep up with`(
    length: Double, rate: Double, shown: Double, count: Int
  ) {
    let timing = FilmTiming(length: length, frameRate: rate)
    #expect(timing.rate == shown)
    #expect(timing.frameCount == count)
    for index in 0..<min(timing.frameCount, 100) {
      #expect(timing.frameIndex(at: timing.seconds(at: index)) == index)
    }
    #expect(timing.frameIndex(at: -1) == 0)
    #expect(timing.frameIndex(at: 1e9) == timing.frameCount - 1)
  }

  @Test func `the line stands for every frame, from its first column to its last`() throws {
    for columns in [20, 40, 101, 300] {
      let scale = try #require(FilmScale(Self.timing, columns: columns))
      for frame in [0, 700, 1499] {
        let (time, played, rest) = scale.parts(at: frame)
        #expect(CellText(time + played + rest).width == columns)
        #expect(CellText(time).width == scale.track.lowerBound)
      }
      #expect(scale.parts(at: 0).played == "●" && scale.parts(at: 1499).rest == " 1:00 ")
      #expect(scale.frameIndex(atColumn: 0) == 0)
      #expect(scale.frameIndex(atColumn: Double(columns)) == 1499)
      for column in scale.track {
        let played = scale.parts(at: scale.frameIndex(atColumn: Double(column))).played
        #expect(abs(CellText(played).width - 1 - (column - scale.track.lowerBound)) <= 1)
      }
    }
    #expect(FilmScale(Self.timing, columns: 19) == nil)
    #expect(FilmScale(FilmTiming(length: nil, frameRate: 25), columns: 100) == nil)
  }
}
