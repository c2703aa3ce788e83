/// The folders to which the user may want to go back: those that were shown last, and bookmarks.
///
/// They are paths as the user would type them, absolute or from "~/" on.
package struct Places: Equatable, Sendable {
  /// The folder that is shown; empty if there is none, or it cannot be typed.
  package private(set) var current = ""
  /// The folders that were shown, the latest last.
  package private(set) var visited: [String] = []
  /// The bookmarks, in the order in which they were set.
  package private(set) var bookmarks: [String] = []

  private static let maxVisited = 20
  private static let maxBookmarks = 50
  /// The longest path that is kept, in bytes.
  private static let maxLength = 1024

  package init() {}

  /// Shows another folder, which becomes the latest one.
  package mutating func visit(_ folder: String) {
    current = folder
    guard Self.isKept(folder) else { return }
    visited.removeAll { $0 == folder }
    visited = (visited + [folder]).suffix(Self.maxVisited)
  }

  /// Sets or removes the bookmark of a folder.
  package mutating func setBookmark(_ folder: String, _ isOn: Bool) {
    bookmarks.removeAll { $0 == folder }
    guard isOn, Self.isKept(folder) else { return }
    bookmarks = (bookmarks + [folder]).suffix(Self.maxBookmarks)
  }

  package var isBookmarked: Bool { bookmarks.contains(current) }

  /// The other folders: the bookmarks, then those that were shown, the latest first.
  package var others: [(folder: String, isBookmark: Bool)] {
    let latest = visited.reversed().filter { !bookmarks.contains($0) }
    return (bookmarks.map { ($0, true) } + latest.map { ($0, false) }).filter { $0.0 != current }
  }

  private static func isKept(_ folder: String) -> Bool {
    !folder.isEmpty && folder.utf8.count <= maxLength
      && FolderMatches.typeable(Array(folder.utf8)) != nil
  }
}

/// The lines of the file in which places are kept: a word, a tab, and a path.
extension Places {
  private static let (visitedWord, bookmarkWord) = ("visited", "bookmark")

  package var lines: [String] {
    bookmarks.map { "\(Self.bookmarkWord)\t\($0)" } + visited.map { "\(Self.visitedWord)\t\($0)" }
  }

  /// Replaces the places by those of a file, without lines that are none; the current folder stays.
  package mutating func replace(by lines: [String]) {
    let current = current
    self = Places()
    for line in lines {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, parts[1].first == "/" || parts[1].hasPrefix("~") else { continue }
      switch String(parts[0]) {
      case Self.visitedWord: visit(String(parts[1]))
      case Self.bookmarkWord: setBookmark(String(parts[1]), true)
      default: break
      }
    }
    self.current = current
  }
}
