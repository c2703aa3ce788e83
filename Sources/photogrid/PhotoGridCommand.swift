import Glibc
import PhotoGridCore
import PhotoLibrary
import SceneRendering
import TerminalIO
import WorkerProtocol

/// The program from its arguments to its exit status.
enum PhotoGridCommand {
  /// Does what the command line asks for; every failure is a sentence on standard error.
  static func run() -> ExitStatus {
    do throws(OptionError) {
      var arguments = try ParsedArguments(rawArguments)
      try arguments.addEnvironment(environment)
      let file = try configurationFile(arguments)
      if let file { arguments.add(file.contents) }
      var configuration = try Configuration(arguments)
      if let file {
        configuration.keys = file.contents.keys
        file.contents.complaints(about: file.path).forEach { StandardStream.complain($0) }
      }
      if configuration.isChooser { configuration.keys.bindChoosing() }
      return run(configuration)
    } catch {
      StandardStream.complain(error.message)
      return .badOption
    }
  }

  /// The configuration that holds, and its path; nil where there is none.
  private static func configurationFile(
    _ arguments: ParsedArguments
  ) throws(OptionError) -> (path: [UInt8], contents: ConfigurationFile)? {
    if let path = arguments.values[.config] {
      guard let bytes = try ConfigurationFile.read(path) else {
        throw OptionError(message: "--config: \(PrintableArgument.text(path)): is not there")
      }
      return (path, ConfigurationFile(bytes))
    }
    guard arguments.values[.noConfig] == nil,
      let path = ConfigurationFile.standardPath(environment)
    else { return nil }
    do throws(OptionError) {
      return try ConfigurationFile.read(path).map { (path, ConfigurationFile($0)) }
    } catch {
      // What one did not ask for does not keep one from one's photos.
      StandardStream.complain(error.message)
      return nil
    }
  }

  private static func run(_ configuration: Configuration) -> ExitStatus {
    do throws(CommandFailure) {
      switch configuration.mode {
      case .help:
        try StandardStream.deliver(OptionEntry.helpText)
        return .done
      case .version:
        try StandardStream.deliver("photogrid \(ProgramVersion.current)\n")
        return .done
      case .manual:
        try StandardStream.deliver(ManPage.text)
        return .done
      case .completions(let shell):
        try StandardStream.deliver(shell.script)
        return .done
      case .listKeys:
        try StandardStream.deliver(configuration.keys.lines.joined(separator: "\n") + "\n")
        return .done
      case .doctor:
        let examination = TerminalExamination(terminal, window: window)
        try StandardStream.deliver(Doctor(examination, configuration: configuration).report)
        return .done
      case .browse
      where isatty(STDOUT_FILENO) == 1
        || configuration.printsMarks || configuration.isChooser:
        return try browse(configuration)
      case .browse, .printPictures, .printFacts:
        var command = PrintCommand(
          configuration,
          traits: TerminalTraits(
            TerminalTraits.Evidence(environment: terminal), configuration: configuration),
          window: window ?? .unknown,
          store: try store(configuration),
          source: try PhotoSource(configuration, isWatched: false), worker: try worker())
        return try command.run()
      case .updateCache:
        var command = UpdateCacheCommand(
          size: thumbnailSize(configuration), store: try store(configuration),
          source: try PhotoSource(configuration, isWatched: false), isQuiet: configuration.isQuiet)
        return try command.run()
      case .cleanCache:
        return try CleanCacheCommand.run(worker: try worker())
      }
    } catch {
      StandardStream.complain(error.message)
      return error.status
    }
  }

  private static func browse(_ configuration: Configuration) throws(CommandFailure) -> ExitStatus {
    // The listing starts before the terminal is asked for anything.
    let worker = try worker()
    var source = try PhotoSource(configuration, isWatched: true)
    let store = try store(configuration)
    let ending: BrowseLoop.Ending
    do throws(TerminalError) {
      var options = TerminalSession.Options()
      options.usesMouse = configuration.usesMouse
      options.usesTitle = terminal.hasTitle
      let session = try TerminalSession.open(options)
      var loop = BrowseLoop(
        configuration, terminal: session, evidence: TerminalTraits.Evidence(environment: terminal),
        store: store, worker: worker, files: PictureFiles(worker: worker), source: source)
      loop.hints = Hints(configuration, environment: environment)
      ending = loop.run()
      session.close()
    } catch {
      source.shutDown()
      throw CommandFailure(error.description, status: .noTerminal)
    }
    if !configuration.isQuiet { ending.complaints.forEach { StandardStream.complain($0) } }
    // Programs get a name's bytes; on a terminal, what could act on it is replaced.
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = ending.printed.flatMap { path in
      (isTerminal ? Array(PrintableText.from(path).utf8) : path) + [configuration.separator]
    }
    if !lines.isEmpty { try StandardStream.deliver(lines) }
    let isRefused = configuration.isChooser && ending.status == .done && ending.printed.isEmpty
    return isRefused ? .nothingShown : ending.status
  }

  private static func store(
    _ configuration: Configuration
  ) throws(CommandFailure) -> PhotoStore {
    var limits = StoreLimits()
    limits.memoryBudget = configuration.memoryBudget
    return PhotoStore(
      worker: try worker(), limits: limits,
      thumbnails: ThumbnailAccess.own(mayWrite: configuration.keepsThumbnails))
  }

  private static func worker() throws(CommandFailure) -> WorkerExecutable {
    do throws(LibraryError) {
      return try WorkerExecutable.find()
    } catch {
      throw CommandFailure(error.words, status: .nothingShown)
    }
  }

  /// The size of thumbnails that the largest tiles need, and no less than file managers show.
  private static func thumbnailSize(_ configuration: Configuration) -> ThumbnailSize {
    // How large tiles are drawn depends on the terminal, if there is one.
    let evidence =
      window.map { TerminalExamination(terminal, window: $0).evidence }
      ?? TerminalTraits.Evidence(environment: terminal)
    let traits = TerminalTraits(evidence, configuration: configuration)
    let pictures = traits.pictures.value
    let renderer = pictures.renderer(traits.pictureTraits(for: pictures))
    let viewport = Viewport(window ?? .unknown, cell: evidence.measurement.cell)
    let metrics = viewport.metrics
    let count = 60
    let layout = configuration.layout.snapped(
      count, in: metrics.size(of: configuration.geometry ?? viewport.pictureCells),
      metrics: metrics)
    let samples = renderer.samplesPerPixel(cell: metrics.cell)
    let side = (0..<count).map { index in
      let tile = layout.frame(at: index).size
      // Most photos are half as long again as they are high, and cover their tile.
      return Int(min(1.5 * max(tile.width, tile.height) * samples, 10_000).rounded(.up))
    }.max()
    let size = ThumbnailSize(holding: (side ?? 0, side ?? 0)) ?? .doubleExtraLarge
    return max(size, .large)
  }

  private static var terminal: TerminalEnvironment {
    let variables = environment
    let colors = Terminfo.colors(of: variables["TERM"] ?? "")
    return TerminalEnvironment(
      variables: variables,
      isUTF8: String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8",
      terminfoColors: colors.count, hasDirectColorEntry: colors.areDirect)
  }

  /// The size of the terminal that one of the standard streams is; nil if none is.
  private static var window: WindowSize? {
    for descriptor in [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO] {
      var size = winsize()
      guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
      else { continue }
      return WindowSize(
        cells: CellSize(columns: Int(size.ws_col), rows: Int(size.ws_row)),
        pixels: PixelSize(width: Double(size.ws_xpixel), height: Double(size.ws_ypixel)))
    }
    return nil
  }

  /// The arguments as bytes: file names need not be UTF-8.
  private static var rawArguments: [[UInt8]] {
    (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
      CommandLine.unsafeArgv[index].map { argument in
        Array(UnsafeBufferPointer(start: argument, count: strlen(argument))).map {
          UInt8(bitPattern: $0)
        }
      }
    }
  }

  private static var environment: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return result
  }
}
