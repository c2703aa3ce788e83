import Foundation
import SceneModel
import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

/// A row of the manual: a task of an evening with photos, its keys here, and the number of keys and clicks
/// that it takes in another program.
private struct CommonTask {
  /// The row without its keys: "Rename a photo: 3 keys; yazi 3".
  let text: String
  /// The keys divided by spaces; names and words that are typed stand in quotes.
  let keys: String

  static let all: [CommonTask] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Assets/MANUAL.md")
    let manual = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return manual.matches(of: /\| `(.+)` \| (.+: \d+ keys?; \w+ \d+) \|/).map {
      CommonTask(text: String($0.2), keys: String($0.1))
    }
  }()

  /// The number of keys that the row says, and that in the other program.
  var counts: [Int] { text.matches(of: /: (\d+)|(\d+)$/).compactMap { Int($0.1 ?? $0.2 ?? "") } }

  /// The keys, one after the other.
  var strokes: [Key] {
    keys.split(separator: " ").flatMap { word -> [Key] in
      switch word {
      case "Enter": [.enter]
      case "Esc": [.escape]
      case "Space": [.character(" ")]
      case "F2": [.function(2)]
      default: word.filter { $0 != "'" }.map { .character($0) }
      }
    }
  }
}

/// The keys of the commonest tasks, which the manual counts.
@Suite struct CommonTaskTests {
  private static let names = ["img 0.jpg", "rome 1.jpg"] + (2..<20).map { "img \($0).jpg" }

  /// A story in which the keys of a task were typed.
  private func story(_ task: String, ratings: [Int: Int] = [:]) throws -> Story {
    var story = Story(names: Self.names)
    story.send(
      .ratingsUpdated(
        Self.names.indices.map { RatingUpdate(Photo.ID($0), Rating(stars: ratings[$0] ?? 0)) }))
    for key in try #require(CommonTask.all.first { $0.text.hasPrefix(task) }).strokes {
      story.send(.key(key))
      // The program answers at once.
      for case .requestName(let photo) in story.effects {
        story.send(.nameReceived(photo, Array(Self.names[photo.index].utf8)))
      }
      for case .findFolders(let text) in story.effects {
        story.send(.foldersFound(FolderMatches(text: text, names: [], isFolder: true)))
      }
      story.effects.removeAll {
        switch $0 {
        case .requestName, .findFolders: true
        default: false
        }
      }
      story.wait(1)
    }
    return story
  }

  private func tasks(_ story: Story) -> [FileOperation] {
    story.effects.flatMap { effect -> [FileOperation] in
      if case .file(let tasks) = effect { tasks } else { [] }
    }
  }

  @Test func `none takes more keys than in another program`() {
    #expect(CommonTask.all.count == 10)
    for task in CommonTask.all {
      #expect(task.counts.first == task.strokes.count && task.counts.count == 2, "\(task.text)")
      #expect(task.strokes.count <= task.counts[1], "\(task.text)")
    }
    #expect(CommonTask.all.map(\.strokes.count) == [2, 2, 11, 3, 6, 1, 9, 3, 2, 2])
  }

  @Test func `a photo is opened, and closed again`() throws {
    let task = try #require(CommonTask.all.first)
    var story = Story(names: Self.names)
    story.send(.key(task.strokes[0]))
    story.wait(1)
    #expect(story.browser.viewer != nil)
    #expect(try self.story("Open").browser.viewer == nil)
  }

  @Test func `photos are compared at the same place`() throws {
    var story = Story(photos: 9)
    story.press(.enter)
    story.wait(1)
    for key in try #require(CommonTask.all.first { $0.text.hasPrefix("View") }).strokes {
      story.send(.key(key))
      story.wait(1)
    }
    #expect(story.current == 1 && story.seen.width < 4000)
    #expect(try self.story("Compare").browser.comparison?.panes.map(\.photo.index) == [0, 1])
  }

  @Test func `photos are rated, found and filtered`() throws {
    let rated = try story("Rate")
    #expect(
      (0..<11).map { rated.browser.album.rating(of: Photo.ID($0))?.stars }
        == [1, 2, 3, 4, 5, 0, -1, 3, 4, 5, 0])
    #expect(try story("Show only photos with", ratings: [3: 4, 5: 5, 6: 3]).shown == [3, 5])
    #expect(try story("Show only photos that match").shown == [1])
  }

  @Test func `files are moved, renamed, trashed and named`() throws {
    let moved = tasks(try story("Move three"))
    #expect(moved.map(\.photos) == [[Photo.ID(0)], [Photo.ID(1)], [Photo.ID(2)]])
    #expect(moved.first?.kind == .move)
    #expect(moved.first?.destination?.folder == Array("best".utf8))
    let renaming = Renaming(Photo.ID(0), to: Array("img 0a.jpg".utf8))
    #expect(tasks(try story("Rename")).first == .rename([renaming]))
    #expect(tasks(try story("Move a photo to the trash")).first == .trash([Photo.ID(0)]))
    #expect(try story("Copy").effects.contains(.copyPath(Photo.ID(0))))
  }
}
