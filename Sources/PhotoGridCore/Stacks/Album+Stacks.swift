/// Stacks: photos that one camera took shortly after each other, shown as one tile.
extension Album {
  package var hasStacks: Bool { stackSeconds != nil }

  /// Folds photos into stacks if they were taken less than a number of seconds after each other;
  /// nil shows all photos.
  package mutating func stack(within seconds: Double?) {
    guard stackSeconds != seconds else { return }
    stackSeconds = seconds
    stacks.foldAll()
    refresh()
  }

  /// Finds the stacks from the facts that are known so far.
  mutating func findStacks() {
    guard let stackSeconds else {
      stacks.table = StackTable()
      return
    }
    stacks.table = StackTable(photos, within: stackSeconds) { photo in
      guard let facts = facts(of: photo), facts.camera != TextPool.none,
        let date = date(of: photo), date.precision == .second
      else { return nil }
      return StackTable.Shot(camera: facts.camera, time: date.time.seconds)
    }
  }

  /// Folds the stacks of the photos that pass the filter.
  mutating func foldStacks() {
    folded = hasStacks ? stacks.fold(filtered ?? ordered, isFiltered: filtered != nil) : nil
  }

  /// Fans the stack of a photo out, or folds it.
  mutating func fanOut(_ photo: Photo.ID, _ isOut: Bool) {
    changeStacks { $0.fanOut(photo, isOut) }
  }

  /// Fans out all stacks, which can be folded again.
  package mutating func fanOutAll() { changeStacks { $0.fanOutAll() } }

  mutating func chooseFace(_ photo: Photo.ID) { changeStacks { $0.choose(photo) } }

  private mutating func changeStacks(_ change: (inout FoldedStacks) -> Void) {
    change(&stacks)
    foldStacks()
    join()
  }

  /// Returns the number of a photo's stack, from 0, even if it is fanned out; nil for a photo in no
  /// stack.
  package func stack(of photo: Photo.ID) -> Int? { stacks.table[photo] }

  /// Returns the number of photos that a tile stands for; a pair counts once.
  package func stackCount(of tile: Photo.ID) -> Int { folded == nil ? 1 : stacks.count(of: tile) }

  /// Returns the photo whose tile stands for a file: the face of its folded stack, or else the
  /// picture of its pair.
  package func tile(of file: Photo.ID) -> Photo.ID {
    let picture = picture(of: file)
    return folded == nil ? picture : stacks.tile(of: picture)
  }

  /// Returns whether any of the photos that a tile stands for is marked.
  func isMarked(_ tile: Photo.ID) -> Bool {
    guard !marks.isEmpty else { return false }
    return stackCount(of: tile) > 1
      ? stacks.photos(of: tile).contains { marks.contains($0) } : marks.contains(tile)
  }

  /// Returns the files that tiles stand for: all photos of each folded stack, each followed by the
  /// other files of its pair.
  package func files(ofTiles tiles: some Sequence<Photo.ID>) -> [Photo.ID] {
    folded == nil ? files(of: tiles) : files(of: tiles.flatMap { stacks.photos(of: $0) })
  }
}

extension TakenTime {
  /// The seconds since 29 February of the year 0 in the proleptic Gregorian calendar; only
  /// differences are used.
  var seconds: Int64 {
    let (date, time) = digits.quotientAndRemainder(dividingBy: 1_000_000)
    // Years are counted from March, so that a leap day is the last day of its year.
    let month = (date / 100 % 100 + 9) % 12
    let year = date / 10_000 - month / 10
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + date % 100
    return days * 86_400 + time / 10_000 * 3600 + time / 100 % 100 * 60 + time % 100
  }
}
