import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// The configuration, completions and installation.
@Suite(.waiting) struct ConfigurationTests {
  /// A folder with six photos and a configuration.
  private struct Setting {
    let folder: PhotoFolder
    let home: PhotoFolder

    init(_ lines: String) throws {
      folder = try PhotoFolder(count: 6)
      home = try PhotoFolder()
      try FileManager.default.createDirectory(
        atPath: home["photogrid"], withIntermediateDirectories: true)
      try home.add(Array(lines.utf8), as: "photogrid/config")
    }

    var environment: [String: String] { ["XDG_CONFIG_HOME": home.path] }
  }

  @Test func `keys and options of a configuration apply, and errors are printed at the end`() throws
  {
    let setting = try Setting(
      "cell = 8\nlabels = perhaps\nkey e = open\nkey x = quit\nkey q = none\n")
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", "--motion", "none", setting.folder.path],
      environment: setting.environment, folder: setting.folder)
    try window.wait(for: "the grid") { $0.isAt("1/6") && !$0.bar.contains("loading") }

    window.type("le")
    try window.wait(for: "the second photo") { $0.isAt("2/6") && $0.bar.contains("01") }
    window.type("qx")

    #expect(try window.waitForEnd() == 0)
    #expect(
      String(decoding: window.output(), as: UTF8.self).contains(
        "/photogrid/config:2: labels: 'perhaps' is not one of on, off, yes, no, true, false, 1, 0"))
  }

  @Test func `the current keys are printed, and --no-config ignores the file`() throws {
    let setting = try Setting("key e = open\nkey F1 = none\n")
    func keys(_ options: String...) -> Set<Substring> {
      let run = ProgramRun.of(
        [PhotoGrid.path, "--list-keys"] + options,
        environment: PhotoGrid.environment.merging(setting.environment) { $1 })
      #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
      return Set(run.outputText.split(separator: "\n"))
    }
    let standard = keys("--no-config")
    #expect(
      keys() == standard.subtracting(["key F1 = help"]).union(["key e = open", "key F1 = none"]))
  }

  @Test func `a configuration file that is named on the command line must exist`() throws {
    let folder = try PhotoFolder()
    let missing = folder["missing"]
    for (path, words) in [
      (missing, "--config: \(missing): does not exist"), ("/", "/: is not a file"),
    ] {
      let run = ProgramRun.of(
        [PhotoGrid.path, "--config", path, "--list-keys"], environment: PhotoGrid.environment)
      #expect(run.status == 2 && run.errorText == "photogrid: \(words)\n", "\(run)")
    }
  }

  @Test(arguments: [
    (["photogrid", "--lay"], ["--layout"]),
    (["photogrid", "--layout", "m"], ["mosaic"]),
    (["photogrid", "--layout", "=", "b"], ["bento"]),
    (["photogrid", "-l", ""], ["grid", "mosaic", "bento", "rows"]),
    (["photogrid", "ph"], ["photo one.jpg", "photos"]),
  ])
  func `bash completes options, values and paths`(words: [String], expected: [String]) throws {
    let folder = try PhotoFolder()
    try folder.add([1], as: "photo one.jpg")
    try FileManager.default.createDirectory(
      atPath: folder["photos"], withIntermediateDirectories: true)
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      cd '\(folder.path)' && source <('\(PhotoGrid.path)' --completions bash)
      compopt() { :; }
      COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1)
      _photogrid; printf '%s\\n' "${COMPREPLY[@]}"
      """

    let run = ProgramRun.of(["bash", "-c", script], environment: PhotoGrid.environment)

    #expect(run.outputText.split(separator: "\n").map(String.init) == expected, "\(run)")
  }

  @Test func `uninstalling removes what was installed, and nothing else`() throws {
    let folder = try PhotoFolder()
    let assets = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Assets").path
    // Installing builds for minutes, so uninstalling is tried on files of the same names.
    let files = [
      "bin/photogrid", "libexec/photogrid/photogrid-worker", "share/man/man1/photogrid.1",
      "share/bash-completion/completions/photogrid", "share/zsh/site-functions/_photogrid",
      "share/fish/vendor_completions.d/photogrid.fish",
    ]
    let script = try String(contentsOfFile: assets + "/install", encoding: .utf8)
    for file in files + ["bin/other"] {
      let path = folder[file]
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try folder.add([1], as: file)
      #expect(file == "bin/other" || script.contains(file))
    }

    let run = ProgramRun.of(
      [assets + "/uninstall", folder.path], environment: PhotoGrid.environment)

    #expect(run.status == 0, "\(run)")
    for file in files { #expect(!FileManager.default.fileExists(atPath: folder[file])) }
    #expect(FileManager.default.fileExists(atPath: folder["bin/other"]))
  }
}
