import Foundation
import Testing

/// All texts of the program as one list, so that they can be read in ten minutes, and a change is
/// seen.
struct TextTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `PHOTOGRID_RECORD_TEXTS=1` writes the list again.
  @Test func `the recorded list has the texts of the program`() throws {
    let file = Self.root.appending(path: "Tests/photogridTests/texts.txt")
    let list = try Self.list
    if ProcessInfo.processInfo.environment["PHOTOGRID_RECORD_TEXTS"] != nil {
      try list.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n"))
    let current = Set(list.split(separator: "\n"))
    #expect(
      recorded == current,
      """
      Texts changed. If they are meant, read them as a user would, and record them with \
      PHOTOGRID_RECORD_TEXTS=1.
      new: \(current.subtracting(recorded).sorted().joined(separator: "\n"))
      gone: \(recorded.subtracting(current).sorted().joined(separator: "\n"))
      """)
  }

  /// The texts of each module, in alphabetical order: it does not matter in which file they are.
  private static var list: String {
    get throws {
      let sources = root.appending(path: "Sources")
      let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      return try modules.sorted().compactMap { module -> String? in
        guard !["FactIndex", "confinement-check"].contains(module), !module.hasPrefix("C")
        else {
          return nil
        }
        let found = try files(in: sources.appending(path: module)).flatMap { file in
          texts(in: try String(contentsOf: file, encoding: .utf8))
        }
        guard !found.isEmpty else { return nil }
        return "[\(module)]\n" + Set(found).sorted().joined(separator: "\n") + "\n"
      }.joined(separator: "\n")
    }
  }

  private static func files(in folder: URL) -> [URL] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
  }

  /// The literals of a source that have several words; `…` stands for each interpolated value.
  static func texts(in source: String) -> [String] {
    var reader = LiteralReader(Array(source.utf8))
    return reader.literals().filter { text in
      text.contains(/\p{L}[\p{L}’',;:.!?)…"`]* \(?["`]?[\p{L}…'–]/)
    }
  }

  @Test func `literals are found, and interpolated ones are parts of others`() {
    let source = """
      let a = "two words" // "not this one"
      /* "nor this" */ let b = "one"
      let c = "\\(x ? "on or off" : "y") and \\(f(g("z")))\\n\\"more\\""
      let d = \"""
        several \\
        lines
        \"""
      let e = #"raw "text" here"#
      """
    #expect(
      Set(Self.texts(in: source)) == [
        "two words", "… and …\\n\\\"more\\\"", "several lines", "raw \"text\" here", "on or off",
      ])
  }
}

/// Reads the string literals of a Swift source.
private struct LiteralReader {
  private let bytes: [UInt8]
  private var place = 0
  private var found: [String] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func literals() -> [String] {
    readCode(inInterpolation: false)
    return found
  }

  private func sees(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      place + text.count <= bytes.count && zip(bytes[place...], text).allSatisfy(==)
    }
  }

  /// Reads code to its end or, in an interpolation, to the parenthesis that closes it.
  private mutating func readCode(inInterpolation: Bool) {
    var depth = 0
    while place < bytes.count {
      if sees("//") {
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
      } else if sees("/*") {
        while place < bytes.count, !sees("*/") { place += 1 }
      } else if sees("#\"") {
        readRaw()
      } else if bytes[place] == 0x22 {
        readLiteral()
      } else {
        if bytes[place] == UInt8(ascii: "(") { depth += 1 }
        if bytes[place] == UInt8(ascii: ")") {
          if inInterpolation, depth == 0 { return }
          depth -= 1
        }
        place += 1
      }
    }
  }

  private mutating func readRaw() {
    let isLong = sees("#\"\"\"")
    place += isLong ? 4 : 2
    let start = place
    while place < bytes.count, isLong ? !sees("\"\"\"#") : !sees("\"#") { place += 1 }
    add(bytes[start..<min(place, bytes.count)], isLong: isLong)
    place += isLong ? 4 : 2
  }

  private mutating func readLiteral() {
    let isLong = sees("\"\"\"")
    place += isLong ? 3 : 1
    var text: [UInt8] = []
    while place < bytes.count, isLong ? !sees("\"\"\"") : bytes[place] != 0x22 {
      if sees("\\(") {
        place += 2
        readCode(inInterpolation: true)
        place += 1
        text += "…".utf8
      } else if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count {
        text += bytes[place...place + 1]
        place += 2
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    place += isLong ? 3 : 1
    add(text[...], isLong: isLong)
  }

  private mutating func add(_ text: ArraySlice<UInt8>, isLong: Bool) {
    let text = String(decoding: text, as: UTF8.self)
    guard isLong else { return found.append(text) }
    // Each line by itself, without its indentation; a backslash at the end joins lines.
    var line = ""
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = part.drop { $0 == " " }
      if words.last == "\\" {
        line += words.dropLast()
      } else {
        if !(line + words).isEmpty { found.append(line + words) }
        line = ""
      }
    }
  }
}
