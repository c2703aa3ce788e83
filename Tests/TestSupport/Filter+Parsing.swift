import Photos

extension Filter {
  /// Parses a filter without relative dates.
  package init(parsing text: String) throws(FilterError) {
    try self.init(parsing: text, today: nil)
  }
}
