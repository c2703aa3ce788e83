import Testing

@testable import photogrid

/// Folders above and below, by paths alone.
struct FolderLocationTests {
  private func location(
    _ roots: [String], isOnePhoto: Bool = false, current: String? = "/home/me/pics"
  ) -> FolderLocation {
    FolderLocation(
      roots.map { Array($0.utf8) }, isOnePhoto: isOnePhoto, current: current.map { Array($0.utf8) })
  }

  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The folders above, step by step, and the way back at each.
  private func steps(_ location: FolderLocation) -> [[String]] {
    var location = location
    var steps: [[String]] = []
    while steps.count < 6, let back = location.goUp() {
      steps.append([text(location.folder) ?? "several", text(back) ?? ""])
    }
    return steps
  }

  @Test(arguments: [
    ("a/b", [["a/", "a/b/"], ["", "a/"], ["../", "../pics/"], ["../../", "../../me/"]]),
    ("./a//b/./", [["./a//", "./a//b/"], ["./", "./a/"], ["../", "../pics/"]]),
    ("/x/y.", [["/x/", "/x/y./"], ["/", "/x/"]]),
    ("/", []),
    ("../..", [["../../../", "../../../home/"]]),
    ("a/..", [["a/../../", ""], ["a/../../../", ""]]),
  ])
  func `going up leads to the folder above, even above the start`(
    start: String, expected: [[String]]
  ) {
    let all = steps(location([start]))
    #expect(all.starts(with: expected), "\(all)")
    if start.hasPrefix("/") { #expect(all.count == expected.count) }
  }

  @Test func `going up from the current folder ends at the root, or if its path is unknown`() {
    #expect(steps(location([""])).map { $0[0] } == ["../", "../../", "../../../"])
    #expect(steps(location([""], current: nil)).isEmpty)
    #expect(steps(location([""], current: "/")).isEmpty)
  }

  @Test(arguments: [
    ("", "/home/me/pics/a/b", "a/b/"), ("", "/home/me/pics", ""), ("", "/home/me", "../"),
    ("", "/home/./me//x/../other/", "../other/"), ("", "/", "../../../"),
    ("../", "/mnt", "../../../mnt/"),
    ("/x", "/home/me/pics/a", "/home/me/pics/a/"), ("/x", "/", "/"), ("/x", "/../..", "/"),
  ])
  func `an absolute path is relative among relative ones`(
    start: String, path: String, expected: String
  ) {
    var here = location([start])
    here.go(to: Array(path.utf8))
    #expect(text(here.folder) == expected && here.hasMoved)
  }

  @Test func `going to a path leaves several folders, and going up leads back`() {
    var here = location(["a", "b"])
    here.go(to: Array("/home/me/pics/c".utf8))
    #expect(text(here.folder) == "c/")
    #expect(text(here.goUp()) == "c/" && here.folder == nil)
  }

  @Test func `a folder has one path, however it was reached`() {
    var here = location([""])
    #expect(text(here.goUp()) == "../pics/")
    here.enter(Array("../pics/".utf8))
    #expect(text(here.folder) == "")
    _ = here.goUp()
    _ = here.goUp()
    here.enter(Array("../../me/".utf8))
    #expect(text(here.folder) == "../")
    here.enter(Array("../other/".utf8))
    #expect(text(here.folder) == "../other/")
    here.enter(Array("../other/pics/".utf8))
    #expect(text(here.folder) == "../other/pics/")
    _ = here.goUp()
    #expect(text(here.folder) == "../other/")
  }

  @Test func `going up from a folder among several leads to all of them again, and ends there`() {
    var here = location(["a", "b"])
    let start = here.id
    #expect(here.goUp() == nil && here.roots.count == 2)
    here.enter(Array("b/in/".utf8))
    #expect(here.roots == [Array("b/in/".utf8)] && here.hasMoved)
    here.enter(Array("b/in/deep/".utf8))
    #expect(text(here.goUp()) == "b/in/deep/")
    #expect(text(here.goUp()) == "b/in/")
    #expect(here.id == start && here.roots.count == 2 && here.goUp() == nil)
  }

  @Test func `going up from a single photo leads to its folder`() {
    var here = location(["a/x.jpg"], isOnePhoto: true)
    #expect(text(here.goUp()) == "a/x.jpg" && text(here.folder) == "a/")
    #expect(text(here.goUp()) == "a/" && text(here.folder) == "")
    #expect(location([]).roots.isEmpty)
  }
}
