@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

/// Random events among folders.
extension FolderStoryTests {
  @Test(arguments: [LayoutStyle.Kind.grid, .mosaic, .bento, .rows], seeds(1...12))
  func `random events among folders keep the state consistent`(
    kind: LayoutStyle.Kind, seed: Int
  ) {
    var random = FolderEvents(seed: UInt64(seed))
    var world = FolderStory(
      columns: [80, 20, 200][seed % 3], rows: [25, 9, 50][seed % 3],
      motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    world.remembers = seed % 2 == 0
    while world.browser.grid.style.kind != kind { world.press(.tab) }
    var trace: [String] = []
    var marks: Set<Int> = []
    for _ in 0..<250 {
      let step = random.step(in: world)
      trace.append("\(step)")
      let place = world.place
      switch step {
      case .event(let event): world.send(event)
      case .list: world.list()
      }
      if let complaint = BrowserInvariantTests.complaint(about: world.story)
        ?? complaint(about: world)
      {
        Issue.record("seed \(seed): \(complaint) after \(trace.suffix(4))")
        return
      }
      let now = Set(world.story.marked)
      if place != world.place, now != marks {
        Issue.record("seed \(seed): marks were lost on the way after \(trace.suffix(4))")
        return
      }
      marks = now
      world.story.now = world.story.now.advanced(bySeconds: random.pause())
    }
    world.story.wait(30)
    #expect(!world.browser.isAnimating(at: world.story.now), "seed \(seed): never comes to rest")
  }

  private func complaint(about world: FolderStory) -> String? {
    let browser = world.browser
    let folders = browser.items.prefix(browser.folderCount)
    if folders.contains(where: { $0.index < 100 })
      || browser.album.shown.contains(where: { $0.index >= 100 })
    {
      return "folders are not before the photos"
    }
    if browser.album.marks.photos.contains(where: { $0.index >= 100 }) { return "a marked folder" }
    if let viewer = browser.viewer, browser.album.isFolder(viewer.photo) {
      return "a folder is out"
    }
    if browser.periods == nil, !browser.items.isEmpty,
      (browser.current == nil) == (browser.currentFolder == nil)
    {
      return "neither a photo nor a folder is selected, or both"
    }
    if browser.demands.contains(where: { $0.photo.index >= 100 }) {
      return "a picture of a folder is wanted"
    }
    if browser.gallery.folders.transition != nil, browser.options.motion == .none {
      return "motion"
    }
    return nil
  }
}
