import PhotoGridCore

/// An operation on files that belong together: all of them are changed, or none.
///
/// Sidecars of the files, and the films of live photos, follow them.
package enum FileChange: Equatable, Sendable {
  /// Moves the files at these paths into the trash of their disk.
  ///
  /// `home` is the absolute path of the trash in the user's home; empty if there is none.
  case trash([[UInt8]], home: [UInt8])
  /// Moves files from a trash to where they were.
  case restore([TrashedFile])
  /// Moves files to exactly these paths; files may exchange their names.
  ///
  /// An operation with `isUndo` undoes an earlier one, and cannot be undone itself.
  case rename([MovedFile], isUndo: Bool)
  /// Moves files into a folder, under other names if theirs are taken there.
  case move([[UInt8]], into: FileDestination)
  /// Copies files into a folder, under other names if theirs are taken there.
  case copy([[UInt8]], into: FileDestination)
  /// Removes copies that are still like their originals.
  case removeCopies([MovedFile])
  /// Changes the orientation in a photo's file, so that the photo is shown turned.
  ///
  /// An operation with `isUndo` undoes an earlier one, and cannot be undone itself.
  case turn([UInt8], by: Orientation, isUndo: Bool)
  /// Finds the last operation that can be undone in the journals of this session and of those that
  /// have ended, other than some.
  ///
  /// `here` is the absolute path of the folder on the screen; empty for a list.
  case findRecorded(here: [UInt8] = [], skipping: [RecordedOperation.ID] = [])
  /// Undoes that operation; nil stands for the last one.
  case undoRecorded(RecordedOperation.ID? = nil, here: [UInt8] = [])

  /// The folders between which files are moved, besides the trash of a file's disk; nil for any.
  package var folders: Set<[UInt8]>? {
    switch self {
    case .trash(let paths, _): Set(paths.map(Self.folder))
    case .restore(let files):
      Set(files.flatMap { [$0.trash, Self.folder(of: $0.originalPath)] })
    case .move(let paths, let destination), .copy(let paths, let destination):
      Set(paths.map(Self.folder) + [destination.folder])
    case .rename(let files, _), .removeCopies(let files):
      Set(files.flatMap { [Self.folder(of: $0.source), Self.folder(of: $0.target)] })
    case .turn(let path, _, _): [Self.folder(of: path)]
    case .findRecorded, .undoRecorded: nil
    }
  }

  /// The folder that the operation creates if it does not exist; nil if it creates none.
  package var createdFolder: [UInt8]? {
    switch self {
    case .move(_, let destination), .copy(_, let destination):
      destination.isCreated ? destination.folder : nil
    case .trash, .restore, .rename, .removeCopies, .turn, .findRecorded, .undoRecorded: nil
    }
  }

  private static func folder(of path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    guard let end = path.lastIndex(of: slash) else { return [UInt8(ascii: ".")] }
    return end == 0 ? [slash] : Array(path[..<end])
  }
}

extension FileChange: WireValue {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .trash(let paths, let home): payload.write(UInt8(1), paths, home)
    case .restore(let files): payload.write(UInt8(2), files)
    case .rename(let files, let isUndo): payload.write(UInt8(3), files, isUndo)
    case .undoRecorded(let id, let here): payload.write(UInt8(4), id, here)
    case .move(let paths, let destination): payload.write(UInt8(5), paths, destination)
    case .copy(let paths, let destination): payload.write(UInt8(6), paths, destination)
    case .removeCopies(let files): payload.write(UInt8(7), files)
    case .turn(let path, let orientation, let isUndo):
      payload.write(UInt8(8), path, UInt8(orientation.number), isUndo)
    case .findRecorded(let here, let skipped): payload.write(UInt8(9), here, skipped)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .trash(try reader.readPaths(), home: try reader.readFolder())
    case 2: self = .restore(try reader.read())
    case 3: self = .rename(try reader.read(), isUndo: try reader.read())
    case 4: self = .undoRecorded(try reader.read(), here: try reader.readFolder())
    case 5: self = .move(try reader.readPaths(), into: try reader.read())
    case 6: self = .copy(try reader.readPaths(), into: try reader.read())
    case 7: self = .removeCopies(try reader.read())
    case 8:
      let (path, number) = (try reader.readPath(), Int(try reader.read(UInt8.self)))
      guard (1...8).contains(number) else { throw .malformed }
      self = .turn(path, by: Orientation(number: number), isUndo: try reader.read())
    case 9: self = .findRecorded(here: try reader.readFolder(), skipping: try reader.read())
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension TrashedFile: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(trash, name, originalPath) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      trash: try reader.readPath(), name: try reader.readPath(),
      originalPath: try reader.readPath())
  }
}

extension MovedFile: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(source, target) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(from: try reader.readPath(), to: try reader.readPath())
  }
}

extension FileDestination: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(folder, isCreated) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(folder: try reader.readPath(), isCreated: try reader.read())
  }
}

extension RecordedOperation.ID: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(journal, number) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(journal: try reader.readPath(), number: try reader.read())
  }
}

extension RecordedOperation.Kind: WireValue {}

extension RecordedOperation: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(id, kind, count, name, folder, isHere, time, age)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      try reader.read(), try reader.read(), count: try reader.read(), name: try reader.read(),
      folder: try reader.read(), isHere: try reader.read(), time: try reader.read(),
      age: try reader.read())
  }
}

extension FileOutcome: WireValue {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .trashed(let files): payload.write(UInt8(1), files)
    case .done: payload.write(UInt8(2))
    case .refused(let message): payload.write(UInt8(3), message)
    case .lost: payload.write(UInt8(4))
    case .unknown(let message): payload.write(UInt8(5), message)
    case .undone(let undo): payload.write(UInt8(6), undo)
    case .moved(let files): payload.write(UInt8(7), files)
    case .found(let operation): payload.write(UInt8(8), operation)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .trashed(try reader.read())
    case 2: self = .done
    case 3: self = .refused(try reader.read())
    case 4: self = .lost
    case 5: self = .unknown(try reader.read())
    case 6: self = .undone(try reader.read())
    case 7: self = .moved(try reader.read())
    case 8: self = .found(try reader.read())
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension RecordedUndo: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(kind, isHere, count, name, folder, failureCount, reason)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      kind: try reader.read(), isHere: try reader.read(), count: try reader.read(),
      name: try reader.read(), folder: try reader.read(), failureCount: try reader.read(),
      reason: try reader.read())
  }
}
