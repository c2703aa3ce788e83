import PhotoGridCore

/// The control sequence that shows an image file in the terminal: iTerm2's "Images" protocol, OSC
/// 1337.
enum ITermImage {
  /// Appends the sequences that show a file in a rectangle of cells; the cursor is anywhere
  /// afterwards.
  static func append(_ file: [UInt8], in rect: CellRect, to bytes: inout [UInt8]) {
    bytes += "\u{1B}[\(rect.origin.row + 1);\(rect.origin.column + 1)H".utf8
    bytes += "\u{1B}]1337;File=inline=1;size=\(file.count);".utf8
    bytes += "width=\(rect.size.columns);height=\(rect.size.rows);".utf8
    bytes += "preserveAspectRatio=0;doNotMoveCursor=1:".utf8
    bytes.reserveCapacity(bytes.count + Base64.count(of: file.count) + 1)
    Base64.append(file[...], to: &bytes)
    bytes.append(0x07)
  }
}
