import Foundation
import Photos
import TestSupport
import Testing

@testable import FolderWorker

/// Hashes of files' bytes, beside those of the standard and of `sha256sum`.
@Suite struct SHA256Tests {
  /// The output of `sha256sum` for a file.
  private static func standardSum(ofFile path: [UInt8]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    process.arguments = [String(decoding: path, as: UTF8.self)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes.prefix(64), as: UTF8.self)
  }

  private static func hex(_ digest: ContentDigest?) -> String? {
    digest.map { $0.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `the examples of the standard`(text: String, expected: String) {
    #expect(Self.hex(SHA256.digest(of: Array(text.utf8))) == expected)
  }

  @Test func `files of any length have the hash that sha256sum prints`() throws {
    let folder = TemporaryFolder()
    for length in [1, 55, 56, 63, 64, 65, 119, 128, 4095, 262_143, 262_144, 262_209, 600_001] {
      let path = folder.write((0..<length).map { UInt8($0 * 7 % 251) }, to: "\(length)")
      let expected = try Self.standardSum(ofFile: path)
      #expect(Self.hex(SHA256.digest(ofFile: path)) == expected, "\(length) bytes")
    }
  }

  @Test func `what is no file has no hash, and a named pipe does not block`() {
    let folder = TemporaryFolder()
    let pipe = Array("\(folder.path)/pipe".utf8)
    #expect(mkfifo(String(decoding: pipe, as: UTF8.self), 0o600) == 0)
    #expect(SHA256.digest(ofFile: pipe) == nil)
    #expect(SHA256.digest(ofFile: Array(folder.path.utf8)) == nil)
    #expect(SHA256.digest(ofFile: Array("\(folder.path)/none".utf8)) == nil)
  }
}
