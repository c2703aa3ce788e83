import Glibc
import TestSupport
import Testing

@testable import photogrid

/// Paths as they are read from a list.
struct PathListReaderTests {
  private let folder = TemporaryFolder()

  /// The paths in a list, as text.
  private func paths(in list: [UInt8], separator: UInt8 = 0x0a) throws -> [String] {
    var input = Configuration.Input()
    input.list = folder.write(list, to: "list")
    input.separator = separator
    var reader = try PathListReader(input)
    defer { close(reader.descriptor) }
    var paths: [String] = []
    while !reader.isAtEnd {
      paths += reader.read().map { String(decoding: $0, as: UTF8.self) }
    }
    return paths
  }

  @Test func `a path needs no separator after it, and empty ones are skipped`() throws {
    #expect(try paths(in: Array("\na\n\nb".utf8)) == ["a", "b"])
    #expect(try paths(in: Array("\0a\nb\0\0c".utf8), separator: 0) == ["a\nb", "c"])
    #expect(try paths(in: []) == [])
  }

  @Test func `a path with a NUL byte is skipped, wherever it is`() throws {
    #expect(try paths(in: Array("a\0b\nc\nd\0e\nf\0g".utf8)) == ["c"])
  }

  @Test func `a text that is too long for a path is skipped to its end`() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)

    #expect(try paths(in: Array("a\n".utf8) + long + Array("\nb\nc".utf8)) == ["a", "b", "c"])
    #expect(try paths(in: long + Array("\n".utf8) + long) == [])
  }
}
