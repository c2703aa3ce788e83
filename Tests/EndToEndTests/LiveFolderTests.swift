import Foundation
import PseudoTerminal
import Testing

/// Folders that change while they are shown.
@Suite(.waiting) struct LiveFolderTests {
  @Test func `a new photo grows at its index while the others make room`() throws {
    let folder = try PhotoFolder(count: 5)
    let window = try folder.open()
    try window.waitForGrid(of: 5)
    try window.waitUntilQuiet()

    window.startFilm()
    try folder.add(.flat(0xFFFFFF), as: "01b.png")

    try window.wait(for: "the new photo between the second and the third") { screen in
      screen.isAt("1/6") && screen.isFilled(.tile(2), with: 0xFFFFFF)
        && screen.isFilled(.tile(3), with: TestPhoto.palette[2])
        && screen.isFilled(.tile(5), with: TestPhoto.palette[4])
    }
    // The tile that makes room is seen between its positions.
    let ways = Set(window.film.compactMap { $0.box(of: TestPhoto.palette[2])?.x })
    #expect(ways.count > 3, "\(ways.sorted())")
    #expect(ways.contains { $0 > Box.tile(2).x && $0 < Box.tile(3).x })
    try window.quit()
  }

  @Test func `deleted photos fade, and the others close the gap`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open()
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()

    window.startFilm()
    try FileManager.default.removeItem(atPath: folder["01.png"])

    try window.wait(for: "five photos") { screen in
      screen.isAt("1/5") && screen.isFilled(.tile(1), with: TestPhoto.palette[2])
        && screen.isFilled(.tile(4), with: TestPhoto.palette[5]) && screen.color(61, 25) == nil
    }
    // While it fades its color is between its own and the background's.
    let isFading = window.film.contains { screen in
      screen.color(30, 10).map { $0 >> 8 & 255 < 0xC0 && $0 >> 8 & 255 > 0x20 } ?? false
    }
    #expect(isFading)
    try window.quit()
  }

  @Test func `a renamed photo stays selected, and shows its picture all the time`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open()
    try window.waitForGrid(of: 6)
    window.type("l")
    try window.wait(for: "the second") { $0.isAt("2/6") }
    try window.waitUntilQuiet()

    window.startFilm()
    try FileManager.default.moveItem(atPath: folder["01.png"], toPath: folder["zz.png"])

    try window.wait(for: "it at the end") { screen in
      screen.isAt("6/6") && screen.bar.hasPrefix("zz.png")
        && screen.isFilled(.tile(5), with: TestPhoto.palette[1])
    }
    #expect(window.film.allSatisfy { $0.box(of: TestPhoto.palette[1]) != nil })
    try window.quit()
  }

  @Test func `an open photo that is renamed stays open`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 3)
    window.type("l\r")
    try window.wait(for: "the photo") { $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen }

    window.startFilm()
    try FileManager.default.moveItem(atPath: folder["01.png"], toPath: folder["zz.png"])

    try window.wait(for: "its new name and index") {
      $0.isAt("3/3") && $0.bar.hasPrefix("zz.png")
    }
    #expect(window.film.allSatisfy { $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen })
    window.type("h")
    try window.wait(for: "the one before") {
      $0.isAt("2/3") && $0.box(of: TestPhoto.blue) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  /// Nothing says that a file was renamed in a folder that is listed again every two seconds: the photo
  /// is gone, and another one has come.
  @Test func `an open photo that is renamed in a polled folder is replaced by the next`() throws {
    let folder = try PhotoFolder(count: 3)
    let tool = String(PhotoGrid.path.dropLast("photogrid".count)) + "without-call"
    let window = try Window(
      [tool, "inotify", PhotoGrid.path, "--symbols", "half", "--motion", "none", folder.path],
      folder: folder)
    try window.waitForGrid(of: 3)
    window.type("l\r")
    try window.wait(for: "the photo") { $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen }

    try FileManager.default.moveItem(atPath: folder["01.png"], toPath: folder["zz.png"])

    try window.wait(for: "the next, among three photos again") {
      $0.isAt("2/3") && $0.box(of: TestPhoto.blue) == ZoomTests.wholeScreen
    }
    window.type("l")
    try window.wait(for: "the renamed one at the end") {
      $0.isAt("3/3") && $0.bar.hasPrefix("zz.png")
        && $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `a photo that is written again is shown again, on the whole screen too`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 2)
    window.type("\r")
    try window.wait(for: "the photo") { $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen }

    window.startFilm()
    try folder.add(.flat(TestPhoto.green), as: "00.png")

    try window.wait(for: "its new picture") {
      $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen
    }
    // From one picture to the other, without a frame between.
    for screen in window.film {
      #expect(screen.box(of: TestPhoto.red) != nil || screen.box(of: TestPhoto.green) != nil)
    }
    try window.quit()
  }

  @Test func `an open photo that is deleted is replaced by the next`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 3)
    window.type("l\r")
    try window.wait(for: "the photo") { $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen }

    try FileManager.default.removeItem(atPath: folder["01.png"])
    try window.wait(for: "the next") {
      $0.isAt("2/2") && $0.box(of: TestPhoto.blue) == ZoomTests.wholeScreen
    }
    try FileManager.default.removeItem(atPath: folder["02.png"])
    try window.wait(for: "the one before") {
      $0.isAt("1/1") && $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try FileManager.default.removeItem(atPath: folder["00.png"])
    try window.wait(for: "an empty folder") { $0.shows("No photos here") }
    try folder.add(.flat(TestPhoto.yellow), as: "back.png")
    try window.wait(for: "a photo again") {
      $0.isAt("1/1") && $0.isFilled(.tile(0, of: 1), with: TestPhoto.yellow)
    }
    try window.quit()
  }

  @Test func `a file that is being written is shown when it is complete`() throws {
    let folder = try PhotoFolder(count: 1)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 1)
    try window.waitUntilQuiet()

    let bytes = TestPhoto.flat(TestPhoto.magenta, width: 200, height: 200).png
    let file = open(folder["new.png"], O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    write(file, bytes, bytes.count / 2)
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(window.screen.isAt("1/1"), "\(window.picture)")
    bytes[(bytes.count / 2)...].withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
    close(file)

    try window.wait(for: "the whole photo") {
      $0.isAt("1/2") && $0.isFilled(.tile(1, of: 2), with: TestPhoto.magenta)
    }
    try window.quit()
  }

  @Test func `ten thousand new photos take few frames`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()

    window.startFilm()
    let start = window.terminal.elapsed
    for number in 0..<10_000 {
      link(folder["00.png"], folder["later \(number).png"])
    }
    try window.wait(for: "all of them") { $0.isAt("1/10006") }
    try window.waitUntilQuiet()
    let seconds = Double(window.terminal.elapsed - start) / 1e9
    // Twice a second, however slowly they arrive; each may redraw the bar once more as its pictures
    // arrive.
    #expect(
      Double(window.film.count) < 10 + 4 * seconds, "\(window.film.count) frames in \(seconds) s")
    for number in 0..<10_000 { unlink(folder["later \(number).png"]) }
    try window.wait(for: "none of them") { $0.showsGrid(of: 6) && $0.isAt("1/6") }
    try window.quit()
  }

  @Test func `subfolders are added and removed with their photos`() throws {
    let folder = try PhotoFolder()
    try folder.addFolder("b")
    try folder.add(.flat(TestPhoto.red), as: "b/1.png")
    let window = try folder.open("-r", "--motion", "none")
    try window.waitForGrid(of: 1)

    try folder.addFolder("a/deep")
    try folder.add(.flat(TestPhoto.green), as: "a/deep/2.png")
    try folder.add(.flat(TestPhoto.blue), as: "c.png")
    try window.wait(for: "three photos in their order") { screen in
      screen.isAt("3/3") && screen.isFilled(.tile(0, of: 3), with: TestPhoto.blue)
        && screen.isFilled(.tile(1, of: 3), with: TestPhoto.green)
        && screen.isFilled(.tile(2, of: 3), with: TestPhoto.red)
    }
    try FileManager.default.moveItem(atPath: folder["a"], toPath: folder["z"])
    try window.wait(for: "the folder under its new name") { screen in
      screen.isAt("2/3") && screen.isFilled(.tile(2, of: 3), with: TestPhoto.green)
    }
    try FileManager.default.removeItem(atPath: folder["z"])
    try window.wait(for: "two photos") { $0.isAt("2/2") }
    try window.quit()
  }

  @Test func `no new name controls the terminal`() throws {
    let folder = try PhotoFolder(count: 1)
    let window = try folder.open("--labels", "--motion", "none", columns: 100, rows: 66)
    try window.wait(for: "the first") { $0.isAt("1/1") }
    let png = TestPhoto.flat(TestPhoto.cyan).png
    for name in BadInputTests.hostileNames { try folder.add(png, asBytes: name) }
    let count = BadInputTests.hostileNames.count + 1
    try window.wait(for: "all of them") {
      // No photo was selected by a key: if the listing was not complete, the first of all is
      // selected.
      ($0.isAt("2/\(count)") || $0.isAt("1/\(count)")) && !$0.bar.contains("loading")
        && $0.count(of: TestPhoto.cyan) == (count - 1) * 18 * 18
    }
    try window.quit()
    #expect(OutputInspection.faults(in: window.output(), allowing: .screen) == [])
  }

  @Test func `changes appear in tmux too`() throws {
    let folder = try PhotoFolder(count: 3)
    let tmux = try Tmux(
      [PhotoGrid.path, "--symbols", "half", "--motion", "none", folder.path], folder: folder)
    try tmux.wait(for: "the grid") { $0.showsGrid(of: 3) }
    try FileManager.default.moveItem(atPath: folder["00.png"], toPath: folder["05.png"])
    try folder.add(.flat(TestPhoto.cyan), as: "01a.png")
    try tmux.wait(for: "what has changed") { screen in
      screen.isAt("4/4") && screen.isFilled(.tile(0, of: 4), with: TestPhoto.palette[1])
        && screen.isFilled(.tile(1, of: 4), with: TestPhoto.cyan)
        && screen.isFilled(.tile(3, of: 4), with: TestPhoto.palette[0])
    }
    tmux.press("q")
  }
}
