import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

@Suite(.traced) struct BrowserStoryTests {
  @Test func `counts and movement keys select what vim users expect`() {
    var story = Story(photos: 100)
    #expect(story.tile(4).minY == story.tile(0).minY && story.tile(5).minY > story.tile(0).minY)

    let steps: [(String, Int)] = [
      ("l", 1), ("3l", 4), ("j", 9), ("2j", 19), ("k", 14), ("h", 13), ("]", 23), ("[", 13),
      ("G", 99), ("j", 99), ("gg", 0), ("k", 0), ("42G", 41), ("7gg", 6), ("h", 5), ("h", 4),
      ("l", 5), ("99l", 99), ("5h", 94), ("j", 99), ("999h", 0),
    ]
    for (keys, selection) in steps {
      story.keys(keys)
      #expect(story.browser.selection == selection, "after \(keys)")
      #expect(story.scene.ring != nil)
      story.wait(0.2)
      let ring = story.scene.ring?.tile ?? .unit
      #expect(ring.minY >= 0 && ring.maxY <= 600, "after \(keys) the selection is in sight")
    }
  }

  @Test func `the wheel scrolls a row, and the selection moves only to stay in sight`() {
    var story = Story(photos: 100)
    let pitch = story.browser.grid.layout.scrollStep

    story.mouse(.wheel(.down), 10, 10)
    story.wait(0.2)
    #expect(abs(story.browser.grid.scroll.target - pitch) <= 10)
    #expect(story.browser.selection == 5)

    story.keys("jj")
    let held = story.browser.selection
    story.mouse(.wheel(.down), 10, 10)
    #expect(story.browser.selection == held)
  }

  @Test func `without motion photos open, close and scroll at once`() {
    var story = Story(photos: 20, motion: .none)

    story.send(.key(.enter))
    #expect(story.browser.viewer?.phase == .resting)
    story.keys("50G")
    #expect(!story.browser.isAnimating(at: story.now))
    story.send(.key(.escape))
    #expect(story.browser.viewer == nil)
  }

  @Test func `a folder without photos shows a panel that says so`() {
    let story = Story(photos: 0)

    #expect(story.browser.panel?.title == "No photos here")
    #expect(story.scene.placements.isEmpty)
  }

  @Test(arguments: [80, 40, 20])
  func `the panel of an empty folder shows all its words`(columns: Int) {
    let words = Story(photos: 0, columns: 200).browser.panel?.lines.joined(separator: " ")
    let lines = Story(photos: 0, columns: columns).browser.panel?.lines
    #expect(lines?.joined(separator: " ") == words)
    #expect(lines?.allSatisfy { $0.count <= columns - 4 } == true)
  }

  @Test func `until the listing arrives, placeholder tiles fill the screen`() {
    let browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 100, rows: 31), metrics: .standard)

    let scene = browser.scene(at: Instant(seconds: 0))

    #expect(scene.placements.count == 20)
    #expect(scene.placements.allSatisfy { $0.photo == .unlisted })
  }

  @Test func `visible photos are requested first, starting at the selection`() {
    var story = Story(photos: 1000)
    story.keys("500G")
    let wanted = story.browser.demands

    #expect(wanted.first?.photo == Photo.ID(499))
    #expect(wanted.count < 60)
    story.keys("gg")
    #expect(!story.browser.demands.contains { $0.photo == Photo.ID(499) })
  }

  @Test func `rows out of sight are requested after the visible ones, in scroll direction first`() {
    var story = Story(photos: 1000)
    story.keys("500G")
    func nearby() -> [Int] {
      story.browser.demands.filter { $0.proximity == .nearby }.map(\.photo.index)
    }

    let seen = story.browser.demands.prefix { $0.proximity == .visible }.map(\.photo.index)
    #expect(story.browser.demands.count == seen.count + nearby().count)
    #expect(nearby().first == (seen.max() ?? 0) + 1)
    story.keys("kk")
    story.wait(1)
    let above =
      story.browser.demands.filter { $0.proximity == .visible }.map(\.photo.index).min() ?? 0
    #expect(nearby().first == above - 1)

    story.send(.key(.enter))
    story.wait(1)
    let demands = story.browser.demands
    let selected = story.browser.selection
    #expect(
      demands.filter { $0.proximity == .neighbor }.map(\.photo.index) == [
        selected + 1, selected - 1,
      ])
    #expect(demands[0].proximity == .visible && demands[0].photo.index == selected)
  }

  @Test(arguments: [0, 12])
  func `the pictures on the screen fit into the memory together`(frameBytesPerPixel: Int) {
    var story = Story(photos: 20, columns: 400, rows: 100)
    var metrics = CellMetrics.standard
    metrics.frameBytesPerPixel = frameBytesPerPixel
    story.send(.resized(CellSize(columns: 400, rows: 100), metrics))
    let memory = 64 << 20
    story.browser.gallery.options.pictureMemory = memory
    let pictures = memory * 7 / 8 - frameBytesPerPixel * 4000 * 1980
    // In bytes, with the smaller levels of the mipmaps.
    func visible(_ demands: [Demand]) -> Double {
      demands.filter { $0.proximity == .visible }.reduce(0) {
        let (across, down) = ($1.size.width / 4000, $1.size.height / 3000)
        let scale = min($1.mode == .fill ? max(across, down) : min(across, down), 1)
        return $0 + 4000 * 3000 * scale * scale * 16 / 3
      }
    }
    for _ in 0..<15 {
      #expect(visible(story.browser.demands) <= Double(max(pictures, memory / 2)) * 1.01)
      story.keys("+")
      story.wait(1)
    }
    #expect(story.browser.grid.layout.frame(at: 0).width > 1900)

    story.send(.key(.enter))
    story.wait(1)
    #expect(visible(story.browser.demands) <= Double(max(pictures, memory / 2)) * 1.13)
    for _ in 0..<12 {
      story.keys("+")
      story.wait(1)
      let regions = story.browser.demands.compactMap(\.region).map(\.wanted.sampleSize)
      #expect(regions.allSatisfy { $0.width * $0.height <= 6 << 20 })
    }
  }

  @Test func `the distance from the visible photos is measured in display order`() {
    var story = Story(photos: 1000)
    story.keys("500G")
    let seen = story.browser.demands.filter { $0.proximity == .visible }.map(\.photo.index).sorted()
    let distance = story.browser.distanceFromViewport

    #expect(seen.allSatisfy { distance(Photo.ID($0)) == 0 })
    #expect(distance(Photo.ID(0)) == seen[0])
    #expect(distance(Photo.ID(999)) == 999 - (seen.last ?? 0))
    #expect(distance(Photo.ID(5000)) == .max)
    story.send(.listingReplaced((0..<1000).reversed().map { Photo.ID($0) }))
    story.wait(1)
    let turned = story.browser.distanceFromViewport
    let index = story.browser.selection
    #expect(turned(story.browser.items[index]) == 0)
    #expect(turned(Photo.ID(0)) > 0 && turned(Photo.ID(999)) > 0)
    #expect(
      turned(Photo.ID(0)) + turned(Photo.ID(999)) == distance(Photo.ID(0)) + distance(Photo.ID(999))
    )
  }
}
