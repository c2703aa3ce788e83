import Geometry
import TestSupport
import Testing

@testable import ImageFormats

/// XMP packets and orientations in TIFFs and what is made of them.
@Suite struct TIFFContainerTests {
  private typealias Photos = PhotoContainerTests
  private typealias Field = (tag: Int, type: Int, values: TIFFBuilder.Values)

  /// The fields of a picture of one pixel.
  private static var picture: [Field] {
    [
      (0x100, 3, .numbers([1])), (0x101, 3, .numbers([1])), (0x106, 3, .numbers([1])),
      (0x111, 4, .pieces([[99]])), (0x117, 4, .numbers([1])),
    ]
  }

  /// A BigTIFF with fields of one number each, and a packet.
  private static func bigFile(
    _ numbers: [(tag: Int, type: Int, number: Int)], xmp: [UInt8]?, isBigEndian: Bool
  ) -> [UInt8] {
    func bytes(_ number: Int, _ width: Int) -> [UInt8] {
      let little = (0..<width).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      return isBigEndian ? little.reversed() : little
    }
    func field(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      bytes(tag, 2) + bytes(type, 2) + bytes(count, 8) + value
        + [UInt8](repeating: 0, count: 8 - value.count)
    }
    let widths = [1: 1, 3: 2, 4: 4, 16: 8]
    var entries = numbers.map { field($0.tag, $0.type, 1, bytes($0.number, widths[$0.type] ?? 0)) }
    if let xmp { entries.append(field(700, 1, xmp.count, bytes(16, 8))) }
    let values = xmp.map { $0 + [UInt8](repeating: 0, count: $0.count & 1) } ?? []
    let head = Array((isBigEndian ? "MM" : "II").utf8) + bytes(43, 2) + bytes(8, 2) + bytes(0, 2)
    return head + bytes(16 + values.count, 8) + values + bytes(entries.count, 8)
      + entries.flatMap(\.self) + bytes(0, 8)
  }

  @Test(arguments: [true, false])
  func `BigTIFFs get a packet and an orientation`(isBigEndian: Bool) throws {
    for xmp in [nil, Photos.packet("old"), Photos.packet("old", padding: 200)] {
      for type in [nil, 1, 3, 4, 16] {
        var numbers = [(0x100, 3, 1), (0x101, 3, 1)]
        if let type { numbers.append((0x112, type, 3)) }
        let old = Self.bigFile(numbers, xmp: xmp, isBigEndian: isBigEndian)
        let container = try PhotoContainers.open(ByteSource(old))
        #expect(try container.xmp?.packet == xmp)
        #expect(container.orientation == type.map { _ in Orientation(number: 3) })
        let turned = try Photos.turn(old, to: 8)
        #expect((turned.count == old.count) == (type != nil))
        let (rated, growth) = try Photos.put(Photos.packet("the new one"), into: turned)
        #expect((growth == 0) == (xmp?.count ?? 0 > 200))
        #expect(
          try PhotoContainers.open(ByteSource(rated)).orientation == Orientation(number: 8))
      }
    }
  }

  @Test func `a packet is put over the old one, or at the end`() throws {
    for order in [true, false] {
      let packet = Photos.packet("old", padding: 50)
      let old = TIFFBuilder(isBigEndian: order).file(
        .init(Self.picture + [(0x2bc, 1, .bytes(packet)), (0x8769, 4, .directories([.init()]))]))
      let (small, growth) = try Photos.put(Photos.packet("a bit longer"), into: old)
      #expect(growth == 0)
      let long = Photos.packet(String(repeating: "long", count: 99))
      let (large, _) = try Photos.put(long, into: small)
      #expect(
        zip(small, large).count { $0 != $1 } <= 8, "only the length and the offset differ")
    }
  }

  @Test func `the other fields stay, and the directory after`() throws {
    for order in [true, false] {
      let second = TIFFBuilder.Directory([(0x10e, 2, .bytes(Array("two\0".utf8)))])
      let old = TIFFBuilder(isBigEndian: order).file(
        .init(Self.picture + [(0x8298, 2, .bytes(Array("Somebody\0".utf8)))], next: second))
      let new = try Photos.turn(Photos.put(Photos.packet("new"), into: old).photo, to: 6)
      let reader = try #require(TIFFReader(ByteSource(new)))
      let main = try #require(reader.directory(at: reader.firstDirectory))
      #expect(reader.contents(main.entries[0x8298], atMost: 99) == Array("Somebody\0".utf8))
      #expect(reader.numbers(main.entries[0x117]) == [1])
      let place = try #require(reader.number(main.entries[0x111]))
      #expect(new[place] == 99)
      let next = try #require(main.next.flatMap { reader.directory(at: $0) })
      #expect(reader.contents(next.entries[0x10e], atMost: 9) == Array("two\0".utf8))
      // Readers that search a directory rely on the order of its tags.
      let start = reader.firstDirectory
      let count = Int(new[start + (order ? 1 : 0)])
      let tags = (0..<count).map { entry in
        let at = start + 2 + 12 * entry
        return Int(new[at]) << (order ? 8 : 0) | Int(new[at + 1]) << (order ? 0 : 8)
      }
      #expect(tags == tags.sorted() && tags.contains(0x112) && tags.contains(700))
    }
  }

  @Test func `DNG is written, other raw photos are not`() throws {
    let sensor: [Field] = Self.picture.map {
      $0.tag == 0x106 ? (0x106, 3, .numbers([32803])) : $0
    }
    let raw = TIFFBuilder().file(.init(sensor))
    #expect(throws: ContainerFault.format) { try PhotoContainers.open(ByteSource(raw)) }
    let nested = TIFFBuilder().file(
      .init(Self.picture + [(0x14a, 4, .directories([.init(sensor)]))]))
    #expect(throws: ContainerFault.format) { try PhotoContainers.open(ByteSource(nested)) }
    let dng = TIFFBuilder().file(.init(sensor + [(0xc612, 1, .numbers([1, 4, 0, 0]))]))
    try Photos.turn(Photos.put(Photos.packet("new"), into: dng).photo, to: 6)
  }

  @Test func `a packet or an orientation in the header or the directory is refused`() throws {
    for place in [0, 4, 20] {
      let old = TIFFBuilder().file(.init(Self.picture + [(0x2bc, 1, .bytes(Photos.packet("old")))]))
      let reader = try #require(TIFFReader(ByteSource(old)))
      let entry = reader.firstDirectory + 2 + 12 * 5
      var hostile = old
      hostile[entry + 8] = UInt8(place)
      hostile[entry + 9] = 0
      #expect(throws: ContainerFault.damaged) {
        try PhotoContainers.open(ByteSource(hostile)).patch(xmp: Photos.packet("n"))
      }
    }
    // Three numbers, of which the first is the orientation, where the directory is.
    var hostile = TIFFBuilder().file(.init([(0x112, 3, .numbers([1, 1, 1]))] + Self.picture))
    let directory = try #require(TIFFReader(ByteSource(hostile))).firstDirectory
    hostile[directory + 2 + 8] = UInt8(directory)
    #expect(throws: ContainerFault.damaged) {
      try PhotoContainers.open(ByteSource(hostile)).patch(Orientation(number: 6))
    }
  }

  @Test func `a classic TIFF does not grow beyond its offsets, and little of it is read`() throws {
    let head = TIFFBuilder().file(.init(Self.picture))
    for (count, isLarge) in [(300 << 20, false), (Int(UInt32.max) - 100, true), (1 << 40, true)] {
      var read = 0
      let source = ByteSource(count: count) { range in
        read += range.count
        return range.map { $0 < head.count ? head[$0] : 0 }
      }
      let container = try PhotoContainers.open(source)
      if isLarge {
        #expect(throws: ContainerFault.large) { try container.patch(xmp: Photos.packet("new")) }
      } else {
        let patch = try container.patch(xmp: Photos.packet("new"))
        #expect(patch.replacements.last?.range == count..<count)
      }
      #expect(read < 64 << 10)
    }
  }

  @Test func `a packet that claims a gigabyte is neither read nor filled`() throws {
    let length = 1 << 30
    var head = TIFFBuilder().file(.init(Self.picture + [(0x2bc, 1, .bytes(Photos.packet("old")))]))
    let entry = try #require(TIFFReader(ByteSource(head))).firstDirectory + 2 + 12 * 5
    head[(entry + 4)..<(entry + 8)] = [0, 0, 0, 0x40]
    let source = ByteSource(count: 2 * length) { [head] range in
      #expect(range.count < 64 << 10)
      return range.map { $0 < head.count ? head[$0] : 0 }
    }
    let container = try PhotoContainers.open(source)
    #expect(throws: ContainerFault.large) { try container.xmp }
    let patch = try container.patch(xmp: Photos.packet("new"))
    #expect(patch.growth < 4096)
  }
}
