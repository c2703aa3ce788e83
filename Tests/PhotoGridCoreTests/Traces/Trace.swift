import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import SceneModel

/// A digest of the browser's effects, scenes, demands and bars after each event of a test.
///
/// The cases of a test run in any order, so digests are added up; each contains its event's number.
///
/// It can be shared, since `sums`, all that changes, is only read and written while `lock` is held.
final class Trace: @unchecked Sendable {
  /// The trace of the running test.
  @TaskLocal static var current: Trace?

  private struct Sums {
    var events = 0
    var effects: UInt64 = 0
    var scenes: UInt64 = 0
    var demands: UInt64 = 0
    var bars: UInt64 = 0
    var lines: [String] = []
    /// A byte for each event: in the order of the test, or by the event's number in its case.
    var steps: [UInt8] = []
    /// The first event after which the browser differs from the record; nil while it does not.
    var difference: String?
  }

  private var sums = Sums()
  /// Not a `Mutex`, which the thread sanitizer does not see when threads wait for it on Linux.
  private let lock = NSLock()
  private let keepsLines: Bool
  private let isParameterized: Bool
  private let recorded: TraceSteps?

  /// - Parameters:
  ///   - keepsLines: Whether each event's digests are kept, to find where two traces diverge.
  ///   - isParameterized: Whether the test has cases, which run in any order.
  ///   - recorded: What was recorded; nil if nothing was.
  init(keepsLines: Bool, isParameterized: Bool, recorded: TraceSteps?) {
    self.keepsLines = keepsLines
    self.isParameterized = isParameterized
    self.recorded = recorded
  }

  /// Adds the results of an event; of ticks without effects only one a second, since there are
  /// millions.
  func add(_ effects: [Effect], of browser: Browser, number: Int, event: Event, at now: Instant) {
    guard event != .tick || !effects.isEmpty || number.isMultiple(of: 60) else { return }
    let effectDigest = digest(number) { $0.add(effects) }
    let scenes = digest(number) {
      $0.add(browser.scene(at: now, name: { "photo \($0.index)" }))
      $0.add(browser.isAnimating(at: now))
      $0.add(browser.nextChange.map { $0.seconds(since: now) } ?? -1)
    }
    let demands = digest(number) { $0.add(browser.demands) }
    let facts = Bar.Facts(source: "folder", name: "name", info: nil, failure: nil, loading: 0)
    let bars = digest(number) { $0.add(browser.bar(facts, at: now)) }
    lock.withLock {
      sums.events += 1
      sums.effects &+= effectDigest
      sums.scenes &+= scenes
      sums.demands &+= demands
      sums.bars &+= bars
      if keepsLines {
        let digests = [effectDigest, scenes, demands, bars].map { String($0, radix: 16) }
        sums.lines.append("\(number) \(digests.joined(separator: " ")) \(event)")
      }
      let step = UInt8(truncatingIfNeeded: effectDigest &+ scenes &+ demands &+ bars)
      if isParameterized {
        let missing = number - sums.steps.count
        if missing > 0 { sums.steps += [UInt8](repeating: 0, count: missing) }
        sums.steps[number - 1] &+= step
        return
      }
      sums.steps.append(step)
      guard sums.difference == nil, let recorded, let events = recorded.difference(in: sums.steps)
      else { return }
      sums.difference = """
        \(events)
        event: \(event)
        effects: \(effects)
        bar: \(browser.bar(facts, at: now))
        \(browser.scene(at: now, name: { "photo \($0.index)" }).description)
        """
    }
  }

  /// Where the browser first differs from the record, as text; nil if that is not known.
  var difference: String? {
    lock.withLock {
      guard isParameterized else { return sums.difference }
      return recorded?.firstDifference(from: sums.steps)
    }
  }

  private func digest(_ number: Int, _ add: (inout TraceDigest) -> Void) -> UInt64 {
    var digest = TraceDigest()
    digest.add(number)
    add(&digest)
    return digest.value
  }

  /// The trace as it is recorded; nil if no event was sent.
  var summary: String? {
    lock.withLock {
      guard sums.events > 0 else { return nil }
      let digests = [
        ("effects", sums.effects), ("scenes", sums.scenes), ("demands", sums.demands),
        ("bars", sums.bars),
      ]
      return "events \(sums.events) "
        + digests.map { "\($0.0) \(String($0.1, radix: 16))" }.joined(separator: " ")
        + " steps \(TraceSteps(of: sums.steps))"
    }
  }

  /// A line for each event, in order.
  var lines: [String] { lock.withLock { sums.lines } }
}

/// Compares a test with its recorded trace, so that unintended changes of behavior are noticed.
///
/// `PHOTOGRID_RECORD_TRACES=1` records the current traces. `PHOTOGRID_TRACES=FOLDER` writes a file
/// per test with a line per event, for comparing two versions. `PHOTOGRID_SANITIZED`, which
/// `Tests/sanitize` sets, turns traces off: they take most of the time, and always find the same.
struct TraceTrait: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    // Once around all cases of a test.
    test.isSuite || testCase != nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The width of a character, and so where the bar is cut, depends on the locale.
    UTF8Locale.use()
    let environment = ProcessInfo.processInfo.environment
    guard environment["PHOTOGRID_SANITIZED"] == nil else { return try await function() }
    let folder = environment["PHOTOGRID_TRACES"]
    let file = URL(filePath: "\(test.sourceLocation.fileID)").deletingPathExtension()
    // `XTests+Subject.swift` holds tests of the suite `XTests`.
    let suite = file.lastPathComponent.prefix { $0 != "+" }
    let name = "\(suite): \(test.name.filter { $0 != "`" })"
    // A replay of a single seed has no recorded trace.
    let isReplay = environment["PHOTOGRID_SEED"] != nil
    let trace = Trace(
      keepsLines: folder != nil, isParameterized: test.isParameterized,
      recorded: isReplay ? nil : RecordedTraces.shared.steps(of: name))
    try await Trace.$current.withValue(trace) { try await function() }
    guard let summary = trace.summary, !isReplay else { return }
    if let folder {
      let path = "\(folder)/\(name.replacing("/", with: " ")).txt"
      try trace.lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
    try RecordedTraces.shared.check(
      summary, of: name, difference: trace.difference, sourceLocation: test.sourceLocation)
  }
}

extension Trait where Self == TraceTrait {
  /// Compares the test's trace with the recorded one.
  static var traced: TraceTrait { TraceTrait() }
}

/// The traces recorded in `recorded.txt`, a line each.
private final class RecordedTraces: Sendable {
  static let shared = RecordedTraces()

  private let traces: Mutex<[String: String]>
  private let isRecording = ProcessInfo.processInfo.environment["PHOTOGRID_RECORD_TRACES"] != nil
  private let url = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "recorded.txt")

  private init() {
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").compactMap { line -> (String, String)? in
      guard let end = line.range(of: " | ") else { return nil }
      return (String(line[..<end.lowerBound]), String(line[end.upperBound...]))
    }
    traces = Mutex(Dictionary(lines) { $1 })
  }

  /// The recorded digests of a test's events; nil if it was not recorded.
  func steps(of name: String) -> TraceSteps? {
    traces.withLock { $0[name] }?.split(separator: " ").last.flatMap(TraceSteps.init)
  }

  func check(
    _ summary: String, of name: String, difference: String?, sourceLocation: SourceLocation
  ) throws {
    guard isRecording else {
      // The steps only locate a difference.
      func sums(_ line: String) -> String {
        String(line.prefix(upTo: line.range(of: " steps ")?.lowerBound ?? line.endIndex))
      }
      let summary = sums(summary)
      let recorded = traces.withLock { $0[name] }.map(sums)
      #expect(
        summary == recorded,
        """
        The browser does something else in this test than was recorded. If that is meant, record \
        it with PHOTOGRID_RECORD_TRACES=1.
        \(difference ?? "")
        """, sourceLocation: sourceLocation)
      return
    }
    try traces.withLock { traces in
      traces[name] = summary
      let lines = traces.sorted { $0.key < $1.key }.map { "\($0.key) | \($0.value)\n" }
      try lines.joined().write(to: url, atomically: true, encoding: .utf8)
    }
  }
}
