/// The white space before the end of an XMP packet, by which the packet can change without moving
/// anything (XMP specification, part 1, 7.3.2).
package enum XMPPadding {
  /// The padding of a packet whose place can be chosen, in bytes; the specification recommends 2 to 4
  /// kB.
  private static let usual = 2048
  private static let lineLength = 100

  /// Returns a packet with another amount of padding, so that it has `count` bytes; nil if it is too
  /// long even without padding, or `count` is above what is read of a packet.
  package static func fitted(_ packet: [UInt8], to count: Int) -> [UInt8]? {
    let (body, end) = parts(of: packet)
    guard count >= body.count + end.count, count <= StoredXMP.maxCount else { return nil }
    let padding = count - body.count - end.count
    return body
      + (0..<padding).map { $0 % lineLength == 0 ? UInt8(ascii: "\n") : UInt8(ascii: " ") } + end
  }

  /// Returns a packet with the usual amount of padding, or less so that it has at most `limit` bytes;
  /// nil if it is too long even without padding.
  package static func padded(_ packet: [UInt8], atMost limit: Int = .max) -> [UInt8]? {
    let (body, end) = parts(of: packet)
    return fitted(packet, to: min(limit, body.count + end.count + usual))
  }

  /// Whether two packets are the same except for their padding.
  package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let (one, other) = (parts(of: one), parts(of: other))
    return one.body == other.body && one.end == other.end
  }

  /// Returns what comes before the padding, and the instruction after it, which may be missing.
  private static func parts(
    of packet: [UInt8]
  ) -> (body: ArraySlice<UInt8>, end: ArraySlice<UInt8>) {
    let mark = Array("<?xpacket end".utf8)
    let text = trimmed(packet[...])
    // The instruction has at most a few bytes more.
    let start = text.suffix(64).indices.last { text[$0...].starts(with: mark) }
    guard let start else { return (text, []) }
    return (trimmed(text[..<start]), text[start...])
  }

  /// Some writers end a packet with zeros.
  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    text.dropLast(text.reversed().prefix { $0.isXMLSpace || $0 == 0 }.count)
  }
}
