import TestSupport
import Testing

@testable import Photos

/// Random filters, compared with a naive implementation.
@Suite struct FilterExpressionTests {
  private static let tests = [
    "cat", "at", "cano", "50m", "name:at", "*1*", "c?t*", "path:b/", "marked", "type:png",
    "type:jpeg,gif", "landscape",
    "square", "gps", "iso:>400", "iso:<=400", "f:<2.8", "mm:50", "width:>200", "date:2024",
    "size:>500", "camera:canon", "camera:\"nikon z\"", "lens:*", "exposure:>1/100", "\"or\"",
  ]

  private static func text(_ random: inout SeededGenerator, depth: Int) -> String {
    switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
    case 1: "not \(group(&random, depth - 1))"
    case 2, 3: "\(group(&random, depth - 1)) \(group(&random, depth - 1))"
    case 4: "\(text(&random, depth: depth - 1)) or \(text(&random, depth: depth - 1))"
    default: tests.randomElement(using: &random) ?? ""
    }
  }

  private static func group(_ random: inout SeededGenerator, _ depth: Int) -> String {
    let inner = text(&random, depth: depth)
    return inner.contains(" ") ? "(\(inner))" : inner
  }

  private struct Sample {
    var name: String
    var folder: String
    var info: PhotoInfo?
    var isMarked: Bool
  }

  private static func sample(_ random: inout SeededGenerator, _ number: Int) -> Sample {
    let name = ["cat", "bat", "or", "dog"].randomElement(using: &random) ?? ""
    let kind = [ImageFormat.jpeg, .png, .gif].randomElement(using: &random) ?? .jpeg
    var info = PhotoInfo.made(
      Double.random(in: 1...3, using: &random).rounded() * 100,
      Double.random(in: 1...3, using: &random).rounded() * 100, kind,
      bytes: Int.random(in: 0...1000, using: &random),
      taken: Bool.random(using: &random) ? "2024-05-01T00:00:00" : nil)
    if Int.random(in: 0..<4, using: &random) > 0 {
      func pick<Value>(_ values: [Value]) -> Value? {
        let place = Int.random(in: 0...values.count, using: &random)
        return place < values.count ? values[place] : nil
      }
      let texts = (pick(["Canon R5", "Nikon Z 6"]), pick(["50mm"]))
      let (iso, aperture) = (pick([100, 400, 800]), pick([1.8, 2.8]))
      let (focal, exposure) = (pick([50.0, 85]), pick([0.5, 0.004]))
      info.metadata = .made(
        texts.0, texts.1, iso, aperture, focal, exposure, isPlaced: Bool.random(using: &random))
    }
    return Sample(
      name: "\(name)\(number).\(kind)", folder: ["a/", "b/"].randomElement(using: &random) ?? "",
      info: Int.random(in: 0..<5, using: &random) > 0 ? info : nil,
      isMarked: Bool.random(using: &random))
  }

  /// Whether a photo passes a test; nil if its file has to be read first.
  ///
  /// - `isFinal`: Whether to wait for the cameras in which words are searched too.
  private static func holds(_ test: FilterTest, _ sample: Sample, _ isFinal: Bool) -> Bool? {
    let name = sample.name
    switch test {
    case .name(let word): return name.contains(String(decoding: word, as: UTF8.self))
    case .word(let word):
      let text = String(decoding: word, as: UTF8.self)
      if name.contains(text) { return true }
      guard let metadata = sample.info?.metadata else { return isFinal ? nil : false }
      return [metadata.camera, metadata.lens].contains { $0?.lowercased().contains(text) == true }
    case .glob(let glob):
      return glob == Array("*1*".utf8)
        ? name.contains("1") : name.hasPrefix("c") && name.dropFirst(2).hasPrefix("t")
    case .path: return sample.folder == "b/"
    case .marked: return sample.isMarked
    case .kind(let formats, _): return formats.contains { name.hasSuffix($0.rawValue) }
    case .words: return sample.info?.metadata == nil ? nil : false
    case .shape(let shape):
      guard let size = sample.info?.size else { return nil }
      return shape == .square ? size.width == size.height : size.width > size.height
    case .location: return sample.info?.metadata.map { $0.location != nil }
    case .text(.camera, let text):
      return sample.info?.metadata.map {
        $0.camera?.lowercased().contains(String(decoding: text.folded, as: UTF8.self)) ?? false
      }
    case .text: return sample.info?.metadata.map { $0.lens != nil }
    case .rejected, .label, .similar: return nil
    case .number(let quantity, let range):
      guard let info = sample.info else { return nil }
      switch (quantity, range.text) {
      case (.width, _): return info.size.width > 200
      case (.size, _): return info.stamp.byteCount > 500
      case (.date, _): return info.taken != nil
      case (.iso, ">400"): return info.metadata.map { ($0.sensitivity ?? 0) > 400 }
      case (.iso, _): return info.metadata.map { $0.sensitivity.map { $0 <= 400 } ?? false }
      case (.f, _): return info.metadata.map { $0.aperture == 1.8 }
      case (.mm, _): return info.metadata.map { $0.focalLength == 50 }
      default: return info.metadata.map { $0.exposureTime == 0.5 }
      }
    }
  }

  private static func holds(
    _ expression: FilterExpression, _ sample: Sample, isFinal: Bool = false
  ) -> Bool? {
    switch expression {
    case .test(let test): return holds(test, sample, isFinal)
    case .not(let inner): return holds(inner, sample, isFinal: isFinal).map { !$0 }
    case .all(let parts):
      let values = parts.map { holds($0, sample, isFinal: isFinal) }
      return values.contains(false) ? false : values.contains(nil) ? nil : true
    case .any(let parts):
      let values = parts.map { holds($0, sample, isFinal: isFinal) }
      return values.contains(true) ? true : values.contains(nil) ? nil : false
    }
  }

  @Test(arguments: 1...20)
  func `random expressions give the same results as a naive implementation`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let samples = (0..<60).map { Self.sample(&random, $0) }
    var album = Album()
    for batch in NameBatch.batches(
      of: samples.map { Array(($0.folder + $0.name).utf8) }, first: Photo.ID(0))
    {
      album.name(batch)
    }
    album.extend(by: samples.indices.map { Photo.ID($0) })
    for (number, sample) in samples.enumerated() {
      if let info = sample.info { album.learn(InfoBlock([info]), of: [Photo.ID(number)]) }
      if sample.isMarked { album.mark([Photo.ID(number)], true) }
    }
    for _ in 0..<50 {
      let text = Self.text(&random, depth: 4)
      var reader = FilterReader(text, today: nil)
      let expression = try reader.expression(depth: 0)
      let passing = samples.indices.filter { Self.holds(expression, samples[$0]) == true }
      let unknown = samples.indices.filter { Self.holds(expression, samples[$0]) == nil }
      let unread = samples.indices.filter {
        Self.holds(expression, samples[$0], isFinal: true) == nil
      }
      let verdict = album.photos(
        among: samples.indices.map { Photo.ID($0) },
        passing: Filter(text: text, expression: expression))
      #expect(verdict.passing.map(\.index) == passing, "seed \(seed): \(text)")
      #expect(verdict.unread.map(\.index) == unread, "seed \(seed): \(text)")
      #expect(verdict.isUndecided == !unknown.isEmpty, "seed \(seed): \(text)")
      // Its description parses to the same expression.
      var second = FilterReader(expression.description, today: nil)
      #expect(try second.expression(depth: 0) == expression, "seed \(seed): \(text)")
    }
  }
}
