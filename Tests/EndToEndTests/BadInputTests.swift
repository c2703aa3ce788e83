import Foundation
import PseudoTerminal
import Testing

/// Files that are not photos, and names with control characters.
@Suite(.waiting) struct BadInputTests {
  @Test func `each bad file is a tile with its reason, beside good ones`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "a good.png")
    try folder.add(Array("hello".utf8), as: "b text.jpg")
    try folder.add(Array(TestPhoto.flat(TestPhoto.blue).png.prefix(60)), as: "c cut.png")
    try folder.add([], as: "d empty.png")
    #expect(mkfifo(folder["e pipe.jpg"], 0o644) == 0)
    try addSocket(folder["f socket.jpg"])
    #expect(symlink("nowhere", folder["g dangling.jpg"]) == 0)
    #expect(symlink(folder["e pipe.jpg"], folder["h link to pipe.jpg"]) == 0)
    #expect(symlink("/dev/zero", folder["i device.png"]) == 0)
    try folder.add(.flat(TestPhoto.blue), as: "j secret.png")
    chmod(folder["j secret.png"], 0)
    try folder.add(Array(TestPhoto.jpeg.prefix(40)), as: "k cut.jpg")
    try folder.add(.flat(TestPhoto.green), as: "l good.png")
    let window = try Window(
      PhotoGrid.heldToPermissions + ["--symbols", "half", "--motion", "none", folder.path],
      rows: 34,
      folder: folder)
    // The window has ten rows more than the one of `Box.tile`, so the grid is four half rows lower.
    func tile(_ index: Int) -> Box {
      var tile = Box.tile(index, of: 12)
      tile.y += 4
      return tile
    }

    let words: [(index: Int, words: String)] = [
      (1, "not an image"), (2, "truncated"), (3, "empty file"), (4, "a named pipe, not a file"),
      (5, "a socket, not a file"), (6, "no such file"), (7, "a named pipe, not a file"),
      (8, "a device, not a file"), (9, "no permission"), (10, "truncated"),
    ]
    try window.wait(for: "a word in every bad tile") { screen in
      screen.isAt("1/12")
        && words.allSatisfy { screen.words(in: tile($0.index)).contains($0.words) }
        && screen.isFilled(tile(0), with: TestPhoto.red)
        && screen.isFilled(tile(11), with: TestPhoto.green)
    }
    for (index, words) in words {
      window.type("\(index + 1)G")
      try window.wait(for: "\(words) in the bar") {
        $0.bar.contains(words) && $0.isAt("\(index + 1)/12")
      }
      window.type("\r")
      try window.wait(for: "\(words) on the whole screen") { screen in
        screen.lines.dropLast().contains { $0.contains(words) }
          && screen.box(of: TestPhoto.red) == nil
      }
      window.type("\u{1B}")
      try window.wait(for: "the grid") { $0.isFilled(tile(0), with: TestPhoto.red) }
    }
    try window.quit()
  }

  @Test func `a truncated photo is shown as far as it goes, and marked`() throws {
    let folder = try PhotoFolder()
    let photo = TestPhoto.flat(TestPhoto.blue, width: 300, height: 300).png
    try folder.add(Array(photo.prefix(photo.count / 2)), as: "half.png")
    let window = try folder.open("-t")

    try window.wait(for: "the upper half, and a mark") {
      $0.isFilled(Box(x: 31, y: 14, width: 18, height: 7), with: TestPhoto.blue)
        && $0.bar.contains("incomplete")
    }
    try window.quit()
  }

  @Test func `a photo of a list that is deleted later is a tile with a message`() throws {
    let folder = try PhotoFolder(count: 60)
    let names = (0..<60).map { folder[PhotoFolder.name($0)] }
    try folder.add(Array(names.joined(separator: "\n").utf8), as: "list")
    let window = try folder.open("--motion", "none", paths: ["--files-from", folder["list"]])
    try window.waitForGrid(of: 60)

    try FileManager.default.removeItem(atPath: folder["59.png"])
    window.type("G")

    try window.wait(for: "a tile that says so, and the bar") { screen in
      screen.bar.hasPrefix("59.png") && screen.bar.contains("no such file")
        && screen.lines.dropLast().contains { $0.contains("no such file") }
    }
    try window.quit()
  }

  /// Names as bytes, each with an effect on a terminal if it were written unchanged.
  static let hostileNames: [[UInt8]] = [
    Array("a\u{1B}[31;1mNEEDLE.png".utf8), Array("b\u{1B}]52;c;TkVFRExF\u{07}.png".utf8),
    Array("c\u{1B}]0;NEEDLE\u{1B}\\.png".utf8), Array("d\nNEEDLE.png".utf8),
    Array("e\rNEEDLE.png".utf8), Array("f\u{07}\u{08}\u{7F}.png".utf8),
    [0x67, 0x9B] + Array("31mNEEDLE.png".utf8), Array("h\u{9B}31mNEEDLE.png".utf8),
    [0x69, 0xFF, 0xFE, 0xC3] + Array(".png".utf8), Array("j\u{202E}gnp.exe.png".utf8),
    Array("k\u{2066}\u{200F}\u{61C}.png".utf8), Array("l漢字かな.png".utf8),
    Array("m e\u{301}\u{302}\u{303} zalgo\u{316}\u{317}.png".utf8),
    Array("n\u{200B}\u{FEFF}\u{AD}.png".utf8), Array("o\u{1F468}\u{200D}\u{1F469}.png".utf8),
    Array("p [n=-1].png".utf8), Array("-q.png".utf8),
    Array("r".utf8) + Array(repeating: UInt8(ascii: "x"), count: 240) + Array(".png".utf8),
    Array("s\t\u{0B}\u{0C}\u{0E}\u{90}q\u{9C}.png".utf8), Array("t%s%n$(x)`x`;x|x.png".utf8),
  ]

  @Test func `no name controls the terminal, and every photo is shown`() throws {
    let folder = try hostileFolder()
    let window = try folder.open("--labels", "--motion", "none", columns: 100, rows: 66)

    try window.wait(for: "twenty tiles") { screen in
      screen.isAt("1/20") && !screen.bar.contains("loading")
        && screen.count(of: TestPhoto.cyan) == 20 * 18 * 18
    }
    for number in 1...Self.hostileNames.count {
      window.type("\(number)G\r\u{1B}")
      try window.waitUntilQuiet(seconds: 0.05)
      #expect(window.screen.bar.count <= 100)
    }
    try window.wait(for: "the last one") { $0.isAt("20/20") }
    #expect(window.screen.count(of: TestPhoto.cyan) == 20 * 18 * 18, "\(window.picture)")
    window.type("Q")
    #expect(try window.waitForEnd() == 0)

    // Q prints a name for a program to read; this last one is harmless.
    #expect(OutputInspection.faults(in: window.output(), allowing: .screen) == [])
  }

  @Test func `wide names keep to their columns`() throws {
    let folder = try PhotoFolder()
    try folder.add(.flat(TestPhoto.red), as: "e\u{301}e\u{301}e\u{301} combined.png")
    try folder.add(.flat(TestPhoto.green), as: "漢字かなカナ漢字かなカナ漢字かなカナ.png")
    try folder.add(.flat(TestPhoto.blue), as: "龥 last.png")
    let window = try folder.open("--labels", "--motion", "none")

    // Each label begins where its tile does, the last one after the wide one.
    try window.wait(for: "three labels") { screen in
      screen[12, 15].glyph == "e\u{301}" && screen[31, 15].glyph == "漢"
        && screen[50, 15].glyph == "龥" && screen.text(ofRow: 15).contains("…")
    }
    window.type("l")
    try window.wait(for: "the wide name and the number") {
      $0.bar.hasPrefix("漢字") && $0.isAt("2/3")
    }
    window.type("h")
    try window.wait(for: "the combined name and the number") {
      $0.bar.hasPrefix("e\u{301}e\u{301}e\u{301} combined.png") && $0.isAt("1/3")
    }
    try window.quit()
  }

  @Test(arguments: [["--print", "--labels"], ["--print", "--labels", "--colors", "none"]])
  func `printed labels are harmless`(options: [String]) throws {
    let folder = try hostileFolder()
    let run = ProgramRun.of(
      [PhotoGrid.path] + options + [folder.path], environment: PhotoGrid.environment)

    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(OutputInspection.faults(in: run.output, allowing: .colors) == [])
    #expect(run.outputText.contains("NEEDLE"), "names are printed")
  }

  @Test func `facts are printed in ASCII and can be parsed`() throws {
    let folder = try hostileFolder()
    let run = folder.run("--print", "--json", folder.path)

    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(run.output.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A })
    let paths = try run.outputText.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["path"] as? String
    }
    let names = Self.hostileNames.map { "\(folder.path)/" + String(decoding: $0, as: UTF8.self) }
    #expect(Set(paths) == Set(names))
  }

  @Test func `messages about malicious paths are harmless`() throws {
    for name in Self.hostileNames {
      // Arguments of a process must be valid text here, so the shell assembles the bytes.
      let escaped = name.map { "\\" + octal($0) }.joined()
      let run = ProgramRun.of(
        ["sh", "-c", "\"$0\" --print -- \"/missing/$(printf '\(escaped)x')\"", PhotoGrid.path],
        environment: PhotoGrid.environment)
      #expect(run.status == 1 && run.output.isEmpty, "\(run)")
      #expect(run.errorText.hasPrefix("photogrid: /missing/"), "\(run)")
      #expect(run.errors.count { $0 == 0x0A } == 1, "\(run)")
      #expect(OutputInspection.faults(in: run.errors, allowing: .colors) == [], "\(run)")
    }
  }

  @Test func `messages about malicious values of options are harmless`() throws {
    let folder = try PhotoFolder()
    for value in ["\u{1B}[31mNEEDLE", "\u{9B}31m", "a\nb", "\u{202E}x"] {
      for option in ["--cell=\(value)", "--\(value)", "--symbols=\(value)", "-\(value)"] {
        let run = folder.run(option)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.count { $0 == 0x0A } == 1, "\(run)")
        #expect(OutputInspection.faults(in: run.errors, allowing: .colors) == [], "\(run)")
      }
    }
  }

  /// Equal photos with malicious names.
  private func hostileFolder() throws -> PhotoFolder {
    let folder = try PhotoFolder()
    let photo = TestPhoto.flat(TestPhoto.cyan, width: 20, height: 10).png
    for name in Self.hostileNames { try folder.add(photo, asBytes: name) }
    return folder
  }

  private func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  private func addSocket(_ path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafeBytes(of: &address) {
      bind(
        descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    #expect(result == 0, "no socket: \(String(cString: strerror(errno)))")
  }
}

extension ScreenReader {
  /// The number of half cells with a color.
  func count(of color: UInt32) -> Int {
    (0..<rows * 2).reduce(0) { sum, y in
      sum + (0..<columns).count { self.color($0, y) == color }
    }
  }
}
