import Foundation
import Photos
import SceneModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// How commands end that decode films inside the sandbox, and that may be stopped or hang.
@Suite(.serialized, .enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
struct FilmEndTests {
  private let folder = TemporaryFolder()

  /// A store of two films of ten seconds, a photo and an animated image that has described them, and whose
  /// workers may wait for disks.
  private func store() throws -> PhotoStore {
    for (name, color) in [("a.mp4", "red"), ("b.mp4", "blue")] {
      try TestFilm.make(
        "color=\(color):s=320x180:r=25:d=10", at: "\(folder.path)/\(name)", ["-c:v", "mpeg4"])
    }
    folder.write(image("card.jpg"), to: "c.jpg")
    folder.write(image("film.webp"), to: "d.webp")
    var limits = StoreLimits()
    limits.workerCount = 1
    limits.waitsForDisks = true
    let store = try PhotoStore.of(
      ["a.mp4", "b.mp4", "c.jpg", "d.webp"].map { folder.path($0) }, limits: limits)
    store.fetchAll(side: 32)
    return store
  }

  private func play(_ number: Int, at frameIndex: Int = 0, in store: PhotoStore) {
    store.play(
      FrameDemand(picture: .fitting(Photo.ID(number), 320), .film, frameIndex: frameIndex),
      at: now())
  }

  /// Runs the loop until something is so.
  private func run(_ store: PhotoStore, until isDone: () -> Bool) -> Bool {
    let start = now()
    while now().seconds(since: start) < 60 {
      if isDone() { return true }
      let soon = now().advanced(bySeconds: 0.02)
      wait(for: store.pollRequests, until: min(store.nextDeadline ?? soon, soon))
      _ = store.service(at: now())
    }
    return false
  }

  private func hasFrame(_ frameIndex: Int, of number: Int, in store: PhotoStore) -> Bool {
    store.decodedFrames(of: Photo.ID(number))?.durations[frameIndex] != nil
  }

  /// Whether a process has ended; one that is not reaped counts as ended.
  private func hasEnded(_ process: pid_t) -> Bool { state(of: process).map { $0 == "Z" } ?? true }

  private func state(of process: pid_t) -> Character? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.first { $0 != " " }
  }

  /// The command that decodes the film that plays.
  private func command(of store: PhotoStore) throws -> pid_t {
    let commands = store.processes.filter {
      $0.name == "ffmpeg" && state(of: $0.number) != "Z"
    }
    try #require(commands.count == 1, "\(commands)")
    return commands[0].number
  }

  @Test func `a command that was stopped does not delay a jump in its film`() throws {
    let store = try store()
    play(0, in: store)
    store.run()
    let command = try command(of: store)
    kill(command, SIGSTOP)

    play(0, at: 200, in: store)
    #expect(run(store) { hasFrame(200, of: 0, in: store) })

    #expect(hasEnded(command))
    // No request has failed, for which it would have to wait for seconds.
    #expect(store.framePool.consecutiveFailures == 0)
  }

  @Test(arguments: [false, true])
  func `a command ends once its film is closed`(isStopped: Bool) throws {
    let store = try store()
    play(0, in: store)
    store.run()
    let command = try command(of: store)
    if isStopped { kill(command, SIGSTOP) }

    store.play(nil, at: now())
    #expect(run(store) { hasEnded(command) })
    #expect(run(store) { !store.processes.contains { state(of: $0.number) == "Z" } })
    let worker = store.pool.slots[0].worker?.process
    play(1, in: store)
    #expect(run(store) { hasFrame(0, of: 1, in: store) })
    #expect(store.pool.slots[0].worker?.process == worker, "it is no reason to lose another worker")
  }

  @Test func `a command ends once an animated image plays after its film, in the same worker`()
    throws
  {
    let store = try store()
    play(0, in: store)
    store.run()
    let command = try command(of: store)
    let worker = store.framePool.slots[0].worker?.process

    store.play(FrameDemand(picture: .fitting(Photo.ID(3), 320), frameIndex: 0), at: now())
    #expect(run(store) { hasFrame(4, of: 3, in: store) })
    #expect(run(store) { hasEnded(command) })
    #expect(store.framePool.slots[0].worker?.process == worker)
  }

  @Test func `the next film does not wait for the stopped command of the one before`() throws {
    let store = try store()
    play(0, in: store)
    store.run()
    let command = try command(of: store)
    kill(command, SIGSTOP)

    play(1, in: store)
    #expect(run(store) { hasFrame(0, of: 1, in: store) })
    #expect(hasEnded(command) && store.framePool.consecutiveFailures == 0)
  }

  @Test func `the next film does not wait for frames that a stopped command owes`() throws {
    let store = try store()
    play(0, in: store)
    store.run()
    let command = try command(of: store)
    kill(command, SIGSTOP)
    // More than the pipe holds.
    play(0, at: 24, in: store)
    let isOwing = run(store) { !store.framePool.isIdle }
    try #require(isOwing)

    play(1, in: store)
    #expect(run(store) { hasFrame(0, of: 1, in: store) })
    #expect(hasEnded(command) && store.framePool.consecutiveFailures == 0)
  }

  @Test func `commands of decoders that have ended are reaped`() throws {
    let store = try store()
    for _ in 0..<4 {
      play(0, in: store)
      store.run()
      // The decoder of films ends, while its command waits for somebody to read.
      store.play(nil, at: now())
      store.reload(Photo.ID(2), at: now())
      store.setDemands([.fitting(Photo.ID(2), 32)], at: now())
      store.run()
    }
    #expect(
      run(store) {
        !store.processes.contains { $0.name == "ffmpeg" || state(of: $0.number) == "Z" }
      }, "\(store.processes)")
  }
}
