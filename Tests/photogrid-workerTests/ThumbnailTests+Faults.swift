import Geometry
import Glibc
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

/// Faults while thumbnails are stored: caches that cannot be used, and workers that are killed.
extension ThumbnailTests {
  // MARK: Unusable caches

  @Test func `without a usable cache folder photos are shown all the same`() throws {
    let path = photo()
    let file = folder.write(Array("a file".utf8), to: "file")
    let unusable = [
      Array("/dev/null/thumbnails".utf8), file, file + Array("/thumbnails".utf8),
      Array("/proc/thumbnails".utf8), Array(repeating: 0x61, count: 4000),
    ]
    for folder in unusable {
      let shown = try show(path, ThumbnailAccess(folder: folder, mayWrite: true))
      #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.red)]))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func `a cache folder of another user is not written to`() throws {
    try show(photo())
    unlink(try onlyFile())
    chown("\(cache)/normal", 12345, 12345)

    try show(folder.path("photo.jpg"))

    #expect(files(in: "normal").isEmpty)
  }

  @Test func `a thumbnail that cannot be written leaves no file behind`() throws {
    // As on a full disk, the system takes no bytes.
    let script = folder.script(
      "ulimit -f 0; exec \(try WorkerExecutable.find().path)")
    var single = StoreLimits()
    single.workerCount = 1
    let store = PhotoStore(worker: script, limits: single, thumbnails: access)
    store.index.append([photo()])

    store.fetchAll(side: 90)
    store.finish()

    #expect(store.picture(0) != nil)
    #expect(files(in: "normal").isEmpty)
  }

  // MARK: Killed workers

  @Test func `every thumbnail is complete, whenever a worker is killed`() throws {
    let seed: UInt64 = 0x11
    var random = SeededGenerator(seed: seed)
    let noise = JPEGFile.of(400, 300, quality: 60) { x, y in UInt32(truncatingIfNeeded: x * y * 77)
    }
    let paths = (0..<30).map { photo(as: "\($0).jpg", bytes: noise) }
    let script = folder.script(
      "echo $$ > \(folder.path)/pid; exec \(try WorkerExecutable.find().path)")
    var limits = StoreLimits()
    limits.workerCount = 1
    limits.maxLaunchFailures = .max
    limits.firstPause = 0
    let store = PhotoStore(worker: script, limits: limits, thumbnails: access)
    store.index.append(paths)
    store.cacheThumbnails(of: store.photos, .extraLarge, at: now())
    var kept = 0

    store.run { store in
      if Int.random(in: 0..<3, using: &random) == 0,
        let process = pid_t(
          String(decoding: contents(of: "\(folder.path)/pid"), as: UTF8.self)
            .trimmingPrefix { $0 == " " }.prefix { $0.isNumber })
      {
        usleep(.random(in: 0...20_000, using: &random))
        kill(process, SIGKILL)
      }
    }

    for name in files(in: "x-large") where name.hasSuffix(".png") && !name.hasPrefix(".") {
      kept += 1
      let bytes = contents(of: "\(cache)/x-large/\(name)")
      #expect(PNGFile.sides(of: bytes) == [400, 300])
      #expect(bytes.suffix(8).starts(with: Array("IEND".utf8)))
    }
    #expect(kept > 0)
  }
}
