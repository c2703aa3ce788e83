import CNcurses
import Geometry
import Glibc
import SceneModel

/// The ncurses screen: enters and leaves the terminal's screen, and draws the bar and the panel.
///
/// ncurses writes to a file in memory, whose bytes become a part of a frame: otherwise it would
/// block while it writes, and write between frames rather than inside of one. Since it has no
/// terminal to write to, it cannot set the terminal's modes: `CTerminalRestore` does.
///
/// ncurses assumes that cells to which it never wrote are blank, and erases or scrolls them if that
/// saves bytes. To protect the pictures, ncurses writes guard characters to the whole picture area,
/// different ones in each row, so that neither erasing nor scrolling saves anything. The bytes that
/// would draw them are dropped.
final class CursesScreen {
  private let screen: OpaquePointer
  private let streams: Streams
  /// The window for setting up keys: a pad, because the screen's own window would be drawn.
  private let pad: curses_window
  private var viewport: Viewport
  /// Where the cursor is between frames, as ncurses assumes: on the text of what is selected.
  private var cursor = CellPoint(column: 0, row: 0)
  /// Whether ncurses draws colors.
  private var hasColors = false
  /// The bytes by which ncurses resets the palette once it draws colors; empty before.
  private var paletteReset: [UInt8] = []
  /// The attribute of what is selected.
  private var selection = Int32(curses_reverse())
  /// The attribute of what is secondary.
  private var dimming = curses_dim()

  /// Starts ncurses for a terminal type.
  ///
  /// - Parameters:
  ///   - terminal: The terminal's descriptor, which the caller closes.
  ///   - viewport: The terminal's size, and whether its last row is the bar.
  ///   - type: The type; nil for that in `TERM`.
  /// - Throws: `TerminalError` if the terminal type is missing, unknown or too simple.
  init(terminal: Int32, viewport: Viewport, type: String? = nil) throws(TerminalError) {
    let type = type ?? getenv("TERM").map { String(cString: $0) } ?? ""
    guard !type.isEmpty else { throw .typeNotSet }
    guard type != "dumb" else { throw .typeUnusable(type) }
    // ncurses would use their values instead of the terminal's size.
    unsetenv("LINES")
    unsetenv("COLUMNS")

    let streams = try Streams(terminal: terminal)
    guard let screen = newterm(type, streams.output, streams.input) else {
      streams.close()
      throw .typeUnknown(type)
    }
    guard curses_has_string("cup") != 0, curses_has_string("clear") != 0, let pad = newpad(1, 1)
    else {
      endwin()
      delscreen(screen)
      streams.close()
      throw .typeUnusable(type)
    }
    self.streams = streams
    self.screen = screen
    self.pad = pad
    self.viewport = viewport
    configure()
    resize(to: viewport)
  }

  /// Turns on raw input and the keypad; turns off the cursor and all that moves cells.
  private func configure() {
    raw()
    noecho()
    nonl()
    typeahead(-1)
    let window = curses_stdscr()
    leaveok(window, false)
    idlok(window, false)
    idcok(window, false)
    scrollok(window, false)
    keypad(pad, true)
    curs_set(0)
    CursesKeys.define()
    // The screen is entered by `enterAndClear` only: drop what ncurses has written to enter it.
    endwin()
    streams.drop()
  }

  /// Sets the terminal's size; afterwards call `enterAndClear`, and draw everything again.
  func resize(to viewport: Viewport) {
    self.viewport = viewport
    cursor = CellPoint(column: 0, row: 0)
    resizeterm(Int32(viewport.cells.rows), Int32(viewport.cells.columns))
  }

  /// Sets the colors of what is selected; nil, or colors that the terminal lacks, exchange those of text
  /// and background.
  func setSelection(_ colors: SelectionColors?) {
    (selection, dimming) = (Int32(curses_reverse()), curses_dim())
    defer { streams.drop() }
    guard let colors else { return }
    if !hasColors {
      hasColors = has_colors() && start_color() == OK && use_default_colors() == OK
    }
    guard hasColors else { return }
    paletteReset = curses_string("oc").map { [UInt8](cString: $0) } ?? []
    if max(colors.text, colors.background) < curses_colors(),
      init_pair(1, Int16(colors.text), Int16(colors.background)) == OK
    {
      selection = curses_color_pair(1)
    }
    if curses_has_dim() == 0, Self.gray < curses_colors(), init_pair(2, Int16(Self.gray), -1) == OK
    {
      dimming = curses_color_pair(2)
    }
  }

  /// A gray of the palette that is legible on black and on white, where ncurses cannot dim text.
  private static let gray: Int32 = 244

  /// Enters the screen if it was left, and clears it.
  ///
  /// - Returns: The bytes that do so; after them all cells are blank.
  func enterAndClear() -> [UInt8] {
    // Setting up keys before the screen was entered made ncurses turn the keypad on; this is done
    // again below.
    streams.drop()
    let window = curses_stdscr()
    werase(window)
    clearok(window, true)
    flush()
    // Application cursor keys, as the terminfo entry has them; leaving the screen turned them off.
    keypad(pad, true)
    let opening = take()
    fillWithGuards(CellRect(origin: CellPoint(column: 0, row: 0), size: viewport.pictureCells))
    return opening
  }

  /// Blanks cells that the panel has left, so that pictures can be drawn there again.
  ///
  /// - Returns: The bytes to send.
  func blank(_ area: CellRect) -> [UInt8] {
    fillWithGuards(area)
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: area.size.columns)
    var bytes: [UInt8] = []
    for row in area.origin.row..<area.origin.row + area.size.rows {
      bytes += "\u{1B}[\(row + 1);\(area.origin.column + 1)H".utf8
      bytes += blanks
    }
    bytes += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H".utf8
    return bytes
  }

  /// Returns the bytes that draw what has changed in the bar and the panel, and move the cursor to a
  /// cell; without a panel its cells stay as they are.
  func draw(bar: [TextRun], panel: DrawnPanel?, cursor: CellPoint) -> [UInt8] {
    let window = curses_stdscr()
    let barRow = Int32(viewport.cells.rows - 1)
    if viewport.hasBar {
      wmove(window, barRow, 0)
      wclrtoeol(window)
    }
    for run in bar where viewport.hasBar {
      wattrset(window, attribute(of: run.style))
      mvwaddnstr(window, barRow, Int32(run.column), run.text.string, -1)
    }
    if let panel {
      wattrset(window, attribute(of: .dimmed))
      for (index, row) in panel.frame.enumerated() {
        mvwaddnstr(
          window, Int32(panel.area.origin.row + index), Int32(panel.area.origin.column), row, -1)
      }
      for piece in panel.pieces {
        wattrset(window, attribute(of: piece.run.style))
        mvwaddnstr(
          window, Int32(panel.area.origin.row + piece.row),
          Int32(panel.area.origin.column + piece.run.column), piece.run.text.string, -1)
      }
    }
    wattrset(window, 0)
    self.cursor = CellPoint(
      column: min(max(cursor.column, 0), max(viewport.cells.columns - 1, 0)),
      row: min(max(cursor.row, 0), max(viewport.cells.rows - 1, 0)))
    flush()
    return take()
  }

  /// Returns what a role of text looks like.
  private func attribute(of style: TextStyle) -> Int32 {
    switch style {
    case .plain: 0
    case .strong: curses_bold()
    case .dimmed: dimming
    case .selected: selection
    case .caret: Int32(curses_reverse())
    }
  }

  /// Returns the bytes that ncurses has written since the last call, except those by which it resets
  /// the palette once it draws colors: the user may have changed it.
  private func take() -> [UInt8] { streams.take().without(paletteReset) }

  /// Leaves the screen.
  ///
  /// - Returns: The bytes that do so; none if it was left before.
  func leave() -> [UInt8] {
    guard !isendwin() else { return [] }
    endwin()
    // Without an alternate screen (linux, vt100, ansi) the cursor is left in the last row, on the
    // bar.
    let isRestored = curses_has_string("rmcup") != 0
    return take() + (isRestored ? [] : ControlBytes.cleanLine)
  }

  var keys: KeyMatcher { KeyMatcher(CursesKeys.all()) }

  /// Frees ncurses's memory; no method may be called afterwards.
  func close() {
    if !isendwin() { endwin() }
    delwin(pad)
    delscreen(screen)
    streams.close()
  }

  /// Makes ncurses assume that cells contain guard characters, which are never drawn.
  private func fillWithGuards(_ area: CellRect) {
    let window = curses_stdscr()
    let printable = 94
    // In a style that nothing else has: ncurses may move the cursor by writing the cells between
    // again if they have the current style.
    let style = curses_reverse()
    for row in area.origin.row..<area.origin.row + area.size.rows {
      // If there are more rows than guard characters, the first cell distinguishes rows.
      let first = area.origin.column == 0 ? row / printable : row % printable
      wmove(window, Int32(row), Int32(area.origin.column))
      whline(window, chtype(0x21 + row % printable) | style, Int32(area.size.columns))
      waddch(window, chtype(0x21 + first) | style)
    }
    flush()
    streams.drop()
  }

  /// Makes ncurses write all changes, and then leave the cursor in its place.
  private func flush() {
    let window = curses_stdscr()
    wmove(window, Int32(cursor.row), Int32(cursor.column))
    wnoutrefresh(window)
    doupdate()
  }
}

extension [UInt8] {
  /// Returns the bytes without each occurrence of a sequence.
  fileprivate func without(_ sequence: [UInt8]) -> [UInt8] {
    guard !sequence.isEmpty else { return self }
    var (kept, rest) = ([UInt8](), self[...])
    while let byte = rest.first {
      if rest.starts(with: sequence) {
        rest = rest.dropFirst(sequence.count)
      } else {
        kept.append(byte)
        rest = rest.dropFirst()
      }
    }
    return kept
  }
}

extension CursesScreen {
  /// The stream that ncurses reads from, and the file in memory that it writes to.
  private struct Streams {
    let input: UnsafeMutablePointer<FILE>
    let output: UnsafeMutablePointer<FILE>
    private let canvas: Int32

    init(terminal: Int32) throws(TerminalError) {
      let canvas = openMemoryFile("photogrid-screen")
      guard canvas >= 0 else { throw .failed("allocating the screen", code: errno) }
      guard let output = fdopen(canvas, "w") else {
        let code = errno
        Glibc.close(canvas)
        throw .failed("opening the screen stream", code: code)
      }
      let source = duplicate(terminal)
      guard source >= 0, let input = fdopen(source, "r") else {
        let code = errno
        fclose(output)
        if source >= 0 { Glibc.close(source) }
        throw .failed("opening keyboard input", code: code)
      }
      (self.canvas, self.output, self.input) = (canvas, output, input)
    }

    /// Returns the bytes written since the last call.
    func take() -> [UInt8] {
      let count = Int(lseek(canvas, 0, SEEK_CUR))
      guard count > 0 else { return [] }
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(canvas, buffer.baseAddress, count, 0))
      }
      drop()
      return bytes
    }

    /// Drops the bytes written since the last call of `take`.
    func drop() {
      lseek(canvas, 0, SEEK_SET)
      ftruncate(canvas, 0)
    }

    func close() {
      fclose(output)
      fclose(input)
    }
  }
}
