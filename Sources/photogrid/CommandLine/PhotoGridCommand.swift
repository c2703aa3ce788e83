import Geometry
import Glibc
import PhotoLibrary
import WorkerProtocol
import WorkerRuntime

/// The program, from its arguments to its exit status.
enum PhotoGridCommand {
  static func run() -> ExitStatus {
    do throws(OptionError) {
      var arguments = try ParsedArguments(ProgramArguments.all)
      try arguments.addEnvironment(ProcessContext.environment)
      try arguments.expandSavedFilter()
      let file = try configurationFile(arguments)
      if let file { arguments.merge(file.contents) }
      var configuration = try Configuration(arguments)
      if let file {
        configuration.keys = file.contents.keys
        file.contents.errorMessages(for: file.path).forEach { StandardStream.printError($0) }
      }
      if configuration.isChooser { configuration.keys.bindChooseKey() }
      return run(configuration)
    } catch {
      StandardStream.printError(error.message)
      return .badOption
    }
  }

  /// Returns the configuration file and its path; nil if there is none.
  private static func configurationFile(
    _ arguments: ParsedArguments
  ) throws(OptionError) -> (path: [UInt8], contents: ConfigurationFile)? {
    if let path = arguments.values[.config] {
      guard let bytes = try ConfigurationFile.read(path) else {
        throw OptionError(message: "--config: \(PrintableArgument.text(path)): does not exist")
      }
      return (path, ConfigurationFile(bytes))
    }
    guard arguments.values[.noConfig] == nil,
      let path = ConfigurationFile.standardPath(ProcessContext.environment)
    else { return nil }
    do throws(OptionError) {
      return try ConfigurationFile.read(path).map { (path, ConfigurationFile($0)) }
    } catch {
      // An unreadable default configuration is only a warning.
      StandardStream.printError(error.message)
      return nil
    }
  }

  /// Runs the program with a checked configuration.
  private static func run(_ configuration: Configuration) -> ExitStatus {
    do throws(CommandFailure) {
      if let text = text(of: configuration) {
        try StandardStream.deliver(text)
        return .done
      }
      return try runCommand(configuration)
    } catch {
      StandardStream.printError(error.message)
      return error.status
    }
  }

  private static func text(of configuration: Configuration) -> String? {
    switch configuration.mode {
    case .help: return OptionEntry.helpText
    case .version: return "photogrid \(ProgramVersion.current)\n"
    case .manual: return ManPage.text
    case .completions(let shell): return shell.script
    case .listKeys: return configuration.keys.lines.joined(separator: "\n") + "\n"
    case .doctor:
      let examination = TerminalExamination(
        ProcessContext.terminal, window: ProcessContext.window)
      return Doctor(examination, configuration: configuration).report
    case .browse, .printPictures, .printFacts, .printNames, .rate, .updateCache:
      return nil
    }
  }

  /// Runs a mode that shows photos or uses the thumbnail cache.
  private static func runCommand(
    _ configuration: Configuration
  ) throws(CommandFailure) -> ExitStatus {
    try ConfinedProcess.checkAll(configuration)
    switch configuration.mode {
    case .browse
    where isatty(STDOUT_FILENO) == 1 || configuration.printsMarks || configuration.isChooser:
      return try BrowseCommand.run(configuration)
    case .updateCache:
      let store = try PhotoStore(configuration)
      var command = UpdateCacheCommand(
        size: .tiles(of: configuration), store: store,
        source: try PhotoSource(configuration, isWatched: false),
        filler: try IndexFiller(configuration, index: store.index), isQuiet: configuration.isQuiet)
      return try command.run()
    case .rate(let edit):
      return try RateCommand.run(edit, configuration)
    case .browse, .printPictures, .printFacts, .printNames, .help, .version, .manual,
      .completions, .listKeys, .doctor:
      var command = PrintCommand(
        configuration,
        traits: TerminalTraits(
          TerminalCapabilities(environment: ProcessContext.terminal),
          configuration: configuration),
        window: ProcessContext.window ?? .unknown, cell: ProcessContext.cell,
        store: try PhotoStore(configuration),
        source: try PhotoSource(configuration, isWatched: false),
        worker: try .installed(configuration.sandbox))
      return try command.run()
    }
  }
}
