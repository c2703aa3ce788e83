import Glibc
import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

@Suite(.serialized, .timeLimit(.minutes(2))) struct PhotoStoreTests {
  let folder = TemporaryFolder()

  /// One worker, which is replaced after short pauses.
  static var single: StoreLimits {
    var limits = StoreLimits()
    limits.workerCount = 1
    limits.firstPause = 0.001
    limits.longestPause = 0.01
    return limits
  }

  func photos(_ count: Int) -> [[UInt8]] {
    (0..<count).map { folder.write(image("card.jpg"), to: "photo-\($0).jpg") }
  }

  func real() throws -> String { try WorkerExecutable.find().path }

  /// A worker that runs another script the first time that one is started.
  func worker(firstDoing lines: String) throws -> WorkerExecutable {
    folder.script(
      """
      if mkdir \(folder.path)/started 2>/dev/null; then
      \(lines)
      else
      exec \(try real())
      fi
      """)
  }

  /// The lines of a script that greets and then sends these messages.
  func sending(_ messages: [DecodeProtocol.Response], hello: [Hello] = []) -> String {
    let name = "messages-\(UInt32.random(in: 0 ... .max))"
    folder.write((hello.flatMap { $0.encoded() }) + messages.flatMap { $0.encoded() }, to: name)
    return "cat \(folder.path)/\(name) >&0"
  }

  /// Lines that greet, have no preview of the first photo, and wait for its decode request.
  func untilDecoding(_ path: [UInt8]) -> String {
    let request = DecodeProtocol.Request.preview(
      token: 1, path: path, size: PixelSize(width: 1, height: 1), mode: .fit)
    let count = request.encoded().count + 1
    return "\(sending([.noPreview(token: 1)], hello: [.current])); head -c \(count) <&0 >/dev/null"
  }

  // MARK: Demands

  @Test func `photos are fetched and described once each`() throws {
    let store = try PhotoStore.of(photos(5))

    let events = store.fetchAll()

    for photo in store.photos {
      #expect(events.count { $0 == .described(photo) } == 1)
      #expect(events.count { $0 == .pictureReady(photo) } == 1)
      #expect(store.info(of: photo)?.size == PixelSize(width: 64, height: 32))
    }
    #expect(events.count == 10)
    #expect(store.isIdle && store.remaining == 0)
    #expect(store.nextDeadline == nil)
    #expect(store.pollRequests.count <= 2)
  }

  @Test func `the most urgent demands are fetched first`() throws {
    let store = try PhotoStore.of(photos(6), limits: Self.single)
    let order = [4, 1, 5, 0, 3, 2].map { Photo.ID($0) }

    store.setDemands(order.map { .fitting($0, 32) }, at: now())
    let ready = store.run().filter { if case .pictureReady = $0 { true } else { false } }

    #expect(ready == order.map { .pictureReady($0) })
  }

  @Test func `a demand that is withdrawn is not fetched`() throws {
    let store = try PhotoStore.of(photos(6), limits: Self.single)
    store.setDemands(store.photos.map { .fitting($0, 32) }, at: now())
    #expect(store.remaining == 6)

    store.setDemands([.fitting(Photo.ID(5), 32)], at: now())
    store.run()

    // The worker had only been asked for a preview of the first.
    #expect((0..<6).filter { store.picture($0) != nil } == [5])
  }

  @Test func `a picture is replaced by larger ones only`() throws {
    let store = try PhotoStore.of(photos(1), limits: Self.single)
    let photo = Photo.ID(0)
    /// The picture's width after such a demand, and whether a worker was asked.
    func widthAfter(_ side: Double, _ mode: ContentMode = .fit) -> (width: Int?, wasAsked: Bool) {
      store.setDemands(
        [Demand(photo: photo, size: PixelSize(width: side, height: side), mode: mode)], at: now())
      let events = store.run()
      return (store.picture(0)?.width, events.contains(.pictureReady(photo)))
    }

    #expect(widthAfter(16) == (16, true))
    #expect(widthAfter(12) == (16, false))
    #expect(widthAfter(32) == (32, true))
    #expect(widthAfter(16, .fill) == (32, false))
    #expect(widthAfter(20, .fill) == (40, true))
    // No larger than the photo itself, whatever the demand.
    #expect(widthAfter(500) == (64, true))
    #expect(widthAfter(5000) == (64, false))
  }

  @Test func `a picture of exactly the demanded size is fetched once, beside a larger one`() throws
  {
    let store = try PhotoStore.of(photos(1))
    let photo = Photo.ID(0)
    func fetches(_ side: Double, isExact: Bool = true) -> Int {
      var demand = Demand.fitting(photo, side)
      demand.isExact = isExact
      store.setDemands([demand], at: now())
      return store.run().count { $0 == .pictureReady(photo) }
    }
    func width(covering side: Double) -> Int? {
      guard let size = store.info(of: photo)?.size,
        case .picture(let picture) = store.content(
          of: photo, covering: size.fitted(in: PixelSize(width: side, height: side)))
      else { return nil }
      return picture.full.width
    }

    #expect(fetches(60) == 1)
    #expect(fetches(40, isExact: false) == 0)
    #expect(width(covering: 40) == 60)
    #expect(fetches(40) == 1)
    #expect(width(covering: 40) == 40)
    #expect(fetches(40, isExact: false) + fetches(40) == 0)
    #expect(width(covering: 60) == 60)
    // The photo itself is smaller than these.
    #expect(fetches(5000) == 1)
    #expect(fetches(4000) == 0)
  }

  @Test func `demands for the same photo at two sizes are fetched one after the other`() throws {
    let store = try PhotoStore.of(photos(1))
    let photo = Photo.ID(0)

    store.setDemands([.fitting(photo, 16), .fitting(photo, 64)], at: now())
    let events = store.run()

    #expect(events == [.described(photo), .pictureReady(photo), .pictureReady(photo)])
    #expect(store.picture(0)?.width == 64)
  }

  @Test func `facts without pictures are fetched after all pictures`() throws {
    let store = try PhotoStore.of(photos(3), limits: Self.single)

    store.describe(store.photos, at: now())
    store.setDemands([.fitting(Photo.ID(2), 16)], at: now())
    #expect(store.remaining == 4)
    let events = store.run()

    #expect(
      events == [
        .described(Photo.ID(0)), .described(Photo.ID(2)), .pictureReady(Photo.ID(2)),
        .described(Photo.ID(1)),
      ])
    #expect(store.picture(0) == nil)
    #expect(store.info(of: Photo.ID(1))?.format == .jpeg)
  }

  @Test func `facts equal those of the picture, except for what only decoding shows`() throws {
    for name in ["card.jpg", "turned.webp", "card.heic", "turned.tif", "card.gif", "deep.png"] {
      let path = folder.write(image(name), to: name)
      let described = try PhotoStore.of([path])
      described.describe(described.photos, at: now())
      described.run()
      let decoded = try PhotoStore.of([path])
      decoded.fetchAll()

      #expect(described.info(of: Photo.ID(0)) != nil)
      #expect(described.info(of: Photo.ID(0)) == decoded.info(of: Photo.ID(0)))
    }
  }

  @Test func `invalid demands are ignored`() throws {
    let store = try PhotoStore.of(photos(1))

    store.setDemands(
      [
        .fitting(Photo.ID(7), 100), .fitting(Photo.ID(-1), 100), .fitting(Photo.ID(0), 0),
        .fitting(Photo.ID(0), -5), .fitting(Photo.ID(0), .nan), .fitting(Photo.ID(0), .infinity),
      ], at: now())
    store.describe([Photo.ID(1), Photo.ID(-3)], at: now())

    #expect(store.isIdle)
    #expect(store.info(of: Photo.ID(-1)) == nil)
  }

  @Test func `a failure is remembered until the photo is reloaded`() throws {
    let path = folder.write(Array("text".utf8), to: "photo.jpg")
    let store = try PhotoStore.of([path], limits: Self.single)
    let photo = Photo.ID(0)
    #expect(store.fetchAll() == [.failed(photo)])

    folder.write(image("card.jpg"), to: "photo.jpg")
    store.setDemands([.fitting(photo, 10)], at: now())
    store.describe([photo], at: now())
    #expect(store.run() == [])

    store.reload(photo, at: now())
    #expect(store.run() == [.described(photo), .pictureReady(photo)])
    #expect(store.picture(0)?.width == 10)
    #expect(store.failure(of: photo) == nil)
  }

  // MARK: Memory

  @Test
  func `pictures beyond the budget leave their mean colour, the longest unused first`()
    throws
  {
    var limits = Self.single
    // Two pictures of 64 by 32, with their mipmap levels.
    limits.memoryBudget = 2 * 64 * 32 * 4 * 4 / 3
    let store = try PhotoStore.of(photos(4), limits: limits)
    for photo in store.photos {
      store.setDemands([.fitting(photo, 64)], at: now())
      store.run()
    }

    #expect((0..<4).filter { store.picture($0) != nil } == [2, 3])
    #expect(store.heldByteCount <= limits.memoryBudget)
    guard case .waiting(let color?) = store.content(of: Photo.ID(0)) else {
      Issue.record("no colour is left of the first photo")
      return
    }
    // The mean of the four quarters.
    #expect(areAlike([[color.red, color.green, color.blue].map(Int.init)], [[137, 127, 90]]))
    #expect(store.info(of: Photo.ID(0)) != nil)

    store.setDemands([.fitting(Photo.ID(0), 64)], at: now())
    #expect(store.run() == [.pictureReady(Photo.ID(0))])
  }

  @Test func `demanded pictures stay even beyond the budget`() throws {
    var limits = Self.single
    limits.memoryBudget = 1
    let store = try PhotoStore.of(photos(4), limits: limits)

    store.fetchAll()

    #expect((0..<4).allSatisfy { store.picture($0) != nil })
  }

  @Test func `beyond the budget a picture is downsampled to the demanded size`() throws {
    var limits = Self.single
    limits.memoryBudget = 1
    let store = try PhotoStore.of(photos(1), limits: limits)
    store.fetchAll()
    #expect(store.picture(0)?.width == 64)

    store.setDemands([.fitting(Photo.ID(0), 20)], at: now())

    #expect(store.picture(0)?.width == 32)
    #expect(store.isIdle)
  }

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
        "the decoder sent an invalid answer", nil, nil, nil,
      ])
    #expect((1..<4).allSatisfy { store.picture($0) != nil })
  }

  @Test func `a worker that sends an answer to another request costs one photo`() throws {
    let info = PhotoInfo.plain
    let dot = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 255], isOpaque: true)
    let large = Bitmap(
      width: 9, height: 9, pixels: [UInt8](repeating: 0, count: 324), isOpaque: true)
    let answers: [[DecodeProtocol.Response]] = [
      [.failed(token: 99, .notAnImage)], [.decoded(token: 3, info, dot)],
      [.described(token: 2, info)], [.cleaned(ThumbnailCleaning(), isOver: true)],
      [.previewed(token: 2, info, dot)], [.noPreview(token: 2)],
      [.thumbnailCached(token: 2, .made)],
      // Larger than the size that it declares.
      [.decoded(token: 2, info, large)],
      // A second answer.
      [.failed(token: 2, .truncated), .failed(token: 2, .notAnImage)],
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
        first == (answer.count == 2 ? "truncated" : "the decoder sent an invalid answer"),
        "\(answer)")
      #expect(store.problem == nil)
      if answer.count == 1 { #expect(store.picture(1) != nil) }
    }
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
    #expect(store.nextDeadline == start.advanced(bySeconds: 5))

    let early = store.service(at: start.advanced(bySeconds: 4.9))
    // It does not wait for a processor, so it gets only a fifth of its time more.
    let watched = store.service(at: start.advanced(bySeconds: 5))
    #expect(store.nextDeadline == start.advanced(bySeconds: 6))
    let late = store.service(at: start.advanced(bySeconds: 6.1))

    #expect(early == [] && watched == [])
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
      store.pool.slots.compactMap(\.deadline).allSatisfy { $0 >= late.advanced(bySeconds: 5) })
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

  @Test func `a worker of another version is not used, with a message`() throws {
    for hello in [
      Hello(wireFormat: ProgramVersion.wireFormat, programVersion: "0.0.9"),
      Hello(wireFormat: 99, programVersion: "7.1"),
    ] {
      let store = try PhotoStore.of(
        photos(2), worker: folder.script("\(sending([], hello: [hello])); exec sleep 100"),
        limits: Self.single)

      let events = store.fetchAll()

      let problem = LibraryError.otherVersion(worker: hello.programVersion, program: "0.1.0")
      #expect(events.contains(.unusable(problem)))
      #expect(
        store.photos.allSatisfy {
          store.failure(of: $0)
            == "photogrid-worker is of version \(hello.programVersion), photogrid of 0.1.0"
        })
    }
  }

  @Test func `without a worker's executable all demands fail with a message`() throws {
    let store = try PhotoStore.of(
      photos(2), worker: WorkerExecutable(path: "/nowhere/photogrid-worker"), limits: Self.single)

    let events = store.fetchAll()

    let problem = LibraryError.workerMissing(searched: ["/nowhere/photogrid-worker"])
    #expect(events.contains(.unusable(problem)))
    #expect(store.problem == problem)
    #expect(store.photos.allSatisfy { store.failure(of: $0) == problem.message })
    store.index.append([folder.path("later.jpg")])
    store.setDemands([.fitting(Photo.ID(2), 10)], at: now())
    #expect(store.run() == [.failed(Photo.ID(2))])
  }

  @Test func `workers that never greet are given up after a few`() throws {
    for script in ["exit 0", "echo no greeting >&0; exec sleep 100"] {
      let store = try PhotoStore.of(photos(2), worker: folder.script(script), limits: Self.single)

      let events = store.fetchAll()

      #expect(events.contains(.unusable(.workerFails)))
      #expect(
        store.photos.allSatisfy { store.failure(of: $0) == "photogrid-worker does not work" })
    }
  }

  @Test func `an executable that the system refuses is tried a few times, then given up`() throws {
    let path = folder.write(Array("no program".utf8), to: "photogrid-worker", mode: 0o755)
    // Until no child of another test holds it open for writing: it would be "busy".
    let descriptor = open(cString(path[...]), O_RDONLY)
    let setLease: Int32 = 1024  // F_SETLEASE, which Glibc's module leaves out
    while fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0, errno == EAGAIN { usleep(1_000) }
    close(descriptor)
    let executable = WorkerExecutable(path: String(decoding: path, as: UTF8.self))
    let store = try PhotoStore.of(photos(1), worker: executable, limits: Self.single)

    let events = store.fetchAll()

    #expect(events.contains(.unusable(.cannotStart(ENOEXEC))))
    #expect(
      store.failure(of: Photo.ID(0)) == "photogrid-worker cannot be started: Exec format error")
  }

  @Test func `the pause before a replacement doubles up to two seconds`() {
    let limits = StoreLimits().pool

    let pauses = (0...8).map { limits.pause(after: $0) }

    #expect(pauses == [0, 0, 0.1, 0.2, 0.4, 0.8, 1.6, 2, 2])
    #expect(limits.pause(after: .max) == 2)
  }

  @Test func `after shutdown nothing is requested of workers`() throws {
    let store = try PhotoStore.of(photos(20))
    store.setDemands(store.photos.map { .fitting($0, 64) }, at: now())

    store.shutDown()

    #expect(store.isIdle)
    #expect(store.pollRequests.isEmpty)
  }

  // MARK: The worker's executable

  @Test func `the worker prints its version, and tells users that it is not for direct use`() throws
  {
    let path = try real()
    let out = popen("\(path) --version; \(path) </dev/null; echo $?", "r")
    var line = [CChar](repeating: 0, count: 200)
    var lines: [String] = []
    while fgets(&line, 200, out) != nil {
      lines.append(
        String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    pclose(out)

    #expect(
      lines == [
        "photogrid-worker 0.1.0\n",
        "photogrid-worker decodes photos for photogrid, which starts it by itself.\n", "2\n",
      ])
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
