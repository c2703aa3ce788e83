import Glibc
import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Parts of photos in the store: asked for, held, and let go of.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PartTests {
  let folder = TemporaryFolder()
  let photo = Photo.ID(0)
  static let left = PhotoRegion(x: 0, y: 0, width: 60, height: 76)
  static let right = PhotoRegion(x: 40, y: 0, width: 60, height: 76)

  /// A store whose photo, of 100 by 76, is there at a tenth of its size.
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

  @Test func `a part is fetched beside the whole, and the next one takes its place`() throws {
    let store = try store()
    let whole = store.picture(0)

    store.want([.part(Self.left), .fitting(photo, 10)], at: now())
    #expect(store.run() == [.pictureReady(photo)])
    #expect(store.closeUp(of: photo) == CloseUp(region: Self.left, isOpaque: true))
    store.want([.part(Self.right), .fitting(photo, 10)], at: now())
    // Until the new one is there the old one stands.
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

  @Test func `as long as all that is needed is there, nothing is asked for`() throws {
    let store = try store()
    store.want([.part(Self.left)], at: now())
    store.run()

    for needed in [
      PhotoRegion(x: 0, y: 0, width: 60, height: 76),
      PhotoRegion(x: 30, y: 3, width: 30, height: 9),
      PhotoRegion(x: 8, y: 8, width: 16, height: 16, reduction: 8),
    ] {
      let part = Demand.Part(needed: needed, wanted: Self.right)
      store.want([Demand(photo: photo, part: part)], at: now())
      #expect(store.isIdle, "\(needed)")
    }
    let part = Demand.Part(
      needed: PhotoRegion(x: 50, y: 0, width: 11, height: 9), wanted: Self.right)
    store.want([Demand(photo: photo, part: part)], at: now())
    #expect(store.remaining == 1)
    store.run()
    #expect(store.closeUp(of: photo)?.region == Self.right)
  }

  @Test func `a part that is not there any more shows as the whole`() throws {
    let store = try store()
    store.want([.part(Self.left)], at: now())
    store.run()

    guard case .picture(let picture) = store.content(of: Self.right, of: photo) else {
      Issue.record("nothing to show")
      return
    }
    #expect(picture.full == store.picture(0))
    store.reload(photo, at: now())
    #expect(store.closeUp(of: photo) == nil)
  }

  @Test func `beyond the budget a part goes first, unless it is wanted`() throws {
    let store = try store(budget: 1000, photos: 2)
    store.want([.part(Self.left), .fitting(photo, 10)], at: now())
    store.run()
    #expect(store.closeUp(of: photo) != nil)
    #expect(store.heldByteCount > 60 * 76 * 4)

    store.want([.fitting(photo, 10)], at: now())

    #expect(store.closeUp(of: photo) == nil)
    #expect(store.picture(0) != nil)
    #expect(store.heldByteCount < 1000)
  }

  @Test func `a worker that dies at a part leaves the photo as it is`() throws {
    let info = PhotoInfo(
      size: PixelSize(width: 100, height: 76), orientation: 1, format: "jpeg", byteCount: 1,
      modified: 1, taken: nil, isIncomplete: false)
    let small = Bitmap(
      width: 10, height: 8, pixels: Array(repeating: 7, count: 320), isOpaque: false)
    let messages = [Response.hello(.current), .decoded(token: 1, info, small)]
    folder.write(messages.flatMap { $0.encoded() }, to: "messages")
    let path = Array("\(folder.path)/photo-0".utf8)
    let size = PixelSize(width: 10, height: 10)
    let request = Request.decode(token: 1, path: path, size: size, mode: .fit).encoded()
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

    store.want([.part(Self.left), .fitting(photo, 10)], at: now())
    store.run()

    #expect(store.picture(0) == small && store.failure(of: photo) == nil)
    #expect(store.closeUp(of: photo) == nil)
    #expect(store.remaining == 0)
    // It is not tried again before the photo may have changed.
    store.want([.part(Self.right), .fitting(photo, 10)], at: now())
    #expect(store.isIdle)
    store.reload(photo, at: now())
    store.run()
    #expect(store.closeUp(of: photo)?.region == Self.right)
  }

  @Test func `a part that is not what was asked for ends the worker, not the photo`() throws {
    let wrong = Bitmap(
      width: 60, height: 76, pixels: Array(repeating: 7, count: 60 * 76 * 4), isOpaque: false)
    let answers: [Response] = [
      .decodedRegion(token: 1, Self.right, wrong),
      .decodedRegion(
        token: 1, PhotoRegion(x: 0, y: 0, width: 60, height: 76, reduction: 2), wrong),
      .decodedRegion(token: 1, PhotoRegion(x: 0, y: 0, width: 61, height: 76), wrong),
      .decodedRegion(token: 2, Self.left, wrong),
    ]
    for answer in answers {
      rmdir("\(folder.path)/started")
      folder.write([Response.hello(.current), answer].flatMap { $0.encoded() }, to: "messages")
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

      store.want([.part(Self.left)], at: now())
      store.run()
      // Not tried by the other worker either.
      #expect(store.closeUp(of: photo) == nil, "\(answer)")
      store.want([.part(Self.left), .fitting(photo, 10)], at: now())
      store.run()

      #expect(store.closeUp(of: photo) == nil, "\(answer)")
      #expect(store.picture(0) != nil && store.failure(of: photo) == nil)
    }
  }
}
