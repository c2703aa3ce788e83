import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

@Suite(.traced) struct BrowserInvariantTests {
  @Test(arguments: seeds(1...40))
  func `random events keep the state consistent`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = Story(
      photos: [0, 1, 7, 300][seed % 4], columns: 80, rows: 24,
      motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    var trace: [String] = []

    for _ in 0..<300 {
      let event = Self.event(&random, photos: story.browser.items.count)
      trace.append("\(event) [\(story.browser.viewer.map { "\($0)".prefix(160) } ?? "-")]")
      let before = story.browser.viewer.flatMap { _ in story.out?.frame }
      let wasOut = story.browser.viewerIndex
      let viewport = story.browser.viewport
      story.send(event)
      if let awaited = story.browser.awaitedPictures.first, Bool.random(using: &random) {
        let isShown = Int.random(in: 0..<4, using: &random) > 0
        story.send(.prepared(awaited.photo, isShown: isShown))
      }
      if let complaint = Self.complaint(about: story) {
        Issue.record("seed \(seed): \(complaint) after \(trace.suffix(3))")
        return
      }
      // Otherwise the run loop would never become idle.
      story.send(.tick)
      if let next = story.browser.slideshow?.nextChange(in: story.browser.gallery),
        next <= story.now
      {
        Issue.record("seed \(seed): a slide's time is past after \(trace.suffix(3))")
        return
      }
      if let next = story.browser.nextAnimationFrame, next <= story.now {
        Issue.record("seed \(seed): a frame's time is past after \(trace.suffix(3))")
        return
      }
      // A key continues from the current position.
      if case .key = event, let before, wasOut == story.browser.viewerIndex,
        viewport == story.browser.viewport,
        story.browser.options.motion.travels, let after = story.out?.frame,
        story.browser.isAnimating(at: story.now)
      {
        let jump = abs(before.minX - after.minX) + abs(before.maxY - after.maxY)
        if jump > 20 {
          Issue.record("seed \(seed): jumped by \(jump) after \(trace.suffix(3))")
          return
        }
      }
      story.now = story.now.advanced(bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    story.wait(30)
    #expect(!story.browser.isAnimating(at: story.now), "seed \(seed): never comes to rest")
  }

  static func complaint(about story: Story) -> String? {
    let browser = story.browser
    let scene = story.scene
    let album = browser.album
    if Set(album.shown).count + (album.listing.count - album.shown.count)
      != Set(album.listing).count
      || !Set(album.shown).isSubset(of: album.listing)
    {
      return "a photo is neither shown nor filtered out, or both"
    }
    if album.markedInOrder.count != album.marks.count { return "a mark without a photo" }
    if let finding = browser.collection.search {
      if finding.matches != finding.matches.sorted()
        || !finding.matches.allSatisfy({ browser.items.indices.contains($0) })
      {
        return "matches that are not there"
      }
    }
    if scene.marks.contains(where: { !(0...1).contains($0.opacity) }) { return "a strange mark" }
    if browser.prompt != nil, browser.bar(story.facts, at: story.now).entry == nil {
      return "a prompt that is not seen"
    }
    if browser.items.isEmpty {
      if browser.selection != 0 || browser.viewer != nil { return "a selection of nothing" }
      return nil
    }
    if !browser.items.indices.contains(browser.selection) { return "selection out of range" }
    if let viewer = browser.viewer, !browser.items.contains(viewer.photo) {
      return "the photo that is out does not exist"
    }
    if browser.grid.scroll.target < 0
      || browser.grid.scroll.target > browser.grid.scrollLimit(in: browser.viewport)
    {
      return
        "scrolled to \(browser.grid.scroll.target) of \(browser.grid.scrollLimit(in: browser.viewport))"
    }
    for placement in scene.placements {
      let frame = placement.frame
      if !(frame.width > 0 && frame.height > 0 && frame.minX.isFinite && frame.minY.isFinite) {
        return "a frame of \(frame)"
      }
      if !(0...1).contains(placement.opacity) { return "opacity \(placement.opacity)" }
      let crop = placement.crop
      if crop.minX < -1e-9 || crop.minY < -1e-9 || crop.maxX > 1 + 1e-9 || crop.maxY > 1 + 1e-9 {
        return "a crop of \(crop)"
      }
    }
    let out = browser.viewer?.photo
    // A photo may also be visible on its folder's plate.
    if browser.options.motion.travels, browser.gallery.folders.transition == nil,
      browser.folderCount == 0,
      let out,
      scene.placements.filter({ $0.photo == out }).count != 1,
      // The tile of a released photo appears before the photo has landed in it.
      browser.viewer?.isClosing != true
    {
      return "the photo that is out is seen more or less than once"
    }
    if let show = browser.slideshow {
      guard let viewer = browser.viewer, !viewer.isClosing else {
        return "a slideshow of nothing"
      }
      if viewer.photo != show.photo { return "a slideshow of another photo" }
      if let next = show.nextIndex(in: browser.gallery), browser.items[next] != show.next {
        return "another photo would come next"
      }
      if show.next == show.photo { return "a photo that comes after itself" }
      if browser.inspectedPhoto != nil { return "a panel over a slideshow" }
    }
    if let fade = browser.viewer?.crossFade, fade.next != out { return "a fade to another photo" }
    let played = browser.screens.playedPhoto(in: browser.gallery)?.index.map {
      browser.items[$0]
    }
    if let playback = browser.gallery.playback, playback.photo != played {
      return "a photo plays that is not looked at"
    }
    if browser.demands.contains(where: { $0.size.width < 1 || $0.size.height < 1 }) {
      return "a demand for nothing"
    }
    if movesMissingTile(browser.grid, of: browser.gallery.tiles.count) {
      return "a missing tile moves"
    }
    if let periods = browser.periods, movesMissingTile(periods.grid, of: periods.items.count) {
      return "the missing tile of a period moves"
    }
    // The bar, the title and the panels must fit any room, in any state.
    _ = (browser.bar(story.facts, at: story.now), browser.title(story.facts), browser.panel)
    if browser.keyHints(at: story.now)?.panel.lines.isEmpty == true { return "a panel of no keys" }
    return nil
  }

  private static func movesMissingTile(_ grid: Grid, of count: Int) -> Bool {
    grid.rearrangement.movingItems.values.contains { $0 >= count }
  }

  static func event(_ random: inout SeededGenerator, photos: Int) -> Event {
    let point = PixelPoint(
      x: Double.random(in: -20...820, using: &random),
      y: Double.random(in: -20...500, using: &random))
    func photo() -> Photo.ID { Photo.ID(Int.random(in: 0..<max(photos, 1), using: &random)) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40:
      let keys: [Key] =
        "hjklgG[]qQnNp?bAtcf019 +-zdxa./,,mvUF!:iisss  ".map { .character($0) } + [
          .enter, .enter, .escape, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end,
          .control("f"), .control("d"), .control("l"), .control("z"), .tab, .backspace,
          .control("a"), .control("r"), .control("u"),
        ]
      return .key(keys.randomElement(using: &random) ?? .enter)
    case 40..<55: return .mouse(MouseEvent(.pressed(.left), at: point))
    case 55..<70: return .mouse(MouseEvent(.dragged(.left), at: point))
    case 70..<80: return .mouse(MouseEvent(.released(.left), at: point))
    case 80:
      let button = Bool.random(using: &random) ? MouseEvent.Button.right : .left
      let modifiers: MouseEvent.Modifiers = Bool.random(using: &random) ? .control : .alt
      return .mouse(MouseEvent(.pressed(button), at: point, modifiers: modifiers))
    case 81: return .mouse(MouseEvent(.dragged(.right), at: point))
    case 82: return .mouse(MouseEvent(.released(.right), at: point))
    case 83..<86:
      return .mouse(MouseEvent(.wheel(Bool.random(using: &random) ? .up : .down), at: point))
    case 86..<88: return .mouse(MouseEvent(.moved, at: point))
    case 88..<92:
      let cells = CellSize(
        columns: Int.random(in: 0...250, using: &random),
        rows: Int.random(in: 0...80, using: &random))
      return .resized(cells, .standard)
    case 92: return .focusLost
    case 93: return .focusGained
    case 94:
      // Other photos in another order, half of them already known.
      let known = (0..<2 * photos + 3).map { Photo.ID($0) }.shuffled(using: &random)
      return .listingReplaced(
        Array(known.prefix(Int.random(in: 0...known.count / 2, using: &random))))
    case 95:
      return .measured(
        photo(),
        PixelSize(
          width: Double.random(in: 0...9000, using: &random),
          height: Double.random(in: 0...9000, using: &random)),
        frames: Int.random(in: 0...3, using: &random))
    case 97:
      guard Bool.random(using: &random) else {
        return .drawn(isWhole: Bool.random(using: &random))
      }
      let facts = PhotoInfo.made(
        Double(Int.random(in: 1...3, using: &random)), 2,
        bytes: Int.random(in: 1...9, using: &random), taken: "2024-05-01T00:00:00")
      let photo = photo()
      let number = Int.random(in: 0..<3, using: &random)
      if number == 0 { return .filesChanged([photo]) }
      return .filesRead([(photo, number == 1 ? nil : facts)])
    case 98:
      guard Bool.random(using: &random) else {
        return .named(NameBatch(first: photo(), folder: [], names: nameBlock(["f1", "x9 0"])))
      }
      return .framesUpdated(
        photo(),
        DecodedFrames(
          frameCount: Int.random(in: 1...4, using: &random),
          loopCount: Bool.random(using: &random) ? nil : 2,
          durations: [Int.random(in: 0...1, using: &random): 0.05, 2: 0.02]))
    case 99:
      return .pasted(
        ["type:png", "-f", "marked", "date:", "size:>5"].randomElement(using: &random) ?? "")
    case 96: return .jumped(to: Int.random(in: -5...400, using: &random))
    default: return .tick
    }
  }
}
