/// The text of the bar: one row, printable, cut to its width by whoever draws it.
package struct Bar: Equatable, Sendable {
  /// What it is about: the photo's name, or a notice.
  package var left: String
  /// Its place and facts.
  package var right: String

  /// A bar of two parts.
  package init(left: String, right: String) {
    self.left = left
    self.right = right
  }

  /// What the bar tells besides the browser's own state.
  package struct Facts: Equatable, Sendable {
    /// The folder or list being browsed, printable.
    package var source: String
    /// The current photo's name, printable.
    package var name: String
    package var info: PhotoInfo?
    /// What is wrong with the current photo, if it cannot be shown.
    package var failure: String?
    /// Pictures that are asked for and not there yet.
    package var loading: Int
    /// What is wrong with the folder, printable.
    package var trouble: String?

    /// Facts from the library.
    package init(
      source: String, name: String, info: PhotoInfo?, failure: String?, loading: Int,
      trouble: String? = nil
    ) {
      self.source = source
      self.name = name
      self.info = info
      self.failure = failure
      self.loading = loading
      self.trouble = trouble
    }
  }
}

extension Browser {
  /// The bar at a moment.
  package func bar(_ facts: Bar.Facts, at now: Instant) -> Bar {
    Bar(left: barLeft(facts, at: now), right: barRight(facts))
  }

  private func barLeft(_ facts: Bar.Facts, at now: Instant) -> String {
    if let notice, notice.end > now { return notice.text }
    guard !photos.isEmpty else { return facts.source }
    return facts.name
  }

  private func barRight(_ facts: Bar.Facts) -> String {
    var parts: [String] = []
    // What matters most comes first: a narrow terminal cuts the end off.
    if let count = keys.count { parts.append("\(count)") }
    if let index = currentIndex {
      parts.append("\(index + 1)/\(photos.count)\(summary == nil ? "…" : "")")
    } else {
      parts.append(summary == nil ? "listing…" : "no photos")
    }
    if let percentage { parts.append("\(percentage) %") }
    if let trouble = facts.trouble { parts.append(trouble) }
    if facts.loading > 0 { parts.append("loading \(facts.loading)") }
    if let failure = facts.failure {
      parts.append(failure)
    } else if let info = facts.info {
      parts.append("\(Int(info.size.width))×\(Int(info.size.height))")
      if info.frameCount > 1 { parts.append(playbackWords(frameCount: info.frameCount)) }
      parts.append(Self.bytes(info.byteCount))
      if let date = info.taken?.prefix(10) { parts.append(String(date)) }
      if info.isIncomplete { parts.append("incomplete") }
    }
    if let summary {
      if summary.wentDeeper { parts.append("with subfolders") }
      if summary.skipped > 0, outing == nil { parts.append("\(summary.skipped) skipped") }
      if summary.unreadable > 0 { parts.append("\(summary.unreadable) unreadable") }
      if summary.unwatched > 0 { parts.append("\(summary.unwatched) folders not watched") }
    }
    return parts.joined(separator: " · ")
  }

  /// A number of bytes in the words of a file manager: "812 B", "2.4 MB".
  package static func bytes(_ count: Int) -> String {
    var value = Double(max(count, 0))
    guard value >= 1000 else { return "\(count) B" }
    var unit = "kB"
    value /= 1000
    for larger in ["MB", "GB", "TB"] where value >= 999.95 {
      value /= 1000
      unit = larger
    }
    let tenths = Int((value * 10).rounded())
    return value < 99.95
      ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
  }
}
