/// A task for a single photo's file.
package enum FileTask: Equatable, Sendable {
  /// Move the file to the trash.
  case trash(Photo.ID)
  /// Restore the file from the trash to its original location.
  case restore(Photo.ID, TrashedFile)
  /// Rename the file within its folder.
  case rename(Photo.ID, to: [UInt8])
  /// Undo the last operation of an earlier session.
  case undoRecorded

  /// The photo that the task applies to; nil for photos of an earlier session.
  package var photo: Photo.ID? {
    switch self {
    case .trash(let photo), .restore(let photo, _), .rename(let photo, _): photo
    case .undoRecorded: nil
    }
  }
}

/// The location of a file in a trash folder.
package struct TrashedFile: Equatable, Sendable {
  /// The absolute path of the trash folder, without a trailing slash.
  package var trash: [UInt8]
  /// The file's name in the trash, which may differ from its original name.
  package var name: [UInt8]

  /// Creates the location of a file in a trash folder.
  package init(trash: [UInt8], name: [UInt8]) {
    self.trash = trash
    self.name = name
  }
}

/// The outcome of a task.
package enum FileOutcome: Equatable, Sendable {
  case trashed(TrashedFile)
  /// The file was restored or renamed.
  case done
  /// Nothing was changed; the message says why, and may contain file names.
  case refused(String)
  /// The file to restore is no longer in the trash.
  case lost
  /// It is unknown what happened to the file; the message says why.
  case unknown(String)
  /// An operation of an earlier session was undone as far as possible.
  case undone(RecordedUndo)
}

/// The outcome of undoing an operation of an earlier session.
package struct RecordedUndo: Equatable, Sendable {
  /// The number of files that were restored, or renamed back.
  package var count: Int
  /// The last component of the first such file's path.
  package var name: [UInt8]
  /// The folder of the first such file.
  package var folder: [UInt8]
  /// The number of files for which that failed.
  package var failureCount: Int
  /// A message that says why the first of those failed; may contain file names.
  package var reason: String

  /// Creates the outcome for the files of an operation; without any files there was nothing to
  /// undo.
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

/// A task and its outcome.
package struct FileResult: Equatable, Sendable {
  package var task: FileTask
  package var outcome: FileOutcome
  /// The last component of the file's path before the task, which may be any bytes.
  package var name: [UInt8]

  /// Creates the result of a task for a file of the given name.
  package init(_ task: FileTask, _ outcome: FileOutcome, name: [UInt8]) {
    self.task = task
    self.outcome = outcome
    self.name = name
  }
}
