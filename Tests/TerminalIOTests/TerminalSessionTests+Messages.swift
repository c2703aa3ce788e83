import CTerminalRestore
import Glibc
import Testing

/// Messages that are captured while the screen is shown, and printed at the end.
extension TerminalSessionTests {
  @Test func `messages are printed as they are, but for controls and what is not UTF-8`() throws {
    let terminal = try SessionTerminal()
    let device = Glibc.open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    let captured = terminal_restore_memory_file("captured")
    let printed = terminal_restore_memory_file("printed")
    for file in [captured, printed] { try #require(fcntl(file, F_SETFL, O_APPEND) == 0) }
    try #require(terminal_restore_begin(device, printed, captured) == 0)
    defer {
      terminal_restore_end()
      for file in [device, captured, printed] { close(file) }
    }
    func printing(_ bytes: [UInt8]) -> [UInt8] {
      write(captured, bytes, bytes.count)
      terminal_restore_print_captured()
      var result = [UInt8](repeating: 0, count: 100)
      let count = pread(printed, &result, result.count, 0)
      ftruncate(printed, 0)
      return Array(result.prefix(max(count, 0)))
    }

    let plain: [[UInt8]] = [
      Array("a\té\u{20AC}\u{1D11E}".utf8), [0xC2, 0xA0], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF],
      [0xEE, 0x80, 0x80], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
    ]
    for bytes in plain { #expect(printing(bytes) == bytes + [0x0A], "\(bytes)") }
    let others: [[UInt8]] = [
      [0x1B], [0x7F], [0x9B],
      // C1 controls, and marks that reverse the order of text.
      [0xC2, 0x80], [0xC2, 0x9B], [0xC2, 0x9F], [0xE2, 0x80, 0xAE], [0xE2, 0x81, 0xA6],
      // Longer encodings of ESC, of the control 9B and of others.
      [0xC0, 0x9B], [0xE0, 0x80, 0x9B], [0xE0, 0x82, 0x9B], [0xE0, 0x9F, 0xBF],
      [0xF0, 0x80, 0x80, 0x9B], [0xF0, 0x8F, 0xBF, 0xBF],
      // Surrogates, and numbers above U+10FFFF.
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      // Characters that are cut short.
      [0xC3], [0xE2, 0x82], [0xF0, 0x9D, 0x84],
    ]
    for bytes in others {
      let marks = [UInt8](repeating: UInt8(ascii: "?"), count: bytes.count)
      #expect(printing(bytes) == marks + [0x0A], "\(bytes)")
    }
  }
}
