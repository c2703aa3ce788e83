import TerminalIO

/// Giving the terminal to other programs, for a while or at the end.
extension Display {
  /// Stops the program until the shell continues it.
  mutating func suspend() {
    removePictures()
    terminal.suspend()
    renderer.invalidate()
  }

  /// Lends the terminal to a command until it ends.
  mutating func run(_ command: ShellRun) {
    removePictures()
    command.run(in: terminal)
    renderer.invalidate()
  }

  /// Draws everything again, whatever the screen shows.
  mutating func redraw() {
    terminal.redraw()
    renderer.invalidate()
  }

  /// Leaves the terminal as it was before the program started.
  mutating func shutDown() {
    removePictures()
    terminal.close()
  }

  /// Has the terminal's session remove all pictures when it leaves the screen.
  private mutating func removePictures() {
    terminal.cleanupBytes = cleanupBytes + renderer.farewell()
    cleanupBytes = []
  }
}
