extension FileOperations {
  /// A photo that was rated, and how to undo that.
  struct RatedPhoto: Equatable, Sendable {
    var photo: Photo.ID
    var edit: RatingEdit
    /// The rating from before; nil until it is known.
    var before: Rating?
    /// The last component of the photo's path; nil until it is known.
    var name: [UInt8]?
  }

  /// The most photos in all changes of ratings that can be undone.
  private static let maxRatedPhotos = 100_000

  /// Adds a change of ratings to the undo stack, which forgets the oldest ones beyond the maximums, but
  /// never the last one.
  mutating func add(_ rated: [RatedPhoto], at now: Instant) {
    undoStack.append(newChange(.ratings(rated), at: now))
    var (changes, photos) = (0, 0)
    for rated in undoStack.lazy.compactMap(\.ratedPhotos) {
      changes += 1
      photos += rated.count
    }
    while changes > RatingTask.maxUndoableCount || photos > Self.maxRatedPhotos && changes > 1,
      let oldest = undoStack.firstIndex(where: { $0.ratedPhotos != nil })
    {
      photos -= undoStack.remove(at: oldest).ratedPhotos?.count ?? 0
      changes -= 1
    }
  }

  /// Completes the undo stack after ratings were written: adds the earlier ratings, and removes the
  /// changes that failed.
  mutating func complete(by results: [RatingResult]) {
    let byPhoto = Dictionary(results.map { ($0.task.photo, $0) }) { first, _ in first }
    for index in undoStack.indices {
      guard case .ratings(var photos) = undoStack[index].content,
        photos.contains(where: { $0.name == nil })
      else { continue }
      photos = photos.compactMap { rated in
        guard rated.name == nil, let result = byPhoto[rated.photo],
          result.task.edit == rated.edit
        else { return rated }
        guard result.failure == nil else { return nil }
        var rated = rated
        rated.before = rated.before ?? result.before
        rated.name = result.name
        return rated
      }
      undoStack[index].content = .ratings(photos)
    }
    undoStack.removeAll { $0.content == .ratings([]) }
  }
}

/// The ratings that are being written.
struct RatingWrites: Equatable, Sendable {
  /// The number of changes of each photo's rating that are not written yet.
  private var counts: [Photo.ID: Int] = [:]

  var isIdle: Bool { counts.isEmpty }

  func contains(_ photo: Photo.ID) -> Bool { counts[photo] != nil }

  mutating func add(_ photo: Photo.ID) { counts[photo, default: 0] += 1 }

  mutating func finish(_ photo: Photo.ID) {
    guard let count = counts[photo] else { return }
    counts[photo] = count > 1 ? count - 1 : nil
  }
}

extension FileOperations.Change {
  /// The photos whose ratings were changed; nil if files were.
  fileprivate var ratedPhotos: [FileOperations.RatedPhoto]? {
    if case .ratings(let photos) = content { photos } else { nil }
  }
}

extension Album {
  /// Returns what comes before the words about a change of photos, if these are several.
  func photoLabel(of files: [Photo.ID]) -> String {
    let count = photoCount(of: files)
    return count == 1 ? "" : "\(count) photos: "
  }

  /// Returns the tasks that restore the ratings from before a change, as far as they are known.
  func undoTasks(of rated: [FileOperations.RatedPhoto]) -> [RatingTask] {
    let byPhoto = Dictionary(rated.map { ($0.photo, $0) }) { $1 }
    // The files of a pair may share a sidecar, so their changes are undone in reverse order.
    return grouped(rated.map(\.photo)).flatMap { $0.reversed() }.compactMap { file in
      guard let rated = byPhoto[file], let before = rated.before else { return nil }
      return RatingTask(file, rated.edit.reversed(to: before), isUndo: true)
    }
  }

  /// Returns the changes of all files of photos; what a photo has already is not removed when this
  /// is undone.
  func edits(of photos: [Photo.ID], _ edit: KeywordEdit) -> [(photo: Photo.ID, edit: RatingEdit)] {
    files(of: photos).compactMap { file in
      let isKnown = facts(of: file)?.hasMetadata == true
      let limited = isKnown ? edit.limited(to: words(of: file)?.keywords ?? []) : edit
      return limited.map { (file, .keywords($0)) }
    }
  }
}

extension RatingEdit {
  /// Returns the noun for changes of so many photos: "Rating", "2 ratings".
  func label(count: Int) -> String {
    if case .keywords = self {
      return count == 1 ? "Keyword changes" : "Keyword changes to \(count) photos"
    }
    return count == 1 ? "Rating" : "\(count) ratings"
  }
}
