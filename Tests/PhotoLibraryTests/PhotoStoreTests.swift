import Geometry
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

@Suite(.serialized) struct PhotoStoreTests {
  let folder = TemporaryFolder()

  /// One worker, which is replaced after short pauses.
  static var single: StoreLimits {
    var limits = StoreLimits()
    limits.workerCount = 1
    limits.firstPause = 0.001
    limits.maxPause = 0.01
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

  /// A message, and the token that it answers.
  typealias Sent = (token: UInt32, message: DecodeProtocol.Response)

  /// The lines of a script that greets and then sends these messages.
  func sending(_ messages: [Sent], hello: [Hello] = []) -> String {
    let name = "messages-\(UInt32.random(in: 0 ... .max))"
    folder.write(
      hello.flatMap { $0.encoded() } + messages.flatMap { $0.message.encoded(token: $0.token) },
      to: name)
    return "cat \(folder.path)/\(name) >&0"
  }

  /// The length of a request for work that is quick, in bytes.
  func length(of work: DecodeProtocol.Request.Work, _ path: [UInt8]) -> Int {
    var allowance = DecodeProtocol.Request.Allowance()
    allowance.seconds = Int(StoreLimits().quickSeconds)
    return DecodeProtocol.Request.photo(path: path, work, allowance).encoded().count
  }

  /// Lines that greet, have no preview of the first photo, and wait for its decode request.
  ///
  /// With the token 0 they answer any process's first request for a photo whose path is as long.
  func untilDecoding(_ path: [UInt8], token: UInt32 = 1) -> String {
    let count = length(of: .preview(PixelSize(width: 1, height: 1), .fit), path) + 1
    return "\(sending([(token, .noPreview)], hello: [.current])); head -c \(count) <&0 >/dev/null"
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
    // A worker that is not needed any more ends later.
    if let end = store.nextDeadline { _ = store.service(at: end) }
    #expect(store.nextDeadline == nil)
    #expect(store.pollRequests.count <= 2)
  }

  @Test func `only a picture in the photo's own size is complete`() throws {
    let store = try PhotoStore.of(photos(1))
    for (side, isComplete) in [(16.0, false), (64, true)] {
      _ = store.fetchAll(side: side)
      guard case .picture(let picture) = store.content(of: Photo.ID(0)) else {
        Issue.record("no picture")
        continue
      }
      #expect(picture.isComplete == isComplete, "\(side)")
    }
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

  @Test func `after shutdown nothing is requested of workers`() throws {
    let store = try PhotoStore.of(photos(20))
    store.setDemands(store.photos.map { .fitting($0, 64) }, at: now())

    store.shutDown()

    #expect(store.isIdle)
    #expect(store.pollRequests.isEmpty)
  }
}
