import Geometry
import Glibc
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// How long the program waits for a worker that answers late.
struct ExtendableDeadlineTests {
  private let start = Instant(seconds: 100)

  /// The number of seconds after which a worker is given up that waits for a processor for a part of
  /// each second from the end of its time on.
  private func seconds(waitingShare share: Double) -> Double {
    var deadline = ExtendableDeadline(seconds: 5, from: start)
    var now = deadline.end
    while deadline.extend(at: now, processorWait: waited(3 + now.seconds(since: start) * share)) {
      now = deadline.end
    }
    return now.seconds(since: start)
  }

  /// A process with one thread.
  private func waited(_ seconds: Double) -> ProcessorWait {
    ProcessorWait(threads: [7: UInt64(seconds * 1e9)])
  }

  @Test func `a worker that waits for the disk or computes alone gets a fifth more`() {
    #expect(abs(seconds(waitingShare: 0) - 6) < 0.001)
    #expect(abs(seconds(waitingShare: 0.2) - 6) < 0.001)
  }

  @Test func `a worker that waits for a processor gets up to eight times its time`() {
    #expect(abs(seconds(waitingShare: 0.3) - 40) < 1.001)
    #expect(abs(seconds(waitingShare: 0.95) - 40) < 1.001)
  }

  @Test func `a worker that gets a processor at last is given up a fifth of its time later`() {
    var deadline = ExtendableDeadline(seconds: 5, from: start)
    let answers = [4, 4.9, 4.9].map { deadline.extend(at: deadline.end, processorWait: waited($0)) }
    #expect(answers == [true, true, false])
  }

  @Test func `without an account of the waiting there is no more time`() {
    var deadline = ExtendableDeadline(seconds: 5, from: start)
    let isExtended = deadline.extend(at: deadline.end, processorWait: nil)
    #expect(!isExtended)
  }

  @Test func `threads that end take nothing from the time that the others waited`() {
    let before = ProcessorWait(threads: [1: 2_000_000_000, 2: 900_000_000, 3: 5])
    let after = ProcessorWait(threads: [1: 2_100_000_000, 3: 2, 4: 200_000_000])
    #expect(abs(after.seconds(since: before) - 0.3) < 0.001)
  }

  @Test func `time in which the program itself was stopped does not count`() {
    var deadline = ExtendableDeadline(seconds: 5, from: start)
    deadline.postpone(bySeconds: 60)
    #expect(deadline.end == start.advanced(bySeconds: 65))
    let isExtended = deadline.extend(at: deadline.end, processorWait: waited(0))
    #expect(isExtended)
  }

  @Test func `processes that share a processor wait for it, also those of a shell`() throws {
    let folder = TemporaryFolder()
    let worker = try WorkerProcess<DecodeProtocol>(
      folder.script("taskset -cp 0 $$; while :; do :; done & while :; do :; done"))
    let before = try #require(ProcessorWait(ofFamilyOf: worker.process))
    var wait = 0.0
    while wait < 0.05 {
      usleep(10_000)
      let later = try #require(ProcessorWait(ofFamilyOf: worker.process))
      wait = later.seconds(since: before)
    }
    var zombies = ZombieProcesses()
    worker.end(into: &zombies)
    #expect(ProcessorWait(ofFamilyOf: -1) == nil)
  }
}
