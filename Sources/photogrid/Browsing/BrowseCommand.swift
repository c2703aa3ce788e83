import Geometry
import Glibc
import PhotoLibrary
import TerminalIO

/// Runs the browser, from opening the terminal to printing the names of photos.
enum BrowseCommand {
  /// Runs until the user or a signal ends the session.
  ///
  /// - Throws: `CommandFailure` if nothing can be listed, or there is no usable terminal.
  static func run(_ configuration: Configuration) throws(CommandFailure) -> ExitStatus {
    // The listing starts before the terminal is opened, so that both happen at the same time.
    let worker = try WorkerExecutable.installed(configuration.sandbox)
    var source = try PhotoSource(configuration, isWatched: true)
    let ending: RunLoop.Ending
    let showsLinks: Bool
    do throws(CommandFailure) {
      let store = try PhotoStore(configuration, waitsForDisks: true)
      let display = try display(store, configuration, source: &source)
      // Others would show them as text, or read them out.
      showsLinks =
        display.capabilities.environment.hasTitle && !configuration.session.isAccessible
      // Nothing was drawn yet.
      try source.waitUntilLocated()
      var loop = RunLoop(
        configuration, display: display, store: store, worker: worker, source: source)
      ending = loop.run()
    } catch {
      source.shutDown()
      throw error
    }
    ending.messages.forEach { StandardStream.printError($0) }
    // Programs get a path's bytes; for a terminal, control characters are replaced.
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = ending.printed.flatMap { path in
      (isTerminal ? printable(path, isLink: showsLinks) : path) + [configuration.input.separator]
    }
    if !lines.isEmpty { try StandardStream.deliver(lines) }
    let isRefused = configuration.isChooser && ending.status == .done && ending.printed.isEmpty
    return isRefused ? .nothingShown : ending.status
  }

  /// Returns a path for a terminal, which opens the file where it is clicked if the path is a link
  /// (OSC 8).
  static func printable(_ path: [UInt8], isLink: Bool) -> [UInt8] {
    let text = Array(PrintableText.from(path).utf8)
    guard isLink else { return text }
    return Array("\u{1B}]8;;file://".utf8) + Array(MachineID.host.utf8).percentEncoded
      + AbsolutePath.of(path).percentEncoded + Array("\u{1B}\\".utf8) + text
      + Array("\u{1B}]8;;\u{1B}\\".utf8)
  }

  /// Opens the terminal, without drawing on it.
  ///
  /// - Throws: `CommandFailure` if none of the given paths exists, or else if there is no usable
  ///   terminal.
  private static func display(
    _ store: PhotoStore, _ configuration: Configuration, source: inout PhotoSource
  ) throws(CommandFailure) -> Display {
    let environment = ProcessContext.terminal
    var options = TerminalSession.Options()
    let draws = !configuration.session.isAccessible
    options.drawsScreen = draws
    options.usesMouse = draws && configuration.session.usesMouse(in: environment)
    options.usesTitle = draws && environment.hasTitle
    options.repaintsBorder = environment.type.hasPrefix("mlterm")
    if configuration.drawing.glyphs == .ascii {
      options.lines = .ascii
    } else if environment.type == "linux" {
      options.lines = .square
    }
    let memory = TerminalMemory(environment)
    if let cell = memory.entry?.cell { options.assumedCell = cell }
    let session: TerminalSession
    do throws(TerminalError) {
      session = try TerminalSession.open(options)
    } catch {
      try source.waitUntilLocated()
      throw CommandFailure(error.description, status: .noTerminal)
    }
    return Display(
      session, capabilities: TerminalCapabilities(environment: environment),
      pictures: RotatedPictures(store), configuration: configuration, memory: memory)
  }
}
