import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

/// What each command applies to: a range, else the marked photos, else the current tile, which stands
/// for its stack; and which commands differ.
@Suite struct CommandScopeTests {
  init() { UTF8Locale.use() }

  /// The photos that a command applies to.
  enum Scope {
    /// None: it concerns the view, or the program.
    case none
    /// The one rule: the photos of a range, else the marked ones, else those of the current tile.
    case chosen
    /// The photo that the current tile shows, alone.
    case current
    /// The same, or the selected folder.
    case item
    /// The tiles of a range, else the marked photos, else the current one.
    case picked
    /// The photos of a range, else those of the current tile: it makes the marks.
    case marking
    /// The photos of a range, which it ends.
    case range
    case all, marked, unmarked
    /// The marked photos, unless there is a range or an open photo to leave first.
    case left
    /// The photos of a range, else the marked ones, else the current one and the next.
    case compared
  }

  /// A new command does not compile without its scope.
  static func scope(of command: Command) -> Scope {
    switch command {
    case .app(let command):
      switch command {
      case .quitAndPrint: .item
      case .choose: .picked
      case .quit, .interrupt, .suspend, .redraw, .reload, .toggleHelp, .showPalette, .toggleBar,
        .openFolder, .showBookmarks, .toggleBookmark, .toggleSlowMotion, .changeSpeed, .fullMotion,
        .reducedMotion, .noMotion, .toggleInformation,
        .startSlideshow, .togglePlaying, .stepFrame, .stepFrameBack:
        .none
      }
    case .navigation(let command): command == .stepOut ? .left : .none
    case .grid, .viewer: .none
    case .album(let command):
      switch command {
      case .shell: .chosen
      case .mark, .markOn: .marking
      case .range: .range
      case .markAll: .unmarked
      case .invertMarks: .all
      case .unmarkAll: .marked
      case .find, .findNext, .findPrevious, .filter, .filterStars, .sort, .shuffle, .group,
        .markSection, .goToDate, .showMarked, .toggleStacks, .foldStack, .stackFace:
        .none
      }
    case .culling(let command):
      switch command {
      case .rate, .keywords, .text: .chosen
      case .toggleMode: .none
      }
    case .comparison(let command):
      switch command {
      case .start: .compared
      case .focusNext, .focusPrevious, .focus, .remove, .pin, .zoomAlone, .panAlone: .none
      }
    case .files(let command):
      switch command {
      case .trash, .rename, .move, .copy, .turn: .chosen
      case .copyPath, .copyPicture, .open: .current
      case .undo, .redo: .none
      }
    }
  }

  // MARK: - Situations

  /// What is selected in a grid of a folder, the photos 0 to 9 and among them two stacks, 2 to 5 and 7
  /// to 8.
  enum Situation: CaseIterable {
    case current, range, marks, rangeAndMarks, stack, rangeOverStack, folder, folderAndMarks
    case rangeToFolder, open
  }

  private static let folder = Photo.ID(100)

  static func expected(_ scope: Scope, _ situation: Situation) -> [Int] {
    let range: [Int]? =
      switch situation {
      case .range, .rangeAndMarks: [0, 1]
      case .rangeOverStack: [1, 2, 3, 4, 5]
      case .rangeToFolder: [0]
      default: nil
      }
    let marks =
      switch situation {
      case .marks, .rangeAndMarks, .folderAndMarks, .open: [6, 9]
      default: [Int]()
      }
    let item =
      switch situation {
      case .current, .marks, .open: 0
      case .range, .rangeAndMarks: 1
      case .stack, .rangeOverStack: 2
      case .folder, .folderAndMarks, .rangeToFolder: folder.index
      }
    let current = item == folder.index ? [] : [item]
    let tile = item == 2 ? [2, 3, 4, 5] : current
    switch scope {
    case .none: return []
    case .chosen: return situation == .open ? [0] : range ?? (marks.isEmpty ? tile : marks)
    case .current: return current
    case .item: return [item]
    case .picked:
      // Over a folder it enters that.
      if let range { return situation == .rangeOverStack ? [1, 2] : range }
      return current.isEmpty ? [] : marks.isEmpty ? current : marks
    case .marking: return range ?? tile
    case .range: return range ?? []
    case .all: return Array(0..<10)
    case .marked: return marks
    case .left: return range == nil && situation != .open ? marks : []
    case .unmarked: return (0..<10).filter { !marks.contains($0) }
    case .compared:
      if let range { return range.count < 2 ? [] : situation == .rangeOverStack ? [1, 2] : range }
      return !marks.isEmpty ? marks : item == 0 ? [0, 1] : item == 2 ? [2, 6] : []
    }
  }

  private func story(_ situation: Situation) -> Story {
    var story = Story(photos: 0, motion: .none)
    story.browser.gallery.collection.listingNotes = nil
    let folder = NameBatch(
      first: Self.folder, folder: Array("r/".utf8), names: nameBlock(["a/"]))
    story.send(.named(folder))
    let names = (0..<10).map { Array("\($0).jpg".utf8) }
    for batch in NameBatch.batches(of: names, first: Photo.ID(0)) { story.send(.named(batch)) }
    story.send(.found([Self.folder] + (0..<10).map { Photo.ID($0) }))
    story.send(.listed(ListingNotes()))
    let seconds = [0, 10, 20, 21, 22, 23, 30, 40, 41, 50]
    story.send(
      .filesRead(seconds.enumerated().map { (Photo.ID($0), StackTests.facts($1)) }))
    story.keys("zs")
    // What there is to save.
    for number in 0..<10 {
      story.browser.gallery.collection.turn(Photo.ID(number), by: .quarterTurn)
    }
    // The tiles are the folder, 0, 1, the stack of 2, 6, the stack of 7, and 9.
    switch situation {
    case .current: story.keys("ggl")
    case .range: story.keys("gglvl")
    case .marks: story.keys("ggllllmGmggl")
    case .rangeAndMarks: story.keys("ggllllmGmgglvl")
    case .stack: story.keys("gglll")
    case .rangeOverStack: story.keys("ggllvl")
    case .folder: story.keys("gg")
    case .folderAndMarks: story.keys("ggllllmGmgg")
    case .rangeToFolder: story.keys("gglvh")
    case .open:
      story.keys("ggllllmGmggl")
      story.press(.enter)
    }
    story.effects = []
    return story
  }

  // MARK: - What is done

  /// Runs a command, and answers what it asks, and returns the photos that it concerns.
  private func concerned(_ command: Command, _ situation: Situation) -> [Int] {
    var story = story(situation)
    let marks = story.marked
    story.browser.effects = []
    story.browser.route(KeyReader.Reading(command: command, count: nil), at: story.now)
    story.effects = story.browser.effects
    switch story.browser.modal {
    case .prompt(let prompt)
    where [.move, .copy, .keywords, .text(.title), .text(.caption), .command].contains(
      prompt.kind):
      story.keys("x")
      // A folder that is to be created needs a second Enter.
      story.press(.enter, .enter)
    case .confirmation: story.press(.enter)
    default: break
    }
    var photos = Set(story.marked).symmetricDifference(marks)
    photos.formUnion(story.effects.flatMap(Self.photos).map(\.index))
    if case .comparison(.start) = command {
      photos.formUnion(story.browser.comparison?.panes.map(\.photo.index) ?? [])
    }
    return photos.sorted()
  }

  private static func photos(_ effect: Effect) -> [Photo.ID] {
    switch effect {
    case .file(let tasks): tasks.flatMap(\.photos)
    case .annotate(let tasks): tasks.map(\.photo)
    case .run(let command): command.photos
    case .choose(let photos), .requestNames(let photos), .dragOut(let photos, _): photos
    case .quitPrinting(let photo), .requestName(let photo), .copyPath(let photo, _),
      .copyPicture(let photo), .open(let photo):
      [photo]
    case .quit, .interrupt, .suspend, .readRatings, .findFolders, .rememberFolder, .saveFilter,
      .openFolder, .bookmark, .redraw, .reload, .enter, .goUp, .identify:
      []
    }
  }

  @Test(arguments: Situation.allCases)
  func `every command applies to what its scope says`(situation: Situation) {
    for command in KeyMap.commands {
      let scope = Self.scope(of: command)
      let concerned = concerned(command, situation)
      #expect(
        concerned == Self.expected(scope, situation), "\(command.name) is for \(scope)")
    }
  }

  // MARK: - Renaming a range

  @Test func `r renames the photos of a range by a pattern, and ends the range`() {
    var story = Story(names: (0..<6).map { "photo \($0).jpg" })
    story.keys("lvllr")
    let photos = (1...3).map { Photo.ID($0) }
    #expect(story.effects.last == .requestNames(photos))
    story.send(
      .namesReceived(
        photos.map { RenamedFile($0, folder: [], name: Array("photo \($0.index).jpg".utf8)) }))
    story.press(.control("u"))
    story.keys("n{n:2}{ext}")
    story.press(.enter)
    let renamings = (1...3).map { Renaming(Photo.ID($0), to: Array("n0\($0).jpg".utf8)) }
    #expect(story.effects.last == .file([.rename(renamings)]))
    #expect(story.browser.gallery.range == nil)
  }

  @Test func `r asks for the name of a range of one photo`() {
    var story = Story(names: (0..<6).map { "photo \($0).jpg" })
    story.keys("lvr")
    #expect(story.effects.last == .requestName(Photo.ID(1)))
  }
}
