import Foundation
import PseudoTerminal

/// Measures how soon the program shows what another session, or another program, changed in its folder.
enum SharedFolderBenchmark {
  private static let photoCount = 40

  /// Prints for each kind of change the median and the longest time until it is on the screen.
  static func run(_ arguments: [String]) throws {
    guard let source = arguments.first else { throw UsageError(message: "needs a folder") }
    let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 20
    let photos = try ProgramRun.photos(in: source, atMost: photoCount)
    guard !photos.isEmpty else { throw UsageError(message: "there are no JPEGs in \(source)") }
    let folder = NSTemporaryDirectory() + "photogrid-bench-shared-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["photos", "homes/1", "homes/2"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    func path(_ index: Int) -> String { folder + String(format: "/photos/%03d.jpg", index) }
    for index in 0..<photoCount {
      try FileManager.default.copyItem(atPath: photos[index % photos.count], toPath: path(index))
    }
    var pair = try Pair(folder)
    print("from the change to the other screen, \(count) times: median, most ms")

    var stars = 0
    var times = try (0..<count).map { _ in
      stars = stars % 5 + 1
      return try pair.time("a rating", { $0.send(";\(stars)") }) { $0.stars == stars }
    }
    report("a rating in another session", times)

    times = try (0..<count).map { _ in
      stars = stars % 5 + 1
      return try pair.time("a sidecar", { _ in write(stars, of: path(0)) }) { $0.stars == stars }
    }
    report("a sidecar that another program writes", times)

    times = try (0..<count).map { index in
      try pair.time(
        "a new photo",
        { _ in
          try? FileManager.default.copyItem(atPath: path(0), toPath: path(photoCount + index))
        }
      ) { $0.bar.contains("/\(photoCount + index + 1) ") }
    }
    report("a photo that is copied into the folder", times)

    times = try (0..<count).map { index in
      let left = photoCount + count - index - 1
      return try pair.time("a trashed photo", { $0.send("Gd") }) { $0.bar.contains("/\(left) ") }
    }
    report("a photo that another session trashes", times)
  }

  /// Writes the sidecar of a photo in the way of other programs: a new file takes its name.
  private static func write(_ stars: Int, of photo: String) {
    let text = """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
      <rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='\(stars)'/>
      </rdf:RDF></x:xmpmeta>
      """
    try? Data(text.utf8).write(to: URL(filePath: photo + ".xmp"), options: .atomic)
  }

  private static func report(_ name: String, _ times: [Double]) {
    print(String(format: "%6.0f %6.0f  ", times.median, times.max() ?? .nan) + name)
    fflush(nil)
  }

  /// Two sessions in one folder: the first makes changes, and the second shows them.
  private struct Pair {
    private let terminals: [PseudoTerminal]
    private var seen = 0
    private var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)

    init(_ folder: String) throws {
      terminals = try (1...2).map { number in
        try PseudoTerminal(
          [ProgramRun.photogrid, "--protocol", "cells", "--motion", "none", "\(folder)/photos"],
          columns: ProgramRun.columns, rows: ProgramRun.rows,
          environment: ProgramRun.homes(in: "\(folder)/homes/\(number)"))
      }
      for terminal in terminals { terminal.runUntilQuiet(forSeconds: 1, limit: 20) }
    }

    /// Makes a change, and returns the time until the second session shows it, in milliseconds.
    mutating func time(
      _ name: String, _ change: (PseudoTerminal) -> Void, isShown: (ScreenReader) -> Bool
    ) throws -> Double {
      // So that nothing of the change before is still under way.
      for terminal in terminals { terminal.run(forSeconds: 0.7) }
      let start = terminals[1].elapsed
      change(terminals[0])
      while terminals[1].elapsed - start < 10_000_000_000 {
        // Both must be read, or the first would wait for its terminal.
        terminals[0].run(forSeconds: 0.001)
        terminals[1].run(forSeconds: 0.002)
        while seen < terminals[1].chunks.count {
          let chunk = terminals[1].chunks[seen]
          screen.feed(chunk.bytes)
          seen += 1
          if isShown(screen) { return Double(chunk.time - start) / 1e6 }
        }
      }
      throw UsageError(message: "\(name) is not shown in 10 s: \(screen.bar)")
    }
  }
}

extension ScreenReader {
  fileprivate var bar: String { text(ofRow: ProgramRun.rows - 1) }

  /// The stars of the selected photo.
  fileprivate var stars: Int { bar.count { $0 == "★" } }
}
