/// The order in which photos are shown.
package struct SortOrder: Hashable, Sendable {
  /// By what they are compared.
  package var key: Key
  /// Whether the last comes first; photos of which the key is not known stay at the end.
  package var isReversed: Bool

  /// By what photos are compared; those that are alike stay as they are listed.
  package enum Key: Hashable, Sendable {
    /// As the folders or the list have them.
    case listed
    /// Folder by folder, in each by name as people expect: "img2" before "img10".
    case name
    /// When they were taken, by their cameras' clocks.
    case taken
    /// When their files were last changed.
    case modified
    /// How long their files are.
    case size
    /// By chance, and for the same seed always the same.
    case random(seed: UInt64)
  }

  /// An order by a key.
  package init(by key: Key, isReversed: Bool = false) {
    self.key = key
    self.isReversed = isReversed
  }

  /// The name of the key, as options and key maps have it.
  package var keyName: String {
    switch key {
    case .listed: "listed"
    case .name: "name"
    case .taken: "date"
    case .modified: "mtime"
    case .size: "size"
    case .random: "random"
    }
  }

  /// As listed.
  package static let listed = SortOrder(by: .listed)

  /// Whether the photos' files have to be looked at.
  package var needsFacts: Bool {
    switch key {
    case .taken, .modified, .size: true
    case .listed, .name, .random: false
    }
  }

  /// The order in words, for the bar.
  package var label: String {
    let key =
      switch key {
      case .listed: "as listed"
      case .name: "name"
      case .taken: "date taken"
      case .modified: "modified"
      case .size: "size"
      case .random: "random"
      }
    return isReversed ? key + ", reversed" : key
  }
}

extension SortOrder {
  /// The number by which a file is compared; nil where it is not known.
  func rank(of facts: PackedFacts?) -> Int64? {
    guard let facts else { return nil }
    switch key {
    case .taken: return facts.taken?.digits
    case .modified: return facts.isReadable ? facts.modified : nil
    case .size: return facts.isReadable ? facts.byteCount : nil
    case .listed, .name, .random: return nil
    }
  }
}
