extension Configuration {
  /// The options that say where the photos are.
  struct Input {
    /// The paths of folders and photos as given.
    var paths: [[UInt8]] = []
    /// Whether paths come from standard input.
    var readsStandardInput = false
    /// The path of a file with paths.
    var list: [UInt8]?
    /// The byte after each path in a list, and after each path that is printed.
    var separator = UInt8(ascii: "\n")
    /// Whether subfolders are listed too.
    var isRecursive = false
    /// The deepest level of subfolders that is listed; nil for no limit.
    var maxDepth: Int?
    /// Whether hidden files and folders are listed.
    var showsHidden = false

    /// Applies an option of this group.
    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .recursive: isRecursive = true
      case .maxDepth: maxDepth = try option.number(1...1000)
      case .hidden: showsHidden = true
      case .stdin: readsStandardInput = true
      case .null: separator = 0
      case .filesFrom: list = option.bytes
      default: break  // options of other groups
      }
    }
  }
}
