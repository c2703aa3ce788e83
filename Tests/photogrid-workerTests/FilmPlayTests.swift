import Foundation
import PhotoLibrary
import Photos
import SceneModel
import TestSupport
import Testing

/// Frames of films, which ffmpeg decodes inside the sandbox while the program asks for them.
@Suite(.serialized, .enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
struct FilmPlayTests {
  private let folder = TemporaryFolder()

  /// A film of ten seconds at 25 frames a second, each as bright as its number modulo 10.
  private func makeFilm(_ name: String, _ options: [String]) throws {
    try TestFilm.make(
      "color=black:s=320x180:r=25:d=10,geq=lum='25+20*mod(N\\,10)':cb=128:cr=128",
      at: "\(folder.path)/\(name)", options)
  }

  private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "5", "-g", "25"]

  private func store(_ name: String) throws -> PhotoStore {
    let store = try PhotoStore.of([folder.path(name)])
    store.fetchAll()
    return store
  }

  private func demand(_ frameIndex: Int, side: Double = 64) -> FrameDemand {
    FrameDemand(picture: .fitting(Photo.ID(0), side), .film, frameIndex: frameIndex)
  }

  /// The last digit of a frame's number, by its brightness; nil if it is not in memory.
  private func digit(_ frameIndex: Int, in store: PhotoStore) -> Int? {
    guard store.decodedFrames(of: Photo.ID(0))?.durations[frameIndex] != nil,
      case .picture(let picture) = store.content(of: Photo.ID(0), frameIndex: frameIndex)
    else { return nil }
    let bitmap = picture.full
    let center = (bitmap.height / 2 * bitmap.width + bitmap.width / 2) * 4
    // From the narrow range of video to that of a picture.
    let brightness = Double(bitmap.pixels[center]) * 219 / 255 + 16
    return Int(((brightness - 25) / 20).rounded())
  }

  @Test(arguments: [
    ("a.mp4", h264), ("a.mkv", h264),
    ("a.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "2M", "-g", "25"]),
    ("a.avi", ["-c:v", "mjpeg", "-q:v", "2"]), ("a.mov", ["-c:v", "mpeg4", "-q:v", "2"]),
  ])
  func `frames arrive in order, from the beginning and after a jump in either direction`(
    name: String, options: [String]
  ) throws {
    try makeFilm(name, options)
    let store = try store(name)
    let info = try #require(store.info(of: Photo.ID(0)))
    #expect(info.frameRate.map { abs($0 - 25) < 0.1 } ?? false, "\(info)")

    for start in [0, 5, 137, 60, 61, 230, 3] {
      store.play(demand(start), at: now())
      store.run()
      let animation = try #require(store.decodedFrames(of: Photo.ID(0)))
      #expect(animation.film.map { abs($0.rate - 25) < 0.1 } ?? false)
      #expect(abs(animation.frameCount - 250) <= 1)
      for frame in start..<min(start + 12, 248) {
        #expect(digit(frame, in: store) == frame % 10, "\(frame) after a start at \(start)")
      }
    }
  }

  @Test func `another size replaces the frames, and smaller ones stay until then`() throws {
    try makeFilm("a.mp4", Self.h264)
    let store = try store("a.mp4")
    store.play(demand(10, side: 32), at: now())
    store.run()
    var larger = demand(12, side: 320)
    larger.isPlaying = false
    store.play(larger, at: now())
    #expect(digit(12, in: store) == 2)
    store.run()
    guard case .picture(let picture) = store.content(of: Photo.ID(0), frameIndex: 12) else {
      Issue.record("no picture")
      return
    }
    #expect((picture.full.width, picture.full.height) == (320, 180))
    #expect(digit(12, in: store) == 2 && digit(20, in: store) == 0)
  }

  @Test func `the last frames are played, and the film ends there`() throws {
    try makeFilm("a.mp4", Self.h264)
    let store = try store("a.mp4")
    store.play(demand(240), at: now())
    store.run()
    let animation = try #require(store.decodedFrames(of: Photo.ID(0)))
    #expect((248...250).contains(animation.frameCount))
    #expect(digit(animation.frameCount - 1, in: store) == (animation.frameCount - 1) % 10)
  }

  @Test func `a film that breaks off plays as far as it goes`() throws {
    try makeFilm("whole.mkv", Self.h264)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/whole.mkv")))
    folder.write(Array(bytes.prefix(bytes.count / 2)), to: "a.mkv")
    let store = try store("a.mkv")
    store.play(demand(0), at: now())
    store.run()
    #expect(digit(0, in: store) == 0)
    store.play(demand(200), at: now())
    store.run()
    let count = try #require(store.decodedFrames(of: Photo.ID(0))?.frameCount)
    #expect(count <= 200 && store.failure(of: Photo.ID(0)) == nil)
  }

  @Test func `a photo is decoded beside a film that plays, which goes on where it was`() throws {
    try makeFilm("a.mp4", Self.h264)
    folder.write(image("card.jpg"), to: "b.jpg")
    var limits = StoreLimits()
    limits.workerCount = 2
    let store = try PhotoStore.of([folder.path("a.mp4"), folder.path("b.jpg")], limits: limits)
    store.fetchAll()
    store.play(demand(20), at: now())
    store.run()
    store.reload(Photo.ID(1), at: now())
    store.setDemands([.fitting(Photo.ID(1), 50)], at: now())
    store.play(demand(40), at: now())
    store.run()
    #expect(digit(45, in: store) == 5)
    #expect(store.picture(1) != nil)
  }

  @Test func `a film of one second that claims to last a day ends after a second`() throws {
    try TestFilm.make(
      "testsrc=s=320x180:r=25:d=1", at: "\(folder.path)/whole.mp4", Self.h264)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/whole.mp4")))
    for name in ["mvhd", "tkhd", "mdhd"] {
      let box = try #require(bytes.indices.first { bytes[$0...].starts(with: name.utf8) })
      let offset = box + 4 + (name == "tkhd" ? 20 : 16)
      bytes.replaceSubrange(offset..<(offset + 4), with: [0x10, 0, 0, 0])
    }
    folder.write(bytes, to: "a.mp4")
    let store = try store("a.mp4")
    store.play(demand(0), at: now())
    store.run()
    store.play(demand(20), at: now())
    store.run()
    #expect(store.failure(of: Photo.ID(0)) == nil)
    #expect(try #require(store.decodedFrames(of: Photo.ID(0))).frameCount <= 31)
  }
}
