extension Configuration {
  /// Where photos come from.
  struct Input {
    /// Folders and photos as they were given.
    var paths: [[UInt8]] = []
    /// Whether names come from standard input.
    var readsStandardInput = false
    /// A file with names.
    var list: [UInt8]?
    /// The byte after each name in a list, and after each name that is printed.
    var separator = UInt8(ascii: "\n")
    /// Whether subfolders are listed too.
    var isRecursive = false
    /// The deepest subfolders that are listed; nil is no limit.
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
