import Foundation
import PseudoTerminal
import Testing

/// Drag and drop by kitty's protocol (OSC 72), with a terminal that the test plays.
@Suite(.waiting) struct DropTests {
  private static let support = "\u{1B}]72;t=q:i=1\u{1B}\\"
  /// kitty 0.48.2, which supports the protocol.
  private static let kitty = TerminalModel.kitty.adding([
    "\u{1B}[>0q": "\u{1B}P>|kitty(0.48.2)\u{1B}\\", support: support,
  ])

  private func open(_ folder: PhotoFolder, _ options: String...) throws -> Window {
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", "--protocol", "cells", "--motion", "none"] + options
        + [folder.path],
      environment: ["XDG_DATA_HOME": folder[".data"], "XDG_STATE_HOME": folder[".state"]],
      model: Self.kitty, folder: folder)
    try window.waitForGrid(of: 2)
    try waitForOutput("]72;t=a;text/uri-list", of: window)
    return window
  }

  private func waitForOutput(_ text: String, of window: Window) throws {
    let isThere = window.watch { _ in
      String(decoding: window.output(), as: UTF8.self).contains(text)
    }
    try #require(isThere, "never sent: \(text.debugDescription)\(window.picture)")
  }

  private func send(_ texts: String..., to window: Window) {
    for text in texts { window.type("\u{1B}]72;\(text)\u{1B}\\") }
  }

  /// Drops a list of URIs on a cell, as kitty does.
  private func drop(_ list: String, on window: Window) {
    send(
      "t=m:x=70:y=20:o=1:m=0;text/uri-list ", "t=M:x=70:y=20:o=1:m=0;text/uri-list ", to: window)
    let text = Data(list.utf8).base64EncodedString()
    var rest = text[...]
    while !rest.isEmpty {
      send("t=r:x=1:m=1;\(rest.prefix(4096))", to: window)
      rest = rest.dropFirst(4096)
    }
    send("t=r:x=1", to: window)
  }

  /// Drags the first photo so far that it is no click, which kitty then offers to carry on.
  private func dragPhoto(in window: Window) throws {
    let box = try #require(window.screen.box(of: TestPhoto.red))
    // In pixels, as this terminal reports the mouse; a half of a cell is square.
    let (x, y) = ((box.x + box.width / 2) * 10, (box.y + box.height / 2) * 10)
    window.press(x, y)
    window.drag(x + 100, y)
    send("t=o:x=\(x / 10):y=\(y / 20):X=\(x):Y=\(y)", to: window)
  }

  private static func names(_ path: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return all.filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func `dropped files are copied after y, and u removes the copies`() throws {
    let (folder, other) = (try PhotoFolder(count: 2), try PhotoFolder(count: 3))
    try other.add(.flat(TestPhoto.cyan), as: "new\nline é.png")
    let window = try open(folder)

    let names = ["00.png", "02.png", "new%0Aline%20%C3%A9.png"]
    drop(names.map { "file://\(other.path)/\($0)\r\n" }.joined(), on: window)
    try window.wait(for: "the question") { $0.bar.hasPrefix("Copy 3 files into '") }
    #expect(Self.names(folder.path) == ["00.png", "01.png"])
    window.type("y")
    try window.wait(for: "the copies") {
      $0.wordsInBoxes.contains("u removes the copies") || $0.bar.contains("u removes the copies")
    }
    #expect(
      Self.names(folder.path)
        == ["00-1.png", "00.png", "01.png", "02.png", "new\nline é.png"])
    #expect(Self.names(other.path).count == 4)
    try window.wait(for: "five tiles") { $0.bar.contains("/5") }

    window.type("u")
    try window.wait(for: "no copies") { $0.bar.contains("3 copies were removed") }
    #expect(Self.names(folder.path) == ["00.png", "01.png"])
    try window.quit()
    #expect(OutputInspection.faults(in: window.output(), allowing: .screen) == [])
  }

  static let hostile: [(list: String, words: String)] = [
    ((0..<11_000).map { "file:///etc/\($0)\r\n" }.joined(), "at most 10000 files"),
    ("file://elsewhere/etc/passwd\r\n", "not 1 on other computers"),
    ("file:///etc/host%00s\r\nhttp://x/\u{1B}]2;x\u{7}\r\n", "not 2 that are no files"),
    ("", "Nothing was copied"),
  ]

  @Test(arguments: hostile.indices) func `a bad drop copies nothing`(row: Int) throws {
    let folder = try PhotoFolder(count: 2)
    let window = try open(folder)
    drop(Self.hostile[row].list, on: window)
    try window.wait(for: "the reason") {
      $0.bar.contains(Self.hostile[row].words) || $0.wordsInBoxes.contains(Self.hostile[row].words)
    }
    // There is no question that this could answer.
    window.type("y\u{1B}l")
    try window.waitForNumber("2/2")
    #expect(Self.names(folder.path) == ["00.png", "01.png"])
    try window.quit()
  }

  @Test func `reports that nothing was asked for do nothing`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try open(folder)
    send(
      "t=r:x=1:m=0;ZmlsZTovLy9ldGMvaG9zdHM", "t=r:x=1", "t=E;OK", "t=E;EINVAL", "t=k:x=1",
      "t=e:x=5:y=0", "t=e:x=4", "t=o:x=1:y=1", "t=q:i=1", "t=zzz", "t", "", "m=1;AAAA",
      "t=m:x=-1:y=-1", to: window)
    window.type("l")
    try window.waitForNumber("2/2")
    #expect(!String(decoding: window.output(), as: UTF8.self).contains("t=o:o="))
    try window.quit()
  }

  @Test func `a dragged tile is offered to other windows, with its picture`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try open(folder)
    try window.waitUntilQuiet()
    try dragPhoto(in: window)
    let uri = Data("file://\(folder["00.png"])\r\n".utf8).base64EncodedString()
      .replacing("=", with: "")
    try waitForOutput("]72;t=P:x=-1", of: window)
    let output = String(decoding: window.output(), as: UTF8.self)
    #expect(output.contains("]72;t=o:o=3;text/uri-list\u{1B}\\"))
    #expect(output.contains("]72;t=p:x=0:m=1;\(uri)\u{1B}\\"))
    #expect(output.contains("]72;t=p:x=-1:y=24:X="))
    send("t=E:m=0;OK", "t=e:x=4:y=0", to: window)
    try window.quit()
  }

  @Test func `with --read-only nothing can be dropped, and photos can only be copied`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try open(folder, "--read-only")
    drop("file:///etc/hosts\r\n", on: window)
    try waitForOutput("]72;t=r:o=0", of: window)
    #expect(String(decoding: window.output(), as: UTF8.self).contains("]72;t=m:o=0"))
    try dragPhoto(in: window)
    try waitForOutput("]72;t=o:o=1;text/uri-list", of: window)
    try window.quit()
    #expect(Self.names(folder.path) == ["00.png", "01.png"])
  }

  // MARK: - The terminal

  @Test(arguments: [("0.26.5", true, false), ("0.46.9", true, false), ("0.48.2", false, true)])
  func `only a terminal that may support it is asked, and only one that does gets offers`(
    version: String, isSupported: Bool, isAsked: Bool
  ) throws {
    var replies = ["\u{1B}[>0q": "\u{1B}P>|kitty(\(version))\u{1B}\\"]
    if isSupported { replies[Self.support] = Self.support }
    let window = try PhotoFolder(count: 2).open(model: .kitty.adding(replies))
    try window.wait(for: "the first photo") { $0.isAt("1/2") }
    try window.waitUntilQuiet()
    try window.quit()
    let output = String(decoding: window.output(), as: UTF8.self)
    #expect(output.contains(Self.support) == isAsked)
    #expect(!output.replacing(Self.support, with: "").contains("\u{1B}]72;"))
  }

  private static let ends = "\u{1B}]72;t=A\u{1B}\\\u{1B}]72;t=o:x=2\u{1B}\\"

  @Test(arguments: [SIGTERM, SIGUSR1, SIGKILL, 0])
  func `however the program ends, nothing is offered any more`(signal: Int32) throws {
    let folder = try PhotoFolder(count: 2)
    let window = try Window(
      ["sh", "-c", "ulimit -c 0; \"$@\"; read line", "sh", PhotoGrid.path, folder.path],
      model: Self.kitty, folder: folder)
    try waitForOutput("]72;t=a;text/uri-list", of: window)
    var program: pid_t?
    try window.wait(for: "the guard") { _ in
      program = Processes.children(of: window.terminal.process).first
      return program.map {
        Processes.children(of: $0).contains { Processes.name(of: $0) == "photogrid-guard" }
      } ?? false
    }
    #expect(!String(decoding: window.output(), as: UTF8.self).contains(Self.ends))
    if signal == 0 { window.type("q") } else { kill(try #require(program), signal) }
    try window.wait(for: "the shell's screen") { $0.modes == [7, 25] }
    try waitForOutput(Self.ends, of: window)
    // Until then, what is typed may be taken for a late response.
    try window.wait(for: "the end of the program") { _ in
      Processes.children(of: window.terminal.process).isEmpty
    }
    window.type("\r")
    _ = try window.waitForEnd()
  }
}
