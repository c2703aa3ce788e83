import Foundation

/// The program under test, and what it runs in.
enum PhotoGrid {
  /// The executable, which is built beside the tests.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
    let tests = String(decoding: buffer.prefix(max(count, 0)).map { UInt8($0) }, as: UTF8.self)
    return URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("photogrid").path
  }()

  /// Variables that make the program behave alike wherever the tests run; empty ones are unset.
  static let environment: [String: String] = {
    var variables = ProcessInfo.processInfo.environment
      .filter { $0.key.hasPrefix("PHOTOGRID_") || $0.key.hasPrefix("LC_") }
      .mapValues { _ in "" }
    for name in [
      "LANG", "NO_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "VTE_VERSION", "WT_SESSION",
      "TMUX", "STY", "ZELLIJ", "LINES", "COLUMNS", "TERMINFO",
    ] {
      variables[name] = ""
    }
    variables.merge(
      [
        "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor",
        // Nobody's thumbnails and configuration are used, except where a test says so.
        "XDG_CACHE_HOME": "/dev/null/none", "XDG_CONFIG_HOME": "/dev/null/none",
        "XDG_STATE_HOME": "/dev/null/none",
      ]
    ) { $1 }
    return variables
  }()
}

extension PhotoFolder {
  /// Runs the program without a terminal, as in a script.
  func run(
    _ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:]
  ) -> ProgramRun {
    ProgramRun.of(
      [PhotoGrid.path] + arguments, input: input,
      environment: PhotoGrid.environment.merging(environment) { $1 })
  }
}
