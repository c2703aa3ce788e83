@testable import Geometry
@testable import PhotoGridCore
@testable import SceneModel

/// A byte for every event of a test, or for every few events of a long one, by which a difference from
/// the record is located.
///
/// As text: the number of events a byte stands for, a colon, and two hexadecimal digits for each byte.
struct TraceSteps: CustomStringConvertible {
  private static let maxCount = 256

  private let interval: Int
  private let digests: [UInt8]

  init(of steps: [UInt8]) {
    self.init(of: steps, interval: max(1, (steps.count + Self.maxCount - 1) / Self.maxCount))
  }

  private init(of steps: [UInt8], interval: Int) {
    self.interval = interval
    digests = stride(from: 0, to: steps.count, by: interval).map {
      steps[$0..<min($0 + interval, steps.count)].reduce(0, &+)
    }
  }

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let interval = Int(parts[0]), interval > 0 else { return nil }
    let digits = Array(parts[1])
    let digests = stride(from: 0, to: digits.count - 1, by: 2)
      .map { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    guard !digests.contains(nil) else { return nil }
    self.interval = interval
    self.digests = digests.compactMap { $0 }
  }

  var description: String {
    let digits = digests.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "\(interval):\(digits.joined())"
  }

  /// Compares the events up to now with the record, after the last event of an interval.
  ///
  /// - Returns: Which event differs, or which one of several; nil if none of the last interval does.
  func difference(in steps: [UInt8]) -> String? {
    guard steps.count.isMultiple(of: interval) else { return nil }
    let index = steps.count / interval - 1
    guard index < digests.count else { return "There are more events than were recorded." }
    guard steps.suffix(interval).reduce(0, &+) != digests[index] else { return nil }
    return message(index)
  }

  /// Compares all events of a test with the record.
  func firstDifference(from steps: [UInt8]) -> String? {
    let new = TraceSteps(of: steps, interval: interval)
    if let index = zip(digests, new.digests).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      return message(index)
    }
    return digests.count == new.digests.count ? nil : "The number of events differs."
  }

  private func message(_ index: Int) -> String {
    interval == 1
      ? "Event \(index + 1) is the first to differ."
      : "One of events \(index * interval + 1) to \((index + 1) * interval) is the first to differ."
  }
}

extension Scene {
  /// The scene as text, a line for each thing that is drawn.
  var description: String {
    func text(_ frame: PixelRect) -> String {
      [frame.minX, frame.minY, frame.width, frame.height]
        .map { "\(($0 * 100).rounded() / 100)" }.joined(separator: " ")
    }
    let placed = placements.map { "photo \($0.photo) at \(text($0.frame)), opacity \($0.opacity)" }
    let rings = (marks + (ring.map { [$0] } ?? []))
      .map { "\($0.meaning) ring at \(text($0.tile)), opacity \($0.opacity)" }
    let texts = (labels + captions)
      .map { "'\($0.text)' at \(text($0.frame)), opacity \($0.opacity)" }
    let head = "scene of \(size.width)×\(size.height)\(isMoving ? ", moving" : ""):"
    return ([head] + placed + rings + texts).joined(separator: "\n  ")
  }
}
