/// Finds the control sequences in a program's output, cut anywhere.
package struct SequenceScanner {
  private var sequence: [UInt8] = []
  private var isString = false

  /// The length above which only the beginning and the end of a sequence are kept.
  private static let limit = 4096
  private static let kept = 256

  /// Creates a scanner at the start of the output.
  package init() {}

  /// Returns the sequences that end in some bytes, each from its ESC to its end.
  package mutating func sequences(in bytes: [UInt8]) -> [String] {
    var found: [String] = []
    for byte in bytes {
      if sequence.isEmpty {
        if byte == 0x1B { sequence = [byte] }
        continue
      }
      sequence.append(byte)
      if sequence.count > Self.limit { sequence.removeSubrange(Self.kept..<sequence.count - 8) }
      if sequence.count == 2 {
        isString = [UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_")].contains(byte)
        if !isString, byte != UInt8(ascii: "[") { sequence = [] }
      } else if hasEnded {
        found.append(String(decoding: sequence, as: UTF8.self))
        sequence.removeAll(keepingCapacity: true)
      }
    }
    return found
  }

  private var hasEnded: Bool {
    guard let last = sequence.last else { return false }
    guard isString else { return (0x40...0x7E).contains(last) }
    guard last == UInt8(ascii: "\\") else { return last == 0x07 }
    // A doubled ESC is text that is wrapped for another terminal.
    let escapes = sequence.dropLast().reversed().prefix { $0 == 0x1B }.count
    return escapes % 2 == 1
  }
}
