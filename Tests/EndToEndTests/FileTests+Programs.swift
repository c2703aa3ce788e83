import Foundation
import PseudoTerminal
import Testing

/// Other programs: the clipboard, and programs that open photos.
extension FileTests {
  @Test func `yy sends the path to the clipboard, with a message`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try Window(
      ["env", "-C", folder.path, PhotoGrid.path, "--symbols", "half", "."], folder: folder)
    try window.waitForGrid(of: 2)
    window.type("lyy")
    try window.wait(for: "words") { $0.bar.contains("Copied /") }
    let path = Data(folder["01.png"].utf8).base64EncodedString()
    #expect(window.output().containsSequence("\u{1B}]52;c;\(path)\u{1B}\\"))
    try window.quit()
  }

  @Test func `yy in tmux puts the path into its buffer`() throws {
    let folder = try PhotoFolder(count: 2)
    let tmux = try Tmux([PhotoGrid.path, "--symbols", "half", folder.path], folder: folder)
    try tmux.wait(for: "the folder") { $0.showsGrid(of: 2) }
    tmux.command("set-option", "-s", "set-clipboard", "on")
    tmux.type("yy")
    try tmux.wait(for: "words") { $0.bar.contains("tmux needs set-clipboard on") }
    #expect(Polling.until { tmux.command("show-buffer") == folder["00.png"] })
  }

  // MARK: - Pictures on the clipboard

  /// Writes a program of the given name that the program under test finds first.
  private func add(_ name: String, _ script: String, to folder: PhotoFolder) throws -> [String:
    String]
  {
    try folder.addFolder(".bin")
    try folder.add(Array("#!/bin/sh\n\(script)\n".utf8), as: ".bin/\(name)")
    #expect(chmod(folder[".bin/\(name)"], 0o755) == 0)
    return ["PATH": "\(folder[".bin"]):/usr/bin:/bin", "DISPLAY": ":0", "WAYLAND_DISPLAY": ""]
  }

  @Test func `yi hands the file's own bytes to xclip, with their type`() throws {
    let folder = try PhotoFolder(count: 2)
    let environment = try add(
      "xclip", "echo \"$@\" > '\(folder[".bin/arguments"])'; cat > '\(folder[".bin/copied"])'",
      to: folder)
    let window = try folder.open(environment: environment)
    try window.waitForGrid(of: 2)
    window.type("lyi")
    try window.wait(for: "that") { $0.bar.contains("Picture copied: 01.png (PNG, ") }
    #expect(Self.contents(folder[".bin/copied"]) == Self.contents(folder["01.png"]))
    let arguments = Self.contents(folder[".bin/arguments"]).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(arguments == "-selection clipboard -t image/png -i\n")
    try window.quit()
  }

  @Test func `in Wayland yi hands the picture to wl-copy`() throws {
    let folder = try PhotoFolder(count: 2)
    var environment = try add(
      "wl-copy", "echo \"$@\" > '\(folder[".bin/arguments"])'; cat > /dev/null", to: folder)
    environment["WAYLAND_DISPLAY"] = "wayland-0"
    let window = try folder.open(environment: environment)
    try window.waitForGrid(of: 2)
    window.type("yi")
    try window.wait(for: "that") { $0.bar.contains("Picture copied: 00.png (PNG, ") }
    let arguments = Self.contents(folder[".bin/arguments"]).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(arguments == "--type image/png\n")
    try window.quit()
  }

  @Test func `a clipboard that hangs is killed, and one that fails or is missing is reported`()
    throws
  {
    let folder = try PhotoFolder(count: 2)
    var environment = try add(
      "xclip", "echo $$ > '\(folder[".bin/process"])'; sleep 1000 & wait", to: folder)
    let window = try folder.open(environment: environment)
    try window.waitForGrid(of: 2)
    window.type("yi")
    window.type("l")
    try window.waitForNumber("2/2", or: "Copying")
    try window.wait(for: "that it hangs") { $0.bar.contains("The clipboard is not responding") }
    let process = Self.contents(folder[".bin/process"]).flatMap {
      Int32(String(decoding: $0, as: UTF8.self).filter(\.isNumber))
    }
    let group = try #require(process)
    #expect(Polling.until { kill(-group, 0) != 0 }, "nothing of it is left")
    try window.quit()

    _ = try add("xclip", "exit 3", to: folder)
    let failing = try folder.open(environment: environment)
    try failing.waitForGrid(of: 2)
    failing.type("yi")
    try failing.wait(for: "that it failed") { $0.bar.contains("the clipboard program failed") }
    try failing.quit()

    environment["PATH"] = "/nowhere"
    let missing = try folder.open(environment: environment)
    try missing.waitForGrid(of: 2)
    missing.type("yi")
    try missing.wait(for: "what is missing") { $0.bar.contains("Install wl-copy") }
    try missing.quit()

    environment["DISPLAY"] = ""
    let bare = try folder.open(environment: environment)
    try bare.waitForGrid(of: 2)
    bare.type("yi")
    try bare.wait(for: "that there is none") { $0.bar.contains("Cannot copy pictures") }
    try bare.quit()
  }

  @Test func `a terminal with OSC 5522 gets the picture, and its answer is believed`() throws {
    let folder = try PhotoFolder(count: 2)
    let end = "\u{1B}]5522;type=wdata\u{1B}\\"
    let model = TerminalModel.kitty.adding([
      "\u{1B}[>0q": "\u{1B}P>|kitty(0.35.2)\u{1B}\\",
      end: "\u{1B}]5522;type=write:status=DONE\u{1B}\\",
    ])
    let window = try folder.open(
      environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""], model: model)
    try window.wait(for: "the first photo") { $0.isAt("1/2") }
    window.type("yi")
    try window.wait(for: "that") { $0.bar.contains("Picture copied: 00.png (PNG, ") }
    let output = String(decoding: window.output(), as: UTF8.self)
    let packets = output.components(separatedBy: "\u{1B}]5522;type=").dropFirst().map {
      $0.components(separatedBy: "\u{1B}\\")[0]
    }
    #expect(packets.first == "write" && packets.last == "wdata")
    let data = packets.dropFirst().dropLast().map { packet -> [UInt8] in
      #expect(packet.hasPrefix("wdata:mime=aW1hZ2UvcG5n;"))
      return Array(Data(base64Encoded: String(packet.dropFirst(24))) ?? Data())
    }
    #expect(data.count > 1 && data.allSatisfy { $0.count <= 4096 })
    #expect(Array(data.joined()) == Self.contents(folder["00.png"]))
    try window.quit()
  }

  @Test func `a terminal that refuses pictures leaves them to xclip`() throws {
    let folder = try PhotoFolder(count: 2)
    let environment = try add("xclip", "cat > '\(folder[".bin/copied"])'", to: folder)
    let model = TerminalModel.kitty.adding([
      "\u{1B}[>0q": "\u{1B}P>|kitty(0.35.2)\u{1B}\\",
      "\u{1B}]5522;type=wdata\u{1B}\\": "\u{1B}]5522;type=write:status=EPERM\u{1B}\\",
    ])
    let window = try folder.open(environment: environment, model: model)
    try window.wait(for: "the first photo") { $0.isAt("1/2") }
    window.type("yi")
    try window.wait(for: "that") { $0.bar.contains("Picture copied: 00.png") }
    #expect(Self.contents(folder[".bin/copied"]) == Self.contents(folder["00.png"]))
    try window.quit()
  }

  // MARK: - Opening

  @Test func `o opens with the chosen program, which outlives the terminal`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try folder.open(
      "--open-with",
      "echo noise; sleep 1; ps -o tty= -p $$ > '\(folder["tty"])'; printf %s \"$1\" > '\(folder["opened"])'"
    )
    try window.waitForGrid(of: 2)
    window.type("lo")
    try window.wait(for: "words") { $0.bar.contains("Opening 01.png with ") }
    try window.quit()
    #expect(
      Polling.until {
        Self.contents(folder["opened"]) == Array(folder["01.png"].utf8)
      })
    let tty = Self.contents(folder["tty"]).map { String(decoding: $0, as: UTF8.self) }
    #expect(tty?.contains("?") == true)
  }

  @Test func `a missing or failing program is reported`() throws {
    let folder = try PhotoFolder(count: 2)
    let missing = try folder.open(environment: ["PHOTOGRID_OPEN_WITH": "no-such-program"])
    try missing.waitForGrid(of: 2)
    missing.type("o")
    try missing.wait(for: "that") { $0.bar.contains("no-such-program: no such command") }
    try missing.quit()

    let failing = try folder.open("--open-with=exit 5 #")
    try failing.waitForGrid(of: 2)
    failing.type("o")
    try failing.wait(for: "its status") { $0.bar.contains("exited with status 5") }
    try failing.quit()

    let bare = try folder.open(environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
    try bare.waitForGrid(of: 2)
    bare.type("o")
    try bare.wait(for: "that there is no desktop") { $0.bar.contains("No program to open it with") }
    try bare.quit()

    let desktop = try folder.open(environment: ["DISPLAY": ":0", "PATH": "/nowhere"])
    try desktop.waitForGrid(of: 2)
    desktop.type("o")
    try desktop.wait(for: "what is missing") { $0.bar.contains("xdg-open is not installed") }
    try desktop.quit()
  }
}

extension [UInt8] {
  /// Whether these bytes contain a text.
  fileprivate func containsSequence(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard count >= wanted.count else { return false }
    return (0...(count - wanted.count)).contains { self[$0..<($0 + wanted.count)] == wanted[...] }
  }
}
