import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Disks that hang, fail and go away while photos on them are shown and moved.
@Suite(
  .waiting, .enabled(if: FaultyDisks.areUsable, "no disk can be mounted here: /dev/fuse is missing")
)
struct DeadDiskTests {
  /// A folder of numbered photos on a disk of its own.
  private struct Disk {
    let folder = TemporaryFolder()
    let disks: FaultyDisks
    var path: String { disks.folders[0] }
    var store: String { disks.stores[0] }

    init(count: Int) throws {
      disks = try FaultyDisks(in: folder.path)
      let photos = try PhotoFolder(count: count)
      for index in 0..<count {
        try FileManager.default.copyItem(
          atPath: photos[PhotoFolder.name(index)], toPath: "\(store)/\(PhotoFolder.name(index))")
      }
    }

    /// The names of the photos on the disk.
    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: store)) ?? []).filter {
        $0.hasSuffix(".png")
      }.sorted()
    }

    func open(_ options: String..., environment: [String: String] = [:]) throws -> Window {
      try Window(
        disks.running(
          [PhotoGrid.path, "--symbols", "half", "--motion", "none"] + options + [path]),
        environment: ["XDG_STATE_HOME": "\(folder.path)/state"].merging(environment) { $1 })
    }

    /// Waits until nothing that saw the disk is left.
    func expectNoProcess(sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(
        Polling.until { disks.processes.isEmpty }, "\(disks.processes)",
        sourceLocation: sourceLocation)
    }
  }

  /// Every way in which a disk can keep a photo: nobody can kill the process that reads a dead disk.
  @Test(arguments: ["hang open", "dead read", "hang read"])
  func `a tile says that it waits for the disk, keys work, and it shows its photo in the end`(
    fault: String
  ) throws {
    let disk = try Disk(count: 4)
    disk.disks.obey("\(fault) 0 0 01.png")
    let window = try disk.open()

    try window.wait(for: "what it waits for") {
      $0.shows("waiting") && $0.isFilled(.tile(3, of: 4), with: TestPhoto.palette[3])
    }
    // Now and then another worker is asked.
    #expect(Polling.until { disk.disks.obey("held") > 0 })
    for number in ["2/4", "3/4", "4/4"] {
      window.type("l")
      try window.waitForNumber(number)
    }
    window.type("\r")
    try window.wait(for: "another photo, open") {
      !$0.shows("waiting")
        && $0.isFilled(Box(x: 20, y: 10, width: 40, height: 20), with: TestPhoto.palette[3])
    }
    window.type("\u{1B}")
    #expect(Polling.until { disk.disks.obey("held") > 0 }, "the disk has not responded")
    disk.disks.obey("clear")
    try window.waitForGrid(of: 4)
    try window.quit()
    disk.expectNoProcess()
  }

  @Test(arguments: ["hang read", "hang open", "hang list", "hang any"])
  func `q leaves a disk that hangs, and no process stays`(fault: String) throws {
    let disk = try Disk(count: 4)
    disk.disks.obey("\(fault) \(fault == "hang any" ? 20 : 0) 0")
    let window = try disk.open()
    #expect(Polling.until(seconds: 60) { disk.disks.obey("held") > 0 })
    try window.wait(for: "a frame") { $0.bar.contains("q") || !$0.bar.isEmpty }
    try window.quit()
    disk.expectNoProcess()
  }

  @Test func `a slow disk shows every photo`() throws {
    let disk = try Disk(count: 4)
    disk.disks.obey("delay=50 any 0 0")
    let window = try disk.open()
    try window.waitForGrid(of: 4)
    disk.disks.obey("clear")
    try window.quit()
  }

  @Test(arguments: [
    ("EIO", "input/output error"), ("ESTALE", "cannot be read"), ("EACCES", "no permission"),
  ])
  func `a photo that cannot be read says why, and R reads it again`(
    fault: String, words: String
  ) throws {
    let disk = try Disk(count: 4)
    disk.disks.obey("\(fault) open 0 0 01.png")
    let window = try disk.open()
    try window.wait(for: "why") { screen in
      words.split(separator: " ").allSatisfy { screen.shows(String($0)) }
        && screen.isFilled(.tile(3, of: 4), with: TestPhoto.palette[3])
    }
    disk.disks.obey("clear")
    window.type("R")
    try window.waitForGrid(of: 4)
    try window.quit()
  }

  @Test func `reads that return a part are completed`() throws {
    let disk = try Disk(count: 4)
    disk.disks.obey("short=4096 read 0 0")
    let window = try disk.open()
    try window.waitForGrid(of: 4)
    try window.quit()
  }

  @Test func `a disk that goes away is reported, and the program goes on`() throws {
    let disk = try Disk(count: 4)
    let window = try disk.open(environment: ["XDG_DATA_HOME": "\(disk.folder.path)/data"])
    try window.waitForGrid(of: 4)
    disk.disks.obey("disconnect")
    window.type("d")
    try window.wait(for: "why") { $0.bar.contains("was not trashed") }
    window.type("l")
    try window.wait(for: "that keys work") { !$0.bar.contains("was not trashed") }
    try window.quit()
    #expect(disk.names.count == 4)
  }

  // MARK: - File operations

  @Test(arguments: ["hang", "dead"])
  func `a photo that is being moved when the disk hangs is reported as unknown, and nothing stays`(
    fault: String
  ) throws {
    let disk = try Disk(count: 4)
    let window = try disk.open()
    try window.waitForGrid(of: 4)
    window.type("d")
    try window.wait(for: "one in the trash") { $0.isAt("1/3") }
    disk.disks.obey("\(fault) rename 0 0")
    window.type("d")
    #expect(Polling.until(seconds: 60) { disk.disks.obey("held") > 0 })
    window.type("l")
    try window.wait(for: "that keys work") { $0.isAt("2/3") && $0.bar.contains("trashing…") }
    window.type("q")
    try window.wait(for: "that it waits") { $0.bar.contains("q quits now") }
    window.type("q")
    #expect(try window.waitForEnd() == 0)
    window.expectRestored()
    let output = String(decoding: window.output(), as: UTF8.self)
    #expect(
      output.contains("trashed 0 of 1 photo")
        && output.contains(
          "may have been trashed; the disk is not responding: 1 photo, starting at '01.png'"),
      "\(window.picture)")
    // The kernel does not even end a killed process before a dead disk has responded.
    if fault == "hang" { disk.expectNoProcess() }
    disk.disks.obey("clear")
    disk.expectNoProcess()

    // The photo is in one place, and the next session knows which.
    let next = try disk.open()
    try next.wait(for: "the folder") { screen in
      ["1/2", "2/2", "1/3", "2/3"].contains { screen.isAt($0) }
    }
    try next.quit()
    let trashed =
      (try? FileManager.default.contentsOfDirectory(atPath: "\(disk.store)/.Trash-0/files"))
    #expect(disk.names.count + (trashed ?? []).count == 4)
  }

  @Test(arguments: [
    ("ENOSPC create", "the disk is full"), ("EDQUOT create", "the disk is full"),
    ("EROFS create", "the disk is read-only"), ("EIO rename", "Input/output error"),
    ("ESTALE rename", "Stale file handle"), ("ENOSPC write", "the disk is full"),
  ])
  func `a photo that cannot be trashed stays, and the bar says why`(
    fault: String, words: String
  ) throws {
    let disk = try Disk(count: 3)
    let window = try disk.open()
    try window.waitForGrid(of: 3)
    disk.disks.obey("\(fault) 0 0")
    window.type("d")
    try window.wait(for: "why") { $0.bar.contains("'00.png' was not trashed: \(words)") }
    disk.disks.obey("clear")
    #expect(disk.names.count == 3)
    let left = FileManager.default.subpaths(atPath: "\(disk.store)/.Trash-0") ?? []
    #expect(!left.contains { $0.contains("png") }, "\(left)")
    window.type("d")
    try window.wait(for: "one less") { $0.isAt("1/2") }
    try window.quit()
  }
}
