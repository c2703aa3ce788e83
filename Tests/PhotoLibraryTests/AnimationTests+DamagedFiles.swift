import Photos
import SceneModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Animations that are damaged or too large.
extension AnimationTests {
  @Test func `the frames before a damaged one of a WebP are the animation`() throws {
    var file = image("film.webp")
    let fourth = try #require(starts(of: "ANMF", in: file).dropFirst(3).first)
    // In the frame's own picture, after the headers of both chunks.
    for place in (fourth + 40)..<(fourth + 50) { file[place] ^= 0xff }
    let store = try store(file)

    store.play(demand(), at: now())
    store.run()

    #expect(pages(of: store) == [0, 1, 2])
    #expect(store.decodedFrames(of: Photo.ID(0))?.frameCount == 3)
    #expect(store.failure(of: Photo.ID(0)) == nil)
  }

  /// Plays all the files, one after the other, and checks that none affects any other.
  private func playAll(_ files: [[UInt8]], at number: (Int) -> Comment) throws {
    let store = try PhotoStore.of(files.enumerated().map { folder.write($1, to: "film-\($0)") })
    store.fetchAll()
    for photo in store.photos {
      store.play(FrameDemand(picture: .fitting(photo, 1000), frameIndex: 0), at: now())
      store.run()

      let there = store.decodedFrames(of: photo)?.durations.keys.sorted() ?? []
      #expect(there == Array(0..<there.count), number(photo.index))
      if case .waiting = store.content(of: photo) { Issue.record(number(photo.index)) }
    }
    #expect(store.problem == nil)
  }

  @Test func `a truncated animation ends in frames, a picture or a message`() throws {
    let files = [Self.gif.bytes, image("film.webp")].flatMap { file in
      stride(from: 3, to: 100, by: 3).map { Array(file.prefix(max(16, file.count * $0 / 100))) }
    }

    try playAll(files) { "cut \($0)" }
  }

  @Test func `changed bytes end in frames, a picture or a message`() throws {
    let seed: UInt64 = 0xf11
    var random = SeededGenerator(seed: seed)
    let files = (0..<100).map { number in
      var file = number % 2 == 0 ? Self.gif.bytes : image("film.webp")
      for _ in 0..<4 {
        file[.random(in: 12..<file.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      return file
    }

    try playAll(files) { "file \($0)" }
  }

  /// An animation of single pixels whose first frame claims to be larger.
  func film(frames: Int, firstSaidToBe sides: (Int, Int)) throws -> [UInt8] {
    let dot = TestGIF.Frame(width: 1, height: 1) { _, _ in 0xff0000 }
    var file = TestGIF(
      width: 1, height: 1, frames: Array(repeating: dot, count: frames)
    ).bytes
    let words = [sides.0, sides.1].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let descriptor = try #require(starts(of: ",", in: file).first)
    file.replaceSubrange((descriptor + 5)..<(descriptor + 9), with: words)
    file.replaceSubrange(6..<10, with: words)
    return file
  }

  @Test func `an animation of too many pixels fails with a message`() throws {
    let store = try store(film(frames: 2000, firstSaidToBe: (4000, 4000)))

    #expect(store.failure(of: Photo.ID(0)) == "too large: 2000 frames of 4000x4000")
  }

  @Test func `a photo too large to play is shown as a still`() throws {
    let store = try store(film(frames: 2, firstSaidToBe: (5000, 4000)))

    store.play(demand(64), at: now())
    store.run()

    #expect(store.picture(0) != nil)
    #expect(store.info(of: Photo.ID(0))?.frameCount == 2)
    #expect(
      store.decodedFrames(of: Photo.ID(0))
        == DecodedFrames(frameCount: 1, loopCount: nil, durations: [:]))
  }

  @Test func `a later frame that is larger than the picture is cropped to it`() throws {
    var file = TestGIF.film([0xff0000, 0x00ff00], width: 4, height: 4).bytes
    let second = try #require(starts(of: ",", in: file).last)
    file.replaceSubrange((second + 5)..<(second + 9), with: [0xff, 0xff, 0xff, 0xff])
    let store = try store(file)

    store.play(demand(), at: now())
    store.run()

    #expect(store.failure(of: Photo.ID(0)) == nil)
    #expect(frame(0, in: store)?.width == 4)
    #expect(store.decodedFrames(of: Photo.ID(0)) != nil)
  }

  /// The offset of a word in a file.
  private func starts(of word: String, in file: [UInt8]) -> [Int] {
    let word = Array(word.utf8)
    return file.indices.filter { file[$0...].starts(with: word) }
  }
}
