import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

@Suite(.traced) struct PlaybackTests {
  /// An animation whose frames have arrived, except those in `missing`.
  static func animation(
    _ durations: [Double], without missing: Set<Int> = [], loops: Int? = nil
  ) -> DecodedFrames {
    let there = durations.enumerated().filter { !missing.contains($0.offset) }
    return DecodedFrames(
      frameCount: durations.count, loopCount: loops,
      durations: Dictionary(uniqueKeysWithValues: there.map { ($0.offset, $0.element) }))
  }

  static func at(_ seconds: Double) -> Instant { Instant(seconds: 10 + seconds) }

  /// A playback whose animation arrives at the start.
  static func playing(_ animation: DecodedFrames) -> Playback {
    var playback = Playback(of: Photo.ID(0), isPlaying: true)
    playback.take(animation, at: at(0))
    playback.advance(to: at(0))
    return playback
  }

  @Test func `each frame is shown for its own duration, loop after loop`() {
    var playback = Self.playing(Self.animation([0.1, 0.3, 0.05]))
    var changes: [(Double, Int)] = []

    while changes.count < 7, let next = playback.nextChange {
      playback.advance(to: next)
      changes.append((next.seconds(since: Self.at(0)), playback.frameIndex))
    }

    #expect(changes.map(\.1) == [1, 2, 0, 1, 2, 0, 1])
    let times = [0.1, 0.4, 0.45, 0.55, 0.85, 0.9, 1.0]
    #expect(zip(changes, times).allSatisfy { abs($0.0 - $1) < 1e-6 }, "\(changes)")
  }

  @Test func `no frame changes early, and frames whose time has passed are skipped`() {
    var playback = Self.playing(Self.animation([0.1, 0.1, 0.1, 0.1]))

    playback.advance(to: Self.at(0.0999))
    #expect(playback.frameIndex == 0)
    // As if a slow frame of another animation had been drawn in between.
    playback.advance(to: Self.at(0.25))
    #expect(playback.frameIndex == 2)
    #expect(playback.nextChange == Self.at(0.3))
  }

  @Test func `after a long interruption the next frame is shown for its full duration`() {
    var playback = Self.playing(Self.animation([0.1, 0.1, 0.1, 0.1]))

    playback.advance(to: Self.at(3600))

    #expect(playback.frameIndex == 1)
    #expect(playback.nextChange == Self.at(3600.1))
  }

  @Test func `a film keeps its pace on a terminal that draws three frames a second`() {
    var animation = Self.animation(Array(repeating: 0.04, count: 250))
    animation.film = FilmTiming(length: 10, frameRate: 25)
    var playback = Self.playing(animation)

    for third in 1...9 {
      let seconds = Double(third) / 3
      playback.advance(to: Self.at(seconds))
      #expect(abs(playback.frameIndex - Int(seconds * 25)) <= 1)
    }
  }

  @Test func `playback waits for a late frame, and skips none because of it`() {
    let durations = [0.1, 0.1, 0.1, 0.1]
    var playback = Self.playing(Self.animation(durations, without: [1, 2, 3]))

    #expect(playback.nextChange == nil)
    playback.advance(to: Self.at(0.15))
    #expect(playback.frameIndex == 0)
    playback.take(Self.animation(durations), at: Self.at(0.22))
    playback.advance(to: Self.at(0.22))
    #expect(playback.frameIndex == 1)
    #expect(playback.nextChange == Self.at(0.32))
  }

  @Test func `a frame that arrives in time is shown on time`() {
    let durations = [0.1, 0.1]
    var playback = Self.playing(Self.animation(durations, without: [1]))

    playback.take(Self.animation(durations), at: Self.at(0.05))
    playback.advance(to: Self.at(0.05))

    #expect(playback.frameIndex == 0)
    #expect(playback.nextChange == Self.at(0.1))
  }

  @Test
  func `after its last loop an animation stops at the last frame, and plays again on request`() {
    var playback = Self.playing(Self.animation([0.1, 0.1], loops: 2))

    for tenth in 1...3 { playback.advance(to: Self.at(Double(tenth) / 10)) }
    #expect(playback.frameIndex == 1)
    #expect(playback.nextChange == nil)

    playback.toggle(at: Self.at(0.3))
    playback.advance(to: Self.at(5))
    #expect(playback.frameIndex == 0 && playback.isPlaying)
    #expect(playback.nextChange == Self.at(5.1))
    for tenth in 1...3 { playback.advance(to: Self.at(5 + Double(tenth) / 10)) }
    #expect(playback.frameIndex == 1 && playback.nextChange == nil)
  }

  @Test func `a paused animation keeps its frame, and continues from there`() {
    var playback = Self.playing(Self.animation([0.1, 0.1, 0.1]))
    playback.advance(to: Self.at(0.15))

    playback.toggle(at: Self.at(0.15))
    playback.advance(to: Self.at(9))
    #expect(playback.frameIndex == 1 && !playback.isPlaying && playback.nextChange == nil)

    playback.toggle(at: Self.at(9))
    playback.advance(to: Self.at(9))
    #expect(playback.frameIndex == 1)
    #expect(playback.nextChange == Self.at(9.1))
  }

  @Test func `steps pause the animation and wrap around, as far as frames have arrived`() {
    let durations = [0.1, 0.1, 0.1, 0.1]
    var playback = Self.playing(Self.animation(durations, without: [3], loops: 1))

    playback.step(by: 1)
    playback.advance(to: Self.at(0))
    #expect(playback.frameIndex == 1 && !playback.isPlaying)
    playback.step(by: 3)
    playback.advance(to: Self.at(0))
    #expect(playback.frameIndex == 2)
    playback.take(Self.animation(durations, loops: 1), at: Self.at(1))
    playback.advance(to: Self.at(1))
    #expect(playback.frameIndex == 0)
  }

  @Test func `an animation that turns out to be shorter loops at its new end`() {
    var playback = Self.playing(Self.animation([0.1, 0.1, 0.1, 0.1]))
    playback.advance(to: Self.at(0.1))
    playback.advance(to: Self.at(0.2))

    var shorter = Self.animation([0.1, 0.1])
    shorter.durations[2] = 0.1
    playback.take(shorter, at: Self.at(0.2))
    playback.advance(to: Self.at(0.3))
    #expect(playback.frameIndex == 0)
    playback.take(Self.animation([0.1]), at: Self.at(0.3))

    #expect(playback.nextChange == nil)
  }
}
