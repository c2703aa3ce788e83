import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import SceneModel

/// Random events among sections.
extension SectionStoryTests {
  @Test(arguments: seeds(1...40))
  func `random events keep the sections consistent`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = story(
      (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Int.random(in: 0...20, using: &random)
      },
      columns: 80, rows: 24, motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    for step in 0..<200 {
      let event: Event
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        story.keys(["gd", "gm", "gy", "gf", "gn", "gs"].randomElement(using: &random) ?? "gm")
        event = .tick
      case 1: event = .key(.character(Bool.random(using: &random) ? "{" : "}"))
      case 2:
        let photo = Int.random(in: 0..<200, using: &random)
        event = .filesRead([learned(photo, month: Int.random(in: 0..<30, using: &random))])
      default:
        event = BrowserInvariantTests.event(&random, photos: story.browser.items.count)
      }
      story.send(event)
      if let complaint = BrowserInvariantTests.complaint(about: story) ?? complaint(about: story) {
        Issue.record("seed \(seed), step \(step): \(complaint) after \(event)")
        return
      }
      story.now = story.now.advanced(bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    story.wait(30)
    #expect(!story.browser.isAnimating(at: story.now), "seed \(seed): never comes to rest")
  }

  private func complaint(about story: Story) -> String? {
    let collection = story.browser.collection
    let sections = collection.sections
    if collection.grouping == .none || collection.items.isEmpty {
      return sections.isEmpty && story.browser.grid.layout.sectioned == nil
        ? nil : "sections of nothing"
    }
    guard sections.itemCount == collection.items.count else { return "an item without a section" }
    guard story.browser.grid.layout.sectioned?.sectionCount == sections.count else {
      return "a layout of other sections"
    }
    if collection.album.order != collection.grouping.order(replacing: collection.album.order) {
      return "sections in another order"
    }
    let scene = story.scene
    if scene.tileCount > scene.placements.count { return "captions over nothing" }
    let headings = story.headings
    if zip(headings, headings.dropFirst()).contains(where: {
      $0.frame.minY != $1.frame.minY || $0.frame.maxX > $1.frame.minX
    }) {
      return "headings at the top that are not beside each other"
    }
    return nil
  }
}
