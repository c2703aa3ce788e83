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
      arguments.addAccessibility(ProcessContext.environment)
      try arguments.expandSavedFilter()
      let file = try configurationFile(arguments)
      let given = arguments
      if let file { arguments.merge(file.contents) }
      var configuration = try Configuration(arguments)
      if browses(configuration), let resumed = resumed(given, file?.contents, configuration) {
        configuration = resumed
      }
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

  /// Looks up where the folder was left.
  ///
  /// - Parameters:
  ///   - given: The arguments without the configuration file's options.
  ///   - file: The configuration file.
  ///   - configuration: The configuration without the place.
  /// - Returns: The configuration that opens the folder there; nil if it opens at its start.
  private static func resumed(
    _ given: ParsedArguments, _ file: ConfigurationFile?, _ configuration: Configuration
  ) -> Configuration? {
    let (input, session) = (configuration.input, configuration.session)
    guard session.resumes, !session.isFresh, configuration.keepsThumbnails, input.list == nil,
      !input.readsStandardInput, input.paths.count <= 1
    else { return nil }
    let root = input.paths.first ?? []
    guard let left = ResumeFile(ProcessContext.environment)?.resumption(of: root) else {
      return nil
    }
    var arguments = given
    guard arguments.resume(from: left, in: root) else { return nil }
    if let file { arguments.merge(file) }
    // A line that somebody changed may have other values.
    var resumed = try? Configuration(arguments)
    resumed?.isResumed = true
    return resumed
  }

  /// Whether the browser is shown, rather than something printed.
  private static func browses(_ configuration: Configuration) -> Bool {
    configuration.mode == .browse
      && (isatty(STDOUT_FILENO) == 1 || configuration.printsMarks || configuration.isChooser)
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
    case .browse where browses(configuration): return try BrowseCommand.run(configuration)
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
