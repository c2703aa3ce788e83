import Geometry

enum PrintableArgument {
  /// Returns an argument without control characters, shortened to 200 columns.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    CellText(PrintableText.from(bytes)).truncatedMiddle(to: 200).string
  }
}
