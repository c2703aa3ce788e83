import Foundation
import PseudoTerminal
import Testing

/// tmux as an independent terminal, with a shell or the program in it.
final class Tmux {
  private let socket: String
  private let columns: Int
  private let rows: Int
  private let folder: PhotoFolder?

  /// Starts a new server with one window in which a command runs.
  init(
    _ command: [String], columns: Int = 80, rows: Int = 24, folder: PhotoFolder? = nil
  ) throws {
    socket = "/tmp/photogrid-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).tmux"
    self.columns = columns
    self.rows = rows
    self.folder = folder
    // The server passes its environment on, so variables that depend on the machine are set here.
    let run = call(
      ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
        + ["--", "env", "COLORTERM=truecolor", "LC_ALL=C.UTF-8"] + command)
    try #require(run.status == 0, "tmux does not start: \(run)")
  }

  deinit {
    call(["kill-server"])
    unlink(socket)
  }

  /// The content of the window; nil if there is none.
  var screen: ScreenReader? {
    let run = call(["capture-pane", "-p", "-e", "-N"])
    guard run.status == 0 else { return nil }
    var screen = ScreenReader(columns: columns, rows: rows)
    let lines = run.output.split(separator: 0x0A, omittingEmptySubsequences: false)
    screen.feed(lines.prefix(rows).joined(separator: [0x0D, 0x0A]))
    return screen
  }

  /// The process that tmux started in the window.
  var process: pid_t? { format("#{pane_pid}").flatMap { pid_t($0) } }

  /// The terminal's modes as the program in the window has set them: alternate screen, cursor,
  /// mouse, application keys.
  var modes: String? {
    format("#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag}")
  }

  /// Waits until the screen satisfies a condition.
  func wait(
    for what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (ScreenReader) -> Bool
  ) throws {
    var last: ScreenReader?
    let isThere = Polling.until(seconds: Window.patience, every: 0.03) {
      last = screen
      return last.map(condition) ?? false
    }
    try #require(
      isThere, "never seen: \(what)\(last?.picture ?? "no window")", sourceLocation: sourceLocation)
  }

  /// Waits until nothing changes on the screen for a moment; returns its content.
  func settled() throws -> ScreenReader {
    var last: ScreenReader?
    var same = 0
    _ = Polling.until(seconds: Window.patience, every: 0.05) {
      let now = screen
      same = last.flatMap { last in now.map { last.looksLike($0) } } == true ? same + 1 : 0
      last = now
      return same >= 6
    }
    return try #require(last)
  }

  /// Types text.
  func type(_ text: String) { call(["send-keys", "-l", "--", text]) }

  /// Presses a key by tmux's name for it.
  func press(_ key: String) { call(["send-keys", key]) }

  /// Gives the window another size.
  func resize(columns: Int, rows: Int) {
    call(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Runs a command of the server, and returns its output.
  @discardableResult
  func command(_ words: String...) -> String { call(words).outputText }

  /// Ends the server, and with it the terminal.
  func kill() { call(["kill-server"]) }

  private func format(_ text: String) -> String? {
    let run = call(["display-message", "-p", text])
    return run.status == 0 ? run.outputText.trimmingCharacters(in: .newlines) : nil
  }

  @discardableResult
  private func call(_ arguments: [String]) -> ProgramRun {
    ProgramRun.of(
      ["tmux", "-S", socket, "-f", "/dev/null"] + arguments, environment: PhotoGrid.environment)
  }
}
