import Glibc
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Workers that die during an animation, or send frames which were not requested.
extension AnimationTests {
  // MARK: Failing workers

  @Test func `a worker killed during an animation costs neither the photo nor its cached frames`()
    throws
  {
    let script = folder.script(
      "echo $$ > \(folder.path)/pid; exec \(try WorkerExecutable.find().path)")
    var limits = PhotoStoreTests.single
    limits.frameBudget = 4 * 64 * 32 * 4 * 4 / 3
    let path = folder.write(
      TestGIF.film([0xff0000, 0xff00, 0xff, 0, 0xffffff, 0x808080], width: 64, height: 32).bytes,
      to: "film.gif")
    let store = try PhotoStore.of([path], worker: script, limits: limits)
    store.fetchAll()
    store.play(demand(64), at: now())
    store.run()
    let held = pages(of: store)
    let text = String(decoding: contents(of: "\(folder.path)/pid").dropLast(), as: UTF8.self)

    kill(try #require(pid_t(text)), SIGKILL)
    store.play(demand(64, frameIndex: 2), at: now())
    store.run()

    #expect(held == [0, 1, 2, 3])
    #expect(store.failure(of: Photo.ID(0)) == nil)
    let there = pages(of: store)
    #expect(there.contains(2) && there.contains(3))
  }

  @Test func `a worker of another version costs the video, and no picture`() throws {
    folder.write(Hello(wireFormat: 99, programVersion: "7.1").encoded(), to: "other")
    let script = folder.script(
      """
      if mkdir \(folder.path)/started 2>/dev/null; then exec \(try WorkerExecutable.find().path); fi
      cat \(folder.path)/other >&0
      exec sleep 9
      """)
    let path = folder.write(Self.gif.bytes, to: "film.gif")
    let store = try PhotoStore.of([path], worker: script, limits: PhotoStoreTests.single)
    store.fetchAll()

    store.play(demand(), at: now())
    store.run()

    #expect(store.problem == nil && store.failure(of: Photo.ID(0)) == nil)
    #expect(store.decodedFrames(of: Photo.ID(0))?.frameCount == 1)
    store.setDemands([.fitting(Photo.ID(0), 4)], at: now())
    store.run()
    #expect(store.picture(0) != nil)
  }

  @Test func `a worker that sends frames which were not requested is discarded`() throws {
    var info = PhotoInfo.plain
    info.frameCount = 3
    let dot = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 255], isOpaque: true)
    let large = Bitmap(
      width: 9, height: 9, pixels: [UInt8](repeating: 0, count: 324), isOpaque: true)
    func run(_ start: Int, _ bitmaps: [Bitmap], endsEarly: Bool = false) -> FrameRun {
      FrameRun(
        start: start, loopCount: nil,
        frames: bitmaps.map { FrameRun.Frame(seconds: 0.05, bitmap: $0) },
        endsEarly: endsEarly)
    }
    let lies: [FrameRun] = [
      run(1, [dot]), run(0, []), run(0, [large]), run(0, [dot, dot, dot, dot]),
    ]
    for lie in lies {
      folder.write(
        Hello.current.encoded() + DecodeProtocol.Response.decoded(info, dot).encoded(token: 1),
        to: "first")
      folder.write(
        Hello.current.encoded() + DecodeProtocol.Response.frames(info, lie).encoded(token: 1),
        to: "second")
      // The first worker decodes the photo, and the second one its frames.
      let script = folder.script(
        """
        cd \(folder.path)
        if mkdir started 2>/dev/null; then answer=first; else answer=second; rmdir started; fi
        dd bs=64k count=1 <&0 >/dev/null 2>&1
        cat $answer >&0
        exec sleep 9
        """)
      let store = try PhotoStore.of(
        [folder.write(to: "film.gif")], worker: script, limits: PhotoStoreTests.single)
      store.fetchAll(side: 1)

      store.play(demand(1), at: now())
      store.run()

      #expect(
        store.decodedFrames(of: Photo.ID(0))
          == DecodedFrames(frameCount: 1, loopCount: nil, durations: [:])
      )
      #expect(store.failure(of: Photo.ID(0)) == nil)
      #expect(store.picture(0) != nil)
    }
  }
}
