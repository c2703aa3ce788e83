import Foundation

/// Measures how long the pictures of films take, beside ffmpegthumbnailer.
enum FilmBenchmark {
  /// The codecs and sizes of the films, in turn.
  private static let kinds: [(name: String, size: String, codec: [String])] = [
    ("h264.mp4", "1920x1080", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "250"]),
    ("hevc.mp4", "1280x720", ["-c:v", "libx265", "-preset", "ultrafast"]),
    ("vp9.webm", "640x360", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
    ("mpeg4.avi", "1280x720", ["-c:v", "mpeg4", "-q:v", "4"]),
    ("mjpeg.mov", "1920x1080", ["-c:v", "mjpeg", "-q:v", "4"]),
    ("4k.mkv", "3840x2160", ["-c:v", "libx264", "-preset", "ultrafast"]),
  ]

  static func run(_ arguments: [String]) throws {
    let count = arguments.first.flatMap { Int($0) } ?? 24
    let folder = NSTemporaryDirectory() + "photogrid-films-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let films = folder + "/films"
    try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: true)
    print("making \(count) films of 5 s")
    for number in 0..<count {
      let kind = kinds[number % kinds.count]
      let made = try MeasuredProcess.run(
        [
          "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
          "mandelbrot=s=\(kind.size):r=25:start_scale=\(3 + Double(number) / 10)", "-t", "5",
          "-pix_fmt", "yuv420p",
        ] + kind.codec + ["\(films)/\(number)-\(kind.name)"])
      guard made != nil else { throw UsageError(message: "ffmpeg cannot make \(kind.name)") }
    }
    // Thumbnails of files that have just changed are not kept.
    sleep(3)
    setenv("XDG_CACHE_HOME", folder + "/cache", 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: films).map { "\(films)/\($0)" }
    for _ in 0..<3 {
      try? FileManager.default.removeItem(atPath: folder + "/cache")
      let own = try MeasuredProcess.run([ProgramRun.photogrid, "--update-cache", films])
      let start = ProcessInfo.processInfo.systemUptime
      let others = try names.map {
        try MeasuredProcess.run([
          "ffmpegthumbnailer", "-i", $0, "-o", folder + "/picture.png", "-s", "256",
        ])
      }
      let other = ProcessInfo.processInfo.systemUptime - start
      let isThere = others.allSatisfy { $0 != nil }
      print(
        String(format: "photogrid --update-cache %.2f s", own?.clock ?? .nan),
        isThere
          ? String(
            format: "ffmpegthumbnailer, one after another %.2f s, ratio %.2f", other,
            (own?.clock ?? .nan) / other)
          : "ffmpegthumbnailer: not installed, or failed")
    }
  }
}
