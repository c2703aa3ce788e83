import ImageFormats

extension XMPText {
  /// Returns the text after a change.
  ///
  /// - Returns: Nil if the text cannot be changed like this, or if the library parses the new text
  ///   to anything but the packet with this change.
  func bytes(after change: XMPPacket.Change, in packet: XMPPacket) -> [UInt8]? {
    guard let new = setting(change.name, to: change.value) else { return nil }
    guard new != bytes else { return packet.text(change.name) == change.value ? bytes : nil }
    guard let read = XMPPacket(parsing: new), read.text(change.name) == change.value,
      read.properties(without: change.name) == packet.properties(without: change.name)
    else { return nil }
    return new
  }
}
