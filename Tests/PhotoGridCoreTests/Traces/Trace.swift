import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PhotoGridCore

/// A digest of the browser's effects, scenes, demands and bars after each event of a test.
///
/// The cases of a test run in any order, so digests are added up; each contains its event's number.
final class Trace: Sendable {
  /// The trace of the running test.
  @TaskLocal static var current: Trace?

  private struct Sums {
    var events = 0
    var effects: UInt64 = 0
    var scenes: UInt64 = 0
    var demands: UInt64 = 0
    var bars: UInt64 = 0
    var lines: [String] = []
  }

  private let sums = Mutex(Sums())
  private let keepsLines: Bool

  /// - Parameter keepsLines: Whether each event's digests are kept, to find where two traces
  ///   diverge.
  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  /// Adds the results of an event; of ticks without effects only one a second, since there are
  /// millions.
  func add(_ effects: [Effect], of browser: Browser, number: Int, event: Event, at now: Instant) {
    guard event != .tick || !effects.isEmpty || number.isMultiple(of: 60) else { return }
    let effects = digest(number) { $0.add(effects) }
    let scenes = digest(number) {
      $0.add(browser.scene(at: now, name: { "photo \($0.index)" }))
      $0.add(browser.isAnimating(at: now))
      $0.add(browser.nextChange.map { $0.seconds(since: now) } ?? -1)
    }
    let demands = digest(number) { $0.add(browser.demands) }
    let facts = Bar.Facts(source: "folder", name: "name", info: nil, failure: nil, loading: 0)
    let bars = digest(number) { $0.add(browser.bar(facts, at: now)) }
    sums.withLock {
      $0.events += 1
      $0.effects &+= effects
      $0.scenes &+= scenes
      $0.demands &+= demands
      $0.bars &+= bars
      if keepsLines {
        let digests = [effects, scenes, demands, bars].map { String($0, radix: 16) }
        $0.lines.append("\(number) \(digests.joined(separator: " ")) \(event)")
      }
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
    sums.withLock { sums in
      guard sums.events > 0 else { return nil }
      let digests = [
        ("effects", sums.effects), ("scenes", sums.scenes), ("demands", sums.demands),
        ("bars", sums.bars),
      ]
      return "events \(sums.events) "
        + digests.map { "\($0.0) \(String($0.1, radix: 16))" }.joined(separator: " ")
    }
  }

  /// A line for each event, in order.
  var lines: [String] { sums.withLock { $0.lines } }
}

/// Compares a test with its recorded trace, so that unintended changes of behaviour are noticed.
///
/// `PHOTOGRID_RECORD_TRACES=1` records the current traces. `PHOTOGRID_TRACES=FOLDER` writes a file
/// per test with a line per event, for comparing two versions.
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
    let folder = environment["PHOTOGRID_TRACES"]
    let trace = Trace(keepsLines: folder != nil)
    try await Trace.$current.withValue(trace) { try await function() }
    // A replay of a single seed has no recorded trace.
    guard let summary = trace.summary, environment["PHOTOGRID_SEED"] == nil else { return }
    let file = URL(filePath: "\(test.sourceLocation.fileID)").deletingPathExtension()
    // `XTests+Subject.swift` holds tests of the suite `XTests`.
    let suite = file.lastPathComponent.prefix { $0 != "+" }
    let name = "\(suite): \(test.name.filter { $0 != "`" })"
    if let folder {
      let path = "\(folder)/\(name.replacing("/", with: " ")).txt"
      try trace.lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
    try RecordedTraces.shared.check(summary, of: name, sourceLocation: test.sourceLocation)
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

  func check(_ summary: String, of name: String, sourceLocation: SourceLocation) throws {
    guard isRecording else {
      let recorded = traces.withLock { $0[name] }
      #expect(
        summary == recorded,
        """
        The browser does something else in this test than was recorded. If that is meant, record \
        it with PHOTOGRID_RECORD_TRACES=1.
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
