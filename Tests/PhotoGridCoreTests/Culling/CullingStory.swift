import TestSupport

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// A story with files, whose ratings are written when `write()` is called.
struct CullingStory {
  var story: Story
  /// The ratings in the files, by the numbers of photos.
  var disk: [Int: Rating] = [:]
  /// Photos whose sidecars cannot be parsed.
  var broken: Set<Int> = []
  /// Why sidecars are written rather than photos.
  var sidecarReason: String?
  /// The changes that are not written yet.
  var open: [AnnotationTask] = []

  init(photos: Int, ratings: [Int: Rating] = [:], motion: MotionSetting = .none) {
    story = Story(photos: photos, motion: motion)
    disk = ratings
    read((0..<photos).map { Photo.ID($0) })
  }

  var browser: Browser { story.browser }

  mutating func keys(_ text: String) {
    story.keys(text)
    collect()
  }

  mutating func press(_ key: Key) {
    story.send(.key(key))
    collect()
  }

  mutating func read(_ photos: [Photo.ID]) {
    story.send(.ratingsUpdated(photos.map { RatingUpdate($0, disk[$0.index] ?? .none) }))
  }

  private mutating func collect() {
    for effect in story.effects {
      switch effect {
      case .annotate(let tasks): open += tasks
      case .readRatings(let photos): read(photos)
      case .file(let tasks):
        // There is nothing to undo.
        story.send(
          .fileOperationsFinished(
            tasks.map { $0.performed(.found(nil), name: []) }))
      default: break
      }
    }
    story.effects = []
  }

  /// Writes what is to be written.
  mutating func write() {
    let results = open.map { task in
      let number = task.photo.index
      let before = disk[number] ?? .none
      if !broken.contains(number) { disk[number] = task.edit.applied(to: before) }
      return AnnotationResult(
        task, before: before, failure: broken.contains(number) ? "its sidecar is broken" : nil,
        sidecarReason: sidecarReason, name: Array("\(number).jpg".utf8))
    }
    open = []
    story.send(.annotationsWritten(results))
    collect()
  }

  func stars(_ number: Int) -> Int? { browser.album.rating(of: Photo.ID(number))?.stars }
  var shown: [Int] { browser.album.shown.map(\.index) }
  var bar: Bar {
    browser.bar(
      Bar.Facts(source: "", name: "", info: nil, failure: nil, loading: 0), at: story.now)
  }
}
