import Foundation

/// Measures how long the pictures of films take, beside ffmpegthumbnailer.
enum FilmBenchmark {
  /// The codecs and sizes of the films, in turn: of phones, cameras, screens and old ones.
  private static let kinds: [(name: String, size: String, codec: [String])] = [
    ("h264.mp4", "1920x1080", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "250"]),
    ("hevc.mp4", "1280x720", ["-c:v", "libx265", "-preset", "ultrafast"]),
    ("vp9.webm", "640x360", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
    ("av1.mp4", "1280x720", ["-c:v", "libsvtav1", "-preset", "12"]),
    ("mpeg4.avi", "1280x720", ["-c:v", "mpeg4", "-q:v", "4"]),
    ("mjpeg.mov", "1920x1080", ["-c:v", "mjpeg", "-q:v", "4"]),
    ("4k.mkv", "3840x2160", ["-c:v", "libx264", "-preset", "ultrafast"]),
    (
      "rotated.mov", "1920x1080",
      ["-c:v", "libx264", "-preset", "ultrafast"]
    ),
    (
      "variable.mp4", "1280x720",
      [
        "-c:v", "libx264", "-preset", "ultrafast", "-fps_mode", "vfr", "-vf",
        "scale=1280:720,select='lt(mod(n,50),20)+not(mod(n,5))'",
      ]
    ),
    // No key frame but the first.
    (
      "one-key.mp4", "1280x720",
      ["-c:v", "libx264", "-preset", "ultrafast", "-g", "9999", "-sc_threshold", "0"]
    ),
  ]

  /// Turns a film by 90 degrees by its display matrix, which not every version of the command writes.
  private static func turn(_ path: String) throws {
    let file = URL(fileURLWithPath: path)
    var film = try Data(contentsOf: file)
    guard let matrix = film.range(of: Data("tkhd".utf8)).map({ $0.lowerBound + 44 }) else { return }
    let numbers: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0]
    film.replaceSubrange(matrix..<(matrix + numbers.count), with: numbers)
    try film.write(to: file)
  }

  static func run(_ arguments: [String]) throws {
    let count = arguments.first.flatMap { Int($0) } ?? 20
    let folder = NSTemporaryDirectory() + "photogrid-films-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let films = folder + "/films"
    try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: true)
    print("making \(count) films of 5 s, and of 12 s without a second key frame")
    for number in 0..<count {
      let kind = kinds[number % kinds.count]
      let made = try MeasuredProcess.run(
        [
          "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
          "mandelbrot=s=640x360:r=25:start_scale=\(3 + Double(number) / 10)", "-t",
          kind.name.hasPrefix("one-key") ? "12" : "5", "-vf",
          "scale=\(kind.size.replacingOccurrences(of: "x", with: ":"))", "-pix_fmt", "yuv420p",
        ] + kind.codec + ["\(films)/\(number)-\(kind.name)"])
      guard made != nil else { throw UsageError(message: "ffmpeg cannot make \(kind.name)") }
      if kind.name.hasPrefix("rotated") { try turn("\(films)/\(number)-\(kind.name)") }
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
      let processor = others.reduce(0) { $0 + ($1?.processor ?? .nan) }
      let isThere = others.allSatisfy { $0 != nil }
      print(
        String(
          format: "photogrid --update-cache %.2f s (processor %.2f s)", own?.clock ?? .nan,
          own?.processor ?? .nan),
        isThere
          ? String(
            format: "ffmpegthumbnailer, one after another %.2f s (%.2f s), ratio %.2f (%.2f)",
            other,
            processor, (own?.clock ?? .nan) / other, (own?.processor ?? .nan) / processor)
          : "ffmpegthumbnailer: not installed, or failed")
    }
  }
}
