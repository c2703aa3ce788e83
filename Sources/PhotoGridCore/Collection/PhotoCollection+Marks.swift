/// Marks, and the range that is selected to be marked.
extension PhotoCollection {
  /// Marks photos or removes their marks; the range ends.
  mutating func mark(_ photos: [Photo.ID], _ isMarked: Bool) {
    changeMarks { $0.mark(photos, isMarked) }
  }

  /// Marks the photos shown that are not marked, and removes the marks of the others.
  mutating func invertMarks() {
    let shown = items
    changeMarks { album in
      let marked = shown.filter { album.marks.contains($0) }
      album.mark(shown, true)
      album.mark(marked, false)
    }
  }

  /// Marks photos that are back; a range goes on.
  mutating func restoreMarks(of photos: [Photo.ID]) { change { $0.mark(photos, true) } }

  private mutating func changeMarks(_ change: (inout Album) -> Void) {
    rangeAnchor = nil
    self.change { album in
      change(&album)
      // Without marks there would be nothing to show.
      if album.marks.isEmpty, album.showsMarkedOnly { album.showMarkedOnly(false) }
    }
  }

  /// The indices of the range from its anchor to an index, in either direction; nil where none is
  /// selected.
  func range(to index: Int) -> ClosedRange<Int>? {
    guard let rangeAnchor, let anchor = self.index(of: rangeAnchor) else { return nil }
    return min(anchor, index)...max(anchor, index)
  }

  /// Whether the item at an index is marked, or is a photo in the range that is being selected.
  func isMarked(_ index: Int, in range: ClosedRange<Int>?) -> Bool {
    album.marks.contains(items[index])
      || index >= folderCount && range?.contains(index) == true
  }
}
