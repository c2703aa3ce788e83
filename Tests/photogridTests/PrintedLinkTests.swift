import Testing

@testable import photogrid

struct PrintedLinkTests {
  @Test func `a path for a terminal is a link whose bytes are escaped`() {
    let path = Array("/photos/a b\u{1B}]8;;x\u{07}é%.jpg".utf8)
    let text = String(decoding: BrowseCommand.printable(path, isLink: true), as: UTF8.self)
    let parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
    #expect(parts.count == 5)
    #expect(parts[1].hasPrefix("]8;;file://"))
    #expect(parts[1].hasSuffix("/photos/a%20b%1B%5D8%3B%3Bx%07%C3%A9%25.jpg"))
    #expect(parts[2] == "\\/photos/a b?]8;;x?é%.jpg" && parts[3] == "]8;;" && parts[4] == "\\")
    let plain = BrowseCommand.printable(path, isLink: false)
    #expect(!plain.contains(0x1B))
  }
}
