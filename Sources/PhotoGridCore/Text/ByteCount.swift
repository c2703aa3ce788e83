package enum ByteCount {
  /// Formats a byte count as file managers do: "812 B", "2.4 MB".
  package static func text(_ count: Int) -> String {
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
