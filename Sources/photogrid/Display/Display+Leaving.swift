import TerminalIO

/// Leaving the terminal to other programs, temporarily or at the end.
extension Display {
  /// Stops the program until the shell continues it.
  mutating func suspend() {
    removePictures()
    terminal.suspend()
    renderer.invalidate()
  }

  /// Runs a command in the terminal, and returns when it has ended.
  mutating func run(_ command: ShellRun) {
    removePictures()
    command.run(in: terminal)
    renderer.invalidate()
  }

  /// Draws everything again, even if nothing has changed.
  mutating func redraw() {
    terminal.redraw()
    renderer.invalidate()
  }

  /// Restores the terminal.
  mutating func shutDown() {
    removePictures()
    recordTerminal()
    terminal.close()
  }

  /// Records the properties of the terminal that the first frame of the next session depends on.
  private mutating func recordTerminal() {
    guard isRendererSelected, configuration.keepsThumbnails,
      configuration.drawing.pictures == nil, capabilities.failure == nil,
      terminal.responses.isComplete, terminal.measurement.source != .assumption
    else { return }
    memory.record(TerminalMemory.Entry(grain: renderer.grain, cell: terminal.measurement.cell))
  }

  /// Makes the terminal session remove all pictures when it leaves the screen.
  private mutating func removePictures() {
    terminal.cleanupBytes = cleanupBytes + renderer.cleanupBytes()
    cleanupBytes = []
  }
}
