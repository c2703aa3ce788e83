import Foundation
import PseudoTerminal
import Testing

/// Ratings: culling mode, sidecars, and what scripts get.
@Suite(.waiting) struct CullingTests {
  private static func sidecar(_ rating: Int) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  private static func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test func `photos are culled, rated by another program meanwhile, and found by their ratings`()
    throws
  {
    let folder = try PhotoFolder(count: 6)
    let photo = FileManager.default.contents(atPath: folder["00.png"])
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 6)

    window.type("C")
    try window.wait(for: "culling mode") { $0.bar.contains("culling: 6 left") }
    window.type("4x ")
    try window.wait(for: "the fourth photo") {
      $0.bar.contains("4/6") && $0.bar.contains("culling: 4 left")
    }
    try window.wait(for: "stars and a cross on the tiles") { $0.shows("★★★★") && $0.shows("✕") }
    try window.wait(for: "both sidecars") { _ in
      Self.text(folder["00.png.xmp"]).contains("xmp:Rating=\"4\"")
        && Self.text(folder["01.png.xmp"]).contains("xmp:Rating=\"-1\"")
    }
    #expect(FileManager.default.contents(atPath: folder["00.png"]) == photo)

    try folder.add(Self.sidecar(5), as: "05.xmp")
    try window.wait(for: "stars of another program") { $0.shows("★★★★★") }
    window.type("u")
    try window.wait(for: "the cross to go") { !$0.shows("✕") }
    window.type("Cfrating:>=4\r")
    try window.wait(for: "two photos") { $0.bar.contains("of 6") && !$0.bar.contains("culling") }
    try window.quit()

    let names = folder.run("--all", "--filter", "rating:>=4", folder.path)
    #expect(names.outputText == "\(folder["00.png"])\n\(folder["05.png"])\n")
    let json = folder.run("--print", "--json", folder["00.png"])
    #expect(json.outputText.contains("\"rating\":4,\"label\":null"))
    #expect(folder.run("--rate", "2", folder["02.png"], folder["03.png"]).status == 0)
    #expect(Self.text(folder["03.png.xmp"]).contains("xmp:Rating=\"2\""))
    try folder.add(Array("not XMP".utf8), as: "04.png.xmp")
    let failed = folder.run("--rate", "2", folder["04.png"])
    #expect(failed.status == 1 && failed.errorText.contains("not valid XMP"))
    #expect(Self.text(folder["04.png.xmp"]) == "not XMP")
    #expect(folder.run("--rate", "6", folder["04.png"]).status == 2)
  }

  @Test func `the second start knows all ratings at once`() throws {
    let folder = try PhotoFolder(count: 6)
    for index in [1, 4] {
      try folder.add(Self.sidecar(3), as: "\(PhotoFolder.name(index)).xmp")
    }
    let cache = ["XDG_CACHE_HOME": folder[".cache"]]
    for start in 1...2 {
      let window = try folder.open(
        "--motion", "none", "--filter", "rating:3", environment: cache)
      try window.wait(for: "two photos, start \(start)") { $0.bar.contains("1/2 of 6") }
      try window.quit()
    }
    // A sidecar that changes between the sessions is noticed.
    try folder.add(Self.sidecar(1), as: "04.png.xmp")
    let window = try folder.open("--motion", "none", "--filter", "rating:3", environment: cache)
    try window.wait(for: "one photo") { $0.bar.contains("1/1 of 6") }
    try window.quit()
  }
}
