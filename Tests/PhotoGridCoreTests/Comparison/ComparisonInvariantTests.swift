import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Random events while photos are compared.
@Suite(.traced) struct ComparisonInvariantTests {
  @Test(arguments: seeds(1...40))
  func `random events keep the panes on the screen, apart, and of photos that exist`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = Story(
      photos: 30, motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    for number in 0..<30 where number % 7 != 3 {
      let size = PixelSize(
        width: Double(Int.random(in: 1...9000, using: &random)),
        height: Double(Int.random(in: 1...9000, using: &random)))
      story.send(.measured(Photo.ID(number), size))
    }
    var trace: [String] = []
    for _ in 0..<250 {
      if story.browser.comparison == nil, Int.random(in: 0..<3, using: &random) > 0 {
        Self.open(&story, &random)
      }
      let event = Self.event(&random, isDown: story.browser.isPointerDown)
      trace.append("\(event)")
      let before = Self.frames(in: story)
      let (panes, wasComparing) = (story.panes.map(\.photo), story.browser.isComparing)
      story.send(event)
      if let complaint = Self.complaint(about: story) {
        Issue.record("seed \(seed): \(complaint) after \(trace.suffix(4))")
        return
      }
      // Photos that stay go on from where they are.
      if case .key = event, story.browser.options.motion.travels, wasComparing,
        story.browser.comparison != nil, panes.contains(where: { before[$0] != nil })
      {
        let after = Self.frames(in: story)
        let isStep = story.panes.map(\.photo) != panes
        for (photo, frame) in before where !isStep {
          guard let now = after[photo], !frame.isClose(to: now, within: 20) else { continue }
          Issue.record("seed \(seed): \(photo) jumped after \(trace.suffix(4))")
          return
        }
      }
      story.now = story.now.advanced(bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    story.wait(30)
    #expect(!story.browser.isAnimating(at: story.now), "seed \(seed): never comes to rest")
    Self.checkHome(&story, seed: seed)
  }

  /// Ends the comparison, and checks that all photos are in their tiles.
  private static func checkHome(_ story: inout Story, seed: Int) {
    for _ in 0..<6 where story.browser.keyView != .grid || story.browser.prompt != nil {
      story.send(.key(.escape))
      story.wait(2)
    }
    #expect(story.browser.comparison == nil, "seed \(seed)")
    for placement in story.scene.placements {
      guard let index = story.browser.collection.index(of: placement.photo) else { continue }
      #expect(
        placement.frame.isClose(to: story.browser.restingTileFrame(of: index), within: 0.01),
        "seed \(seed): \(placement.photo) is not in its tile")
    }
  }

  /// Marks some photos and compares them.
  private static func open(_ story: inout Story, _ random: inout SeededGenerator) {
    guard story.browser.keyView == .grid, story.browser.prompt == nil else { return }
    story.keys("U")
    for _ in 0..<Int.random(in: 0...9, using: &random) {
      story.send(.jumped(to: Int.random(in: 0..<30, using: &random)))
      story.keys("m")
    }
    story.keys("=")
  }

  private static func frames(in story: Story) -> [Photo.ID: PixelRect] {
    Dictionary(
      story.panes.map { ($0.photo, $0.window.value(at: story.now).frame) }
    ) { first, _ in first }
  }

  private static func complaint(about story: Story) -> String? {
    let browser = story.browser
    if let complaint = BrowserInvariantTests.complaint(about: story) { return complaint }
    guard let comparison = browser.comparison else { return nil }
    let photos = comparison.panes.map(\.photo)
    if Set(photos).count != photos.count { return "a photo twice in \(photos)" }
    if !photos.allSatisfy({ browser.collection.index(of: $0) != nil }) {
      return "a photo that does not exist"
    }
    if photos.isEmpty || photos.count > 9 { return "\(photos.count) panes" }
    guard browser.isComparing else { return nil }
    // Its percentage is of a pane that may have no size.
    _ = browser.bar(story.facts, at: story.now)
    if !photos.contains(comparison.focused) { return "a focus on nothing" }
    if let pinned = comparison.pinned, !photos.contains(pinned) { return "a pin on nothing" }
    if browser.current != comparison.focused { return "commands for another photo" }
    return complaintAboutPanes(of: comparison, in: story)
  }

  private static func complaintAboutPanes(
    of comparison: Comparison, in story: Story
  ) -> String? {
    let area = story.browser.viewport.pictureArea
    let panes = comparison.panes
    // A terminal with no room for nine panes has them beyond its edge.
    let isRoomy = area.width >= 200 && area.height >= 200
    for (index, pane) in panes.enumerated() {
      if isRoomy, !pane.frame.isInside(area) { return "a pane at \(pane.frame)" }
      for other in panes[..<index] where other.frame.intersects(pane.frame) {
        return "panes at \(other.frame) and \(pane.frame)"
      }
      guard !comparison.isAnimating(at: story.now), isRoomy else { continue }
      guard let shown = story.shown(pane.photo) else { return "\(pane.photo) is not seen" }
      if !shown.frame.isInside(pane.frame) { return "\(shown.frame) outside \(pane.frame)" }
    }
    let demanded = Set(story.browser.demands.lazy.filter { $0.proximity == .visible }.map(\.photo))
    if !demanded.isSuperset(of: panes.map(\.photo)) { return "a pane without a demand" }
    return nil
  }

  private static func event(_ random: inout SeededGenerator, isDown: Bool) -> Event {
    let point = PixelPoint(
      x: Double.random(in: -20...1020, using: &random),
      y: Double.random(in: -20...640, using: &random))
    let modifiers: MouseEvent.Modifiers = Bool.random(using: &random) ? .shift : []
    if isDown {
      let isRelease = Int.random(in: 0..<4, using: &random) == 0
      return .mouse(
        MouseEvent(isRelease ? .released(.left) : .dragged(.left), at: point, modifiers: modifiers))
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<65:
      let keys: [Key] =
        "nnppPPxhjklHJKLzZ+-0wf=m<>|2".map { .character($0) } + [
          .escape, .tab, .tab, .backTab, .up, .down, .left, .right, .enter,
        ]
      return .key(keys.randomElement(using: &random) ?? .enter)
    case 65..<75:
      let wheel: MouseEvent.Wheel = Bool.random(using: &random) ? .up : .down
      return .mouse(MouseEvent(.wheel(wheel), at: point, modifiers: modifiers))
    case 75..<85: return .mouse(MouseEvent(.pressed(.left), at: point, modifiers: modifiers))
    case 85..<89:
      // One in four has no room for a pane.
      let isTiny = Int.random(in: 0..<4, using: &random) == 0
      let cells = CellSize(
        columns: Int.random(in: isTiny ? 1...4 : 1...250, using: &random),
        rows: Int.random(in: isTiny ? 1...3 : 2...80, using: &random))
      return .resized(cells, .standard)
    case 89..<93:
      let known = (0..<30).map { Photo.ID($0) }.shuffled(using: &random)
      return .listingReplaced(Array(known.prefix(Int.random(in: 20...30, using: &random))))
    case 93..<96:
      let side = Double(Int.random(in: 1...9000, using: &random))
      return .measured(
        Photo.ID(Int.random(in: 0..<30, using: &random)), PixelSize(width: side, height: 3000))
    default: return .tick
    }
  }
}
