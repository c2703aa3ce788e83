import Foundation
import Geometry
import PseudoTerminal

/// A terminal emulator in a window on its own display, with the program in it.
final class RealTerminal {
  /// The emulators that tests run in.
  enum Emulator: String, Sendable, CustomStringConvertible {
    case kitty, xterm
    var description: String { rawValue }
  }

  private let server: pid_t
  private let terminal: pid_t
  private let display: String
  private let folder: PhotoFolder
  private let columns: Int
  private let rows: Int
  /// Free pixels around the text.
  private let border: Int

  /// Starts an emulator of the given size, in it the program with its arguments, and then a shell
  /// that prints a word once the program has ended.
  init(_ emulator: Emulator, columns: Int, rows: Int, _ arguments: [String]) throws {
    self.columns = columns
    self.rows = rows
    folder = try PhotoFolder()
    border = emulator == .xterm ? 2 : 0
    // The server writes the number of the display that it found free.
    let number = folder["display"]
    let output = Glibc.open(number, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let silence = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer {
      close(output)
      close(silence)
    }
    // Without -noreset the server starts over when its last client leaves: looking at the screen
    // before the emulator is there could cost the emulator its connection.
    server = try ChildProcess.start(
      [
        "Xvfb", "-noreset", "-displayfd", "1", "-screen", "0", "700x500x24", "+extension", "GLX",
        "-nolisten",
        "tcp",
      ],
      .descriptors(input: silence, output: output, error: silence))
    _ = Polling.until {
      (try? String(contentsOfFile: number, encoding: .utf8))?.contains("\n") ?? false
    }
    let text = (try? String(contentsOfFile: number, encoding: .utf8)) ?? ""
    display = ":" + text.trimmingCharacters(in: .whitespacesAndNewlines)

    let quoted = ([PhotoGrid.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let shell = ["/bin/sh", "-c", "\(quoted); printf 'status %d' $?; sleep 600"]
    let words: [String]
    switch emulator {
    case .kitty:
      words =
        ["kitty", "--config", "NONE"]
        + [
          "update_check_interval=0", "linux_display_server=x11", "remember_window_size=no",
          "initial_window_width=\(columns)c", "initial_window_height=\(rows)c", "font_size=9",
          "confirm_os_window_close=0", "enable_audio_bell=no", "cursor_blink_interval=0",
        ].flatMap { ["-o", $0] } + shell
    case .xterm:
      words =
        ["xterm", "-ti", "vt340", "-tn", "xterm-256color", "-fa", "DejaVu Sans Mono", "-fs", "8"]
        + ["-xrm", "XTerm*maxGraphicSize: 4096x4096", "-xrm", "XTerm*cursorBlink: false"]
        + ["-bg", "black", "-fg", "white", "-geometry", "\(columns)x\(rows)+0+0", "-e"] + shell
    }
    var environment = PhotoGrid.environment
    environment.merge(
      [
        "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1", "WAYLAND_DISPLAY": "", "TERM": "",
        "COLORTERM": "", "XDG_CACHE_HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/.config",
      ]
    ) { $1 }
    let messages = Glibc.open(folder[Self.messages], O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(messages) }
    terminal = try ChildProcess.start(
      words, .descriptors(input: silence, output: messages, error: messages),
      environment: environment)
  }

  deinit {
    for process in [terminal, server] {
      kill(process, SIGTERM)
      _ = Processes.wait(for: process, seconds: 5)
    }
  }

  private static let messages = "messages"

  /// Information for a failure: whether emulator and display still run, and what the emulator
  /// printed.
  var state: String {
    let printed = (try? String(contentsOfFile: folder[Self.messages], encoding: .utf8)) ?? ""
    let isTerminalThere = Processes.isRunning(terminal)
    let isServerThere = Processes.isRunning(server)
    return "emulator \(isTerminalThere ? "runs" : "gone"), display \(display) "
      + "\(isServerThere ? "runs" : "gone"), cell \(cell.map { "\($0)" } ?? "unknown"), "
      + "printed: \(printed.suffix(500))"
  }

  /// The size of a text cell, from the window's size; nil if no window appears.
  var cell: PixelSize? {
    let run = xdotool([
      "search", "--sync", "--onlyvisible", "--class", ".", "getwindowgeometry", "--shell",
    ])
    func value(_ name: String) -> Int {
      run.split(separator: "\n").first { $0.hasPrefix(name + "=") }
        .flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
    guard value("WIDTH") > 2 * border + columns, value("HEIGHT") > 2 * border + rows else {
      return nil
    }
    return PixelSize(
      width: Double((value("WIDTH") - 2 * border) / columns),
      height: Double((value("HEIGHT") - 2 * border) / rows))
  }

  /// Presses a key by its X name.
  func type(_ keys: String...) { _ = xdotool(["key"] + keys) }

  /// Moves the pointer to a pixel of the text area, and performs an xdotool action there.
  func point(at x: Int, _ y: Int, _ action: String...) {
    _ = xdotool(["mousemove", "\(x + border)", "\(y + border)"] + action)
  }

  /// The current content of the text area.
  func look() -> Screenshot? {
    let file = folder["screen.xwd"]
    let run = ProgramRun.of(
      ["xwd", "-root", "-silent", "-out", file], environment: ["DISPLAY": display])
    guard run.status == 0, let data = FileManager.default.contents(atPath: file) else {
      return nil
    }
    return Screenshot(xwd: Array(data))
  }

  /// Waits until the screen satisfies a condition and does not change any more.
  ///
  /// - Returns: Its content; nil if that does not happen.
  func wait(seconds: Double = 90, until isShown: (Screenshot) -> Bool) -> Screenshot? {
    var last: Screenshot?
    let isDone = Polling.until(seconds: seconds, every: 0.15) {
      let before = last
      last = look()
      return last != nil && last == before && last.map(isShown) ?? false
    }
    return isDone ? last : nil
  }

  /// The rectangle on the screen of a rectangle in the picture area.
  func box(of frame: PixelRect) -> PixelBox {
    PixelBox(
      x: Int(frame.minX.rounded()) + border, y: Int(frame.minY.rounded()) + border,
      width: Int(frame.maxX.rounded()) - Int(frame.minX.rounded()),
      height: Int(frame.maxY.rounded()) - Int(frame.minY.rounded()))
  }

  private func xdotool(_ arguments: [String]) -> String {
    ProgramRun.of(["xdotool"] + arguments, environment: ["DISPLAY": display]).outputText
  }
}
