import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

/// Removing the thumbnails of lost files.
extension ThumbnailTests {
  @Test func `progress is reported after 256 thumbnails, whatever else is in their folders`()
    throws
  {
    for number in 0..<300 {
      let digits = String(number)
      let name = String(repeating: "0", count: 32 - digits.count) + digits
      folder.write([1], to: "cache/thumbnails/large/\(name).png")
      folder.write([1], to: "cache/thumbnails/large/\(name).txt")
      folder.write([1], to: "cache/thumbnails/normal/\(name).txt")
    }
    let cleaner = try CacheCleaner(worker: .find(), access)
    defer { cleaner.shutDown() }
    var events: [CacheCleaner.Event] = []
    while !cleaner.pollRequests.isEmpty {
      wait(for: cleaner.pollRequests, until: nil)
      events += cleaner.service(at: now())
      if case .finished = events.last { break }
    }

    func cleaning(of count: Int) -> ThumbnailCleaning {
      var cleaning = ThumbnailCleaning()
      cleaning.examined = count
      return cleaning
    }
    #expect(events == [.progress(cleaning(of: 256)), .finished(cleaning(of: 300))])
  }
}
