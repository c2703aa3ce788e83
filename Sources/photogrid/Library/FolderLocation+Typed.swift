extension FolderLocation {
  /// Converts a folder that the user typed to an absolute path, which ends with a slash if the text
  /// does.
  ///
  /// A relative path begins at the folder that is shown, or at the process's current folder if
  /// several roots are shown.
  ///
  /// - Parameters:
  ///   - text: The text; "~" at its beginning stands for the home folder.
  ///   - home: The home folder, without a slash at its end.
  /// - Returns: The path.
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
