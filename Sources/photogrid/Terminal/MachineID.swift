import Glibc
import Photos

/// The names by which terminals know a computer.
enum MachineID {
  private static let path = "/etc/machine-id"
  private static let key = Array("tty-dnd-protocol-machine-id".utf8)
  private static let blockLength = 64

  /// The name of this computer in URIs of files; empty if the system does not tell it.
  static var host: String {
    var name = [CChar](repeating: 0, count: 257)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: [UInt8](cString: name), as: UTF8.self)
  }

  /// The name of this computer in kitty's protocol for drag and drop.
  ///
  /// Without a file that identifies it, it is that of an empty file, which is no other computer's.
  static var ofThisComputer: String {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return text(of: []) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    return text(of: Array(bytes.prefix(max(count, 0))))
  }

  /// Returns the name for the contents of the file, which are not told themselves: their HMAC (RFC 2104)
  /// with SHA-256.
  static func text(of contents: [UInt8]) -> String {
    let trimmed = contents[..<((contents.lastIndex { $0 > 0x20 } ?? -1) + 1)]
    let key = key + [UInt8](repeating: 0, count: blockLength - key.count)
    let inner = SHA256.digest(of: key.map { $0 ^ 0x36 } + trimmed)?.bytes ?? []
    let outer = SHA256.digest(of: key.map { $0 ^ 0x5C } + inner)?.bytes ?? []
    return "1:" + outer.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
