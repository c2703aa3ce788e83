import Geometry
import Glibc
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Regions of photos in the store: requested, cached and evicted.
@Suite(.serialized) struct RegionTests {
  let folder = TemporaryFolder()
  let photo = Photo.ID(0)
  static let left = PhotoRegion(x: 0, y: 0, width: 60, height: 76)
  static let right = PhotoRegion(x: 40, y: 0, width: 60, height: 76)

  /// A store with the picture of a photo of 100 by 76 at a tenth of its size.
  func store(
    budget: Int = 16 << 20, photos: Int = 1, worker: WorkerExecutable? = nil
  ) throws -> PhotoStore {
    var limits = PhotoStoreTests.single
    limits.memoryBudget = budget
    let paths = (0..<photos).map { folder.write(image("texture-420.jpg"), to: "photo-\($0)") }
    let store = try PhotoStore.of(paths, worker: worker, limits: limits)
    store.fetchAll(side: 10)
    return store
  }

  @Test func `a region is fetched beside the whole picture, and the next one replaces it`() throws {
    let store = try store()
    let whole = store.picture(0)

    store.setDemands([.region(Self.left), .fitting(photo, 10)], at: now())
    #expect(store.run() == [.pictureReady(photo)])
    #expect(store.closeUp(of: photo) == CloseUp(region: Self.left, isOpaque: true))
    store.setDemands([.region(Self.right), .fitting(photo, 10)], at: now())
    // The previous one stays until the new one arrives.
    #expect(store.closeUp(of: photo)?.region == Self.left)
    #expect(store.remaining == 1)
    store.run()

    #expect(store.closeUp(of: photo)?.region == Self.right)
    #expect(store.picture(0) == whole)
    guard case .picture(let part) = store.content(of: Self.right, of: photo) else {
      Issue.record("no picture of the part")
      return
    }
    #expect(part.full.width == 60 && part.full.height == 76)
  }

  @Test func `while the cached region covers what is needed, nothing is requested`() throws {
    let store = try store()
    store.setDemands([.region(Self.left)], at: now())
    store.run()

    for needed in [
      PhotoRegion(x: 0, y: 0, width: 60, height: 76),
      PhotoRegion(x: 30, y: 3, width: 30, height: 9),
      PhotoRegion(x: 8, y: 8, width: 16, height: 16, reduction: 8),
    ] {
      let part = Demand.Region(needed: needed, wanted: Self.right)
      store.setDemands([Demand(photo: photo, region: part)], at: now())
      #expect(store.isIdle, "\(needed)")
    }
    let part = Demand.Region(
      needed: PhotoRegion(x: 50, y: 0, width: 11, height: 9), wanted: Self.right)
    store.setDemands([Demand(photo: photo, region: part)], at: now())
    #expect(store.remaining == 1)
    store.run()
    #expect(store.closeUp(of: photo)?.region == Self.right)
  }

  @Test func `without a region the whole picture is shown`() throws {
    let store = try store()
    store.setDemands([.region(Self.left)], at: now())
    store.run()

    guard case .picture(let picture) = store.content(of: Self.right, of: photo) else {
      Issue.record("nothing to show")
      return
    }
    #expect(picture.full == store.picture(0))
    store.reload(photo, at: now())
    #expect(store.closeUp(of: photo) == nil)
  }

  @Test func `beyond the budget a region is evicted first, unless it is demanded`() throws {
    let store = try store(budget: 1000, photos: 2)
    store.setDemands([.region(Self.left), .fitting(photo, 10)], at: now())
    store.run()
    #expect(store.closeUp(of: photo) != nil)
    #expect(store.heldByteCount > 60 * 76 * 4)

    store.setDemands([.fitting(photo, 10)], at: now())

    #expect(store.closeUp(of: photo) == nil)
    #expect(store.picture(0) != nil)
    #expect(store.heldByteCount < 1000)
  }

  @Test func `each of several demanded photos keeps a region, and neighbors only if there is room`()
    throws
  {
    let other = Photo.ID(1)
    var ahead = Demand(photo: other, region: Demand.Region(needed: Self.left, wanted: Self.left))
    for (isVisible, budget, isFetched) in [
      (true, 1000, true), (false, 100_000, true), (false, 30_000, false),
    ] {
      let store = try store(budget: budget, photos: 2)
      ahead.proximity = isVisible ? .visible : .neighbor
      store.setDemands([.region(Self.left), ahead], at: now())
      store.run()
      #expect(store.closeUp(of: photo)?.region == Self.left, "\(budget)")
      #expect((store.closeUp(of: other) != nil) == isFetched, "\(budget)")
      #expect(store.remaining == 0)
      store.setDemands([], at: now())
      #expect(store.heldByteCount <= budget, "\(budget)")
    }
  }

  @Test func `a worker that dies while decoding a region leaves the photo as it is`() throws {
    let info = PhotoInfo(
      size: PixelSize(width: 100, height: 76), orientation: 1, format: .jpeg, byteCount: 1,
      modified: 1, taken: nil, isIncomplete: false)
    let small = Bitmap(
      width: 10, height: 8, pixels: Array(repeating: 7, count: 320), isOpaque: false)
    let answer = DecodeProtocol.Response.decoded(info, small)
    folder.write(Hello.current.encoded() + answer.encoded(token: 1), to: "messages")
    let path = Array("\(folder.path)/photo-0".utf8)
    let size = PixelSize(width: 10, height: 10)
    var allowance = DecodeProtocol.Request.Allowance()
    allowance.seconds = Int(StoreLimits().quickSeconds)
    let request = DecodeProtocol.Request.photo(path: path, .decode(size, .fit), allowance)
      .encoded()
    let script = """
      if mkdir \(folder.path)/started 2>/dev/null; then
      cat \(folder.path)/messages >&0
      head -c \(request.count + 1) <&0 >/dev/null
      kill -9 $$
      fi
      exec \(try WorkerExecutable.find().path)
      """
    let store = try store(worker: folder.script(script))
    #expect(store.picture(0) == small)

    store.setDemands([.region(Self.left), .fitting(photo, 10)], at: now())
    store.run()

    #expect(store.picture(0) == small && store.failure(of: photo) == nil)
    #expect(store.closeUp(of: photo) == nil)
    #expect(store.remaining == 0)
    // It is not retried until the photo may have changed.
    store.setDemands([.region(Self.right), .fitting(photo, 10)], at: now())
    #expect(store.isIdle)
    store.reload(photo, at: now())
    store.run()
    #expect(store.closeUp(of: photo)?.region == Self.right)
  }

  @Test func `a region that was not requested ends the worker, not the photo`() throws {
    let wrong = Bitmap(
      width: 60, height: 76, pixels: Array(repeating: 7, count: 60 * 76 * 4), isOpaque: false)
    let answers: [(UInt32, PhotoRegion)] = [
      (1, Self.right), (1, PhotoRegion(x: 0, y: 0, width: 60, height: 76, reduction: 2)),
      (1, PhotoRegion(x: 0, y: 0, width: 61, height: 76)), (2, Self.left),
    ]
    for (token, region) in answers {
      let answer = DecodeProtocol.Response.decodedRegion(region, wrong)
      rmdir("\(folder.path)/started")
      folder.write(Hello.current.encoded() + answer.encoded(token: token), to: "messages")
      let script = """
        if mkdir \(folder.path)/started 2>/dev/null; then
        cat \(folder.path)/messages >&0
        exec sleep 100
        fi
        exec \(try WorkerExecutable.find().path)
        """
      let paths = [folder.write(image("texture-420.jpg"), to: "photo")]
      let store = try PhotoStore.of(
        paths, worker: folder.script(script), limits: PhotoStoreTests.single)

      store.setDemands([.region(Self.left)], at: now())
      store.run()
      // Not tried by the other worker either.
      #expect(store.closeUp(of: photo) == nil, "\(answer)")
      store.setDemands([.region(Self.left), .fitting(photo, 10)], at: now())
      store.run()

      #expect(store.closeUp(of: photo) == nil, "\(answer)")
      #expect(store.picture(0) != nil && store.failure(of: photo) == nil)
    }
  }
}
