import Geometry

/// A change of photos' files that belong together: either all of them are changed, or none.
///
/// One value is the request, the result, and the undo: the process that changes files takes a step for
/// each of them, the `outcome` holds the steps as they were taken, and `undoing` takes them back.
///
/// Sidecars and the films of live photos belong to their photos, but are not listed in a request: the
/// process that changes files looks for them.
package struct FileOperation: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    case trash = 1, rename, move, copy
    /// Photos are rotated or flipped, in their files or sidecars.
    case rotation
    /// The last operation of an earlier session is found; or it is undone.
    case recorded
  }

  package var kind: Kind
  /// Whether the steps, which were taken before, are taken back.
  package var isUndo: Bool
  package var photos: [Photo.ID]
  /// The files of the photos in their order; in an undo also the others that belong to them.
  ///
  /// They are known once the operation is requested, and only the new names of files before.
  package var steps: [FileStep]
  /// The folder that files are moved or copied into; nil for other operations.
  package var destination: FileDestination?
  package var turning: Orientation
  /// The recorded operation to undo, or the last one if this is empty; otherwise those not to find.
  package var recorded: [RecordedOperation.ID]
  /// Nil before the operation was performed.
  package var outcome: FileOutcome?
  /// The remark for the user, although the operation succeeded, which may contain file names; nil
  /// for none.
  package var remark: String?

  package init(
    _ kind: Kind, _ photos: [Photo.ID] = [], _ steps: [FileStep] = [], isUndo: Bool = false,
    to destination: FileDestination? = nil, by turning: Orientation = .upright,
    recorded: [RecordedOperation.ID] = []
  ) {
    self.kind = kind
    self.photos = photos
    self.steps = steps
    self.isUndo = isUndo
    self.destination = destination
    self.turning = turning
    self.recorded = recorded
  }

  package static func trash(_ photos: [Photo.ID]) -> Self { Self(.trash, photos) }

  package static func rename(_ renamings: [Renaming]) -> Self {
    Self(.rename, renamings.map(\.photo), renamings.map { FileStep(from: [], to: $0.name) })
  }

  package static func move(_ photos: [Photo.ID], to folder: FileDestination) -> Self {
    Self(.move, photos, to: folder)
  }

  package static func copy(_ photos: [Photo.ID], to folder: FileDestination) -> Self {
    Self(.copy, photos, to: folder)
  }

  package static func turn(_ photos: [Photo.ID], by turning: Orientation) -> Self {
    Self(.rotation, photos, by: turning)
  }

  /// Finds the last operation of an earlier session that can be undone, other than some.
  package static func findRecorded(skipping skipped: [RecordedOperation.ID]) -> Self {
    Self(.recorded, recorded: skipped)
  }

  /// Undoes an operation of an earlier session; nil stands for the last one.
  package static func undoRecorded(_ id: RecordedOperation.ID?) -> Self {
    Self(.recorded, isUndo: true, recorded: id.map { [$0] } ?? [])
  }

  /// Returns the operation with the paths of its photos, as they are when it is requested; an undo has
  /// them.
  ///
  /// - Parameter path: Returns the path of a photo.
  /// - Returns: The operation with a step for each photo.
  package func located(by path: (Photo.ID) -> [UInt8]) -> Self {
    guard !isUndo else { return self }
    var operation = self
    operation.steps = photos.enumerated().map { index, photo in
      FileStep(from: path(photo), to: kind == .rename ? steps[index].target : [])
    }
    return operation
  }

  /// The operation that undoes this one; nil if it failed or cannot be undone.
  package var undoing: Self? {
    guard !isUndo, case .done(let steps)? = outcome else { return nil }
    return Self(kind, photos, steps, isUndo: true)
  }

  /// The same operation as before it was requested.
  package var repeated: Self {
    var operation = self
    (operation.outcome, operation.remark) = (nil, nil)
    operation.destination?.path = []
    operation.steps = kind == .rename ? steps.map { FileStep(from: [], to: $0.target) } : []
    return operation
  }

  /// The last component of the first file's path before the operation, which may be any bytes; empty if
  /// it is not known.
  package var name: [UInt8] {
    let path = isUndo && kind != .trash ? steps.first?.target : steps.first?.source
    return path?.lastPathComponent ?? []
  }
}

/// A file that an operation changes.
package struct FileStep: Hashable, Sendable {
  /// The path before the operation; if a sidecar is changed, the photo's.
  package var source: [UInt8]
  /// The path after the operation, or that of the file which is changed in its place; in a request the
  /// new name of a file, or nothing.
  package var target: [UInt8]
  /// The entry of the journal for a file that is changed in its place, by which this is undone.
  package var record: [UInt8]

  package init(from source: [UInt8], to target: [UInt8] = [], record: [UInt8] = []) {
    self.source = source
    self.target = target
    self.record = record
  }

  /// Whether the file stays in its folder.
  package var isInOneFolder: Bool {
    source.dropLast(source.lastPathComponent.count)
      == target.dropLast(target.lastPathComponent.count)
  }

  /// The step in the opposite direction.
  package var reversed: FileStep { FileStep(from: target, to: source, record: record) }

  /// The folder of the trash that the file is moved into; nil for any other target.
  package var trash: [UInt8]? {
    let folder = target.dropLast(target.lastPathComponent.count)
    let files = Array("/files/".utf8)
    return folder.suffix(files.count) == files[...] ? Array(folder.dropLast(files.count)) : nil
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
  /// The absolute path; empty before the operation is requested.
  package var path: [UInt8] = []
  /// Whether the folder is created if it does not exist.
  package var isCreated: Bool

  package init(folder: [UInt8], path: [UInt8] = [], isCreated: Bool) {
    self.folder = folder
    self.path = path
    self.isCreated = isCreated
  }
}

/// The outcome of an operation.
package enum FileOutcome: Equatable, Sendable {
  /// The files were changed, by these steps: first those of the operation's photos in their order, then
  /// those of the others that belong to them.
  case done([FileStep])
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

  package var isSuccess: Bool {
    switch self {
    case .done, .found, .undone: true
    case .refused, .lost, .unknown: false
    }
  }
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

  package var id: ID
  package var kind: FileOperation.Kind
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
    _ id: ID, _ kind: FileOperation.Kind, count: Int = 1, name: [UInt8], folder: [UInt8],
    isHere: Bool = false,
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
  package var kind: FileOperation.Kind?
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
    kind: FileOperation.Kind? = nil, isHere: Bool = false, count: Int = 0, name: [UInt8] = [],
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
