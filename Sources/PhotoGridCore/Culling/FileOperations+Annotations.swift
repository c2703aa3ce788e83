import Geometry
import Photos

/// Changes of ratings and words, which are written to the photos' files.
extension FileOperations {
  /// A photo whose rating or words were changed, and how to undo that.
  struct AnnotatedPhoto: Equatable, Sendable {
    var photo: Photo.ID
    var edit: AnnotationEdit
    /// The rating from before; nil until it is known.
    var before: Rating?
    /// The last component of the photo's path; nil until it is known.
    var name: [UInt8]?
  }

  /// The most photos in all changes of ratings that can be undone.
  private static let maxRatedPhotos = 100_000

  /// Records a change of ratings in the undo stack, which forgets the oldest ones beyond the
  /// maximums, but never the last one.
  mutating func record(_ rated: [AnnotatedPhoto], at now: Instant) {
    undoStack.append(newChange(.annotations(rated), at: now))
    var (changes, photos) = (0, 0)
    for rated in undoStack.lazy.compactMap(\.ratedPhotos) {
      changes += 1
      photos += rated.count
    }
    while changes > AnnotationTask.maxUndoableCount || photos > Self.maxRatedPhotos && changes > 1,
      let oldest = undoStack.firstIndex(where: { $0.ratedPhotos != nil })
    {
      photos -= undoStack.remove(at: oldest).ratedPhotos?.count ?? 0
      changes -= 1
    }
  }

  // MARK: - Changes

  /// Rates photos on the screen immediately, and requests to write the ratings to all their files.
  mutating func rate(
    _ photos: [Photo.ID], _ edit: AnnotationEdit, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    redoStack = []
    return record(gallery.album.files(of: photos).map { ($0, edit) }, in: &gallery, at: now)
  }

  /// Replaces the keywords that the photos of a prompt had in common by those typed in it.
  mutating func changeKeywords(_ prompt: Prompt, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    let unchanged = ScreenOutcome.notice("No keywords changed", seconds: 2)
    guard let edit = prompt.keywordEdit else { return [unchanged] }
    redoStack = []
    let edits = gallery.album.edits(of: prompt.origin.photos, edit)
    guard !edits.isEmpty else { return [unchanged] }
    let label = gallery.album.photoLabel(of: edits.map(\.photo))
    return record(edits, in: &gallery, at: now) + [.notice(label + edit.text, seconds: 2)]
  }

  /// Gives the photos of a prompt the title or the caption that is typed in it.
  mutating func changeText(_ prompt: Prompt, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    guard let edits = try? prompt.textEdits(in: gallery.album), let first = edits.first?.edit else {
      return [.notice("Nothing changed", seconds: 2)]
    }
    redoStack = []
    let label = gallery.album.photoLabel(of: edits.map(\.photo))
    return record(edits, in: &gallery, at: now) + [.notice(label + first.words, seconds: 2)]
  }

  /// Changes ratings, and records that this can be undone.
  private mutating func record(
    _ edits: [(photo: Photo.ID, edit: AnnotationEdit)], in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    let rated = edits.map {
      AnnotatedPhoto(photo: $0.photo, edit: $0.edit, before: gallery.album.rating(of: $0.photo))
    }
    record(rated, at: now)
    return write(edits.map { AnnotationTask($0.photo, $0.edit) }, in: &gallery)
  }

  /// Changes the ratings or words of photos again after the change was undone.
  mutating func redo(_ rated: [AnnotatedPhoto], in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    let written = record(rated.map { ($0.photo, $0.edit) }, in: &gallery, at: now)
    guard let first = rated.first else { return written }
    let what = gallery.album.photoLabel(of: rated.map(\.photo))
    return written + [
      .goToTile(of: first.photo), .notice("\(what)\(first.edit.words) again", seconds: 2),
    ]
  }

  /// Restores the ratings from before a change, as far as they are known.
  mutating func undo(_ rated: [AnnotatedPhoto], of change: Change, in gallery: inout Gallery)
    -> [ScreenOutcome]
  {
    let tasks = gallery.album.undoTasks(of: rated)
    guard let first = tasks.first else {
      return [.notice("Not undone: the previous rating is unknown", seconds: 2)]
    }
    redoStack.append(change)
    let what = first.edit.label(count: gallery.album.photoCount(of: tasks.map(\.photo)))
    return write(tasks, in: &gallery) + [
      .goToTile(of: first.photo), .notice("\(what) undone", seconds: 2),
    ]
  }

  private mutating func write(_ tasks: [AnnotationTask], in gallery: inout Gallery)
    -> [ScreenOutcome]
  {
    var updates: [RatingUpdate] = []
    for task in tasks {
      annotations.begin(task.photo)
      switch task.edit {
      case .keywords, .text: gallery.collection.apply(task.edit, to: task.photo)
      case .stars, .label:
        let before = gallery.album.rating(of: task.photo) ?? .none
        updates.append(RatingUpdate(task.photo, task.edit.applied(to: before)))
      }
    }
    gallery.collection.learn(updates)
    return [.effect(.annotate(tasks)), .refresh]
  }

  // MARK: - Results

  /// Receives ratings that were written, or says why they could not be.
  mutating func receive(_ results: [AnnotationResult], in gallery: inout Gallery) -> [ScreenOutcome]
  {
    for result in results { annotations.finish(result.task.photo) }
    complete(by: results)
    let failures = results.filter { $0.failure != nil }
    guard let first = failures.first, let reason = first.failure else {
      return sidecarNotice(of: results)
    }
    let photos = failures.map(\.task.photo)
    gallery.collection.expireMetadata(of: photos)
    let others = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
    let (what, noun) = (FileOperation.label(of: first.name), first.task.edit.noun)
    let words = "\(what) kept its old \(noun): \(reason)\(others)"
    return [.effect(.readRatings(photos)), .notice(words, seconds: 5)]
  }

  /// Says once for each reason why a rating is in a sidecar rather than in its photo.
  private mutating func sidecarNotice(of results: [AnnotationResult]) -> [ScreenOutcome] {
    for result in results {
      guard let reason = result.sidecarReason, saidReasons.insert(reason).inserted else { continue }
      let (what, noun) = (FileOperation.label(of: result.name), result.task.edit.noun)
      return [.notice("\(what) has its \(noun) in a sidecar: \(reason)", seconds: 5)]
    }
    return []
  }

  /// Completes the undo stack after ratings were written: adds the earlier ratings, and removes the
  /// changes that failed.
  private mutating func complete(by results: [AnnotationResult]) {
    let byPhoto = Dictionary(results.map { ($0.task.photo, $0) }) { first, _ in first }
    for index in undoStack.indices {
      guard case .annotations(var photos) = undoStack[index].content,
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
      undoStack[index].content = .annotations(photos)
    }
    undoStack.removeAll { $0.content == .annotations([]) }
  }
}

extension ScreenOutcome {
  /// Shows or selects the tile of a photo.
  fileprivate static func goToTile(of photo: Photo.ID) -> Self {
    .then { gallery, _, _ in
      let index = gallery.collection.index(of: gallery.album.tile(of: photo))
      return index.map { [.go(to: $0)] } ?? []
    }
  }
}

/// The ratings that are being written.
struct AnnotationWrites: Equatable, Sendable {
  /// The number of changes of each photo's rating that are not written yet.
  private var counts: [Photo.ID: Int] = [:]

  var isIdle: Bool { counts.isEmpty }

  func contains(_ photo: Photo.ID) -> Bool { counts[photo] != nil }

  mutating func begin(_ photo: Photo.ID) { counts[photo, default: 0] += 1 }

  mutating func finish(_ photo: Photo.ID) {
    guard let count = counts[photo] else { return }
    counts[photo] = count > 1 ? count - 1 : nil
  }
}

extension FileOperations.Change {
  /// The photos whose ratings were changed; nil if files were.
  fileprivate var ratedPhotos: [FileOperations.AnnotatedPhoto]? {
    if case .annotations(let photos) = content { photos } else { nil }
  }
}

extension Album {
  /// Returns the beginning of a message about a change of photos, such as "3 photos: "; empty for
  /// one photo.
  func photoLabel(of files: [Photo.ID]) -> String {
    let count = photoCount(of: files)
    return count == 1 ? "" : "\(count) photos: "
  }

  /// Returns the tasks that restore the ratings from before a change, as far as they are known.
  func undoTasks(of rated: [FileOperations.AnnotatedPhoto]) -> [AnnotationTask] {
    let byPhoto = Dictionary(rated.map { ($0.photo, $0) }) { $1 }
    // The files of a pair may share a sidecar, so their changes are undone in reverse order.
    return grouped(rated.map(\.photo)).flatMap { $0.reversed() }.compactMap { file in
      guard let rated = byPhoto[file], let before = rated.before else { return nil }
      return AnnotationTask(file, rated.edit.reversed(to: before), isUndo: true)
    }
  }

  /// Returns the change for each file of photos: if the keywords of the file are known, only what
  /// changes there, so that undoing the change removes no keyword that was there before.
  func edits(of photos: [Photo.ID], _ edit: KeywordEdit) -> [(
    photo: Photo.ID, edit: AnnotationEdit
  )] {
    files(of: photos).compactMap { file in
      let isKnown = facts(of: file)?.hasMetadata == true
      let limited = isKnown ? edit.limited(to: keywords(of: file)) : edit
      return limited.map { (file, .keywords($0)) }
    }
  }
}

extension AnnotationEdit {
  /// Returns the noun for a number of changed photos: "Rating", "2 ratings".
  func label(count: Int) -> String {
    if case .keywords = self {
      return count == 1 ? "Keyword changes" : "Keyword changes to \(count) photos"
    }
    return count == 1 ? noun.capitalizedFirst : "\(count) \(noun)s"
  }
}
