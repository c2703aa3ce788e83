import TestSupport
import Testing

@testable import Photos

@Suite struct NaturalOrderTests {
  static func sorted(_ names: [String]) -> [String] {
    names.map { Array($0.utf8) }.sorted(by: NaturalOrder.precedes)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ["img2", "img10"],
    ["IMG_1.jpg", "img_2.jpg", "IMG_10.jpg"],
    ["a", "a0", "a00", "a01", "a1", "a2", "aa"],
    ["1", "1a", "1b", "2", "10"],
    // Longer than any integer type.
    ["x99999999999999999999999998", "x99999999999999999999999999", "x100000000000000000000000000"],
    ["IMG", "Img", "img"],
    ["", "0", "a"],
    ["a-1", "a.jpg", "a1", "a_1", "ab"],
    ["2024-5-9", "2024-05-10", "2024-5-10", "2024-10-1"],
  ])
  func `names are sorted in the order that people expect`(names: [String]) {
    #expect(Self.sorted(names.reversed()) == names)
    #expect(Self.sorted(names) == names)
  }

  @Test func `bytes that are not UTF-8 are ordered by value`() {
    #expect(NaturalOrder.precedes([0x61, 0x7f], [0x61, 0xff]))
    #expect(NaturalOrder.precedes([0x61, 0xfe], [0x61, 0xff]))
    #expect(!NaturalOrder.precedes([0x61, 0xff], [0x61, 0xff]))
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `many names are sorted as by comparing each with others`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Some numbers are longer than a key.
    let letters = Array("aAb00019._".utf8) + [0xff]
    let head = Array(["", "IMG_", "2024", "a0"].randomElement(using: &random)!.utf8)
    let longest = [4, 30, 300].randomElement(using: &random)!
    let names = (0..<200).map { _ in
      head
        + (0..<Int.random(in: 0...longest, using: &random)).map { _ in
          longest > 4 && Bool.random(using: &random)
            ? UInt8(ascii: "1") : letters.randomElement(using: &random)!
        }
    }
    let bytes = names.joined() + [0]
    var ends: [Int] = []
    for name in names { ends.append((ends.last ?? 0) + name.count) }
    let order = Array(bytes).withUnsafeBufferPointer { bytes in
      NaturalOrder.sorted(Array(names.indices)) {
        UnsafeBufferPointer(rebasing: bytes[($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0]])
      }
    }
    #expect(order.map { names[$0] } == names.sorted(by: NaturalOrder.precedes))
  }

  @Test func `the order of random names is total`() {
    let seed: UInt64 = 42
    var random = SeededGenerator(seed: seed)
    // Few letters, so that names differ late and in leading zeros and case.
    let letters = Array("aAb0019._".utf8) + [0xff]
    let names = (0..<60).map { _ in
      (0..<Int.random(in: 0...5, using: &random)).map { _ in letters.randomElement(using: &random)!
      }
    }
    for one in names {
      for other in names {
        let before = NaturalOrder.precedes(one, other)
        let after = NaturalOrder.precedes(other, one)
        #expect(one == other ? !before && !after : before != after)
        guard before else { continue }
        for third in names where NaturalOrder.precedes(other, third) {
          #expect(NaturalOrder.precedes(one, third), "\(one) \(other) \(third)")
        }
      }
    }
  }
}
