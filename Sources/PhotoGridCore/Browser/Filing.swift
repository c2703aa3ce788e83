/// What is being done to files, what waits for that, and what can be taken back.
struct Filing: Equatable, Sendable {
  /// One step is carried out at a time.
  var running: Running?
  /// What was asked for meanwhile, in its order.
  var waiting: [Wish] = []
  /// What can be undone, oldest first.
  var done: [Step] = []

  /// What a key asked for.
  enum Wish: Equatable, Sendable {
    case trash([Photo.ID])
    case rename(Photo.ID, to: [UInt8])
    case undo
  }

  /// A step that is being carried out.
  struct Running: Equatable, Sendable {
    var tasks: [FileTask]
    /// Those of the photos that were marked.
    var marked: PhotoSet
    /// What became of the tasks so far.
    var filed: [Filed] = []
    /// What is being undone.
    var undone: Step?
  }

  /// A step that was carried out.
  enum Step: Equatable, Sendable {
    case trash([Trashed])
    /// The photo had another name before.
    case rename(Photo.ID, from: [UInt8])
  }

  /// A photo in the trash.
  struct Trashed: Equatable, Sendable {
    var photo: Photo.ID
    var file: TrashedFile
    /// Whether it was marked when it was trashed.
    var isMarked: Bool
  }

  /// The photos that something is being done to, or soon will be.
  var busy: PhotoSet {
    var photos = PhotoSet(running?.tasks.map(\.photo) ?? [])
    for wish in waiting {
      switch wish {
      case .trash(let more): for photo in more { photos.insert(photo) }
      case .rename(let photo, _): photos.insert(photo)
      case .undo: break
      }
    }
    return photos
  }

  /// The photos that are in the trash and can be brought back.
  var trashed: [Photo.ID] {
    done.flatMap { step -> [Photo.ID] in
      if case .trash(let photos) = step { return photos.map(\.photo) }
      return []
    }
  }

  /// What is going on, for the bar; nil where nothing is.
  var words: String? {
    guard let running else { return nil }
    let total = running.tasks.count
    let count = total == 1 ? "" : " \(running.filed.count) of \(total)"
    return switch running.tasks.first {
    case .trash: "trashing\(count)…"
    case .restore: "bringing back\(count)…"
    case .rename: "renaming…"
    case nil: nil
    }
  }
}

extension Filing.Running {
  /// What can be undone of a step that is over; nil where nothing was done.
  var step: Filing.Step? {
    var trashed: [Filing.Trashed] = []
    for filed in filed {
      switch (filed.task, filed.outcome) {
      case (.trash(let photo), .trashed(let file)):
        trashed.append(
          Filing.Trashed(photo: photo, file: file, isMarked: marked.contains(photo)))
      case (.rename(let photo, _), .done): return .rename(photo, from: filed.name)
      default: break
      }
    }
    return trashed.isEmpty ? nil : .trash(trashed)
  }

  /// What is left of the step that was to be undone: what was refused can be tried again.
  var remainder: Filing.Step? {
    let refused = filed.filter { filed in
      if case .refused = filed.outcome { true } else { false }
    }
    guard let undone, !refused.isEmpty else { return nil }
    switch undone {
    case .rename: return undone
    case .trash(let trashed):
      let photos = PhotoSet(refused.map(\.task.photo))
      return .trash(trashed.filter { photos.contains($0.photo) })
    }
  }
}
