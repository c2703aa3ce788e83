import Glibc
import PhotoGridCore
import TerminalIO

/// The process's environment variables and terminal.
enum ProcessContext {
  static var terminal: TerminalEnvironment {
    let variables = environment
    let colors = Terminfo.colors(of: variables["TERM"] ?? "")
    return TerminalEnvironment(
      variables: variables,
      isUTF8: String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8",
      terminfoColors: colors.count, hasDirectColorEntry: colors.isDirect)
  }

  /// The size of the terminal on one of the standard streams; nil if none is a terminal.
  static var window: WindowSize? {
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

  /// The size of a cell in pixels, from the system or else from the terminal; a common size if both
  /// do not report it.
  static var cell: PixelSize {
    let window = window
    let measurement = CellMeasurement(TerminalResponses(), window: window ?? .unknown)
    let environment = terminal
    guard measurement.source == .assumption, window != nil, !environment.queries.policy.isMinimal
    else { return measurement.cell }
    return TerminalExamination(environment, window: window).capabilities.measurement.cell
  }

  /// The environment variables; bytes that are not UTF-8 are replaced.
  static var environment: [String: String] {
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
