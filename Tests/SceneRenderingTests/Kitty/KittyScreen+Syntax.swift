/// Syntax: the sequences, keys and payloads of commands.
extension KittyScreen {
  /// Removes an `APC` from the front and returns its contents.
  static func string(_ bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    bytes = bytes.dropFirst(2)
    guard let end = bytes.firstIndex(of: 0x1B),
      bytes.dropFirst(end + 1 - bytes.startIndex).first == 0x5C
    else { throw Wrong(what: "a string without its end") }
    let body = bytes[..<end]
    bytes = bytes[(end + 2)...]
    return body
  }

  /// Removes a sequence wrapped for tmux from the front, and returns the contents of its `APC`.
  static func unwrapped(_ bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    let opening = Array("\u{1B}Ptmux;".utf8)
    guard bytes.starts(with: opening) else { throw Wrong(what: "a DCS that is not tmux's") }
    bytes = bytes.dropFirst(opening.count)
    var inner: [UInt8] = []
    while let byte = bytes.popFirst() {
      guard byte == 0x1B else {
        inner.append(byte)
        continue
      }
      let next = bytes.popFirst()
      if next == 0x5C { break }
      guard next == 0x1B else { throw Wrong(what: "an ESC that is not doubled") }
      inner.append(0x1B)
    }
    var slice = inner[...]
    let body = try string(&slice)
    guard slice.isEmpty else { throw Wrong(what: "more than one command in a wrapper") }
    return body
  }

  /// Throws if a command has keys that it must not have.
  func check(_ keys: [String: String], allowed: Set<String>) throws {
    let unknown = Set(keys.keys).subtracting(allowed)
    guard unknown.isEmpty else { throw Wrong(what: "keys \(unknown) with \(keys)") }
    guard keys["q"].map({ ["1", "2"].contains($0) }) ?? true else { throw Wrong(what: "q") }
  }

  /// Returns the number that a key has; throws if it is missing or too small.
  func number(_ keys: [String: String], _ name: String, least: Int = 1) throws -> Int {
    guard let number = keys[name].flatMap({ Int($0) }), number >= least, number <= 0xFFFF_FFFF
    else { throw Wrong(what: "\(name) of \(keys)") }
    return number
  }

  /// Returns the number that a key has, or another one if the key is missing.
  func number(_ keys: [String: String], _ name: String, or standard: Int) throws -> Int {
    keys[name] == nil ? standard : try number(keys, name, least: 0)
  }

  /// Decodes base64.
  static func decoded(_ text: Substring) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var (held, bits) = (0, 0)
    let padding = text.utf8.suffix(2).count { $0 == 0x3D }
    for character in text.utf8.dropLast(padding) {
      let digit = digits[Int(character)]
      guard digit >= 0 else { throw Wrong(what: "base64") }
      held = (held << 6 | digit) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(held >> bits & 255))
      }
    }
    return bytes
  }

  private static let digits: [Int] = {
    var values = [Int](repeating: -1, count: 256)
    let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in text.utf8.enumerated() { values[Int(digit)] = value }
    return values
  }()
}
