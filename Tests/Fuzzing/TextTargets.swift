import Glibc

@testable import FileWorker
@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import TerminalIO
@testable import photogrid

/// The input from a terminal: keys, the mouse, pasted text, responses.
func fuzzInput(_ bytes: [UInt8]) {
  let viewport = Viewport(cells: CellSize(columns: 80, rows: 24), metrics: .standard)
  var decoder = InputDecoder(viewport: viewport)
  decoder.expectsReplies = (bytes.first ?? 0) & 1 == 1
  var time = 0.0
  for (index, byte) in bytes.enumerated() {
    decoder.feed(.byte(byte), at: Instant(nanoseconds: 0).advanced(bySeconds: time))
    if byte & 7 == 0 { time += Double(index % 5) / 4 }
    if byte & 31 == 0 { _ = decoder.flush() }
    if byte & 15 == 0 { _ = decoder.drainEvents() }
  }
  _ = decoder.flush()
}

/// The expressions of the prompt, `--filter` and the configuration.
func fuzzFilter(_ bytes: [UInt8]) {
  guard let filter = try? Filter(parsing: String(decoding: bytes, as: UTF8.self), today: nil) else {
    return
  }
  let again = try? Filter(parsing: filter.text, today: nil)
  require(again?.text == filter.text, "its text means something else")
}

/// The files of the trash, and the journal of file operations.
func fuzzJournal(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = TrashInfo.decoded(text)
  require(TrashInfo.decoded(TrashInfo.encoded(bytes)) == bytes, "a path changes")
  for number in [0, 1, 999_999] {
    require(TrashInfo.entry(for: bytes, number).count <= 245, "a name is too long")
  }
  if let entry = JournalEntry(line: text) {
    require(JournalEntry(line: entry.line) == entry, "an entry changes")
    _ = entry.trashing
  }
}

/// The pattern of new names, in the first line; the photo's present name is the rest.
func fuzzPattern(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
  let text = String(decoding: lines[0], as: UTF8.self)
  guard let pattern = try? RenamePattern(parsing: text) else { return }
  let subject = RenamePattern.Subject(
    name: lines.count > 1 ? Array(lines[1]) : [0x61], number: bytes.count,
    taken: TakenTime(exif: Array(bytes.suffix(19))), modified: Int64(bytes.count) << 20,
    camera: String(decoding: bytes, as: UTF8.self), stars: -1)
  guard let name = try? pattern.name(of: subject) else { return }
  require((1...255).contains(name.count), "no name for a file")
  require(!name.contains { $0 == 0x2f || $0 < 0x20 || $0 == 0x7f }, "a name with another meaning")
  require(name != [0x2e] && name != [0x2e, 0x2e], "a folder")
}

/// The configuration's file.
func fuzzConfiguration(_ bytes: [UInt8]) {
  let file = ConfigurationFile(bytes)
  for message in file.errorMessages(for: Array("config".utf8)) {
    require(message.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "an unprintable message")
  }
}

/// The command line; arguments are separated by line feeds.
func fuzzArguments(_ bytes: [UInt8]) {
  let words = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
  guard let arguments = try? ParsedArguments(words) else { return }
  _ = try? Configuration(arguments)
}
