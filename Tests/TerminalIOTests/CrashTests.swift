import Glibc
import PhotoGridCore
import Testing

@testable import TerminalIO

@Suite(.timeLimit(.minutes(1)))
struct CrashTests {
  @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE])
  func `a crash gives the terminal back, says so, and is still the crash`(signal: Int32)
    async throws
  {
    let terminal = try PseudoTerminal()
    let before = terminal.settings
    let path = terminal.path

    let result = await #expect(
      processExitsWith: .signal(signal), observing: [\.standardErrorContent]
    ) { [path = path as String, signal = signal as Int32] in
      setenv("TERM", "xterm-256color", 1)
      var options = TerminalSession.Options()
      options.path = path
      let session = try TerminalSession.open(options)
      session.present(Array("PICTURE".utf8), at: Instant(seconds: 0))
      let words = Array("last \u{1B}[31mwords\n".utf8)
      write(STDERR_FILENO, words, words.count)
      kill(getpid(), signal)
      pause()
    }
    // The frame may be missing: a crash drops what the terminal has not read.
    let farewell = terminal.receive(until: "\u{1B}[?1049l")

    #expect(terminal.settings == before)
    for mode in [1, 1002, 1004, 1006, 2004, 2026] { #expect(farewell.contains("\u{1B}[?\(mode)l")) }
    #expect(farewell.contains("\u{1B}[?25h"))
    #expect(farewell.contains("\u{18}\u{1B}\\"))
    #expect(terminal.modesLeftOn == [])
    let messages = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(messages.contains("last ?[31mwords\nphotogrid: crashed (SIG"))
  }

  @Test
  func `what was written to standard error appears after the session, its end only`() async throws {
    let terminal = try PseudoTerminal()
    let path = terminal.path

    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [path = path as String] in
      setenv("TERM", "xterm-256color", 1)
      var options = TerminalSession.Options()
      options.path = path
      let session = try TerminalSession.open(options)
      let words = Array("beginning".utf8) + [UInt8](repeating: 0x2E, count: 2 << 20)
      write(STDERR_FILENO, words, words.count)
      session.present([], at: Instant(seconds: 0))
      let end = Array("é\u{9B}\u{202E} end".utf8)
      write(STDERR_FILENO, end, end.count)
      session.close()
      exit(EXIT_SUCCESS)
    }

    let messages = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(messages.hasSuffix("...é????? end\n"))
    #expect(!messages.contains("beginning"))
    #expect(messages.utf8.count <= 4097)
    #expect(!terminal.settings.isRaw)
  }
}
