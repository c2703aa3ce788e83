import Geometry

/// A change of photos' files that belong together: either all of them are changed, or none.
///
/// Sidecars and the films of live photos belong to their photos, but are not listed in a task: the
/// process that changes files looks for them. It gets a task together with the paths that the photos
/// have when the task is requested.
package enum FileTask: Equatable, Sendable {
  case trash([Photo.ID])
  /// Restore the files, and the files that were trashed with them, to their original locations.
  case restore([Photo.ID], [TrashedFile])
  case rename([Renaming])
  case move([Photo.ID], to: FileDestination)
  case copy([Photo.ID], to: FileDestination)
  /// Move the files back to where they were before they were moved or renamed.
  case moveBack([Photo.ID], [MovedFile])
  case removeCopies([Photo.ID], [MovedFile])
  /// Rotate or flip photos that belong together, in their files or sidecars.
  case turn([Photo.ID], by: Orientation)
  /// Undo the changes of files that were made to rotate the photos.
  case turnBack([Photo.ID], [TurnedFile])
  /// Find the last operation of an earlier session that can be undone, other than some.
  case findRecorded(skipping: [RecordedOperation.ID])
  /// Undo an operation of an earlier session; nil stands for the last one.
  case undoRecorded(RecordedOperation.ID?)

  package var photos: [Photo.ID] {
    switch self {
    case .trash(let photos), .restore(let photos, _), .moveBack(let photos, _),
      .move(let photos, _), .copy(let photos, _), .removeCopies(let photos, _),
      .turn(let photos, _), .turnBack(let photos, _):
      photos
    case .rename(let renamings): renamings.map(\.photo)
    case .findRecorded, .undoRecorded: []
    }
  }

  /// The folder that files are moved or copied into; nil for other tasks.
  package var destination: FileDestination? {
    switch self {
    case .move(_, let destination), .copy(_, let destination): destination
    case .trash, .restore, .rename, .moveBack, .removeCopies, .turn, .turnBack, .findRecorded,
      .undoRecorded:
      nil
    }
  }
}

/// A photo's file and its new name.
package struct Renaming: Equatable, Sendable {
  package var photo: Photo.ID
  package var name: [UInt8]

  package init(_ photo: Photo.ID, to name: [UInt8]) {
    self.photo = photo
    self.name = name
  }
}

/// A folder that files are moved or copied into.
package struct FileDestination: Equatable, Sendable {
  /// As the user typed it.
  package var folder: [UInt8]
  /// Whether the folder is created if it does not exist.
  package var isCreated: Bool

  package init(folder: [UInt8], isCreated: Bool) {
    self.folder = folder
    self.isCreated = isCreated
  }
}

/// The paths of a file before and after it was moved.
package struct MovedFile: Equatable, Sendable {
  package var source: [UInt8]
  package var target: [UInt8]

  package init(from source: [UInt8], to target: [UInt8]) {
    self.source = source
    self.target = target
  }

  /// Whether the file stayed in its folder.
  package var isInOneFolder: Bool {
    source.dropLast(source.lastPathComponent.count)
      == target.dropLast(target.lastPathComponent.count)
  }

  /// The move in the opposite direction.
  package var reversed: MovedFile { MovedFile(from: target, to: source) }
}

/// The location of a file in a trash folder.
package struct TrashedFile: Equatable, Sendable {
  package var trash: [UInt8]
  package var name: [UInt8]
  /// The file's path before it was trashed.
  package var originalPath: [UInt8]

  package init(trash: [UInt8], name: [UInt8], originalPath: [UInt8]) {
    self.trash = trash
    self.name = name
    self.originalPath = originalPath
  }
}

/// A file in which the orientation of a photo was changed: the photo's own, or its sidecar.
package struct TurnedFile: Equatable, Sendable {
  /// The absolute path; of a symbolic link, that of the file it leads to.
  package var path: [UInt8]
  package var isSidecar: Bool
  /// The change as the journal records it, by which it is undone.
  package var record: [UInt8]

  package init(path: [UInt8], isSidecar: Bool, record: [UInt8]) {
    self.path = path
    self.isSidecar = isSidecar
    self.record = record
  }
}

/// The outcome of a task.
package enum FileOutcome: Equatable, Sendable {
  /// The files are in the trash: first the files of the task's photos in their order, then the
  /// others that belong to them.
  case trashed([TrashedFile])
  /// The files were restored or turned back, or the copies removed.
  case done
  /// The photos were rotated or flipped; these files were changed.
  case turned([TurnedFile])
  /// The files were moved or copied: first the files of the task's photos in their order, then the
  /// others that belong to them.
  case moved([MovedFile])
  /// Nothing was changed; the message says why, and may contain file names.
  case refused(String)
  /// A file to restore is no longer in the trash.
  case lost
  /// It is unknown what happened to the file; the message says why.
  case unknown(String)
  /// The last operation of an earlier session that can be undone; nil if there is none.
  case found(RecordedOperation?)
  /// An operation of an earlier session was undone as far as possible.
  case undone(RecordedUndo)
}

/// An operation of an earlier session that can be undone.
package struct RecordedOperation: Equatable, Sendable {
  package struct ID: Hashable, Sendable {
    package var journal: [UInt8]
    /// The number of the operation in its session.
    package var number: UInt32

    package init(journal: [UInt8], number: UInt32) {
      self.journal = journal
      self.number = number
    }
  }

  /// What was done to the files.
  package enum Kind: UInt8, Sendable { case trash = 1, rename, move, copy, rotation }

  package var id: ID
  package var kind: Kind
  package var count: Int
  /// The last component of the first photo's path before the operation.
  package var name: [UInt8]
  /// The folder that the first photo was in before the operation, which ends with a slash.
  package var folder: [UInt8]
  /// Whether that folder is shown, or below the one that is.
  package var isHere: Bool
  /// When the operation began, in seconds since 1970; nil if the journal does not say.
  package var time: Int64?
  /// The seconds since then.
  package var age: Int64?

  package init(
    _ id: ID, _ kind: Kind, count: Int = 1, name: [UInt8], folder: [UInt8], isHere: Bool = false,
    time: Int64? = nil, age: Int64? = nil
  ) {
    self.id = id
    self.kind = kind
    self.count = count
    self.name = name
    self.folder = folder
    self.isHere = isHere
    self.time = time
    self.age = age
  }
}

/// The outcome of undoing an operation of an earlier session.
package struct RecordedUndo: Equatable, Sendable {
  package var kind: RecordedOperation.Kind?
  /// Whether the first file's folder is shown, or below the one that is.
  package var isHere: Bool
  /// The number of files that were restored, or renamed back.
  package var count: Int
  /// The last component of the first such file's path.
  package var name: [UInt8]
  package var folder: [UInt8]
  /// The number of files that were not restored, or not renamed back.
  package var failureCount: Int
  /// The reason for the first failure, which may contain file names.
  package var reason: String

  /// Creates the outcome for the files of an operation; without files, there was nothing to undo.
  package init(
    kind: RecordedOperation.Kind? = nil, isHere: Bool = false, count: Int = 0, name: [UInt8] = [],
    folder: [UInt8] = [], failureCount: Int = 0, reason: String = ""
  ) {
    self.kind = kind
    self.isHere = isHere
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
  /// The last component of the first file's path before the task, which may be any bytes.
  package var name: [UInt8]
  /// What the user must know although the task succeeded, which may contain file names; nil if there
  /// is nothing.
  package var remark: String?

  package init(_ task: FileTask, _ outcome: FileOutcome, name: [UInt8], remark: String? = nil) {
    self.task = task
    self.outcome = outcome
    self.name = name
    self.remark = remark
  }
}
