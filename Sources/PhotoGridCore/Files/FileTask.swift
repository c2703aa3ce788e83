/// Something to be done to a photo's file.
package enum FileTask: Equatable, Sendable {
  /// Into the trash.
  case trash(Photo.ID)
  /// Out of the trash, to where it was.
  case restore(Photo.ID, TrashedFile)
  /// Another name in the same folder.
  case rename(Photo.ID, to: [UInt8])
  /// Undoes the last operation of an earlier session.
  case undoRecorded

  /// The photo that it is about; nil for photos of an earlier session.
  package var photo: Photo.ID? {
    switch self {
    case .trash(let photo), .restore(let photo, _), .rename(let photo, _): photo
    case .undoRecorded: nil
    }
  }
}

/// Where in which trash a file lies.
package struct TrashedFile: Equatable, Sendable {
  /// The trash's folder, absolute, without a slash at its end.
  package var trash: [UInt8]
  /// The file's name in there, which need not be the one that it had.
  package var name: [UInt8]

  /// The file of a name in a trash.
  package init(trash: [UInt8], name: [UInt8]) {
    self.trash = trash
    self.name = name
  }
}

/// What came of a task.
package enum FileOutcome: Equatable, Sendable {
  case trashed(TrashedFile)
  /// It was restored or renamed.
  case done
  /// Nothing was done, and all is where it was; words that say why, perhaps with names in them.
  case refused(String)
  /// What was to be restored is not in the trash any more.
  case lost
  /// It is not known what became of the file; words that say why.
  case unknown(String)
  /// An operation of an earlier session was undone, as far as that was possible.
  case undone(RecordedUndo)
}

/// What came of undoing an operation of an earlier session.
package struct RecordedUndo: Equatable, Sendable {
  /// How many files are back where they were, or have their old name again.
  package var count: Int
  /// The last part of the first such file's path.
  package var name: [UInt8]
  /// The folder that the first such file is in.
  package var folder: [UInt8]
  /// How many files are not back.
  package var failureCount: Int
  /// Why the first of them is not; words, perhaps with names in them.
  package var reason: String

  /// The outcome for the files of an operation; without any there was nothing to undo.
  package init(
    count: Int = 0, name: [UInt8] = [], folder: [UInt8] = [], failureCount: Int = 0,
    reason: String = ""
  ) {
    self.count = count
    self.name = name
    self.folder = folder
    self.failureCount = failureCount
    self.reason = reason
  }
}

/// A task with what came of it.
package struct FileResult: Equatable, Sendable {
  package var task: FileTask
  package var outcome: FileOutcome
  /// The last part of the file's path before the task; any bytes.
  package var name: [UInt8]

  /// The outcome of a task for a file of a name.
  package init(_ task: FileTask, _ outcome: FileOutcome, name: [UInt8]) {
    self.task = task
    self.outcome = outcome
    self.name = name
  }
}
