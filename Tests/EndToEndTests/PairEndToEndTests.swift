import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// A picture and its raw file in the real program: one photo in every respect.
@Suite(.waiting) struct PairEndToEndTests {
  private static func names(_ folder: PhotoFolder) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func `a pair is marked, trashed, restored and renamed as one photo`() throws {
    let folder = try PhotoFolder(count: 0)
    for name in ["a.jpg", "b.CR2", "b.jpg", "c.jpg"] {
      try folder.add(TestPhoto.flat(TestPhoto.red), as: name)
    }
    let all = Self.names(folder)
    let window = try folder.open(
      "--motion", "none", environment: ["XDG_DATA_HOME": folder[".data"]])
    try window.wait(for: "three photos, one of them a pair") { $0.isAt("1/3") && $0.shows("RAW") }

    window.type("ld")
    try window.wait(for: "it to be gone") {
      $0.isAt("2/2") && $0.bar.hasPrefix("'b.jpg' and its raw file are in the trash")
        && !$0.shows("RAW")
    }
    #expect(Self.names(folder) == ["a.jpg", "c.jpg"])
    window.type("u")
    try window.wait(for: "both to be back") { $0.isAt("2/3") && $0.shows("RAW") }
    #expect(Self.names(folder) == all)

    window.type("r")
    try window.wait(for: "the prompt") { $0.bar.contains("b.jpg") }
    window.type("2\r")
    try window.wait(for: "the new name") { $0.bar.hasPrefix("'b.jpg' is now 'b2.jpg'") }
    #expect(Self.names(folder) == ["a.jpg", "b2.CR2", "b2.jpg", "c.jpg"])
    window.type("u")
    try window.wait(for: "the old name") { $0.bar.contains("was renamed back to 'b.jpg'") }
    #expect(Self.names(folder) == all)

    window.type(";3")
    try window.wait(for: "two sidecars") { _ in
      Self.names(folder).filter { $0.hasSuffix("xmp") } == ["b.CR2.xmp", "b.jpg.xmp"]
    }

    try FileManager.default.removeItem(atPath: folder["b.jpg"])
    try window.wait(for: "the raw file in its place") { $0.isAt("2/3") && !$0.shows("RAW") }
    try folder.add(TestPhoto.flat(TestPhoto.red), as: "b.jpg")
    try window.wait(for: "the pair again") { $0.isAt("2/3") && $0.shows("RAW") }
    try window.quit()
  }

  @Test func `a live photo is moved, renamed, trashed and rated with its film`() throws {
    let folder = try PhotoFolder(count: 0)
    try folder.add(image("card.heic"), as: "a.heic")
    for name in ["a.mov", "b.mov"] { try folder.add(Array("a film".utf8), as: name) }
    try folder.add(TestPhoto.flat(TestPhoto.red), as: "b.jpg")
    let all = Self.names(folder)
    let window = try folder.open(
      "--motion", "none", environment: ["XDG_DATA_HOME": folder[".data"]])
    try window.wait(for: "two photos") { $0.isAt("1/2") }

    window.type("d")
    try window.wait(for: "it to be gone") {
      $0.bar.hasPrefix("'a.heic' and its video are in the trash")
    }
    #expect(Self.names(folder) == ["b.jpg", "b.mov"])
    window.type("u")
    try window.wait(for: "it to be back") { $0.isAt("1/2") && $0.bar.contains("are back") }
    #expect(Self.names(folder) == all)

    window.type("r")
    try window.wait(for: "the prompt") { $0.bar.contains("a.heic") }
    window.type("2\r")
    try window.wait(for: "the new name") { $0.bar.hasPrefix("'a.heic' is now 'a2.heic'") }
    #expect(Self.names(folder) == ["a2.heic", "a2.mov", "b.jpg", "b.mov"])
    window.type("u")
    try window.wait(for: "the old name") { $0.bar.contains("was renamed back to 'a.heic'") }
    #expect(Self.names(folder) == all)

    window.type("yccopies/\r")
    try window.wait(for: "the copies") { $0.bar.hasPrefix("'a.heic' was copied to 'copies/'") }
    let copies = try FileManager.default.contentsOfDirectory(atPath: folder["copies"])
    #expect(copies.sorted() == ["a.heic", "a.mov"])

    window.type(";3")
    try window.wait(for: "two sidecars") { _ in
      Self.names(folder).filter { $0.hasSuffix("xmp") } == ["a.heic.xmp", "a.mov.xmp"]
    }
    window.type("Mkept/\r")
    try window.wait(for: "the film beside it") { $0.bar.hasPrefix("'a.heic' is in 'kept/'") }
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder["kept"])
    #expect(kept.sorted() == ["a.heic", "a.heic.xmp", "a.mov", "a.mov.xmp"])
    try window.quit()
  }

  @Test func `if one file of a pair cannot be moved, the other one stays`() throws {
    let folder = try PhotoFolder(count: 1)
    for name in ["b.jpg", "b.nef", "c.nef"] {
      try folder.add(TestPhoto.flat(TestPhoto.red), as: name)
    }
    let all = Self.names(folder)
    let window = try folder.open("--motion", "none")
    try window.wait(for: "three photos") { $0.isAt("1/3") && $0.shows("RAW") }
    window.type("lr")
    try window.wait(for: "the prompt") { $0.bar.contains("b.jpg") }
    // There is a c.nef, but no c.jpg.
    window.type("\u{15}c\r")
    try window.wait(for: "the refusal") { $0.bar.contains("'b.jpg' was not renamed") }
    #expect(Self.names(folder) == all)
    try window.quit()
  }

  @Test func `other programs get the names of both files`() throws {
    let folder = try PhotoFolder(count: 0)
    for name in ["a.jpg", "a.dng", "b.jpg"] {
      try folder.add(TestPhoto.flat(TestPhoto.red), as: name)
    }
    let both = "\(folder["a.jpg"])\n\(folder["a.dng"])\n"
    #expect(folder.run("--all", "--filter", "type:raw", folder.path).outputText == both)
    #expect(
      folder.run("--all", "--pairs", "off", "--filter", "type:raw", folder.path).outputText
        == "\(folder["a.dng"])\n")
    let json = folder.run("--print", "--json", folder.path).outputText.split(separator: "\n")
    #expect(json.count == 2)
    #expect(json[0].contains("\"pair\":\"\(folder["a.dng"])\",\"film\":null,\"stack\":null"))
    #expect(json[1].contains("\"pair\":null,\"film\":null,\"stack\":null"))
    #expect(
      folder.run("--print", "--json", "--pairs=off", folder.path).outputText
        .split(separator: "\n").count == 3)
    #expect(folder.run("--pairs", "maybe", folder.path).status == 2)
  }

  @Test func `facts name the film of a live photo, but no folder of its name`() throws {
    let folder = try PhotoFolder(count: 0)
    for name in ["a.heic", "c.heic"] { try folder.add(image("card.heic"), as: name) }
    try folder.add(TestPhoto.flat(TestPhoto.red), as: "b.jpg")
    try FileManager.default.createDirectory(
      atPath: folder["c.mov"], withIntermediateDirectories: false)
    for name in ["a.mov", "b.mov", "c.mov/inside"] { try folder.add([1], as: name) }
    // With --pairs off, films have lines of their own too.
    for (pairs, step) in [("on", 1), ("off", 2)] {
      let json = folder.run("--print", "--json", "--pairs", pairs, folder.path).outputText
        .split(separator: "\n")
      try #require(json.count == 1 + 2 * step)
      #expect(json[0].contains("\"pair\":null,\"film\":\"\(folder["a.mov"])\",\"stack\":null"))
      if step == 1 { #expect(json[1].contains("\"film\":\"\(folder["b.mov"])\"")) }
      #expect(json[2 * step].contains("\"film\":null"), "a folder is no film")
    }
  }

  @Test func `shots of a burst are folded into a stack, fanned out and folded again`() throws {
    let folder = try PhotoFolder(count: 0)
    // The camera's time is in the files: the stack is of the last three.
    for (name, second) in [("a", 0), ("b", 20), ("c", 21), ("d", 22)] {
      try folder.add(TestPhoto.jpeg(taken: "2024:05:21 12:00:\(second + 10)"), as: name + ".jpg")
    }
    let window = try folder.open("--motion", "none", "--stacks", "on")
    try window.wait(for: "two tiles") { $0.isAt("1/2") && $0.shows("×3") }
    window.type("l\r")
    try window.wait(for: "all of them") { $0.isAt("2/4") && !$0.shows("×3") }
    window.type("lztzc")
    try window.wait(for: "the stack again") { $0.isAt("2/2") && $0.shows("×3") }
    window.type("zs")
    try window.wait(for: "Stacks off") { $0.isAt("3/4") }
    try window.quit()
    let json = folder.run("--print", "--json", "--stacks=on", folder.path).outputText
    let stacks = json.split(separator: "\n").map { $0.contains("\"stack\":1,") }
    #expect(stacks == [false, true, true, true])
  }
}
