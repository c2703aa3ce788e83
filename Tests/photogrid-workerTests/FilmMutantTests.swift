import Foundation
import PhotoLibrary
import Photos
import TestSupport
import Testing

@testable import photogrid_worker

/// Films with random damage, decoded by the real worker and the system's ffmpeg.
///
/// `PHOTOGRID_MUTANTS` is the number of damaged films of each container; few unless it is set.
@Suite(.serialized, .enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
struct FilmMutantTests {
  private let folder = TemporaryFolder()
  private static let count =
    ProcessInfo.processInfo.environment["PHOTOGRID_MUTANTS"].flatMap { Int($0) } ?? 20
  private static let batch = 20

  private static let numbers: [[UInt8]] = [
    [0, 0, 0, 0], [255, 255, 255, 255], [127, 255, 255, 255], [128, 0, 0, 0], [0, 0, 0, 1],
    [0x3b, 0x9a, 0xca, 0],
  ]

  /// Changes some bytes, or replaces a number, or cuts, repeats or removes a piece.
  private static func mutant(of whole: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...6, using: &random) where bytes.count > 16 {
      let start = Int.random(in: 0..<(bytes.count - 8), using: &random)
      let end = min(start + Int.random(in: 1...400, using: &random), bytes.count)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4: bytes[start] = UInt8.random(in: .min ... .max, using: &random)
      case 5, 6:
        let number = numbers.randomElement(using: &random) ?? numbers[0]
        bytes.replaceSubrange(start..<(start + 4), with: number)
      case 7: bytes.removeSubrange(start..<end)
      case 8: bytes.insert(contentsOf: bytes[start..<end], at: start)
      default: bytes.removeSubrange(max(start, 64)...)
      }
    }
    return bytes
  }

  @Test(arguments: [
    ("a.mp4", ["-c:v", "libx264", "-preset", "ultrafast"]), ("a.mov", ["-c:v", "mpeg4"]),
    ("a.mkv", ["-c:v", "libx264", "-preset", "ultrafast"]),
    ("a.webm", ["-c:v", "libvpx", "-deadline", "realtime"]), ("a.avi", ["-c:v", "mjpeg"]),
  ])
  func `a damaged film is a picture, or a tile that says why`(name: String, codec: [String]) throws
  {
    try TestFilm.make(
      "testsrc=s=64x36:r=5:d=2", at: "\(folder.path)/\(name)", codec + ["-vf", "scale=64:36"])
    let whole = contents(of: "\(folder.path)/\(name)")
    var random = SeededGenerator(seed: 33)
    var pictureCount = 0
    var reasons: [String: Int] = [:]
    for start in stride(from: 0, to: Self.count, by: Self.batch) {
      let names = (start..<min(start + Self.batch, Self.count)).map { "\($0)-\(name)" }
      for name in names { folder.write(Self.mutant(of: whole, &random), to: name) }
      let store = try PhotoStore.of(names.map { folder.path($0) })
      store.fetchAll(side: 64)
      #expect(store.problem == nil)
      for (number, name) in names.enumerated() {
        let failure = store.failure(of: Photo.ID(number))
        #expect((store.picture(number) != nil) != (failure != nil), "\(name)")
        if let failure { reasons[failure, default: 0] += 1 } else { pictureCount += 1 }
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
      }
    }
    #expect(Self.commandsLeft(of: folder.path).isEmpty)
    if Self.count > Self.batch { print("\(name): \(pictureCount) pictures, \(reasons)") }
  }

  /// The commands that still read a film in a folder; those that end are waited for.
  private static func commandsLeft(of folder: String) -> [String] {
    var left: [String] = []
    for _ in 0..<500 {
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      left = processes.filter {
        guard Int($0) != nil else { return false }
        let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/fd/0")
        return file?.hasPrefix(folder) == true
      }
      if left.isEmpty { return [] }
      usleep(20_000)
    }
    return left
  }
}
