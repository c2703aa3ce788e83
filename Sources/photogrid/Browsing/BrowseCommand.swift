import Glibc
import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// Runs the browser, from opening the terminal to printing the names of photos.
enum BrowseCommand {
  /// Runs until the user or a signal ends the session.
  ///
  /// - Throws: `CommandFailure` if nothing can be listed, or there is no usable terminal.
  static func run(_ configuration: Configuration) throws(CommandFailure) -> ExitStatus {
    let environment = ProcessContext.terminal
    // The listing starts before the terminal is opened, so that both happen at the same time.
    let worker = try WorkerExecutable.installed(configuration.sandbox)
    var source = try PhotoSource(configuration, isWatched: true)
    let store = try PhotoStore(configuration)
    do throws(CommandFailure) {
      try source.waitUntilLocated()
    } catch {
      source.shutDown()
      throw error
    }
    let ending: RunLoop.Ending
    do throws(TerminalError) {
      var options = TerminalSession.Options()
      options.usesMouse = configuration.session.usesMouse(in: environment)
      options.usesTitle = environment.hasTitle
      let memory = TerminalMemory(environment)
      if let cell = memory.entry?.cell { options.assumedCell = cell }
      let session = try TerminalSession.open(options)
      let display = Display(
        session, capabilities: TerminalCapabilities(environment: environment),
        pictures: RotatedPictures(store), configuration: configuration, memory: memory)
      var loop = RunLoop(
        configuration, display: display, store: store, worker: worker, source: source)
      ending = loop.run()
    } catch {
      source.shutDown()
      throw CommandFailure(error.description, status: .noTerminal)
    }
    if !configuration.isQuiet { ending.messages.forEach { StandardStream.printError($0) } }
    // Programs get a path's bytes; for a terminal, control characters are replaced.
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = ending.printed.flatMap { path in
      (isTerminal ? Array(PrintableText.from(path).utf8) : path) + [configuration.input.separator]
    }
    if !lines.isEmpty { try StandardStream.deliver(lines) }
    let isRefused = configuration.isChooser && ending.status == .done && ending.printed.isEmpty
    return isRefused ? .nothingShown : ending.status
  }
}
