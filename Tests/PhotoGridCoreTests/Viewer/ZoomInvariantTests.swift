import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Random keys and mouse events on zoomed photos.
@Suite(.traced) struct ZoomInvariantTests {
  @Test(arguments: seeds(1...60))
  func `random zooms and movements keep the photo within its limits`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = Story(
      photos: 3, motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    for number in 0..<3 {
      let width = Self.side(&random)
      let size = PixelSize(width: width, height: Self.side(&random))
      story.send(.measured(Photo.ID(number), size))
    }
    story.send(.key(.enter))
    var trace: [String] = []

    for _ in 0..<200 {
      let event = Self.event(&random, isDown: story.browser.isPointerDown)
      trace.append(Self.words(event))
      let before = story.frame
      let wasOut = story.browser.viewerIndex
      story.send(event)
      if let complaint = Self.complaint(about: story) {
        Issue.record("seed \(seed): \(complaint) after \(trace.suffix(4))")
        return
      }
      // Nothing jumps, except a photo that follows the pointer or the screen, or another photo.
      if let before, let after = story.frame, story.browser.viewerIndex == wasOut,
        story.browser.options.motion.travels, !story.browser.isPointerDown
      {
        let jump = max(abs(after.minX - before.minX), abs(after.maxY - before.maxY))
        if jump > 6, !Self.mayMove(event) {
          Issue.record("seed \(seed): jumped by \(jump) after \(trace.suffix(4))")
          return
        }
      }
      story.now = story.now.advanced(bySeconds: Double.random(in: 0...0.2, using: &random))
      if Int.random(in: 0..<4, using: &random) == 0, !story.browser.isPointerDown {
        story.waitUntilStill(atMost: 60)
        if let complaint = Self.complaintAtRest(about: story) {
          Issue.record("seed \(seed): \(complaint) after \(trace.suffix(4))")
          return
        }
      }
    }
  }

  /// A random side of a photo; small sides are as likely as large ones.
  private static func side(_ random: inout SeededGenerator) -> Double {
    let greatest = 1 << Int.random(in: 1...15, using: &random)
    return Double(Int.random(in: 1...greatest, using: &random))
  }

  private static func words(_ event: Event) -> String {
    switch event {
    case .key(let key): "\(key)"
    case .mouse(let mouse): "\(mouse.kind) at \(mouse.position.x), \(mouse.position.y)"
    case .resized(let cells, _): "\(cells.columns)x\(cells.rows)"
    default: "\(event)"
    }
  }

  private static func mayMove(_ event: Event) -> Bool {
    switch event {
    case .resized: true
    case .mouse(let mouse): mouse.kind == .released(.left)
    default: false
    }
  }

  /// A violation of what must hold at every moment; nil if there is none.
  private static func complaint(about story: Story) -> String? {
    let browser = story.browser
    guard let viewer = browser.viewer, let stage = browser.viewerIndex.flatMap(browser.stage(of:))
    else {
      return nil
    }
    let factor = stage.factor(of: viewer.view.scale)
    if !(factor <= max(32, stage.factor(of: .fill)) && factor >= min(1, stage.fit)) {
      return "a scale of \(factor)"
    }
    let area = browser.viewport.pictureArea
    if let placement = story.out, placement.frame.intersects(area) {
      let crop = placement.crop
      if crop.minX < -1e-9 || crop.minY < -1e-9 || crop.maxX > 1 + 1e-9 || crop.maxY > 1 + 1e-9 {
        return "a crop of \(crop)"
      }
      if placement.frame.width > max(area.width, 1) + 1e-6
        || placement.frame.height > max(area.height, 1) + 1e-6
      {
        return "a frame of \(placement.frame)"
      }
    }
    return complaintAboutDemands(of: browser, viewer, stage)
  }

  private static func complaintAboutDemands(
    of browser: Browser, _ viewer: Viewer, _ stage: Magnification.PhotoInArea
  ) -> String? {
    guard let demand = browser.closeUpDemand else { return nil }
    if demand.size.width > 8192 || demand.size.height > 8192, demand.region == nil {
      return "a demand for \(demand.size)"
    }
    guard let part = demand.region else { return nil }
    let orientation = browser.orientation(of: demand.photo)
    let sides = (Int(stage.photo.width), Int(stage.photo.height))
    let file = orientation.turned(width: sides.0, height: sides.1)
    for region in [part.needed, part.wanted] where !region.isInside(file.width, file.height) {
      return "a demand for \(region) of \(file)"
    }
    if !part.wanted.satisfies(part.needed) { return "needs \(part.needed), wants \(part.wanted)" }
    // Everything that will be visible is needed, at the resolution of the samples or finer.
    let frame = viewer.view.frame(on: stage)
    let factor = stage.factor(of: viewer.view.scale)
    let turned = part.needed.turned(orientation, in: file).rect
    let area = stage.area
    if max(frame.minX, 0) < frame.minX + turned.minX * factor - 1e-6
      || max(frame.minY, 0) < frame.minY + turned.minY * factor - 1e-6
      || min(frame.maxX, area.maxX) > frame.minX + turned.maxX * factor + 1e-6
      || min(frame.maxY, area.maxY) > frame.minY + turned.maxY * factor + 1e-6
    {
      return "needs \(turned) of a photo at \(frame)"
    }
    let density = factor * browser.viewport.metrics.samplesPerPixel
    if part.needed.reduction > 1, 1 / Double(part.needed.reduction) < density * 0.999 {
      return "a reduction of \(part.needed.reduction) for \(density)"
    }
    return nil
  }

  /// A violation of what must hold when nothing moves and no button is down; nil if there is none.
  private static func complaintAtRest(about story: Story) -> String? {
    guard let viewer = story.browser.viewer, let frame = story.frame else { return nil }
    guard viewer.phase == .resting else { return "never at rest: \(viewer.phase)" }
    let area = story.browser.viewport.pictureArea
    func isPlaced(_ low: Double, _ side: Double, _ room: Double, _ placementStep: Double) -> Bool {
      side > room
        ? low <= 1e-6 && low + side >= room - 1e-6
        : abs(low + side / 2 - room / 2) <= placementStep
    }
    let placementStep = story.browser.viewport.metrics.placementStep
    if !isPlaced(frame.minX, frame.width, area.width, placementStep.width)
      || !isPlaced(frame.minY, frame.height, area.height, placementStep.height)
    {
      return "at rest at \(frame) on \(area)"
    }
    return nil
  }

  private static func event(_ random: inout SeededGenerator, isDown: Bool) -> Event {
    let point = PixelPoint(
      x: Double.random(in: -20...1020, using: &random),
      y: Double.random(in: -20...640, using: &random))
    if isDown {
      return .mouse(
        MouseEvent(
          Int.random(in: 0..<4, using: &random) == 0 ? .released(.left) : .dragged(.left), at: point
        )
      )
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60:
      let keys: [Key] = "++++---z=wf0hjklHJKL<>|_n".map { .character($0) } + [.enter, .escape]
      return .key(keys.randomElement(using: &random) ?? .enter)
    case 60..<80:
      return .mouse(
        MouseEvent(.wheel(Int.random(in: 0..<3, using: &random) > 0 ? .up : .down), at: point))
    case 80..<95: return .mouse(MouseEvent(.pressed(.left), at: point))
    case 95..<98:
      let cells = CellSize(
        columns: Int.random(in: 1...250, using: &random),
        rows: Int.random(in: 2...80, using: &random))
      return .resized(cells, .standard)
    default: return .tick
    }
  }
}

extension PhotoRegion {
  fileprivate func isInside(_ width: Int, _ height: Int) -> Bool {
    isInside(width: width, height: height)
  }
}

extension Story {
  /// The frame of the whole open photo.
  fileprivate var frame: PixelRect? { browser.currentPose(at: now)?.frame }
}
