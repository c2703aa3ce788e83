import Foundation
import Geometry
import PhotoGridCore
import Photos
import SceneModel
import SceneRendering

/// The frames of an animation; each scene is created when it is drawn, so its creation is measured
/// too.
struct AnimationFrames {
  var title: String
  /// The scene at rest before the animation.
  var before: () -> Scene
  var moving: [() -> Scene]
  /// The scene at rest after the animation.
  var after: () -> Scene
  /// Returns the content of a placement.
  var content: (Placement) -> TileContent
}

extension AnimationFrames {
  /// Returns the frames of an animation of a third of a second that an event starts.
  init(
    title: String, from still: Browser, by moving: Browser, at start: Instant,
    content: @escaping (Placement) -> TileContent
  ) {
    self.init(
      title: title,
      before: { still.scene(at: start) },
      moving: (1...FrameBenchmark.steps).map { step in
        {
          let share = Double(step) / Double(FrameBenchmark.steps + 1)
          return moving.scene(at: start.advanced(bySeconds: 0.35 * share))
        }
      },
      after: { moving.scene(at: start.advanced(bySeconds: 1)) },
      content: content)
  }
}

/// All tiles of a screen flying from one layout to the next, or from one folder into another, as
/// the browser moves them.
enum LayoutChange {
  /// Returns the changes between the layouts, on a terminal of the given size.
  static func all(size: CellSize) -> [AnimationFrames] {
    let pictures = (0..<12).map {
      Mipmap(SyntheticPhoto.bitmap(width: 320, height: 240, seed: UInt64($0) + 2))
    }
    let changes = [
      ("grid to mosaic", 0), ("mosaic to bento", 1), ("bento to rows", 2), ("rows to grid", 3),
    ]
    return changes.map { frames($0, tabs: $1, size: size, pictures) }
  }

  /// Returns the change into a folder with as many folders as photos, when more is on the screen
  /// than at any other time.
  static func intoFolder(size: CellSize) -> AnimationFrames {
    let pictures = (0..<12).map {
      Mipmap(SyntheticPhoto.bitmap(width: 320, height: 240, seed: UInt64($0) + 2))
    }
    var browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: size.columns, rows: size.rows + 1),
      metrics: .standard)
    let start = Instant(seconds: 1)
    func photos(_ range: Range<Int>) -> [Photo.ID] { range.map { Photo.ID($0) } }
    let names = Array(repeatElement(Array("folder/".utf8) + [0], count: 30).joined())
    _ = browser.handle(.named(NameBatch(first: Photo.ID(0), folder: [], names: names)), at: start)
    _ = browser.handle(.found(photos(0..<60)), at: start)
    for folder in 0..<30 {
      let samples = photos(100 + 4 * folder..<104 + 4 * folder)
      _ = browser.handle(
        .folderPreviewed(Photo.ID(folder), FolderPreview(samples: samples)), at: start)
    }
    for photo in photos(30..<400) {
      _ = browser.handle(.measured(photo, PixelSize(width: 4000, height: 3000)), at: start)
    }
    let still = browser
    let move = FolderMove(from: [1], to: [2], .into(Photo.ID(0)), photos: photos(300..<400))
    _ = browser.handle(.moved(move), at: start)
    let moving = browser
    return AnimationFrames(
      title: "into a folder", from: still, by: moving, at: start,
      content: { .picture(pictures[max($0.photo.index, 0) % pictures.count]) })
  }

  private static func frames(
    _ title: String, tabs: Int, size: CellSize, _ pictures: [Mipmap]
  ) -> AnimationFrames {
    // One more row for the bar.
    var browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: size.columns, rows: size.rows + 1),
      metrics: .standard)
    let photos = (0..<1000).map { Photo.ID($0) }
    var now = Instant(seconds: 1)
    _ = browser.handle(.found(photos), at: now)
    _ = browser.handle(.listed(ListingNotes()), at: now)
    for photo in photos {
      _ = browser.handle(.measured(photo, PixelSize(width: 4000, height: 3000)), at: now)
    }
    for _ in 0..<tabs {
      _ = browser.handle(.key(.tab), at: now)
      now = now.advanced(bySeconds: 1)
      _ = browser.handle(.tick, at: now)
    }
    let (still, start) = (browser, now)
    _ = browser.handle(.key(.tab), at: start)
    let changing = browser
    return AnimationFrames(
      title: "change of layout: \(title)", from: still, by: changing, at: start,
      content: { .picture(pictures[$0.photo.index % pictures.count]) })
  }
}

extension Event {
  /// A picture of a photo was decoded, which says how large the photo is.
  static func measured(_ photo: Photo.ID, _ size: PixelSize) -> Event {
    let info = PhotoInfo(
      size: size, orientation: 1, format: .jpeg, stamp: FileStamp(byteCount: 1, modified: 0),
      taken: nil)
    return .filesRead([photo], InfoBlock([info]))
  }
}
