@testable import Geometry
import Testing

struct TextSearchTests {
  @Test(arguments: [
    ("2..5", "..", 1), ("..5", "..", 0), ("5..", "..", 1), ("...", "..", 0), ("2.5", "..", nil),
    ("", "..", nil), (".", "..", nil), ("aab", "ab", 1), ("é..ü", "..", 1), ("", "", 0),
  ])
  func `the first occurrence of a text is found`(text: String, part: String, characters: Int?) {
    let range = text.range(of: part)
    #expect(range.map { text.distance(from: text.startIndex, to: $0.lowerBound) } == characters)
    #expect(range.map { String(text[$0]) } == characters.map { _ in part })
    #expect(text.containsText(part) == (characters != nil))
  }
}
