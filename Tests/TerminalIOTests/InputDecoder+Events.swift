import Geometry

@testable import TerminalIO

extension InputDecoder {
  /// The events of bytes that nothing follows.
  mutating func events(_ bytes: [UInt8], at seconds: Double = 0) -> [InputEvent] {
    for byte in bytes { feed(.byte(byte), at: Instant(seconds: seconds)) }
    return flush()
  }
}
