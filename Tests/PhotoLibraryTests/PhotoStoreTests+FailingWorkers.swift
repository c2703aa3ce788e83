import Geometry
import Glibc
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Workers that send what they must not, die or hang, and the photos that this costs.
extension PhotoStoreTests {
  // MARK: Failing workers

  @Test func `a worker that sends garbage costs one photo`() throws {
    let photos = photos(4)
    let store = try PhotoStore.of(
      photos,
      worker: worker(firstDoing: "\(untilDecoding(photos[0])); echo garbage >&0; exec sleep 100"),
      limits: Self.single)

    store.fetchFirstThenAll()

    #expect(
      store.photos.map { store.failure(of: $0) } == [
        "the decoder sent an invalid response", nil, nil, nil,
      ])
    #expect((1..<4).allSatisfy { store.picture($0) != nil })
  }

  @Test func `a worker that sends an answer to another request costs one photo`() throws {
    let info = PhotoInfo.plain
    let dot = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 255], isOpaque: true)
    let large = Bitmap(
      width: 9, height: 9, pixels: [UInt8](repeating: 0, count: 324), isOpaque: true)
    let answers: [[Sent]] = [
      [(99, .failed(.notAnImage))], [(3, .decoded(info, dot))],
      [(2, .described(info))], [(0, .encoded([]))],
      [(2, .previewed(info, dot))], [(2, .noPreview)],
      [(2, .thumbnailCached(.made))],
      // Larger than the size that it declares.
      [(2, .decoded(info, large))],
      // A second answer.
      [(2, .failed(.truncated)), (2, .failed(.notAnImage))],
    ]
    let photos = photos(2)
    for answer in answers {
      rmdir("\(folder.path)/started")
      let store = try PhotoStore.of(
        photos,
        worker: worker(
          firstDoing: "\(untilDecoding(photos[0])); \(sending(answer)); exec sleep 100"),
        limits: Self.single)

      store.fetchFirstThenAll()

      let first = store.failure(of: Photo.ID(0))
      #expect(
        first == (answer.count == 2 ? "truncated" : "the decoder sent an invalid response"),
        "\(answer)")
      #expect(store.problem == nil)
      if answer.count == 1 { #expect(store.picture(1) != nil) }
    }
  }

  @Test func `a film has a tile with its name while ffmpeg is not installed`() throws {
    let photos = photos(2)
    let store = try PhotoStore.of(
      photos,
      worker: worker(
        firstDoing:
          "\(untilDecoding(photos[0])); \(sending([(2, .failed(.needsFFmpeg))])); exec sleep 100"
      ),
      limits: Self.single)

    store.fetchFirstThenAll()

    #expect(store.failure(of: Photo.ID(0)) == "ffmpeg is not installed")
    guard case .failed(let words) = store.content(of: Photo.ID(0)) else {
      Issue.record("no words")
      return
    }
    #expect(photos[0].suffix(words.utf8.count).elementsEqual(words.utf8) && !words.contains("/"))
  }

  @Test func `a worker that dies while decoding costs that photo`() throws {
    let photos = photos(3)
    let store = try PhotoStore.of(
      photos, worker: worker(firstDoing: "\(untilDecoding(photos[0])); kill -9 $$"),
      limits: Self.single)

    store.fetchFirstThenAll()

    #expect(store.photos.map { store.failure(of: $0) } == ["the decoder stopped", nil, nil])
  }

  @Test func `a worker that dies before it greets costs no photo`() throws {
    let store = try PhotoStore.of(
      photos(2), worker: worker(firstDoing: "exit 1"), limits: Self.single)

    store.fetchAll()

    #expect((0..<2).allSatisfy { store.picture($0) != nil })
  }

  @Test func `a worker that hangs is killed when its time is up`() throws {
    let photos = photos(3)
    let store = try PhotoStore.of(
      photos,
      worker: worker(
        firstDoing: "\(untilDecoding(photos[0])); echo $$ > \(folder.path)/pid; exec sleep 100"),
      limits: Self.single)
    let start = now()
    store.setDemands([.fitting(Photo.ID(0), 64)], at: start)
    var process: pid_t?
    while process == nil {
      if access("\(folder.path)/pid", R_OK) == 0 {
        let text = String(decoding: contents(of: "\(folder.path)/pid").dropLast(), as: UTF8.self)
        process = pid_t(text)
      }
      _ = store.service(at: start)
      usleep(1000)
    }
    #expect(store.nextDeadline == start.advanced(bySeconds: 30))

    let early = store.service(at: start.advanced(bySeconds: 29.9))
    let late = store.service(at: start.advanced(bySeconds: 30.1))

    #expect(early == [])
    #expect(late == [.failed(Photo.ID(0))])
    #expect(store.failure(of: Photo.ID(0)) == "took too long")
    store.fetchAll()
    #expect((1..<3).allSatisfy { store.picture($0) != nil })
    #expect(try kill(#require(process), 0) == -1 && errno == ESRCH)
  }

  @Test func `a photo that took too long is retried once, with more time, when it is opened`()
    throws
  {
    let paths = photos(1)
    let worker = try worker(firstDoing: untilDecoding(paths[0]) + "; exec sleep 100")
    let store = PhotoStore(worker: worker, limits: Self.single)
    store.index.append(paths)
    let photo = Photo.ID(0)
    var tile = Demand.fitting(photo, 1)
    tile.mode = .fill
    let start = Instant(seconds: 100)
    store.setDemands([tile], at: start)
    while access("\(folder.path)/started", F_OK) != 0 { _ = store.service(at: start) }
    var late = start
    while store.failure(of: photo) == nil {
      late = late.advanced(bySeconds: 0.9)
      _ = store.service(at: late)
      usleep(1000)
    }
    #expect(store.failure(of: photo) == "took too long")

    // Another size of the tile is no reason to retry.
    tile.size = PixelSize(width: 2, height: 2)
    store.setDemands([tile], at: late)
    #expect(store.failure(of: photo) == "took too long")

    store.setDemands([.fitting(photo, 600), tile], at: late)
    #expect(store.failure(of: photo) == nil)
    #expect(
      store.pool.slots.compactMap(\.deadline).allSatisfy { $0 > late.advanced(bySeconds: 30) })
    store.fetchAll()
    #expect(store.picture(0) != nil)
  }

  @Test func `a film whose command used up its time is retried, with more time, when it is opened`()
    throws
  {
    let paths = photos(1)
    let store = try PhotoStore.of(
      paths,
      worker: worker(
        firstDoing: untilDecoding(paths[0]) + "; "
          + sending([(2, .failed(.unreadable(ETIMEDOUT)))])),
      limits: Self.single)
    let photo = Photo.ID(0)
    store.setDemands([.fitting(photo, 1)], at: now())
    store.run()
    #expect(store.failure(of: photo) == "cannot be read: took too long")

    let start = now()
    store.setDemands([.fitting(photo, 600)], at: start)
    #expect(store.failure(of: photo) == nil)
    _ = store.service(at: start)
    let deadlines = store.pool.slots.compactMap(\.deadline)
    #expect(!deadlines.isEmpty && deadlines.allSatisfy { $0 > start.advanced(bySeconds: 30) })
    store.fetchAll()
    #expect(store.picture(0) != nil)
  }

  @Test func `large pictures have a longer timeout`() {
    let limits = StoreLimits()

    #expect(limits.seconds(for: .fitting(Photo.ID(0), 512)) == 5)
    #expect(limits.seconds(for: .fitting(Photo.ID(0), 513)) == 15)
  }

  @Test(arguments: [
    "echo garbage >&0; exec sleep 100", "head -c 1 <&0 >/dev/null; kill -9 $$", "GREET; kill -9 $$",
    "GREET; echo garbage that is no message >&0; exec sleep 100",
  ])
  func `a failure while a preview is read costs no photo`(
    lines: String
  ) throws {
    let greeting = sending([], hello: [.current])
    let script = lines.split(separator: "GREET", omittingEmptySubsequences: false)
      .joined(separator: greeting)
    let store = try PhotoStore.of(
      photos(2), worker: worker(firstDoing: script), limits: Self.single)

    store.fetchAll()

    #expect((0..<2).allSatisfy { store.picture($0) != nil })
    #expect(store.photos.allSatisfy { store.failure(of: $0) == nil })
  }

  @Test func `time for which the program itself was stopped does not count against workers`() throws
  {
    let store = try PhotoStore.of(photos(2), limits: Self.single)
    let start = now()
    store.setDemands(store.photos.map { .fitting($0, 64) }, at: start)

    let events = store.service(at: start.advanced(bySeconds: 3600))
    store.run()

    #expect(!events.contains(.failed(Photo.ID(0))))
    #expect((0..<2).allSatisfy { store.picture($0) != nil })
  }

  @Test func `a worker that dies while decoding a photo that has changed costs no photo`() throws {
    let photos = photos(1)
    let store = try PhotoStore.of(
      photos,
      worker: worker(
        firstDoing: "\(untilDecoding(photos[0])); echo $$ > \(folder.path)/pid; exec sleep 100"),
      limits: Self.single)
    store.setDemands([.fitting(Photo.ID(0), 64)], at: now())
    while access("\(folder.path)/pid", R_OK) != 0 || contents(of: "\(folder.path)/pid").isEmpty {
      wait(for: store.pollRequests, until: now().advanced(bySeconds: 0.01))
      _ = store.service(at: now())
    }

    store.reload(Photo.ID(0), at: now())
    let text = String(decoding: contents(of: "\(folder.path)/pid").dropLast(), as: UTF8.self)
    kill(try #require(pid_t(text)), SIGKILL)
    let events = store.run()

    #expect(!events.contains(.failed(Photo.ID(0))))
    #expect(store.failure(of: Photo.ID(0)) == nil)
    #expect(store.picture(0) != nil)
  }

  @Test func `workers killed at any moment cost at most a photo each`() throws {
    let script = folder.script("echo $$ > \(folder.path)/pid-$$; exec \(try real())")
    var limits = Self.single
    limits.workerCount = 2
    limits.maxLaunchFailures = .max
    let store = try PhotoStore.of(photos(60), worker: script, limits: limits)
    var kills = 0
    store.setDemands(store.photos.map { .fitting($0, 64) }, at: now())

    store.run { _ in
      guard kills < 10, let pid = newestProcess() else { return }
      kills += 1
      kill(pid, SIGKILL)
    }

    let words = store.photos.compactMap { store.failure(of: $0) }
    #expect(words.allSatisfy { $0 == "the decoder stopped" })
    #expect(words.count <= kills)
    #expect(
      store.photos.allSatisfy { store.picture($0.index) != nil || store.failure(of: $0) != nil })
    #expect(kills > 0)
  }

  /// A process whose id the script has written, removed from its list.
  private func newestProcess() -> pid_t? {
    guard let stream = opendir(folder.path) else { return nil }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = String(decoding: entryName(entry), as: UTF8.self)
      guard name.hasPrefix("pid-"), let pid = pid_t(name.dropFirst(4)) else { continue }
      unlink("\(folder.path)/\(name)")
      return pid
    }
    return nil
  }
}
