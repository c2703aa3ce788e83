import Foundation
import PseudoTerminal
import Testing

/// Places and environments that differ from those of an ordinary installation.
@Suite(.waiting) struct SurroundingsTests {
  /// An installation below a prefix, as packages and `Assets/install` make them.
  private struct Installation {
    let program: String
    let worker: String

    init(_ prefix: String, in folder: PhotoFolder) throws {
      let built = URL(fileURLWithPath: PhotoGrid.path).deletingLastPathComponent()
      for name in ["bin", "libexec/photogrid"] { try folder.addFolder("\(prefix)/\(name)") }
      program = try folder.addCopy(of: PhotoGrid.path, as: "\(prefix)/bin/photogrid")
      worker = try folder.addCopy(
        of: built.appendingPathComponent("photogrid-worker").path,
        as: "\(prefix)/libexec/photogrid/photogrid-worker")
    }
  }

  /// The user's folders are those of a home folder, or unknown without one.
  private static func folders(inHome home: String) -> [String: String] {
    var variables = ["HOME": home]
    for name in ["CACHE", "CONFIG", "DATA", "STATE"] { variables["XDG_\(name)_HOME"] = "" }
    return variables
  }

  /// A folder with a home folder and two photos.
  private func folderWithHome() throws -> PhotoFolder {
    let folder = try PhotoFolder()
    try folder.addFolder("home")
    try folder.addFolder("Photos")
    try folder.add(.flat(TestPhoto.red), as: "Photos/00.png")
    try folder.add(.flat(TestPhoto.green), as: "Photos/01.png")
    return folder
  }

  /// Opens a photo, closes it and quits; pictures and facts are printed too.
  private func use(
    _ command: [String], on folder: PhotoFolder, _ environment: [String: String]
  ) throws {
    let photos = folder["Photos"]
    let window = try Window(
      command + ["--symbols", "half", "--motion", "none", photos], environment: environment,
      folder: folder)
    try window.waitForGrid(of: 2)
    window.type("\r")
    try window.wait(for: "the photo") { $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen }
    window.type("\u{1B}")
    try window.waitForGrid(of: 2)
    try window.quit()
    #expect(try print(command, "--json", photos, environment).contains("\"format\":\"png\""))
    #expect(try print(command, "--symbols=half", photos, environment).contains("38;2;"))
  }

  /// Prints without a terminal, which must not cause a message.
  private func print(
    _ command: [String], _ option: String, _ path: String, _ environment: [String: String]
  ) throws -> String {
    let run = ProgramRun.of(
      command + ["--print", option, path],
      environment: PhotoGrid.environment.merging(environment) { $1 })
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    return run.outputText
  }

  @Test func `below a prefix with spaces it finds its worker`() throws {
    let folder = try folderWithHome()
    let installed = try Installation("my own programs", in: folder)

    try use([installed.program], on: folder, [:])

    let report = ProgramRun.of([installed.program, "--doctor"], environment: PhotoGrid.environment)
    #expect(report.outputText.contains("/my own programs/"), "\(report)")
  }

  @Test func `with a read-only home folder photos are shown without a message`() throws {
    let folder = try folderWithHome()
    chmod(folder["home"], 0o555)
    defer { chmod(folder["home"], 0o755) }

    try use(PhotoGrid.heldToPermissions, on: folder, Self.folders(inHome: folder["home"]))

    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["home"]) == [])
  }

  @Test(arguments: ["", "/no/such/home", "/dev/null", "relative"])
  func `without a home folder photos are shown without a message`(home: String) throws {
    try use([PhotoGrid.path], on: try folderWithHome(), Self.folders(inHome: home))
  }

  @Test func `without TERM photos are printed without a message`() throws {
    let folder = try folderWithHome()

    #expect(
      try print([PhotoGrid.path], "--json", folder["Photos"], ["TERM": ""]).contains(
        "\"format\":\"png\"")
    )
    #expect(
      try print([PhotoGrid.path], "--symbols=half", folder["Photos"], ["TERM": ""])
        .contains("38;2;"))
  }

  @Test(arguments: ["", "xx_YY.UTF-8", "nonsense"])
  func `without a locale photos are shown without a message`(name: String) throws {
    try use([PhotoGrid.path], on: try folderWithHome(), ["LC_ALL": name, "LANG": name])
  }

  @Test(.enabled(if: FileTests.canMount, "disks cannot be mounted here"))
  func `without the system's list of processes photos are shown and rated`() throws {
    let folder = try folderWithHome()
    // What Swift knows of its arguments is read from there, and workers are told apart by theirs.
    let command = [
      "unshare", "-rm", "sh", "-c", "mount -t tmpfs none /proc && exec \"$0\" \"$@\"",
      PhotoGrid.path,
    ]
    try use(command, on: folder, [:])

    let photo = folder["Photos/00.png"]
    let run = ProgramRun.of(command + ["--rate", "3", photo], environment: PhotoGrid.environment)
    #expect(run.status == 0, "\(run)")
    #expect(FileManager.default.fileExists(atPath: photo + ".xmp"))
  }

  @Test func `two installations run at once, each with its own worker`() throws {
    let folder = try folderWithHome()
    let installed = try ["first", "second"].map { try Installation($0, in: folder) }
    // Both use the same cache and index.
    let environment = Self.folders(inHome: folder["home"])

    let windows = try installed.map {
      try Window(
        [$0.program, "--symbols", "half", "--motion", "none", folder["Photos"]],
        environment: environment, folder: folder)
    }
    for window in windows { try window.waitForGrid(of: 2) }
    for (window, installed) in zip(windows, installed) {
      let children = Processes.children(of: window.terminal.process)
      let programs = children.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")
      }
      #expect(programs.contains(installed.worker), "\(programs)")
      #expect(
        programs.allSatisfy { $0 == installed.worker || $0 == installed.program }, "\(programs)")
    }
    for window in windows { try window.quit() }
  }
}
