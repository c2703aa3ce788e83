import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Photos that are dragged to other windows, and files that are dropped.
@Suite(.traced) struct DropStoryTests {
  init() { UTF8Locale.use() }

  private static let names = (0..<12).map { "photo \($0).jpg" }
  private static let shown = Array("/home/ann/Best/".utf8)

  private static func files(_ list: String) -> DroppedFiles {
    guard let files = DroppedFiles(list: Array(list.utf8), host: "here") else {
      preconditionFailure("the list is too long")
    }
    return files
  }

  private static let three = files("file:///x/a.jpg\nfile:///x/b.jpg\nfile:///x/a.xmp")

  // MARK: - Dragging out

  private func pressed(_ story: inout Story, _ tile: Int, then distance: Double) {
    let point = story.tile(tile).center
    story.mouse(.pressed(.left), point.x, point.y)
    story.mouse(.dragged(.left), point.x + distance, point.y)
  }

  @Test(arguments: [true, false])
  func `a photo is dragged out once the press is no click`(isOfferedFirst: Bool) {
    var story = Story(photos: 20)
    pressed(&story, 3, then: 7)
    if isOfferedFirst {
      story.send(.dragOffered)
      #expect(story.effects == [], "it may still be a click")
      pressed(&story, 3, then: 7)
      story.send(.dragOffered)
    }
    let point = story.tile(3).center
    story.mouse(.dragged(.left), point.x + 40, point.y)
    if !isOfferedFirst {
      #expect(story.effects == [], "not every terminal offers it")
      story.send(.dragOffered)
    }
    #expect(story.effects == [.dragOut([Photo.ID(3)], showing: Photo.ID(3))])
    // The terminal goes on reporting the mouse, and may offer another drag.
    story.mouse(.dragged(.left), point.x + 80, point.y)
    story.send(.dragOffered)
    story.mouse(.released(.left), point.x + 80, point.y)
    #expect(story.effects.count == 1 && story.browser.viewer == nil)
    #expect(!story.browser.isPointerDown)
  }

  @Test func `a marked photo takes all marked ones along, and another one goes alone`() {
    var story = Story(photos: 20)
    story.keys("   ")
    pressed(&story, 1, then: 40)
    story.send(.dragOffered)
    story.effects.removeAll { $0 == .redraw }
    #expect(story.effects == [.dragOut((0..<3).map { Photo.ID($0) }, showing: Photo.ID(1))])
    story.effects = []
    pressed(&story, 7, then: 40)
    story.send(.dragOffered)
    #expect(story.effects == [.dragOut([Photo.ID(7)], showing: Photo.ID(7))])
    #expect(story.marked == [0, 1, 2])
  }

  @Test func `an offer is good for one press, and a click stays a click`() {
    var story = Story(photos: 20)
    pressed(&story, 3, then: 7)
    story.send(.dragOffered)
    let point = story.tile(3).center
    story.mouse(.released(.left), point.x + 7, point.y)
    #expect(story.browser.viewerIndex == 3 && story.effects == [])
    story.press(.escape)
    story.wait(2)
    pressed(&story, 5, then: 60)
    #expect(story.effects == [])
  }

  @Test func `an open photo is dismissed by the same drag as ever`() {
    var (story, other) = (Story(photos: 20), Story(photos: 20))
    for isOffered in [true, false] {
      var one = isOffered ? story : other
      one.press(.enter)
      one.wait(1)
      one.mouse(.pressed(.left), 500, 200)
      one.mouse(.dragged(.left), 500, 208)
      if isOffered { one.send(.dragOffered) }
      one.mouse(.dragged(.left), 500, 400)
      if isOffered { one.send(.dragOffered) }
      #expect(one.effects == [])
      if isOffered { story = one } else { other = one }
    }
    #expect(story.out == other.out && story.out != nil)
  }

  @Test func `neither a folder nor the gap is dragged out`() {
    var story = FolderStory().story
    pressed(&story, 0, then: 40)
    story.send(.dragOffered)
    story.mouse(.pressed(.left), 1, 1)
    story.mouse(.dragged(.left), 90, 90)
    story.send(.dragOffered)
    #expect(story.effects == [])
  }

  // MARK: - Dropping

  @Test func `files are copied after a question, and u removes the copies`() {
    var story = Story(names: Self.names)
    story.send(.dropped(Self.three, in: Self.shown, at: PixelPoint(x: 300, y: 300)))
    #expect(story.bar.left == "Copy 3 files into 'Best'? y, Enter: yes · Esc: no")
    #expect(story.effects == [])
    story.keys("y")
    let folder = FileDestination(folder: Array("/home/ann/Best".utf8), isCreated: false)
    #expect(story.effects == [.identify(Self.three.groups, folder)])
    story.effects = []

    let groups = [[Photo.ID(50), Photo.ID(52)], [Photo.ID(51)]]
    story.send(.identified(groups, folder))
    let copies = groups.map { FileOperation.copy($0, to: folder) }
    #expect(story.effects == [.file(copies)])
    func done(_ names: String...) -> [FileStep] {
      names.map { FileStep(from: Array("/x/\($0)".utf8), to: Array("/home/ann/Best/\($0)".utf8)) }
    }
    story.send(
      .fileOperationsFinished([
        copies[0].performed(.done(done("a.jpg", "a.xmp")), name: Array("/x/a.jpg".utf8)),
        copies[1].performed(.done(done("b.jpg")), name: Array("/x/b.jpg".utf8)),
      ]))
    #expect(story.bar.left == "2 photos were copied to '/home/ann/Best'; u removes the copies")
    story.effects = []
    story.keys("u")
    #expect(
      story.effects == [
        .file([
          FileOperation(.copy, groups[0], done("a.jpg", "a.xmp"), isUndo: true),
          FileOperation(.copy, groups[1], done("b.jpg"), isUndo: true),
        ])
      ])
  }

  @Test(arguments: [
    ("file:///x/a.jpg", "Copy 'a.jpg' into 'Best'? y, Enter: yes · Esc: no"),
    (
      "file:///x/a\nfile:///x/b\nfile://there/c\nfile://there/d\nhttp://e",
      "Copy 2 files into 'Best' (not 2 on other computers, nor 1 that is no file)? "
        + "y, Enter: yes · Esc: no"
    ),
    ("file:///x/a%0A%1B%5D2;b%07", "Copy 'a??]2;b?' into 'Best'? y, Enter: yes · Esc: no"),
  ])
  func `the question says how many files it is about, and what is left out`(
    list: String, question: String
  ) {
    var story = Story(names: Self.names, columns: 140)
    story.send(.dropped(Self.files(list), in: Self.shown, at: .zero))
    #expect(story.bar.left == question)
    story.press(.escape)
    #expect(story.effects == [] && story.bar.left == "Nothing was copied")
  }

  @Test func `a folder's tile gets the files that are dropped on it`() {
    var story = FolderStory().story
    story.effects = []
    let tile = story.tile(1).center
    story.send(.dropped(Self.three, in: Array("/r".utf8), at: tile))
    #expect(story.bar.left == "Copy 3 files into 'b'? y, Enter: yes · Esc: no")
    story.press(.enter)
    let folder = FileDestination(folder: Array("/r/b".utf8), isCreated: false)
    #expect(story.effects == [.identify(Self.three.groups, folder)])
    // Beside it, the folder that is shown.
    story.send(.dropped(Self.three, in: Array("/".utf8), at: story.tile(4).center))
    #expect(story.bar.left == "Copy 3 files into the root folder? y, Enter: yes · Esc: no")
  }

  @Test func `what cannot be copied is said without a question`() {
    var story = Story(names: Self.names)
    story.send(.dropped(Self.files("file://there/c"), in: Self.shown, at: .zero))
    #expect(story.bar.left == "Nothing was copied: not 1 on other computers")
    story.send(.dropped(Self.files(""), in: Self.shown, at: .zero))
    #expect(story.bar.left == "Nothing was copied")
    story.browser.gallery.options.isReadOnly = true
    story.send(.dropped(Self.three, in: Self.shown, at: .zero))
    #expect(story.bar.left == "--read-only turns off copying")
    #expect(story.browser.modal == nil && story.effects == [])
  }

  @Test(arguments: ["   d", "/", "?", ":"])
  func `a drop takes no line or question away from whoever answers it`(keys: String) {
    var story = Story(names: Self.names)
    story.keys(keys)
    let before = story.browser.modal
    #expect(before != nil)
    story.send(.dropped(Self.three, in: Self.shown, at: .zero))
    #expect(story.browser.modal == before)
    story.effects = []
    story.press(.escape)
    #expect(story.effects == [])
  }

  @Test func `a second drop does not change what the first question is about`() {
    var story = Story(names: Self.names)
    story.send(.dropped(Self.three, in: Self.shown, at: .zero))
    story.send(.dropped(Self.files("file:///other"), in: Self.shown, at: .zero))
    story.keys("y")
    guard case .identify(let groups, _)? = story.effects.last else {
      Issue.record("\(story.effects)")
      return
    }
    #expect(groups == Self.three.groups)
  }

  @Test func `pasted text does nothing where nothing is typed`() {
    var story = Story(names: Self.names)
    story.send(.pasted("/x/dd.jpg\ry"))
    #expect(story.effects == [] && story.browser.modal == nil && story.current == 0)
  }
}
