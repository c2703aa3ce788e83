import PhotoGridCore

/// Arguments as messages repeat them.
enum PrintableArgument {
  /// The text of an argument, without anything that acts on a terminal, and not too long.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    CellText(PrintableText.from(bytes)).cutInTheMiddle(to: 200).string
  }
}
