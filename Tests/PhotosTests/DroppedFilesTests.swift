import Testing

@testable import Photos

/// Lists of URIs that other programs drop.
@Suite struct DroppedFilesTests {
  private static func dropped(_ list: String) -> DroppedFiles? {
    DroppedFiles(list: Array(list.utf8), host: "Here.local")
  }

  private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

  @Test(
    arguments: [
      ("file:///a.jpg\r\nfile:///b%20c.jpg\r\n", ["/a.jpg", "/b c.jpg"]),
      ("file:/a.jpg\nFILE:///b.jpg", ["/a.jpg", "/b.jpg"]),
      ("file://localhost/a\r\nfile://LOCALHOST/b\r\nfile://here.local/c", ["/a", "/b", "/c"]),
      ("# a comment\r\n\r\nfile:///a\r\n#file:///b", ["/a"]),
      ("file:///a\r\nfile:///%61\r\nfile:///a", ["/a"]),
      ("file:///a%0Ab%1B%5D2;x", ["/a\nb\u{1B}]2;x"]),
      ("file:///100%25\r\nfile:///100%\r\nfile:///%2525", ["/100%", "/%25"]),
    ] as [(String, [String])])
  func `files of this computer are found`(list: String, paths: [String]) throws {
    let files = try #require(Self.dropped(list))
    #expect(files.paths.map(Self.text) == paths)
    #expect(files.remoteCount == 0 && files.otherCount == 0)
  }

  @Test(arguments: [
    ("file://there/a", 1, 0), ("file://there", 1, 0), ("https://example.org/a.jpg", 0, 1),
    ("/a.jpg", 0, 1), ("file://", 0, 1), ("file:", 0, 1), ("file:a", 0, 1),
    ("file:///a%00b", 0, 1), ("data:image/png;base64,AAAA\nfile://there/a\nmailto:x", 1, 2),
  ])
  func `all others are counted`(list: String, remote: Int, other: Int) throws {
    let files = try #require(Self.dropped(list))
    #expect(files.paths.isEmpty)
    #expect(files.remoteCount == remote && files.otherCount == other)
  }

  @Test func `a list that is too long is refused as a whole`() throws {
    let lines = (0...DroppedFiles.maxCount).map { "file:///\($0)\n" }
    #expect(Self.dropped(lines.joined()) == nil)
    #expect(try #require(Self.dropped(lines.dropLast().joined())).paths.count == 10_000)
    let others = String(repeating: "http:x\n", count: DroppedFiles.maxCount + 1)
    #expect(Self.dropped(others) == nil)
    let long = [UInt8](repeating: UInt8(ascii: "#"), count: DroppedFiles.maxByteCount + 1)
    #expect(DroppedFiles(list: long, host: "") == nil)
  }

  @Test func `any path survives being dragged and dropped`() throws {
    let paths = [
      Array("/a b.jpg".utf8), Array("/é%20#?.jpg".utf8), Array("/new\nline\r\u{1B}[31m".utf8),
      [0x2F, 0xFF, 0xFE],
    ]
    let files = try #require(DroppedFiles(list: DroppedFiles.list(of: paths), host: ""))
    #expect(files.paths == paths)
    #expect(DroppedFiles.list(of: paths).allSatisfy { $0 < 0x7F })
  }

  @Test func `a photo, its raw file and its sidecars are one group`() throws {
    let names = [
      "/d/a.jpg", "/d/b.jpg", "/d/a.cr3", "/d/a.jpg.xmp", "/d/b.xmp", "/e/a.jpg", "/d/.x",
    ]
    let list = DroppedFiles.list(of: names.map { Array($0.utf8) })
    let groups = try #require(DroppedFiles(list: list, host: "")).groups
    #expect(
      groups.map { $0.map(Self.text) } == [
        ["/d/a.jpg", "/d/a.cr3", "/d/a.jpg.xmp"], ["/d/b.jpg", "/d/b.xmp"], ["/e/a.jpg"], ["/d/.x"],
      ])
  }
}
