import Testing

@testable import photogrid

/// Where up and in lead to, by names alone.
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

  /// What one comes to by going up, step by step, and the way back at each.
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
  func `up leads to the folder above, also beyond the start`(start: String, expected: [[String]]) {
    let all = steps(location([start]))
    #expect(all.starts(with: expected), "\(all)")
    if start.hasPrefix("/") { #expect(all.count == expected.count) }
  }

  @Test func `the way up from the current folder ends at the root, or where nothing is known`() {
    #expect(steps(location([""])).map { $0[0] } == ["../", "../../", "../../../"])
    #expect(steps(location([""], current: nil)).isEmpty)
    #expect(steps(location([""], current: "/")).isEmpty)
  }

  @Test func `there is one path to a folder, however one came to it`() {
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

  @Test func `up from a folder among several leads to all of them again, and there is no further`()
  {
    var here = location(["a", "b"])
    let start = here.place
    #expect(here.goUp() == nil && here.roots.count == 2)
    here.enter(Array("b/in/".utf8))
    #expect(here.roots == [Array("b/in/".utf8)] && here.hasMoved)
    here.enter(Array("b/in/deep/".utf8))
    #expect(text(here.goUp()) == "b/in/deep/")
    #expect(text(here.goUp()) == "b/in/")
    #expect(here.place == start && here.roots.count == 2 && here.goUp() == nil)
  }

  @Test func `up from a single photo leads to its folder`() {
    var here = location(["a/x.jpg"], isOnePhoto: true)
    #expect(text(here.goUp()) == "a/x.jpg" && text(here.folder) == "a/")
    #expect(text(here.goUp()) == "a/" && text(here.folder) == "")
    #expect(location([]).roots.isEmpty)
  }
}
