@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport

/// A browser among folders, with a file system that lists them on request.
///
/// The first folder of `r/` is selected. `r/` has the folders `r/a/` and `r/b/` and five photos,
/// `r/a/` has thirty photos and a folder, `r/b/` is empty; the folder above has `r/` itself and a
/// photo.
struct FolderStory {
  var story: Story
  /// The current folder.
  var place = "r/"
  /// Whether folders that were visited before are listed at once.
  var remembers = true
  private var seen: Set<String> = ["r/"]

  static let a = Photo.ID(100)
  static let b = Photo.ID(101)
  static let r = Photo.ID(102)
  static let deep = Photo.ID(103)
  /// The paths of the folders, by ID.
  static let folders = [a: "r/a/", b: "r/b/", r: "r/", deep: "r/a/deep/"]
  static let listings: [String: [Photo.ID]] = [
    "r/": [a, b] + (0..<5).map { Photo.ID($0) },
    "r/a/": [deep] + (10..<40).map { Photo.ID($0) },
    "r/b/": [],
    "r/a/deep/": [Photo.ID(45)],
    "": [r, Photo.ID(50)],
  ]

  init(columns: Int = 80, rows: Int = 25, motion: MotionSetting = .full) {
    story = Story(photos: 0, columns: columns, rows: rows, motion: motion)
    story.browser.gallery.collection.listingNotes = nil
    func name(_ first: Int, _ folder: String, _ names: [String]) {
      send(
        .named(
          NameBatch(first: Photo.ID(first), folder: Array(folder.utf8), names: nameBlock(names))))
    }
    name(0, "r/", (0..<5).map { "\($0).jpg" })
    name(10, "r/a/", (10..<40).map { "\($0).jpg" })
    name(45, "r/a/deep/", ["45.jpg"])
    name(50, "", ["50.jpg"])
    name(100, "r/", ["a/", "b/"])
    name(102, "", ["r/"])
    name(103, "r/a/", ["deep/"])
    for photo in Self.listings.values.joined() where photo.index < 100 {
      send(.measured(photo, PixelSize(width: 4000, height: 3000)))
    }
    send(.found(Self.listings["r/"] ?? []))
    send(.listed(ListingNotes()))
    send(.folderPreviewed(Self.a, FolderPreview(samples: (10..<14).map { Photo.ID($0) })))
    send(.folderPreviewed(Self.b, FolderPreview(samples: [])))
    keys("gg")
    story.effects = []
  }

  /// Sends an event, and performs the changes of folder that follow.
  mutating func send(_ event: Event) {
    story.send(event)
    let effects = story.effects
    story.effects = []
    for effect in effects {
      switch effect {
      case .enter(let folder): move(to: Self.folders[folder] ?? "", .into(folder))
      case .goUp:
        guard !place.isEmpty, let folder = Self.folders.first(where: { $0.value == place })?.key
        else { continue }
        let above = place.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        move(to: above, .outOf(seen.contains(above) ? folder : nil), landing: folder)
      default: break
      }
    }
  }

  private mutating func move(
    to other: String, _ direction: FolderMove.Direction, landing: Photo.ID? = nil
  ) {
    let isKnown = remembers && seen.contains(other)
    let all = Self.listings[other] ?? []
    let from = place
    place = other
    story.send(
      .moved(
        FolderMove(
          from: Array(from.utf8), to: Array(other.utf8), direction, photos: isKnown ? all : [])))
    // Other listings arrive later: see `list()`.
    if isKnown { story.send(.listed(ListingNotes())) }
    if isKnown || seen.insert(other).inserted == false { return }
    self.landing = landing
  }

  private var landing: Photo.ID?

  /// Delivers the listing of the current folder.
  mutating func list() {
    guard story.browser.collection.listingNotes == nil else { return }
    // If part of it has arrived already, the rest is inserted.
    let all = Self.listings[place] ?? []
    let isEmpty = story.browser.album.listing.isEmpty && story.browser.album.folders.isEmpty
    story.send(isEmpty ? .found(all) : .listingReplaced(all))
    if let landing { story.send(.pendingSelectionFound(landing)) }
    landing = nil
    story.send(.listed(ListingNotes()))
  }

  mutating func press(_ keys: Key...) { for key in keys { send(.key(key)) } }

  mutating func keys(_ text: String) { for key in text { send(.key(.character(key))) } }

  var browser: Browser { story.browser }

  /// The frames in which a photo is visible.
  func frames(of number: Int) -> [PixelRect] {
    story.scene.placements.filter { $0.photo == Photo.ID(number) }.map(\.frame)
  }
}
