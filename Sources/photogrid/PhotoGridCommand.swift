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
      arguments.addEnvironment(environment)
      return run(try Configuration(arguments))
    } catch {
      StandardStream.complain(error.message)
      return .badOption
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
      case .doctor:
        let examination = TerminalExamination(terminal, window: window)
        try StandardStream.deliver(Doctor(examination, configuration: configuration).report)
        return .done
      case .browse where isatty(STDOUT_FILENO) == 1 || configuration.printsMarks:
        return try browse(configuration)
      case .browse, .printPictures, .printFacts:
        var command = PrintCommand(
          configuration,
          traits: TerminalTraits(
            TerminalTraits.Evidence(environment: terminal), configuration: configuration),
          window: window ?? .unknown,
          store: PhotoStore(worker: try worker()),
          source: try PhotoSource(configuration, isWatched: false))
        return try command.run()
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
    let ending: BrowseLoop.Ending
    do throws(TerminalError) {
      var options = TerminalSession.Options()
      options.usesMouse = configuration.usesMouse
      let session = try TerminalSession.open(options)
      var loop = BrowseLoop(
        configuration, terminal: session, evidence: TerminalTraits.Evidence(environment: terminal),
        store: PhotoStore(worker: worker), worker: worker, files: PictureFiles(worker: worker),
        source: source)
      ending = loop.run()
      session.close()
    } catch {
      source.shutDown()
      throw CommandFailure(error.description, status: .noTerminal)
    }
    ending.complaints.forEach { StandardStream.complain($0) }
    // Programs get a name's bytes; on a terminal, what could act on it is replaced.
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let lines = ending.printed.flatMap { path in
      (isTerminal ? Array(PrintableText.from(path).utf8) : path) + [configuration.separator]
    }
    if !lines.isEmpty { try StandardStream.deliver(lines) }
    return ending.status
  }

  private static func worker() throws(CommandFailure) -> WorkerExecutable {
    do throws(LibraryError) {
      return try WorkerExecutable.find()
    } catch {
      throw CommandFailure(error.words, status: .nothingShown)
    }
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
