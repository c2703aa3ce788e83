import Geometry
import Testing

@testable import PhotoLibrary

/// How much is read in a turn of the loop, by what turns take.
@Suite struct ReadingPaceTests {
  private static let most = ReadLimits(byteCount: 512 << 10, messageCount: 512)
  private let now = Instant(seconds: 100)

  /// Reads from a process that always has more, and returns what was read in each turn.
  private func read(
    _ turns: Int, messageLength: Int, pace: inout ReadingPace, cost: (ReadLimits) -> Double
  ) -> [ReadLimits] {
    var time = now
    return (0..<turns).map { _ in
      if let rest = pace.restEnd { time = rest }
      let begins = pace.beginTurn(at: time)
      #expect(begins)
      let count = min(pace.limits.byteCount / messageLength + 1, pace.limits.messageCount)
      let read = ReadLimits(byteCount: count * messageLength, messageCount: count)
      time = time.advanced(bySeconds: cost(read))
      pace.record(read, seconds: cost(read), at: time)
      return read
    }
  }

  @Test func `a listing that costs little is read as fast as it comes`() {
    var pace = ReadingPace(most: Self.most)
    _ = read(100, messageLength: 120_000, pace: &pace) { Double($0.byteCount) * 1e-8 }
    #expect(pace.limits == Self.most)
    #expect(pace.restEnd == nil)
  }

  @Test func `turns take the time that they may, if their length decides what they take`() {
    var pace = ReadingPace(most: Self.most)
    let reads = read(50, messageLength: 1500, pace: &pace) { Double($0.byteCount) * 1e-7 }
    let seconds = Double(reads.last?.byteCount ?? 0) * 1e-7
    #expect(abs(seconds - ReadingPace.budget) < 0.001, "\(seconds)")
    #expect(pace.restEnd == nil)
    // Cheaper names are read faster again.
    _ = read(10, messageLength: 1500, pace: &pace) { Double($0.byteCount) * 1e-9 }
    #expect(pace.limits == Self.most)
  }

  @Test func `many short messages of which each takes long are read one after the other`() {
    var pace = ReadingPace(most: Self.most)
    let reads = read(20, messageLength: 40, pace: &pace) { Double($0.messageCount) * 0.001 }
    #expect((4...8).contains(reads.last?.messageCount ?? 0), "\(reads)")
    #expect(pace.restEnd == nil)
  }

  @Test func `there are pauses while the least takes too long, not after a single long turn`() {
    var pace = ReadingPace(most: Self.most)
    pace.record(Self.most, seconds: 0.1, at: now)
    #expect(pace.restEnd == nil)
    #expect(pace.limits.byteCount < 50_000)
    for _ in 0..<3 { pace.record(pace.limits, seconds: 0.1, at: now) }
    #expect(pace.limits == ReadingPace.least)
    #expect(pace.restEnd == now.advanced(bySeconds: 0.4))
    let early = pace.beginTurn(at: now.advanced(bySeconds: 0.3))
    #expect(!early)
    let due = pace.beginTurn(at: now.advanced(bySeconds: 0.4))
    #expect(due && pace.restEnd == nil)
    pace.record(ReadingPace.least, seconds: 60, at: now)
    #expect(pace.restEnd == now.advanced(bySeconds: 1))
  }

  @Test func `turns without a message change nothing`() {
    var pace = ReadingPace(most: Self.most)
    pace.record(ReadLimits(byteCount: 64 << 10, messageCount: 0), seconds: 1, at: now)
    #expect(pace.limits == Self.most && pace.restEnd == nil)
  }

  @Test func `turns that read little say nothing of longer ones`() {
    var pace = ReadingPace(most: Self.most)
    pace.record(Self.most, seconds: 0.08, at: now)
    let limits = pace.limits
    pace.record(ReadLimits(byteCount: 40, messageCount: 1), seconds: 1e-4, at: now)
    #expect(pace.limits == limits)
  }
}
