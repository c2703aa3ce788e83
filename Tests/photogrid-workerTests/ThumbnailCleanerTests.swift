import Foundation
import TestSupport
import Testing

@testable import photogrid_worker

/// The size and the age of the thumbnail cache.
@Suite struct ThumbnailCleanerTests {
  private let cache = TemporaryFolder()

  /// Adds thumbnails of 64 kB that were last used some days ago.
  private func add(ages: [Double]) throws {
    try FileManager.default.createDirectory(
      atPath: "\(cache.path)/large", withIntermediateDirectories: true)
    for (index, age) in ages.enumerated() {
      let name = "large/" + String(format: "%032x.png", index)
      cache.write([UInt8](repeating: 7, count: 64 << 10), to: name)
      var used = timespec()
      used.tv_sec = time(nil) - Int(age * 86_400)
      try #require(utimensat(AT_FDCWD, "\(cache.path)/\(name)", [used, used], 0) == 0)
    }
  }

  /// The numbers of the thumbnails that are left when nothing more is to be examined.
  private func left(maxSize: Int?) throws -> [Int] {
    let cleaner = ThumbnailCleaner(Array(cache.path.utf8), maxSize: maxSize)
    for _ in 0..<100 { cleaner.step() }
    return try FileManager.default.contentsOfDirectory(atPath: "\(cache.path)/large")
      .compactMap { Int($0.prefix(32), radix: 16) }.sorted()
  }

  @Test func `thumbnails that were used longest ago go first until the rest fits`() throws {
    try add(ages: [0, 3.5, 90, 1.5, 2.5, 170, 181])
    #expect(try left(maxSize: nil) == [0, 1, 2, 3, 4, 5])
    #expect(try left(maxSize: 6 * 64 << 10) == [0, 1, 2, 3, 4, 5])
    #expect(try left(maxSize: 3 * 64 << 10) == [0, 3, 4])
  }

  @Test func `thumbnails that were used today stay, and other files`() throws {
    try add(ages: [0, 0.5, 1.5, 400])
    cache.write([1], to: "large/other.png")
    cache.write([1], to: "large/.photogrid-1-x.png")
    #expect(try left(maxSize: 0) == [0, 1])
    for name in ["other.png", ".photogrid-1-x.png"] {
      #expect(FileManager.default.fileExists(atPath: "\(cache.path)/large/\(name)"))
    }
  }
}
