@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

extension TaskStory {
  /// Opens the selected photo.
  private static let open: @Sendable (inout Evening) -> Void = { $0.press(.enter) }

  /// Returns what selects a photo.
  static func select(_ number: Int) -> @Sendable (inout Evening) -> Void {
    { $0.story.send(.jumped(to: number)) }
  }

  static let look = [
    TaskStory("Open a photo and go back", "Enter Esc", "nsxiv 2") {
      $0.hasOpened && $0.browser.viewer == nil
    },
    TaskStory(
      "View a photo at 100%, then the next one at the same spot", "z n", "Lightroom 2", from: open
    ) { $0.story.current == 1 && $0.story.seen.width < 4000 },
    TaskStory("Go to the 20th photo", "20 G", "nsxiv 3") { $0.story.current == 19 },
    TaskStory(
      "Go to the photos of July 2019", "zo G Click", "Lightroom 4",
      target: { $0.browser.periods?.restingFrame(at: 18).center ?? .zero }
    ) { $0.browser.periods == nil && $0.story.current == 18 },
    TaskStory("See the camera, the exposure, and the place of a photo", "i", "Lightroom 1") {
      $0.browser.statusBar.showsInformation && $0.browser.inspectedPhoto == Photo.ID(0)
    },
    TaskStory("Play a video", "Enter", "yazi 1", from: select(6)) {
      $0.browser.viewer != nil && $0.browser.frameDemand != nil
    },
    TaskStory("Play a video in slow motion", "Enter A", nil, from: select(6)) {
      $0.browser.viewer != nil && $0.browser.gallery.playback?.speed.rawValue == 0.5
    },
    TaskStory("Play a live photo", "a", nil, from: select(8)) {
      $0.story.current == 8 && $0.browser.frameDemand != nil
    },
    TaskStory("Start a slideshow", "s", "nsxiv 1") { $0.browser.slideshow != nil },
    TaskStory("Make the tiles larger", "+", "nsxiv 1") { $0.story.tile(0).width > 200 },
    TaskStory("Switch to another layout", "Tab", nil) { $0.browser.grid.style.kind == .mosaic },
    TaskStory("Show the largest files first", ",S", "yazi 2") {
      $0.browser.album.order == SortOrder(by: .size, isReversed: true)
    },
    TaskStory("Group the photos by month", "gm", nil) {
      $0.browser.collection.grouping == .month
    },
    TaskStory("Fold bursts into stacks", "zs", "Lightroom 4") {
      $0.browser.album.hasStacks && $0.story.shown.count == 28
    },
  ]

  static let find = [
    TaskStory("Show only photos that match a word", "f 'rome'", "yazi 5") {
      $0.story.shown == [1]
    },
    TaskStory("Show only screenshots", "f 'screen'", "yazi 7") { $0.story.shown == [2] },
    TaskStory("Show only photos of one camera", "f 'r5'", "Lightroom 3") {
      $0.story.shown == [3]
    },
    TaskStory("Show only raw files", "f 'raw' Tab", "yazi 8") { $0.story.shown == [4, 5] },
    TaskStory("Show only videos longer than a minute", "f 'length:>1m'", nil) {
      $0.story.shown == [6]
    },
    TaskStory("Show only photos with four stars or more", ";; 4", "Lightroom 3") {
      $0.story.shown == [3, 8]
    },
    TaskStory(
      "Apply a saved filter", "h Enter", "Lightroom 2",
      from: { evening in
        let filter = NamedFilter(name: "fam", filter: "rome", order: .listed, grouping: .none)
        evening.story.browser.gallery.options.namedFilters = [filter]
        evening.story.send(.filtersFound([FilterTile(Evening.saved, filter)]))
        evening.story.wait(1)
      }
    ) { $0.story.shown == [1] },
    TaskStory("Go to an earlier folder by its name", ": 'rome' Enter", "yazi 6") {
      $0.effects.contains(.openFolder("~/Photos/Rome"))
    },
    TaskStory("Open a folder in this one by its name", "gc 'raw' Enter", "yazi 6") {
      $0.effects.contains(.openFolder("raw"))
    },
  ]
}
