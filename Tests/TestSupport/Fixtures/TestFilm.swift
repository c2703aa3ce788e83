import Foundation

/// Films that tests have the system's ffmpeg make.
package enum TestFilm {
  private static let command = "/usr/bin/ffmpeg"

  /// Whether films can be made.
  package static var canBeMade: Bool { access(command, X_OK) == 0 }

  /// Makes a film of 320 by 180 pixels from a source of libavfilter, such as "color=red:d=2".
  package static func make(_ source: String, at path: String, _ options: [String] = []) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments =
      ["-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", source]
      + ["-vf", "scale=320:180", "-pix_fmt", "yuv420p", "-threads", "1"] + options + [path]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// The small films from which the fuzzer starts.
  package static func small(_ name: String) -> [UInt8] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let data = try? Data(contentsOf: tests.appendingPathComponent("Fuzzing/Seeds/films/\(name)"))
    return data.map(Array.init) ?? []
  }
}
