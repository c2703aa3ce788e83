import Foundation
import PseudoTerminal
import Testing

/// Disks: those that hang, and others with a trash of their own, that are full or read-only.
extension FileTests {
  @Test func `while a disk hangs keys work, and quitting twice does not wait`() throws {
    let folder = try PhotoFolder(count: 4)
    let window = try folder.open("--motion", "none", environment: Self.data(folder))
    try window.waitForGrid(of: 4)
    window.type("d")
    try window.wait(for: "three") { $0.isAt("1/3") }
    let fileWorker = try #require(
      Processes.children(of: window.terminal.process).first { process in
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return name == "photogrid-files\n"
      })
    kill(fileWorker, SIGSTOP)
    window.type("d")
    try window.wait(for: "that it goes on") { $0.bar.contains("trashing…") && $0.isAt("1/3") }
    window.type("l")
    try window.wait(for: "the next photo") { $0.isAt("2/3") && $0.bar.contains("trashing…") }
    kill(fileWorker, SIGCONT)
    try window.wait(for: "the end") { $0.bar.contains("/2") && !$0.bar.contains("trashing") }

    kill(fileWorker, SIGSTOP)
    window.type("d")
    try window.wait(for: "that it goes on") { $0.bar.contains("trashing…") }
    window.type("qq")
    #expect(try window.waitForEnd() == 0)
    // No process is left that could still move a photo.
    #expect(Polling.until { !Processes.isRunning(fileWorker) })
    #expect(Self.listed(folder).count == 2)
  }

  // MARK: - Other disks

  /// Whether a program can mount disks here.
  static let canMount =
    ProgramRun.of(["unshare", "-rm", "sh", "-c", "mount -t tmpfs none /mnt"]).status == 0

  /// The program with a small disk, which a script prepares.
  private static func onDisk(_ folder: PhotoFolder, _ script: String) throws -> Window {
    try folder.addFolder("disk")
    let steps =
      "cd \"$1\" && mount -t tmpfs -o size=256k,nr_inodes=100 none disk && cp 0*.png disk && "
      + script + " && exec \"$0\" --symbols half --motion none \"$1/disk\""
    return try Window(
      ["unshare", "-rm", "sh", "-c", steps, PhotoGrid.path, folder.path],
      environment: data(folder), folder: folder)
  }

  @Test(.enabled(if: canMount, "disks cannot be mounted here"))
  func `a disk has its own trash, or a shared one if it exists`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try Self.onDisk(folder, "true")
    try window.waitForGrid(of: 3)
    window.type("d")
    try window.wait(for: "two") { $0.isAt("1/2") && $0.bar.contains("in the trash") }
    window.type("!ls \(folder.path)/disk/.Trash-0/files > \(folder["out"]) #\r")
    try window.wait(for: "the end of it") { $0.shows("any key") }
    #expect(Self.contents(folder["out"]) == Array("00.png\n".utf8))
    window.type("xu")
    try window.wait(for: "it back") { $0.isAt("1/3") }
    window.type(
      "!mkdir -m 1777 \(folder.path)/disk/.Trash #\r")
    try window.wait(for: "a shared trash made") { $0.shows("any key") }
    window.type("x")
    try window.wait(for: "the grid") { $0.showsGrid(of: 3) }
    window.type("d")
    try window.wait(for: "two") { $0.isAt("1/2") && $0.bar.contains("in the trash") }
    window.type(
      "!(ls \(folder.path)/disk/.Trash/0/files; XDG_DATA_HOME=/none trash-list)"
        + " > \(folder["out"]) #\r")
    try window.wait(for: "the end of it") { $0.shows("any key") }
    let words = Self.contents(folder["out"]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(words.hasPrefix("00.png\n") && words.contains("\(folder.path)/disk/00.png"), "\(words)")
    window.type("x")
    try window.wait(for: "two") { $0.isAt("1/2") }
    try window.quit()
  }

  @Test(.enabled(if: canMount, "disks cannot be mounted here"))
  func `on a full disk nothing is trashed, with a message`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try Self.onDisk(folder, "! dd if=/dev/zero of=disk/fill 2>/dev/null")
    try window.waitForGrid(of: 3)
    window.type("d")
    try window.wait(for: "why") {
      $0.bar.contains("'00.png' was not trashed: the disk is full (/tmp/")
    }
    window.type("!ls \(folder.path)/disk/.Trash-0/info | wc -l > \(folder["out"]) #\r")
    try window.wait(for: "the end of it") { $0.shows("any key") }
    #expect(Self.contents(folder["out"]) == Array("0\n".utf8), "no note is left")
    window.type("x")
    try window.wait(for: "the grid") { $0.showsGrid(of: 3) }
    try window.quit()
  }

  @Test(.enabled(if: canMount, "disks cannot be mounted here"))
  func `on a read-only disk nothing is changed`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try Self.onDisk(folder, "mount -o remount,ro disk")
    try window.waitForGrid(of: 3)
    window.type("d")
    try window.wait(for: "why") {
      $0.bar.contains("was not trashed: the disk is read-only (/tmp/")
    }
    window.type("rx\r")
    try window.wait(for: "why") {
      $0.bar.contains("'00.png' was not renamed: the disk is read-only")
    }
    try window.quit()
  }
}
