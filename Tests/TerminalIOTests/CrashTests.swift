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

    let result = await terminal.answerFrame {
      await #expect(processExitsWith: .signal(signal), observing: [\.standardErrorContent]) {
        [path = path as String, signal = signal as Int32] in
        setenv("TERM", "xterm-256color", 1)
        var options = TerminalSession.Options()
        options.path = path
        let session = try TerminalSession.open(options)
        let now = Instant(seconds: 0)
        session.present(Array("PICTURE".utf8), at: now)
        // A crash drops what the terminal has not read.
        while !session.canTakeFrame(at: now) {
          var requests = session.pollRequests
          poll(&requests, nfds_t(requests.count), -1)
          _ = session.readInput(at: now)
        }
        let words = Array("last \u{1B}[31mwords\n".utf8)
        write(STDERR_FILENO, words, words.count)
        kill(getpid(), signal)
        pause()
      }
    }
    let modesOn = terminal.modesLeftOn
    terminal.receive(until: "\u{1B}[?1049l")

    #expect(terminal.settings == before)
    #expect(terminal.received.contains("PICTURE"))
    #expect(modesOn.isSuperset(of: [1049, 1002, 1006]))
    #expect(terminal.modesLeftOn == [])
    #expect(terminal.showsCursor)
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
