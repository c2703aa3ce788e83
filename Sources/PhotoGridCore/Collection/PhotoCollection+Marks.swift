/// Marks, and the range selection.
extension PhotoCollection {
  /// Marks photos or removes their marks, and ends the range selection.
  mutating func mark(_ photos: [Photo.ID], _ isMarked: Bool) {
    changeMarks { $0.mark(photos, isMarked) }
  }

  /// Inverts the marks of the photos that are shown, and ends the range selection.
  mutating func invertMarks() {
    let shown = album.files(ofTiles: items)
    changeMarks { album in
      let marked = shown.filter { album.marks.contains($0) }
      album.mark(shown, true)
      album.mark(marked, false)
    }
  }

  /// Marks restored photos again; the range selection continues.
  mutating func restoreMarks(of photos: [Photo.ID]) { change { $0.mark(photos, true) } }

  private mutating func changeMarks(_ change: (inout Album) -> Void) {
    rangeAnchor = nil
    self.change { album in
      change(&album)
      // Without marks, no photo would be shown.
      if album.marks.isEmpty, album.showsMarkedOnly { album.showMarkedOnly(false) }
    }
  }

  /// Returns the indices from the anchor of the range to an index, in either direction; nil if no
  /// range is being selected.
  func range(to index: Int) -> ClosedRange<Int>? {
    guard let rangeAnchor, let anchor = self.index(of: rangeAnchor) else { return nil }
    return min(anchor, index)...max(anchor, index)
  }

  /// Whether the item at an index is marked, or is a photo in the given range.
  func isMarked(_ index: Int, in range: ClosedRange<Int>?) -> Bool {
    album.isMarked(items[index])
      || index >= folderCount && range?.contains(index) == true
  }
}
