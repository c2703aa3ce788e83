/// Stacks in the grid: folding them, fanning them out, and choosing the face of a stack.
extension Browser {
  /// The files that commands apply to: the files of the open photo; in the grid, all files that the
  /// selected tile stands for.
  var currentFiles: [Photo.ID] {
    guard let current else { return [] }
    return isInDetail ? album.files(of: [current]) : album.files(ofTiles: [current])
  }

  /// The files that commands on several photos apply to: the files of the open photo; in the grid,
  /// the files of the range being selected, or else the marked files, or else the files of the
  /// selected tile.
  var chosenFiles: [Photo.ID] {
    guard !isInDetail else { return currentFiles }
    if let range { return album.files(ofTiles: items[range].filter { !album.isFolder($0) }) }
    return album.marks.isEmpty ? currentFiles : album.markedInOrder
  }

  /// Folds all stacks, or shows all photos.
  mutating func toggleStacks(at now: Instant) {
    let isOn = !album.hasStacks
    let seconds = options.stackSeconds
    changeCollection(at: now) { $0.stack(within: isOn ? seconds : nil) }
    let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    showNotice(
      isOn ? "Stacks on: photos less than \(number) s apart · Enter unfolds one" : "Stacks off",
      for: 2, at: now)
  }

  /// Fans out the stack at an index.
  ///
  /// - Returns: Whether there is a stack.
  mutating func fanOutStack(_ index: Int, at now: Instant) -> Bool {
    let photo = items[index]
    let count = album.stackCount(of: photo)
    guard count > 1 else { return false }
    gallery.grid.selected = .photo(photo)
    changeCollection(at: now) { $0.fanOut(photo, true) }
    showNotice("\(count) photos · zc folds the stack · zt makes this its cover", for: 2, at: now)
    return true
  }

  mutating func foldStack(at now: Instant) {
    guard let photo = stackedPhoto(at: now) else { return }
    changeCollection(at: now) { $0.fanOut(photo, false) }
  }

  /// Makes the selected photo the face of its stack.
  mutating func chooseFace(at now: Instant) {
    guard let photo = stackedPhoto(at: now) else { return }
    changeCollection(at: now) { $0.chooseFace(photo) }
    showNotice("Now the cover of its stack · zc folds it", for: 2, at: now)
  }

  /// The current photo if it is in a stack; shows a notice if it is not.
  private mutating func stackedPhoto(at now: Instant) -> Photo.ID? {
    if let current, album.hasStacks, album.stack(of: current) != nil { return current }
    showNotice(
      album.hasStacks ? "Not in a stack" : "Stacks are off. zs folds bursts.", for: 2, at: now)
    return nil
  }
}
