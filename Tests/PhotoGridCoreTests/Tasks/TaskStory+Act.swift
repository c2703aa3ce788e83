@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

extension TaskStory {
  /// Returns what marks photos.
  private static func mark(_ numbers: ClosedRange<Int>) -> @Sendable (inout Evening) -> Void {
    { evening in
      select(numbers.lowerBound)(&evening)
      for _ in numbers { evening.press(.character(" ")) }
    }
  }

  private static func photos(_ numbers: ClosedRange<Int>) -> [Photo.ID] {
    numbers.map { Photo.ID($0) }
  }

  static let choose = [
    TaskStory("Mark ten photos in a row", "v 9 l v", "nsxiv 4") {
      $0.story.marked == Array(0..<10)
    },
    TaskStory("Compare a photo with the next one", "=", "Lightroom 1") {
      $0.browser.comparison?.panes.map(\.photo.index) == [0, 1]
    },
    TaskStory("Compare a photo with its near duplicates", "ga =", nil, from: select(20)) {
      $0.browser.comparison?.panes.map(\.photo.index) == [20, 21]
    },
    TaskStory(
      "Choose a photo for another program", "Enter", "yazi 1",
      from: { evening in
        evening.story.browser.gallery.options.keys.bindChooseKey()
      }
    ) { $0.effects.contains(.choose([Photo.ID(0)])) },
    TaskStory("Rate twenty photos", "C 1 2 3 4 5 0 1 2 3 4 5 0 1 2 3 4 5 0 1 2", "Lightroom 21") {
      evening in
      (0..<20).allSatisfy { evening.browser.album.rating(of: Photo.ID($0))?.stars == ($0 + 1) % 6 }
    },
    TaskStory(
      "Give marked photos a keyword", "Ctrl-k 'sea' Enter", "Lightroom 5", from: mark(0...2)
    ) {
      evening in
      photos(0...2).allSatisfy { evening.browser.album.words(of: $0)?.keywords == ["sea"] }
    },
  ]

  static let act = [
    TaskStory("Rotate ten marked photos in their files", "> W", "Lightroom 2", from: mark(10...19))
    {
      $0.operations == photos(10...19).map { .turn([$0], by: .quarterTurn) }
    },
    TaskStory("Move three photos to a folder", "Space Space Space M 'best' Enter", "yazi 11") {
      evening in
      evening.operations.map(\.photos) == photos(0...2).map { [$0] }
        && evening.operations.allSatisfy {
          $0.kind == .move && $0.destination?.folder == Array("best".utf8)
        }
    },
    TaskStory("Copy a photo to a new folder", "yc 'new/' Enter", "yazi 9") { evening in
      evening.operations.map(\.kind) == [.copy]
        && evening.operations[0].destination?.folder == Array("new/".utf8)
    },
    TaskStory("Rename a photo", "F2 'a' Enter", "yazi 3") {
      $0.operations == [.rename([Renaming(Photo.ID(0), to: Array("img 0a.jpg".utf8))])]
    },
    TaskStory("Rename marked photos by their dates", "r Enter", "Lightroom 2", from: mark(0...2)) {
      $0.operations.first?.photos == photos(0...2)
        && $0.operations.first?.steps.last?.target == Array("2018-03-14_003.png".utf8)
    },
    TaskStory("Move five photos to the trash", "5 d", "Lightroom 3") {
      $0.operations.flatMap(\.photos) == photos(0...4)
    },
    TaskStory("Move a photo to the trash and get it back", "d u", "Lightroom 3") {
      $0.operations.map(\.kind) == [.trash, .trash] && $0.operations.last?.isUndo == true
    },
    TaskStory("Copy the path of a photo", "yy", "yazi 2") {
      $0.effects.contains(.copyPath(Photo.ID(0)))
    },
    TaskStory("Copy a picture to the clipboard", "yi", nil) {
      $0.effects.contains(.copyPicture(Photo.ID(0)))
    },
    TaskStory("Open a photo in another program", "o", "yazi 1") {
      $0.effects.contains(.open(Photo.ID(0)))
    },
    TaskStory("Run a command on a photo", "! 'feh' Enter", "yazi 8") { evening in
      evening.effects.contains { if case .run = $0 { true } else { false } }
    },
  ]
}
