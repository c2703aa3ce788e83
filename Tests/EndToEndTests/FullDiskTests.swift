import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Disks that are full: what does not fit is skipped, with a message where it matters, and no partial file
/// is left.
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

    /// Leaves no room for another file, or only none for its bytes.
    func fill(_ requests: String) { disks.obey("ENOSPC \(requests) 0 0") }

    /// The files on the disk, empty ones too.
    var files: [String: [UInt8]] {
      var result: [String: [UInt8]] = [:]
      for name in FileManager.default.subpaths(atPath: store) ?? [] {
        var isFolder: ObjCBool = false
        let path = "\(store)/\(name)"
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
          !isFolder.boolValue
        else { continue }
        result[name] = FileManager.default.contents(atPath: path).map { [UInt8]($0) }
      }
      return result
    }
  }

  @Test(arguments: ["create", "write"])
  func `a rating is not written, with a message, and is written once there is room`(
    requests: String
  ) throws {
    let disk = try Disk(photoCount: 3)
    for index in 0..<3 {
      let name = PhotoFolder.name(index)
      try FileManager.default.copyItem(
        atPath: disk.photos[name], toPath: "\(disk.store)/\(name)")
    }
    let before = disk.files
    let window = try disk.open(disk.disks.folders[0])
    try window.waitForGrid(of: 3)
    disk.fill(requests)
    window.type("C4")
    try window.wait(for: "why") { $0.bar.contains("00.png") && $0.bar.contains("the disk is full") }
    #expect(disk.files == before, "\(disk.files.keys)")
    disk.disks.obey("clear")
    window.type("h4")
    try window.wait(for: "stars") { $0.shows("★★★★") }
    #expect(Polling.until { disk.files["00.png.xmp"] != nil }, "\(disk.files.keys)")
    try window.quit()
  }

  @Test(arguments: ["create", "write"])
  func `photos are shown without room for thumbnails and the index, and no part is left`(
    requests: String
  ) throws {
    let disk = try Disk(photoCount: 6)
    disk.fill(requests)
    let window = try disk.open(homeOnDisk: "XDG_CACHE_HOME")
    try window.waitForGrid(of: 6)
    window.type("l")
    try window.waitForNumber("2/6")
    try window.quit()
    // Empty lock files and databases may stay.
    #expect(disk.files.values.allSatisfy { $0.isEmpty }, "\(disk.files.keys)")
  }

  @Test(arguments: ["create", "write"])
  func `without room for the undo history a message says so once, and undo works until the end`(
    requests: String
  ) throws {
    let disk = try Disk(photoCount: 4)
    let window = try disk.open(homeOnDisk: "XDG_STATE_HOME")
    try window.waitForGrid(of: 4)
    disk.fill(requests)
    window.type("d")
    try window.wait(for: "why") {
      $0.bar.contains("Undo works only until you quit: the disk is full")
    }
    window.type("d")
    try window.wait(for: "two") { $0.bar.contains("1/2") && $0.bar.contains("in the trash") }
    // A second message would come right after the operation's own, and replace it.
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(!window.screen.bar.contains("only until you quit"), "\(window.screen.bar)")
    window.type("uu")
    try window.waitForGrid(of: 4)
    try window.quit()
    let journals = disk.files.filter { $0.key.contains("undo/") }
    #expect(journals.values.allSatisfy { $0.isEmpty }, "\(journals)")
  }

  /// The journal of one trashed photo with a sidecar has four lines: the time, both files, and the end.
  @Test(arguments: [(0, true), (1, false), (2, false), (3, true)])
  func `a photo and its sidecar are undone together or not at all after a restart`(
    lineThatDoesNotFit: Int, isRecorded: Bool
  ) throws {
    let disk = try Disk(photoCount: 3)
    let files = [disk.photos["00.png"], disk.photos["00.png.xmp"]]
    try Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8).write(to: URL(filePath: files[1]))
    func existing() -> [Bool] { files.map { FileManager.default.fileExists(atPath: $0) } }
    let window = try disk.open(homeOnDisk: "XDG_STATE_HOME")
    try window.waitForGrid(of: 3)
    disk.disks.obey("ENOSPC write \(lineThatDoesNotFit) 1")
    window.type("d")
    try window.wait(for: "two") { $0.isAt("1/2") }
    try window.wait(for: "why") { $0.bar.contains("Undo works only until you quit") }
    #expect(existing() == [false, false])
    try window.quit()

    disk.disks.obey("clear")
    let next = try disk.open(homeOnDisk: "XDG_STATE_HOME")
    try next.wait(for: "two") { $0.isAt("1/2") }
    next.type("u")
    if isRecorded {
      try next.wait(for: "a question") { $0.bar.contains("Restore '00.png'") }
      next.type("y")
    }
    try next.wait(for: "a message") {
      $0.bar.contains(isRecorded ? "is back" : "Nothing to undo")
    }
    #expect(existing() == [isRecorded, isRecorded])
    try next.quit()
  }

  @Test(arguments: ["create", "write"])
  func `without room for saved filters the old ones stay, with a message`(requests: String) throws {
    let disk = try Disk(photoCount: 3)
    let window = try disk.open(homeOnDisk: "XDG_CONFIG_HOME")
    try window.waitForGrid(of: 3)
    window.type(",N:save first\r")
    #expect(
      Polling.until {
        window.terminal.run(forSeconds: 0.1)
        return disk.files["photogrid/filters"] != nil
      })
    let before = disk.files
    disk.fill(requests)
    window.type(":save second\r")
    try window.wait(for: "why") { $0.bar.contains("Not saved: the disk is full") }
    #expect(disk.files == before)
    try window.quit()
  }
}
