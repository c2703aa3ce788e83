import Geometry
import Photos

extension PhotoCollection {
  /// Returns what marks all photos of a group but the best, or removes these marks.
  func markGroup(_ section: Int) -> [ScreenOutcome] {
    let group = items[sections[section].range]
    guard group.count > 1, let best = album.best(of: group) else {
      return [.notice("Nothing to mark: the similar photos are hidden", seconds: 2)]
    }
    let others = group.filter { $0 != best }
    let isMarked = others.allSatisfy { album.isMarked($0) } && !album.isMarked(best)
    let change = ScreenOutcome.change { collection in
      collection.mark(Array(group), false)
      if !isMarked { collection.mark(others, true) }
    }
    guard !isMarked else { return [change] }
    let name = album.names.name(of: best).map { PrintableText.from($0) } ?? "the best"
    let words = "\(others.count) of \(group.count) marked, all except \(name)"
    return [change, .notice(words, seconds: 3)]
  }
}
