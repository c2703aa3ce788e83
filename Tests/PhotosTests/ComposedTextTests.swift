import Foundation
import TestSupport
import Testing

@testable import Geometry
@testable import Photos

/// Composed and decomposed letters are the same in everything that is typed, searched, and sorted.
@Suite struct ComposedTextTests {
  private static let composed = "Z\u{fc}rich caf\u{e9}"
  private static let decomposed = "Zu\u{308}rich cafe\u{301}"

  @Test func `every character that composing changes is looked at`() {
    for number in UInt32(0)..<0x3_0000 {
      guard let scalar = Unicode.Scalar(number) else { continue }
      for text in ["\(scalar)", "e\(scalar)", "\u{1100}\(scalar)"] {
        let right = Array(text.precomposedStringWithCanonicalMapping.utf8)
        // Foundation composes U+1176 by mistake: the vowels end before it (Unicode 15, 3.12).
        if right != Array(text.utf8), number != 0x1176 {
          #expect(ComposedText.of(Array(text.utf8)) == right, "U+\(String(number, radix: 16))")
        }
      }
    }
    let accent = Array("e\u{301}".utf8)
    #expect(ComposedText.of(accent + [0xff]) == Array("\u{e9}\u{fffd}".utf8))
    #expect(ComposedText.of([0xcc, 0x41, 0xff]) == [0xcc, 0x41, 0xff])
    #expect(ComposedText.of([0x41, 0xff]) == [0x41, 0xff])
  }

  @Test func `names, keywords and filters have one form`() throws {
    #expect(PhotoNames.folded(Self.decomposed) == PhotoNames.folded(Self.composed))
    #expect(PhotoNames.folded("Z\u{dc}RICH") == PhotoNames.folded("zu\u{308}rich"))
    var album = Album()
    album.extend(by: (0..<2).map { Photo.ID($0) })
    for batch in NameBatch.batches(
      of: [Self.composed, Self.decomposed].map { Array("\($0).jpg".utf8) }, first: Photo.ID(0))
    {
      album.name(batch)
    }
    for word in [
      "z\u{fc}rich", "zu\u{308}rich", "name:Zu\u{308}*", "Z\u{fc}?ich*", "*cafe\u{301}.jpg",
    ] {
      album.show(only: try Filter(parsing: word))
      #expect(album.shown.count == 2, "\(word)")
    }
    // `?` is one letter, however it is written.
    album.show(only: try Filter(parsing: "Z?rich*"))
    #expect(album.shown.count == 2)
  }

  @Test func `a keyword is added once`() throws {
    let edit = try #require(KeywordEdit(adding: ["Z\u{fc}rich"]))
    #expect(edit.applied(to: ["Zu\u{308}rich"]).count == 1)
    let removal = try #require(KeywordEdit(removing: ["Zu\u{308}rich"]))
    #expect(removal.applied(to: ["Z\u{fc}rich"]) == [])
    #expect(PhotoWords(keywords: ["Z\u{fc}rich", "Zu\u{308}rich"])?.keywords.count == 1)
  }

  @Test func `names are sorted by letters, not by how they are written`() {
    let names = ["Z\u{fa}", "Zu\u{308}1", "Z\u{fc}2", "Zu\u{308}3", "Z\u{fc}10", "Zv"]
    #expect(NaturalOrderTests.sorted(names.reversed()) == ["Zv"] + names.dropLast())
    let bytes = names.reversed().map { Array($0.utf8) }
    let sorted = bytes.withUnsafeBufferPointers { NaturalOrder.sorted(Array($0.indices), $0.name) }
    #expect(sorted.map { bytes[$0] } == bytes.sorted(by: NaturalOrder.precedes))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `many names in both forms are sorted as by comparing each with others`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = ["a", "u", "u\u{308}", "\u{fc}", "1", "2", "10", "\u{301}", "Z", "e", "\u{e9}"]
    let names = (0..<200).map { _ in
      Array((0..<4).map { _ in letters.randomElement(using: &random) ?? "" }.joined().utf8)
    }
    let sorted = names.withUnsafeBufferPointers { NaturalOrder.sorted(Array($0.indices), $0.name) }
    let right = names.sorted(by: NaturalOrder.precedes)
    #expect(sorted.map { names[$0] } == right)
    for pair in zip(right, right.dropFirst()) { #expect(!NaturalOrder.precedes(pair.1, pair.0)) }
  }
}

/// Names whose bytes have addresses.
private struct Addressed {
  let bytes: UnsafeBufferPointer<UInt8>
  let ends: [Int]

  var indices: Range<Int> { 0..<(ends.count - 1) }

  func name(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[ends[index]..<ends[index + 1]])
  }
}

extension [[UInt8]] {
  fileprivate func withUnsafeBufferPointers<Result>(_ body: (Addressed) -> Result) -> Result {
    let ends = reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    return Array<UInt8>(joined()).withUnsafeBufferPointer { body(Addressed(bytes: $0, ends: ends)) }
  }
}
