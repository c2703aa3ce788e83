import Foundation
import PseudoTerminal
import Testing

/// The recipes of the manual page, each in its program.
struct RecipeTests {
  /// One of the 256 colors, so that every program shows it unchanged.
  private static let red: UInt32 = 0xD70000
  private static let blue: UInt32 = 0x0000D7

  @Test func `Enter prints the photo for a shell, and q nothing`() throws {
    let home = try Home()
    let tmux = try home.shell()
    tmux.type(try home.recipe("shell") + "; echo \"ended $?\"\r")
    try tmux.wait(for: "the grid") { $0.isAt("1/2") && !$0.bar.contains("loading") }
    tmux.press("l")
    try tmux.wait(for: "the second photo") { $0.isAt("2/2") }
    tmux.press("Enter")
    try tmux.wait(for: "the copy") { $0.shows("ended 0") }
    #expect(try home.bytes("chosen.png") == home.bytes("Photos/two.png"))

    tmux.type("clear; photogrid --choose Photos; echo \"ended with $?\"\r")
    try tmux.wait(for: "the grid") { $0.isAt("1/2") && !$0.bar.contains("loading") }
    tmux.press("e")
    try tmux.wait(for: "the photo on the screen") { $0.color(40, 20) == Self.red }
    tmux.press("q")
    try tmux.wait(for: "the shell") { $0.shows("ended with 1") && !$0.shows("one.png") }
  }

  @Test func `a chooser enters folders, and prints marked photos`() throws {
    let home = try Home()
    let tmux = try home.shell()
    tmux.type("photogrid --choose . ; echo \"ended $?\"\r")
    try tmux.wait(for: "the folder") { $0.bar.contains("folder 1 of 1") }
    tmux.press("Enter")
    try tmux.wait(for: "its photos") { $0.isAt("1/2") }
    tmux.type("  ")
    try tmux.wait(for: "two marks") { $0.bar.contains("2 marked") }
    tmux.press("Enter")
    try tmux.wait(for: "both names") { screen in
      ["one.png", "two.png", "ended 0"].allSatisfy { screen.shows($0) }
    }
  }

  @Test func `git difftool shows two versions side by side`() throws {
    let home = try Home()
    let tmux = try home.shell()
    tmux.type("git init -q . && \(try home.recipe("git"))\r")
    tmux.type("git add . && git -c user.name=a -c user.email=a@b commit -qm a && echo ke\"\"pt\r")
    try tmux.wait(for: "the commit") { $0.shows("kept") }
    tmux.type("cp Photos/two.png Photos/one.png; git difftool -t photogrid; echo \"ended $?\"\r")
    try tmux.wait(for: "both") {
      $0.isAt("1/2") && $0.color(20, 22) == Self.red && $0.color(60, 22) == Self.blue
    }
    tmux.press("q")
    try tmux.wait(for: "the shell") { $0.shows("ended 0") }
  }

  @Test func `fzf previews photos and opens them`() throws {
    let home = try Home()
    let tmux = try home.shell()
    tmux.type("ls Photos/*.png | \(try home.recipe("fzf"))\r")
    try tmux.wait(for: "the preview beside the list") {
      $0.shows("one.png") && $0.box(of: Self.red).map { $0.x >= 40 } == true
    }
    try openAndLeave(tmux)
    tmux.press("Escape")
  }

  @Test func `lf previews photos and opens them`() throws {
    let home = try Home()
    try home.write("lf/preview", to: ".config/lf/preview", isProgram: true)
    try home.write("lf/lfrc", to: ".config/lf/lfrc")
    let tmux = try home.shell()
    tmux.type("cd Photos; lf\r")
    try tmux.wait(for: "the preview beside the list") {
      $0.shows("one.png") && $0.box(of: Self.red).map { $0.x >= 40 } == true
    }
    tmux.press("l")
    try leave(tmux)
    tmux.press("q")
  }

  @Test func `ranger previews photos and opens them`() throws {
    let home = try Home()
    try home.write("ranger/scope.sh", to: ".config/ranger/scope.sh", isProgram: true)
    try home.write("ranger/rifle.conf", to: ".config/ranger/rifle.conf")
    let tmux = try home.shell()
    // As root it has no previews by default.
    tmux.type(
      "cd Photos; ranger --cmd='set preview_files true' --cmd='set use_preview_script true'\r")
    try tmux.wait(for: "the preview beside the list") {
      $0.shows("one.png") && $0.box(of: Self.red).map { $0.x >= 40 } == true
    }
    try openAndLeave(tmux)
    tmux.press("q")
  }

  @Test func `nnn opens photos and prints them`() throws {
    let home = try Home()
    let tmux = try home.shell()
    tmux.type("cd Photos; \(try home.recipe("nnn"))\r")
    try tmux.wait(for: "the list") { $0.shows("one.png") && $0.shows("two.png") }
    try openAndLeave(tmux)
    try tmux.wait(for: "the list again") { $0.shows("one.png") && $0.shows("two.png") }
    tmux.type(";p")
    try tmux.wait(for: "the printed photo") { $0.box(of: Self.red) != nil }
    tmux.press("Enter")
    try tmux.wait(for: "the list again") { $0.shows("one.png") && $0.shows("two.png") }
    tmux.press("q")
  }

  @Test(.enabled(if: Home.hasYazi, "Tests/install could not get yazi, and said so"))
  func `yazi previews photos and opens them`() throws {
    let home = try Home()
    let plugin = "yazi/plugins/photogrid.yazi/main.lua"
    try home.write(plugin, to: ".config/\(plugin)")
    try home.write("yazi/yazi.toml", to: ".config/yazi/yazi.toml")
    let tmux = try home.shell()
    tmux.type("cd Photos; yazi\r")
    try tmux.wait(for: "the preview beside the list") {
      $0.shows("one.png") && $0.box(of: Self.red).map { $0.x >= 40 } == true
    }
    try openAndLeave(tmux)
    tmux.press("q")
  }

  private func openAndLeave(_ tmux: Tmux) throws {
    tmux.press("Enter")
    try leave(tmux)
  }

  /// Waits for the photo on the whole screen, and quits.
  private func leave(_ tmux: Tmux) throws {
    try tmux.wait(for: "the photo on the whole screen") {
      $0.bar.hasPrefix("one.png") && $0.color(20, 20) == Self.red && $0.color(60, 20) == Self.red
    }
    tmux.press("q")
  }

  /// A home folder with two photos, without the machine's configuration.
  private final class Home {
    private let folder: PhotoFolder
    private let page: String

    /// Where tests find programs: beside photogrid, among the tests' own, and those of the system.
    private static let programs = [
      URL(fileURLWithPath: PhotoGrid.path).deletingLastPathComponent().path,
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent(".build-tools/yazi/bin").path,
      ProcessInfo.processInfo.environment["PATH"] ?? "",
    ].joined(separator: ":")

    static let hasYazi =
      ProgramRun.of(["sh", "-c", "command -v yazi"], environment: ["PATH": programs]).status == 0

    init() throws {
      folder = try PhotoFolder()
      try folder.addFolder("Photos")
      for (name, color) in [("one.png", RecipeTests.red), ("two.png", RecipeTests.blue)] {
        try folder.add(TestPhoto.flat(color), as: "Photos/\(name)")
      }
      // nnn does not start without it.
      try folder.addFolder(".config")
      page = folder.run("--man").outputText
    }

    /// A shell in the home folder, in a window of 80 by 24.
    func shell() throws -> Tmux {
      let tmux = try Tmux(
        [
          "env", "HOME=\(folder.path)", "PS1=ready$ ", "PHOTOGRID_SYMBOLS=half",
          "PHOTOGRID_MOTION=none", "XDG_CONFIG_HOME=\(folder.path)/.config",
          "XDG_CACHE_HOME=\(folder.path)/.cache",
          "PATH=\(Self.programs)", "sh", "-c", "cd; exec sh",
        ], folder: folder)
      try tmux.wait(for: "the prompt") { $0.shows("ready$") }
      return tmux
    }

    /// The lines of a recipe as in the manual page.
    func recipe(_ name: String) throws -> String {
      let start = try #require(page.range(of: ".\\\" \(name)\n.PP\n.nf\n"))
      let end = try #require(page.range(of: "\n.fi", range: start.upperBound..<page.endIndex))
      var text = page[start.upperBound..<end.lowerBound]
        .replacingOccurrences(of: "\n\\&", with: "\n")
      for (code, character) in [
        ("\\-", "-"), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\e", "\\"),
      ] {
        text = text.replacingOccurrences(of: code, with: character)
      }
      return text
    }

    /// Writes a recipe to a file of the home folder.
    func write(_ name: String, to path: String, isProgram: Bool = false) throws {
      try folder.addFolder((path as NSString).deletingLastPathComponent)
      // lf looks for the home folder in the list of users.
      let text = try recipe(name).replacingOccurrences(of: "~", with: folder.path)
      try folder.add(Array("\(text)\n".utf8), as: path)
      if isProgram { chmod(folder[path], 0o755) }
    }

    func bytes(_ name: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: folder[name]))
    }
  }
}
