/// Where films in MP4 and QuickTime have their XMP (XMP specification, part 3, 1.2.2 and 1.2.4).
package enum FilmXMP {
  private static let id: [UInt8] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ]

  /// Returns the range of the packet in a film: in a box of its own, or in the user's data; nil if
  /// there is none.
  package static func range(in file: ByteSource) -> Range<Int>? {
    let boxes = ISOBoxes(file: file)
    let all = boxes.boxes(0..<file.count)
    for box in all where box.type == "uuid" && box.contents.count > id.count {
      let start = box.contents.lowerBound
      if file.bytes(at: start, count: id.count) == id {
        return (start + id.count)..<box.contents.upperBound
      }
    }
    guard let movie = all.first(where: { $0.type == "moov" }) else { return nil }
    return boxes.boxes(movie.contents).lazy.filter { $0.type == "udta" }
      .flatMap { boxes.boxes($0.contents) }.first { $0.type == "XMP_" }?.contents
  }

  /// Returns the start of a film's XMP packet; nil if the film has none.
  package static func packet(in file: ByteSource) -> [UInt8]? {
    range(in: file).flatMap {
      file.bytes(at: $0.lowerBound, atMost: min($0.count, XMPFacts.maxBytes))
    }
  }
}
