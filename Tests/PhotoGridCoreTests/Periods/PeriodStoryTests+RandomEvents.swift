import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Random events among months and years.
extension PeriodStoryTests {
  @Test(arguments: seeds(1...60))
  func `whatever happens among months and years, the state is consistent`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let counts = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      Int.random(in: 0...9, using: &random)
    }
    var world = PeriodStory(
      counts, undated: Int.random(in: 0...3, using: &random),
      isRead: Bool.random(using: &random), columns: 80, rows: 24,
      motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    var periodSteps = 0
    for step in 0..<250 {
      let event = Self.event(&random, photos: world.story.browser.items.count)
      for event in event { world.story.send(event) }
      if world.periods != nil { periodSteps += 1 }
      if let complaint = BrowserInvariantTests.complaint(about: world.story)
        ?? Self.complaint(about: world)
      {
        Issue.record("seed \(seed), step \(step): \(complaint) after \(event)")
        return
      }
      world.story.now = world.story.now.advanced(
        bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    world.story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    world.story.wait(30)
    #expect(!world.story.browser.isAnimating(at: world.story.now), "seed \(seed)")
    if let due = world.story.browser.nextChange { #expect(due > world.story.now, "seed \(seed)") }
    #expect(periodSteps > 0, "seed \(seed)")
  }

  private static func event(_ random: inout SeededGenerator, photos: Int) -> [Event] {
    func keys(_ text: String) -> [Event] { text.map { .key(.character($0)) } }
    let point = PixelPoint(
      x: Double.random(in: 0...800, using: &random), y: Double.random(in: 0...480, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return keys("zo")
    case 2:
      return keys(
        ["-", "+", "gm", "gn", ",d", "gt2021-3\r", "fp1\r", "9-"].randomElement(using: &random)
          ?? "-")
    case 3: return [.key([.enter, .escape, .backspace].randomElement(using: &random) ?? .enter)]
    case 4:
      let wheel: MouseEvent.Wheel = Bool.random(using: &random) ? .up : .down
      return [.mouse(MouseEvent(.wheel(wheel), at: point, modifiers: .control))]
    case 5:
      return [
        .mouse(MouseEvent(.pressed(.left), at: point)),
        .mouse(MouseEvent(.released(.left), at: point)),
      ]
    case 6:
      let date = CalendarDate(
        year: Int.random(in: 2018...2024, using: &random),
        month: Int.random(in: 1...12, using: &random), day: 3)
      let taken = Bool.random(using: &random) ? date.iso8601 + "T10:00:00" : nil
      let photo = Photo.ID(Int.random(in: 0..<max(photos, 1), using: &random))
      return [.filesRead([(photo, PhotoInfo.made(4, 3, taken: taken))])]
    default: return [BrowserInvariantTests.event(&random, photos: photos)]
    }
  }

  private static func complaint(about world: PeriodStory) -> String? {
    let browser = world.story.browser
    guard let grid = world.periods else {
      return browser.album.needsDates ? "dates are read for nothing" : nil
    }
    guard browser.viewer == nil, browser.current == nil else { return "a photo among months" }
    let periods = grid.periods
    if grid.updateDue == nil {
      let count = grid.items.compactMap { periods[$0]?.count }.reduce(0, +)
      if count != browser.album.shown.count { return "\(count) photos in months" }
    }
    for item in grid.items {
      guard let period = periods[item], period.count > 0 else { return "a month of nothing" }
      if period.samples.count != period.sampleCount { return "too few photos on a tile" }
      if Set(period.samples).count != period.samples.count { return "a photo twice" }
    }
    if !grid.items.isEmpty, grid.selected == nil { return "no month is selected" }
    let limit = grid.grid.scrollLimit(in: browser.viewport)
    if grid.grid.scroll.target < 0 || grid.grid.scroll.target > limit {
      return "scrolled to \(grid.grid.scroll.target) of \(limit)"
    }
    return nil
  }
}
