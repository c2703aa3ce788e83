import CNcurses
import Glibc
import PhotoGridCore

/// ncurses, which knows the terminal: it enters and leaves the screen, and draws bar and panel.
///
/// What ncurses writes goes to a file in memory, from where it is taken into a frame: by itself it
/// would write to the terminal blocking, and between frames rather than inside one. So it cannot
/// set the terminal's modes either; that is done elsewhere.
///
/// ncurses believes that cells which it never touched are blank, and erases, scrolls and rewrites
/// as it sees fit. It is therefore made to believe that the picture area is full of characters,
/// different ones in every row, which leaves it nothing to save by erasing or scrolling. They are
/// drawn, and what it wrote to draw them is thrown away.
final class CursesScreen {
  private let screen: OpaquePointer
  private let streams: Streams
  /// What keys are set up by: a pad, since the screen's own window would be drawn.
  private let pad: curses_window
  private var viewport: Viewport

  /// Prepares ncurses for the terminal that `TERM` names, of the given size.
  ///
  /// - Parameters:
  ///   - terminal: What keys are read from; stays the caller's.
  ///   - viewport: How large the terminal is, and whether its last row is the bar.
  /// - Throws: What is wrong with the terminal's type.
  init(terminal: Int32, viewport: Viewport) throws(TerminalError) {
    let type = getenv("TERM").map { String(cString: $0) } ?? ""
    guard !type.isEmpty else { throw .typeNotSet }
    guard type != "dumb" else { throw .typeUnusable(type) }
    // They would hide the terminal's real size.
    unsetenv("LINES")
    unsetenv("COLUMNS")

    let streams = try Streams(terminal: terminal)
    guard let screen = newterm(nil, streams.output, streams.input) else {
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
    // All entering goes one way, `ground`, so what was written to enter already is dropped.
    endwin()
    streams.drop()
  }

  /// Tells ncurses the terminal's new size; everything has to be drawn anew, from `ground` on.
  func resize(to viewport: Viewport) {
    self.viewport = viewport
    resizeterm(Int32(viewport.cells.rows), Int32(viewport.cells.columns))
  }

  /// Enters the screen if it was left, and clears it.
  ///
  /// - Returns: The bytes that do so; after them all cells are blank.
  func ground() -> [UInt8] {
    // Setting up keys outside of the screen has ncurses ask for the keypad; it does so again below.
    streams.drop()
    let window = curses_stdscr()
    werase(window)
    clearok(window, true)
    flush()
    // Application cursor keys, which the terminfo entry's keys are; leaving had undone them.
    keypad(pad, true)
    let opening = streams.take()
    guardCells(of: CellRect(origin: CellPoint(column: 0, row: 0), size: viewport.pictureCells))
    return opening
  }

  /// Gives cells of the picture area back to the pictures.
  ///
  /// - Returns: The bytes that make them blank.
  func release(_ area: CellRect) -> [UInt8] {
    guardCells(of: area)
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: area.size.columns)
    var bytes: [UInt8] = []
    for row in area.origin.row..<area.origin.row + area.size.rows {
      bytes += "\u{1B}[\(row + 1);\(area.origin.column + 1)H".utf8
      bytes += blanks
    }
    // Where ncurses believes the cursor to be between frames.
    bytes += "\u{1B}[H".utf8
    return bytes
  }

  /// Draws the bar and what of the panel has changed.
  ///
  /// - Returns: The bytes that do so.
  func draw(bar: [TextRun], panel: DrawnPanel?) -> [UInt8] {
    let window = curses_stdscr()
    let barRow = Int32(viewport.cells.rows - 1)
    if viewport.hasBar {
      wmove(window, barRow, 0)
      wclrtoeol(window)
    }
    for run in bar where viewport.hasBar {
      let attribute =
        switch run.style {
        case .plain: 0 as Int32
        case .emphasised: curses_bold()
        case .dimmed: curses_dim()
        case .reversed: Int32(curses_reverse())
        }
      wattrset(window, attribute)
      mvwaddnstr(window, barRow, Int32(run.column), run.text.string, -1)
    }
    wattrset(window, 0)
    if let panel {
      for (index, row) in panel.rows.enumerated() {
        mvwaddnstr(
          window, Int32(panel.area.origin.row + index), Int32(panel.area.origin.column), row, -1)
      }
    }
    flush()
    return streams.take()
  }

  /// Leaves the screen.
  ///
  /// - Returns: The bytes that do so; none if it is left already.
  func leave() -> [UInt8] {
    guard !isendwin() else { return [] }
    endwin()
    // Without another screen (linux, vt100, ansi) the cursor is left in the last row, on the bar.
    let isBack = curses_has_string("rmcup") != 0
    return streams.take() + (isBack ? [] : ControlBytes.cleanLine)
  }

  /// The keys of this kind of terminal, to be found in its input.
  var keys: KeyMatcher { KeyMatcher(CursesKeys.all()) }

  /// Frees what ncurses holds; nothing may be called afterwards.
  func close() {
    if !isendwin() { endwin() }
    delwin(pad)
    delscreen(screen)
    streams.close()
  }

  private func guardCells(of area: CellRect) {
    let window = curses_stdscr()
    let printable = 94
    // Unlike anything else that is drawn: over cells of the pen's own style ncurses moves the
    // cursor by writing them again.
    let style = curses_reverse()
    for row in area.origin.row..<area.origin.row + area.size.rows {
      // With more rows than characters, the first cell tells them apart.
      let first = area.origin.column == 0 ? row / printable : row % printable
      wmove(window, Int32(row), Int32(area.origin.column))
      whline(window, chtype(0x21 + row % printable) | style, Int32(area.size.columns))
      waddch(window, chtype(0x21 + first) | style)
    }
    flush()
    streams.drop()
  }

  /// Has ncurses write what changed; it believes the cursor at the top left afterwards.
  private func flush() {
    let window = curses_stdscr()
    wmove(window, 0, 0)
    wnoutrefresh(window)
    doupdate()
  }
}

extension CursesScreen {
  /// Where ncurses reads from, and the file in memory that it writes to.
  private struct Streams {
    let input: UnsafeMutablePointer<FILE>
    let output: UnsafeMutablePointer<FILE>
    private let canvas: Int32

    init(terminal: Int32) throws(TerminalError) {
      let canvas = openMemoryFile("photogrid-screen")
      guard canvas >= 0 else { throw .failed("memory for the screen", code: errno) }
      guard let output = fdopen(canvas, "w") else {
        let code = errno
        Glibc.close(canvas)
        throw .failed("a stream for the screen", code: code)
      }
      let source = duplicate(terminal)
      guard source >= 0, let input = fdopen(source, "r") else {
        let code = errno
        fclose(output)
        if source >= 0 { Glibc.close(source) }
        throw .failed("a stream for the keys", code: code)
      }
      (self.canvas, self.output, self.input) = (canvas, output, input)
    }

    /// What was written since the last time.
    func take() -> [UInt8] {
      let count = Int(lseek(canvas, 0, SEEK_CUR))
      guard count > 0 else { return [] }
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(canvas, buffer.baseAddress, count, 0))
      }
      drop()
      return bytes
    }

    /// Forgets what was written since the last time.
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
