import Foundation
import PseudoTerminal
import Testing

/// A terminal window with the program in it.
final class Window {
  let terminal: PseudoTerminal
  /// The current content of the window.
  private(set) var screen: ScreenReader
  /// The screen after each frame that the program has finished since `startFilm()`.
  private(set) var film: [ScreenReader] = []

  private let folder: PhotoFolder?
  private var isFilming = false
  private var takenChunks = 0
  private var lastBytes: [UInt8] = []

  /// How long to wait for a condition, in seconds: long, for slow machines.
  static let patience = 60.0

  /// Opens a window and starts a command in it, by default the program under test.
  init(
    _ command: [String], columns: Int = 80, rows: Int = 24,
    cell: (width: Int, height: Int) = (10, 20), environment: [String: String] = [:],
    answers: Bool = true, model: TerminalModel = .modest, folder: PhotoFolder? = nil
  ) throws {
    terminal = try PseudoTerminal(
      command, columns: columns, rows: rows, cell: cell,
      environment: PhotoGrid.environment.merging(environment) { $1 })
    terminal.answers = answers
    terminal.model = model
    self.folder = folder
    screen = ScreenReader(
      columns: columns > 0 ? columns : 80, rows: columns > 0 && rows > 0 ? rows : 24)
  }

  // MARK: - Output

  /// Reads output until the screen satisfies a condition.
  ///
  /// - Throws: If it never does; the failure contains the screen.
  func wait(
    for what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (ScreenReader) -> Bool
  ) throws {
    let isThere = watch(until: condition)
    try #require(isThere, "never seen: \(what)\(picture)", sourceLocation: sourceLocation)
  }

  /// Reads output until a condition is true, or the time is up.
  func watch(seconds: Double = patience, until condition: (ScreenReader) -> Bool) -> Bool {
    take()
    return terminal.run(forSeconds: seconds) {
      take()
      return condition(screen)
    }
  }

  /// Waits until everything typed was sent and nothing was written for a moment, from now on.
  ///
  /// Only for actions without a visible end; for all others use `wait`.
  func waitUntilQuiet(
    seconds: Double = 0.3, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let start = terminal.elapsed
    let isQuiet = terminal.run(forSeconds: Self.patience) {
      terminal.isInputSent && terminal.isQuiet(forSeconds: seconds, since: start)
    }
    take()
    try #require(
      isQuiet || terminal.status != nil, "never quiet\(picture)", sourceLocation: sourceLocation)
  }

  /// Whether the program writes nothing for some seconds and, apart from a few wake-ups of the
  /// system, sleeps: a clock of frames would wake it sixty times a second, a poll ten times.
  func isIdle(forSeconds seconds: Double) throws -> Bool {
    let process = terminal.process
    let switches = try #require(Processes.voluntarySwitches(of: process))
    let chunks = terminal.chunks.count
    terminal.run(forSeconds: seconds)
    let later = try #require(Processes.voluntarySwitches(of: process))
    return Double(later - switches) < 5 * seconds && terminal.chunks.count == chunks
  }

  /// Waits for the grid of a numbered folder in a window of 80 by 24.
  func waitForGrid(of count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(for: "the grid of \(count)", sourceLocation: sourceLocation) {
      $0.showsGrid(of: count)
    }
  }

  /// Waits until the red photo, in flight from its tile, is wider than some columns.
  func waitForFlight(
    widerThan columns: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try wait(for: "the photo in mid-flight", sourceLocation: sourceLocation) {
      ($0.box(of: TestPhoto.red)?.width ?? 0) > columns
    }
  }

  /// Waits until the bar contains the number of the photo and their count, or begins with a message.
  func waitForNumber(
    _ number: String, or message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try wait(for: "\(number) in the bar", sourceLocation: sourceLocation) { screen in
      screen.isAt(number) || message.map { screen.bar.hasPrefix($0) } ?? false
    }
  }

  /// Records every frame from now on.
  func startFilm() {
    take()
    isFilming = true
    film = []
  }

  /// The current screen, and how the program ended if it did.
  var picture: String {
    let end = terminal.status.map { "\nended: \(Processes.ended($0))" } ?? ""
    return screen.picture + end
  }

  /// Everything that was written after a chunk.
  func output(fromChunk start: Int = 0) -> [UInt8] { terminal.chunks[start...].flatMap(\.bytes) }

  /// Whether the bar begins with a text, or did so in a frame of the film.
  func hasShown(message: String) -> Bool {
    take()
    return screen.bar.hasPrefix(message) || film.contains { $0.bar.hasPrefix(message) }
  }

  private static let endOfFrame = Array("\u{1B}[?2026l".utf8)

  private func take() {
    while takenChunks < terminal.chunks.count {
      let bytes = terminal.chunks[takenChunks].bytes
      takenChunks += 1
      guard isFilming else {
        screen.feed(bytes)
        continue
      }
      for byte in bytes {
        screen.feed(CollectionOfOne(byte))
        lastBytes.append(byte)
        if lastBytes.count > Self.endOfFrame.count { lastBytes.removeFirst() }
        if lastBytes == Self.endOfFrame { film.append(screen) }
      }
    }
  }

  // MARK: - Input

  /// Types text; `\u{1B}` is Esc, `\r` Enter.
  func type(_ text: String) { terminal.send(text) }

  /// Types keys after a sequence that never ends, until the sequence has timed out.
  ///
  /// Before that the keys are part of the sequence, so there is a pause after them. They should lead to
  /// the same photo if a busy machine obeys them late, and so more than once.
  func typeUntilObeyed(
    _ keys: String, number: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for _ in 0..<10 where !screen.isAt(number) {
      type(keys)
      _ = watch(seconds: 1) { $0.isAt(number) }
    }
    try waitForNumber(number, sourceLocation: sourceLocation)
  }

  /// A mouse report in SGR coordinates, which count columns and rows from 1.
  func mouse(_ button: Int, _ column: Int, _ row: Int, isRelease: Bool = false) {
    terminal.send("\u{1B}[<\(button);\(column + 1);\(row + 1)\(isRelease ? "m" : "M")")
  }

  func press(_ column: Int, _ row: Int) { mouse(0, column, row) }
  func drag(_ column: Int, _ row: Int) { mouse(32, column, row) }
  func release(_ column: Int, _ row: Int) { mouse(0, column, row, isRelease: true) }

  /// Presses and releases at a cell.
  func click(_ column: Int, _ row: Int) {
    press(column, row)
    release(column, row)
  }

  /// Gives the window another size; what it shows until the program draws again is unknown.
  func resize(columns: Int, rows: Int) {
    take()
    screen.resize(columns: columns, rows: rows)
    terminal.resize(columns: columns, rows: rows)
  }

  /// Makes the whole screen unknown, as if another program had written to it.
  func spoil() {
    take()
    screen.resize(columns: screen.columns, rows: screen.rows)
  }

  // MARK: - Leaving

  /// Waits for the program to end.
  ///
  /// - Returns: The exit status, or 1000 and the number of the signal that ended it.
  @discardableResult
  func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int32 {
    terminal.run(forSeconds: Self.patience) { terminal.status != nil }
    take()
    let status = try #require(
      terminal.status, "never ended\(picture)\(Processes.description(of: terminal))",
      sourceLocation: sourceLocation)
    return Processes.ended(status)
  }

  /// Quits by the key and checks that everything is as before.
  func quit(sourceLocation: SourceLocation = #_sourceLocation) throws {
    type("q")
    let status = try waitForEnd(sourceLocation: sourceLocation)
    #expect(status == 0, "\(picture)", sourceLocation: sourceLocation)
    expectRestored(sourceLocation: sourceLocation)
  }

  /// Checks that the terminal is as before the start.
  func expectRestored(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      screen.modes == [7, 25], "private modes are left\(picture)", sourceLocation: sourceLocation)
    #expect(
      terminal.settings == terminal.settingsBefore, "the terminal's settings differ\(picture)",
      sourceLocation: sourceLocation)
  }
}

extension PhotoFolder {
  /// Opens a window in which the program shows this folder, or other paths.
  func open(
    _ options: String..., paths: [String]? = nil, columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:], answers: Bool = true, model: TerminalModel = .modest
  ) throws -> Window {
    try Window(
      [PhotoGrid.path, "--symbols", "half"] + options + (paths ?? [path]), columns: columns,
      rows: rows, environment: environment, answers: answers, model: model, folder: self)
  }
}
