import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import SceneModel

/// Motion of a zoom, from moment to moment.
extension ZoomStoryTests {
  // MARK: Motion

  @Test func `the point under the pointer stays there at every moment of a zoom`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)

    for (pointer, notches) in [
      (PixelPoint(x: 700, y: 200), 5), (PixelPoint(x: 300, y: 450), 3),
      (PixelPoint(x: 301, y: 449), -2),
    ] {
      let point = story.photoPoint(at: pointer)
      for _ in 0..<abs(notches) {
        story.mouse(.wheel(notches > 0 ? .up : .down), pointer.x, pointer.y)
        for _ in 0..<5 {
          let now = story.photoPoint(at: pointer)
          #expect(now.distance(to: point) < 1e-6, "\(now) instead of \(point)")
          story.now = story.now.advanced(bySeconds: 0.013)
        }
      }
    }
    #expect(story.browser.percentage == 283)
  }

  @Test func `the wheel during a zoom keeps the point that is under the pointer`() {
    var story = Self.opened()
    story.keys("zzz")
    story.wait(0.1)
    let pointer = PixelPoint(x: 520, y: 290)
    let point = story.photoPoint(at: pointer)

    story.mouse(.wheel(.up), pointer.x, pointer.y)

    for _ in 0..<10 {
      #expect(story.photoPoint(at: pointer).distance(to: point) < 1e-6)
      story.now = story.now.advanced(bySeconds: 0.013)
    }
  }

  @Test func `any key during a zoom continues without a jump`() throws {
    let keys: [Key] = "0zwf+-=>lJ".map { .character($0) } + [.escape, .enter]
    for key in keys {
      var story = Self.opened()
      story.keys("f")
      story.wait(0.5)
      story.keys("z")
      story.wait(0.17)
      let before = try #require(story.browser.currentPose(at: story.now)).frame

      story.send(.key(key))

      let after = try #require(story.browser.currentPose(at: story.now)).frame
      #expect(abs(after.minX - before.minX) < 1e-6, "\(key)")
      #expect(abs(after.maxY - before.maxY) < 1e-6, "\(key)")
    }
  }

  @Test func `a zoom enlarges by nearly equal factors in equal times`() throws {
    var story = Self.opened()
    story.keys("30+")
    var sizes: [Double] = []

    for _ in 0..<11 {
      sizes.append(try #require(story.browser.currentPose(at: story.now)).frame.width)
      story.now = story.now.advanced(bySeconds: 0.0075)
    }

    // From 800 to 128,000 the fastest tenth of a second multiplies by little more than the mean.
    let factors = zip(sizes.dropFirst(), sizes).map { $0 / $1 }
    #expect(factors.allSatisfy { $0 > 1 && $0 < 1.8 }, "\(factors)")
  }

  @Test func `with reduced motion or without motion a zoom is immediate`() {
    for motion in [MotionSetting.reduced, .none] {
      var story = Self.opened(motion: motion)
      story.keys("z")
      #expect(story.browser.viewer?.phase == .resting)
      #expect(story.sees(PixelRect(x: 1500, y: 1200, width: 1000, height: 600)))
      story.mouse(.wheel(.up), 500, 300)
      story.keys("l")
      #expect(story.browser.viewer?.phase == .resting)
      story.keys(">")
      #expect(!story.browser.isAnimating(at: story.now))
    }
  }

  @Test func `a resize during a zoom redirects it to its new target`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.1)

    story.send(.resized(CellSize(columns: 50, rows: 16), .standard))
    story.wait(0.5)

    #expect(story.sees(PixelRect(x: 1750, y: 1350, width: 500, height: 300)))
  }
}
