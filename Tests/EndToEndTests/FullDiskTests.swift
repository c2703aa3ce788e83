import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Disks that are full: whatever the program writes there is left out, said where it matters, and never
/// half-written.
@Suite(
  .waiting, .enabled(if: FaultyDisks.areUsable, "no disk can be mounted here: /dev/fuse is missing")
)
struct FullDiskTests {
  /// A disk, and the program with photos or homes on it.
  private struct Disk {
    let folder = TemporaryFolder()
    let photos: PhotoFolder
    let disks: FaultyDisks
    var store: String { disks.stores[0] }

    init(photoCount: Int) throws {
      photos = try PhotoFolder(count: photoCount)
      disks = try FaultyDisks(in: folder.path)
    }

    /// Opens the folder of photos, with a home of the program on the disk.
    func open(homeOnDisk variable: String) throws -> Window {
      try open(photos.path, [variable: disks.folders[0]])
    }

    func open(_ path: String, _ homes: [String: String] = [:]) throws -> Window {
      var environment = homes
      for name in ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]
      where homes[name] == nil {
        environment[name] = "\(folder.path)/home"
      }
      return try Window(
        disks.running([PhotoGrid.path, "--symbols", "half", "--motion", "none", path]),
        environment: environment)
    }

    func fill() {
      disks.obey("ENOSPC create 0 0")
      disks.obey("ENOSPC write 0 0")
    }

    /// The files on the disk that are not empty, with what is in them.
    var files: [String: [UInt8]] {
      var result: [String: [UInt8]] = [:]
      for name in FileManager.default.subpaths(atPath: store) ?? [] {
        let bytes = FileManager.default.contents(atPath: "\(store)/\(name)").map { [UInt8]($0) }
        if let bytes, !bytes.isEmpty { result[name] = bytes }
      }
      return result
    }
  }

  @Test func `a rating is not written, with a message, and is written once there is room`() throws {
    let disk = try Disk(photoCount: 3)
    for index in 0..<3 {
      let name = PhotoFolder.name(index)
      try FileManager.default.copyItem(
        atPath: disk.photos[name], toPath: "\(disk.store)/\(name)")
    }
    let before = disk.files
    let window = try disk.open(disk.disks.folders[0])
    try window.waitForGrid(of: 3)
    disk.fill()
    window.type("C4")
    try window.wait(for: "why") { $0.bar.contains("00.png") && $0.bar.contains("the disk is full") }
    #expect(disk.files == before, "\(disk.files.keys)")
    disk.disks.obey("clear")
    window.type("h4")
    try window.wait(for: "stars") { $0.shows("★★★★") }
    #expect(Polling.until(seconds: 30) { disk.files["00.png.xmp"] != nil }, "\(disk.files.keys)")
    try window.quit()
  }

  @Test func `photos are shown without room for thumbnails and the index, and no part is left`()
    throws
  {
    let disk = try Disk(photoCount: 6)
    disk.fill()
    let window = try disk.open(homeOnDisk: "XDG_CACHE_HOME")
    try window.waitForGrid(of: 6)
    window.type("l")
    try window.waitForNumber("2/6")
    try window.quit()
    #expect(disk.files.isEmpty, "\(disk.files.keys)")
  }

  @Test func `without room for the undo history that is said once, and undo works until the end`()
    throws
  {
    let disk = try Disk(photoCount: 4)
    let window = try disk.open(homeOnDisk: "XDG_STATE_HOME")
    try window.waitForGrid(of: 4)
    disk.fill()
    window.type("d")
    try window.wait(for: "why") {
      $0.bar.contains("Undo works only until you quit: the disk is full")
    }
    window.type("d")
    try window.wait(for: "two, and no more of that") {
      $0.bar.contains("1/2") && !$0.bar.contains("only until you quit")
    }
    window.type("uu")
    try window.waitForGrid(of: 4)
    try window.quit()
    #expect(!disk.files.keys.contains { $0.contains("undo/") }, "\(disk.files.keys)")
  }

  @Test func `without room for saved filters the old ones stay, with a message`() throws {
    let disk = try Disk(photoCount: 3)
    let window = try disk.open(homeOnDisk: "XDG_CONFIG_HOME")
    try window.waitForGrid(of: 3)
    window.type(",N:save first\r")
    #expect(
      Polling.until(seconds: 30) {
        window.terminal.run(forSeconds: 0.1)
        return disk.files["photogrid/filters"] != nil
      })
    let before = disk.files
    disk.fill()
    window.type(":save second\r")
    try window.wait(for: "why") { $0.bar.contains("Not saved: ") }
    #expect(disk.files == before)
    try window.quit()
  }
}
