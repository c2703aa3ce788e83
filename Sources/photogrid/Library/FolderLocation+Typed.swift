extension FolderLocation {
  /// Returns the absolute path of a folder that the user typed, with a slash at its end if the text
  /// has one.
  ///
  /// Relative paths begin at the folder that is shown, or at the current folder if several are.
  ///
  /// - Parameters:
  ///   - text: The text; "~" is the home folder.
  ///   - home: The home folder, without a slash at its end.
  func path(typed text: String, home: String?) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let bytes = Array(text.utf8)
    if let home, text == "~" || text.hasPrefix("~/") {
      return Array(home.utf8) + bytes.dropFirst()
    }
    if bytes.first == slash { return bytes }
    let path = AbsolutePath.of((folder ?? []) + bytes)
    return path.isEmpty ? [UInt8(ascii: "."), slash] : path
  }
}
