import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import SceneModel

@Suite(.traced) struct MarkStoryTests {
  private static let names = (0..<12).map { "photo \($0)" }

  @Test func `Space marks and selects the next photo, and m only marks`() {
    var story = Story(names: Self.names)
    story.press(.character(" "))
    #expect(story.marked == [0] && story.current == 1)
    story.keys("m")
    #expect(story.marked == [0, 1] && story.current == 1)
    #expect(story.bar.right.contains("2 marked, this too"))
    story.keys("m3 ")
    #expect(story.marked == [0, 1, 2, 3] && story.current == 4)
    #expect(story.bar.right.contains("4 marked") && !story.bar.right.contains("this one"))
    story.keys("G ")
    #expect(story.marked == [0, 1, 2, 3, 11] && story.current == 11)
    story.keys("5 ")
    #expect(story.marked == [0, 1, 2, 3] && story.current == 11, "at the end it marks once")
  }

  @Test func `Ctrl-a marks all shown photos, Ctrl-r inverts the marks, and U removes them`() {
    var story = Story(names: Self.names)
    story.keys("f1")
    story.press(.enter, .control("a"))
    #expect(story.marked == [1, 10, 11])
    story.keys("m")
    story.press(.control("r"))
    #expect(story.marked == [1], "of those that are shown")
    story.press(.escape, .control("r"))
    #expect(story.marked == [0] + Array(2..<12))
    story.keys("U")
    #expect(story.marked.isEmpty)
  }

  @Test func `a range follows the selection until it is marked or cancelled`() {
    var story = Story(names: Self.names)
    func ringed() -> Set<Corner> {
      Set(story.scene.marks.map { Corner($0.tile) })
    }
    story.keys("lvll")
    #expect(story.bar.right.contains("range of 3") && story.marked.isEmpty)
    #expect(ringed() == [Corner(story.tile(1)), Corner(story.tile(2)), Corner(story.tile(3))])
    #expect(story.scene.ring?.meaning == .selectedAndMarked)
    story.keys("h")
    #expect(story.bar.right.contains("range of 2"))
    story.keys("hh")
    #expect(story.bar.right.contains("range of 2"), "the other way too")
    story.keys("v")
    #expect(story.marked == [0, 1] && !story.bar.right.contains("range"))

    story.keys("Gvg")
    story.keys("g")
    story.press(.escape)
    #expect(story.marked == [0, 1] && !story.bar.right.contains("range"))
    story.press(.escape)
    #expect(story.marked.isEmpty, "marks are the last that Esc leaves")
  }

  @Test func `a range keeps its photos when they are sorted`() {
    var story = Story(names: Self.names)
    story.keys("llvl")
    story.keys(",N")
    #expect(story.bar.right.contains("range of 2"))
    story.keys("m")
    #expect(story.marked.sorted() == [2, 3])
  }

  @Test func `marked tiles have frames beneath the selection's, and their labels have a star`() {
    var story = Story(names: Self.names)
    story.keys(" l ")
    #expect(story.scene.marks.map(\.tile) == [story.tile(0), story.tile(2)])
    #expect(story.scene.marks.allSatisfy { $0.meaning == .marked && $0.opacity == 1 })
    #expect(story.scene.ring?.meaning == .selected && story.scene.ring?.tile == story.tile(3))
    story.keys("h")
    #expect(story.scene.ring?.meaning == .selectedAndMarked)
    #expect(story.scene.marks.map(\.tile) == [story.tile(0), story.tile(2)], "its corners too")

    story.keys("t")
    story.wait(1)
    let labels = story.browser.scene(at: story.now) { "n\($0.index)" }.labels.map(\.text)
    #expect(labels.prefix(4) == ["*n0", "n1", "*n2", "n3"])
  }

  @Test func `F shows only the marked photos, and a photo that is unmarked disappears`() {
    var story = Story(names: Self.names)
    story.keys("F")
    #expect(story.shown.count == 12 && story.bar.left == "Nothing is marked")
    story.keys(" l l ")
    #expect(story.marked == [0, 2, 4])
    story.keys("F")
    #expect(story.shown == [0, 2, 4])
    #expect(story.current == 4, "the nearest to where it was")
    story.keys("gg ")
    #expect(story.shown == [2, 4] && story.current == 2, "the next has come here by itself")
    story.keys("F")
    #expect(story.shown.count == 12)
    story.keys("F  ")
    #expect(story.shown.count == 12 && story.marked.isEmpty, "of none there is nothing to show")
  }

  @Test func `Esc ends the range, the search, the filter and the marks, one after the other`() {
    var story = Story(names: Self.names)
    story.keys(" f1")
    story.press(.enter)
    story.keys("/10")
    story.press(.enter)
    story.keys("v")
    for expected in ["range", "match", "of 12", "marked"] {
      #expect(story.bar.right.contains(expected))
      story.press(.escape)
      #expect(!story.bar.right.contains(expected))
    }
    #expect(story.shown.count == 12 && story.marked.isEmpty)
    story.press(.escape)
    #expect(story.effects.isEmpty)
  }

  @Test func `m marks the open photo, and Esc closes it before it removes marks`() {
    var story = Story(names: Self.names)
    story.keys("l")
    story.press(.enter)
    story.wait(1)
    story.keys("m")
    #expect(story.marked == [1] && story.bar.right.contains("1 marked, this too"))
    story.keys("nm")
    #expect(story.marked == [1, 2])
    story.keys(" ")
    #expect(story.current == 3, "Space is the next photo")
    story.press(.escape)
    story.wait(1)
    #expect(story.browser.viewer == nil && story.marked == [1, 2])
  }

  @Test func `Ctrl-click marks a photo, and Alt-click marks up to it`() {
    var story = Story(names: Self.names)
    func click(_ index: Int, _ modifiers: MouseEvent.Modifiers) {
      let place = story.tile(index).center
      story.mouse(.pressed(.left), place.x, place.y, modifiers)
      story.mouse(.released(.left), place.x, place.y, modifiers)
      story.wait(0.5)
    }
    click(2, .control)
    #expect(story.marked == [2] && story.current == 2 && story.browser.viewer == nil)
    click(5, .alt)
    #expect(story.marked == [2, 3, 4, 5] && story.current == 5)
    click(1, .alt)
    #expect(story.marked == [1, 2, 3, 4, 5] && story.current == 1)
    click(3, .control)
    #expect(story.marked == [1, 2, 4, 5])
  }

  @Test func `the right button paints marks, and erases them if it starts on a marked photo`() {
    var story = Story(names: Self.names)
    let (first, last, below) = (story.tile(0).center, story.tile(3).center, story.tile(7).center)
    story.mouse(.pressed(.right), first.x, first.y)
    #expect(story.marked == [0])
    story.mouse(.dragged(.right), last.x, last.y)
    #expect(story.marked == [0, 1, 2, 3], "the ones between too, however fast")
    story.mouse(.released(.right), last.x, last.y)
    story.mouse(.dragged(.right), below.x, below.y)
    #expect(story.marked == [0, 1, 2, 3], "nothing without the button")

    let second = story.tile(1).center
    story.mouse(.pressed(.right), second.x, second.y)
    story.mouse(.dragged(.right), first.x, first.y)
    story.mouse(.released(.right), first.x, first.y)
    #expect(story.marked == [2, 3])
    #expect(story.browser.viewer == nil && !story.browser.isPointerDown)
  }

  @Test func `a command without photos says that it runs without a name`() {
    var story = Story(names: [])
    story.keys("!")
    #expect(story.bar.right == "runs without file names: no photo is selected")
  }

  @Test func `a command gets the marked photos, or else the selected one`() {
    var story = Story(names: Self.names)
    story.keys("ll!")
    #expect(story.entry == "!|")
    #expect(story.bar.right == "Enter runs it with 1 name; a leading | pipes them")
    story.keys("echo")
    story.press(.enter)
    #expect(story.entry == nil)
    story.keys("mkkhm")
    story.keys("!| wc -l")
    #expect(story.bar.right == "Enter runs it with 2 names on standard input")
    story.press(.enter)
    let commands = story.effects.compactMap { effect in
      if case .run(let command) = effect { command } else { nil }
    }
    #expect(commands.map(\.line) == ["echo \"$@\"", " wc -l"])
    #expect(commands.map { $0.photos.map(\.index) } == [[2], [1, 2]])
    #expect(commands.map(\.input) == [.arguments, .standardInput])
    story.keys("!  ")
    story.press(.enter)
    story.keys("!x")
    story.press(.escape)
    #expect(story.effects.count == 2)
  }

  @Test func `a command gets the photos of an unfinished range, and the range ends`() {
    var story = Story(names: Self.names)
    story.keys(" lvll!")
    #expect(story.bar.right == "Enter runs it with 3 names; a leading | pipes them")
    story.press(.escape)
    #expect(story.bar.right.contains("range of 3"))
    story.keys("!ls")
    story.press(.enter)
    guard case .run(let command)? = story.effects.last else {
      Issue.record("no command")
      return
    }
    #expect(command.photos.map(\.index) == [2, 3, 4])
    #expect(story.marked == [0] && !story.bar.right.contains("range"))
  }

  @Test(arguments: [
    ("ls", "ls \"$@\""), ("ls -l  ", "ls -l \"$@\""), ("gimp &", "gimp  \"$@\" &"),
    ("a && b", "a && b \"$@\""), ("cp \"$@\" /tmp", "cp \"$@\" /tmp"), ("echo $1", "echo $1"),
    ("echo ${1}", "echo ${1}"), ("echo $*", "echo $*"), ("echo $HOME", "echo $HOME \"$@\""),
    ("echo \\$1", "echo \\$1 \"$@\""), ("|xargs -n1", "xargs -n1"), ("  | sort", " sort"),
    ("awk '{print $1}'", "awk '{print $1}' \"$@\""), ("sed 's/$@//' $1", "sed 's/$@//' $1"),
    ("sh -c 'wc \"$1\"' sh", "sh -c 'wc \"$1\"' sh \"$@\""),
    ("echo \"it's $1\"", "echo \"it's $1\""), ("echo '\\' $1", "echo '\\' $1"),
    ("echo \\' $1", "echo \\' $1"), ("echo '$1", "echo '$1 \"$@\""),
  ])
  func `names are appended unless the command says where they go`(typed: String, line: String) {
    #expect(ShellCommand(typed: typed, photos: [])?.line == line)
  }
}

/// The upper left corner of a tile, hashable.
struct Corner: Hashable {
  let x: Double
  let y: Double

  init(_ rect: PixelRect) { (x, y) = (rect.minX, rect.minY) }
}
