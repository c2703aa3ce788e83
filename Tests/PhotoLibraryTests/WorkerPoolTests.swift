import Glibc
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

@Suite(.serialized) struct WorkerPoolTests {
  typealias Pool = WorkerPool<DecodeProtocol, Int>
  private typealias Response = DecodeProtocol.Response

  private let folder = TemporaryFolder()

  /// A worker that greets, sends messages without waiting for requests, and then does something.
  private func worker(
    sending messages: [(token: UInt32, message: Response)], then line: String
  ) -> WorkerExecutable {
    folder.write(
      Hello.current.encoded() + messages.flatMap { $0.message.encoded(token: $0.token) },
      to: "messages")
    return folder.script("cat \(folder.path)/messages >&0; \(line)")
  }

  private func assign(_ pool: Pool, payloadLimit: Int = 256) {
    let outcome = pool.assign(
      7, .photo(path: [0x61], .describe), to: 0, timeout: 5, payloadLimit: payloadLimit, at: now())
    #expect(outcome == .sent)
  }

  /// Services a pool until it loses a process.
  private func firstLoss(
    of pool: Pool, answer: (Response, Int) -> Pool.Answer
  ) -> Pool.Loss? {
    for _ in 0..<1000 {
      wait(for: pool.pollRequests, until: pool.nextDeadline)
      if let loss = pool.service(at: now(), answer: answer).first { return loss }
    }
    return nil
  }

  @Test(arguments: [(Pool.Answer.finished, 1), (.declined, 2)])
  func `only a job that is finished shortens the pause after a failure`(
    verdict: Pool.Answer, failures: Int
  ) throws {
    let pool = Pool(worker(sending: [(1, .noPreview)], then: "exit 0"))
    for _ in 0..<2 {
      pool.lastToken = 0
      assign(pool)
      let loss = firstLoss(of: pool) { _, _ in verdict }
      #expect(loss?.ending == .stopped && loss?.current == nil)
    }

    #expect(pool.consecutiveFailures == failures)
  }

  @Test func `an answer that is longer than its job allows is not read`() throws {
    let info = PhotoInfo.plain
    let pool = Pool(
      worker(sending: [(1, .described(info))], then: "exec sleep 100"))
    assign(pool, payloadLimit: 16)

    let loss = firstLoss(of: pool) { _, _ in
      Issue.record("the answer was handed on")
      return .finished
    }

    #expect(loss?.ending == .protocolViolation && loss?.current == 7)
  }

  @Test func `a message that belongs to no job ends the worker`() throws {
    let pool = Pool(
      worker(sending: [(1, .noPreview), (2, .noPreview)], then: "exec sleep 100"))
    assign(pool)
    var count = 0

    let loss = firstLoss(of: pool) { _, _ in
      count += 1
      return .declined
    }

    #expect(count == 1 && loss?.ending == .protocolViolation && loss?.current == nil)
  }

  @Test func `a process that is given up while its answer is handled has broken no rule`() throws {
    let pool = Pool(worker(sending: [(1, .noPreview)], then: "exec sleep 100"))
    assign(pool)
    var losses: [Pool.Loss] = []

    while !pool.isEmpty {
      wait(for: pool.pollRequests, until: pool.nextDeadline)
      losses += pool.service(at: now()) { _, _ in
        pool.release(0)
        return .finished
      }
    }

    #expect(losses.isEmpty && pool.consecutiveFailures == 0)
  }

  @Test func `each call reads only a few of the messages of a worker that sends many`() throws {
    let progress = Response.noPreview
    var limits = WorkerPoolLimits()
    limits.reading.messageCount = 3
    let pool = Pool(
      worker(sending: Array(repeating: (0, progress), count: 100), then: "exec sleep 100"),
      limits: limits)
    assign(pool)
    var counts: [Int] = []

    while counts.reduce(0, +) < 100 {
      wait(for: pool.pollRequests, until: pool.nextDeadline)
      var count = 0
      let losses = pool.service(at: now()) { _, _ in
        count += 1
        return .partial
      }
      try #require(losses.isEmpty)
      counts.append(count)
    }

    #expect(counts.allSatisfy { $0 <= 3 })
    pool.releaseAll()
  }

  private func fill(
    _ slot: Int, of pool: Pool, next: () -> Int?, fail: (Int) -> Void = { _ in }
  ) -> Bool {
    pool.fill(slot, depth: 2, at: now(), next: next) { _ in
      .init(request: .photo(path: [0x61], .describe), timeout: 5, payloadLimit: 256)
    } fail: { task, _ in
      fail(task)
    }
  }

  @Test func `a task waits for a process that does not start, and all fail if none ever does`() {
    let file = folder.write(to: "no program")
    var limits = WorkerPoolLimits()
    limits.maxLaunchFailures = 2
    let pool = Pool(WorkerExecutable(path: String(decoding: file, as: UTF8.self)), limits: limits)
    var (rest, failed) = ([1, 2, 3][...], [Int]())

    #expect(!fill(0, of: pool, next: { rest.popFirst() }, fail: { failed.append($0) }))
    #expect(pool.waiting == [1] && failed.isEmpty)

    #expect(!fill(0, of: pool, next: { rest.popFirst() }, fail: { failed.append($0) }))
    #expect(pool.waiting.isEmpty && failed == [1, 2, 3])
  }

  @Test func `a pool goes on with the processes that run if no other can be started`() {
    let shell = folder.path + "/sh"
    symlink("/bin/sh", shell)
    var limits = WorkerPoolLimits()
    limits.slotCount = 2
    let pool = Pool(
      WorkerExecutable(path: shell, arguments: ["-c", "exec sleep 100"]), limits: limits)
    var rest = [1, 2, 3, 4][...]

    #expect(fill(0, of: pool, next: { rest.popFirst() }))
    unlink(shell)
    #expect(!fill(1, of: pool, next: { rest.popFirst() }))

    #expect(pool.slots.count == 1 && pool.waiting == [3] && pool.notices.count == 1)
    #expect(Array(pool.tasks) == [1, 2])
    pool.releaseAll()
  }
}
