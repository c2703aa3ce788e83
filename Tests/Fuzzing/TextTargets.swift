import PhotoGridCore

@testable import FileWorker
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
  guard let filter = try? Filter(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
  let again = try? Filter(parsing: filter.text)
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
    _ = entry.trashedFile
  }
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
