import PhotoGridCore

/// Arguments as they appear in messages.
enum PrintableArgument {
  /// Returns an argument without control characters, and shortened.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    CellText(PrintableText.from(bytes)).truncatedMiddle(to: 200).string
  }
}
