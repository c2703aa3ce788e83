import Foundation

/// The program under test, and its environment.
enum PhotoGrid {
  /// The executable, which is built beside the tests.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
    let tests = String(decoding: buffer.prefix(max(count, 0)).map { UInt8($0) }, as: UTF8.self)
    return URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("photogrid").path
  }()

  /// The command line that starts it without root's right to ignore permissions.
  static let heldToPermissions =
    (geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []) + [path]

  /// The command line that runs another as if a folder were on a disk that does not respond.
  static func hanging(_ folder: String) -> [String] {
    [String(path.dropLast("photogrid".count)) + "hanging-folder", folder]
  }

  /// A terminal that says that its background is black, so that the grid fades.
  static let blackBackground = ["COLORFGBG": "15;0"]

  /// Variables that make the program behave the same wherever the tests run; empty ones are unset.
  static let environment: [String: String] = {
    var variables = ProcessInfo.processInfo.environment
      .filter { $0.key.hasPrefix("PHOTOGRID_") || $0.key.hasPrefix("LC_") }
      .mapValues { _ in "" }
    for name in [
      "LANG", "NO_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "VTE_VERSION", "WT_SESSION",
      "COLORFGBG", "TMUX", "STY", "ZELLIJ", "LINES", "COLUMNS", "TERMINFO",
    ] {
      variables[name] = ""
    }
    variables.merge(
      [
        "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor",
        // The user's thumbnails and configuration are not used, except if a test says so.
        "XDG_CACHE_HOME": "/dev/null/none", "XDG_CONFIG_HOME": "/dev/null/none",
        "XDG_STATE_HOME": "/dev/null/none",
        // A fixed size, so that tiles are in the same places however many there are.
        "PHOTOGRID_CELL": "18",
      ]
    ) { $1 }
    return variables
  }()
}

extension PhotoFolder {
  /// Runs the program without a terminal, as a script does.
  func run(
    _ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:]
  ) -> ProgramRun {
    ProgramRun.of(
      [PhotoGrid.path] + arguments, input: input,
      environment: PhotoGrid.environment.merging(environment) { $1 })
  }
}
