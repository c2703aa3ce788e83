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

  /// Writes the kind of the operation and its values.
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .trash(let paths, let home):
      payload.write(UInt8(1))
      payload.write(list: paths) { $0.write(string: $1) }
      payload.write(string: home)
    case .restore(let files):
      payload.write(UInt8(2))
      payload.write(list: files) { $1.write(to: &$0) }
    case .rename(let files, let isUndo):
      payload.write(UInt8(3))
      payload.write(list: files) { $1.write(to: &$0) }
      payload.write(isUndo)
    case .undoRecorded(let id, let here):
      payload.write(UInt8(4))
      payload.write(optional: id) { $0.write(to: &$1) }
      payload.write(string: here)
    case .move(let paths, let destination):
      payload.write(UInt8(5))
      payload.write(list: paths) { $0.write(string: $1) }
      destination.write(to: &payload)
    case .copy(let paths, let destination):
      payload.write(UInt8(6))
      payload.write(list: paths) { $0.write(string: $1) }
      destination.write(to: &payload)
    case .removeCopies(let files):
      payload.write(UInt8(7))
      payload.write(list: files) { $1.write(to: &$0) }
    case .turn(let path, let orientation, let isUndo):
      payload.write(UInt8(8))
      payload.write(string: path)
      payload.write(UInt8(orientation.number))
      payload.write(isUndo)
    case .findRecorded(let here, let skipped):
      payload.write(UInt8(9))
      payload.write(string: here)
      payload.write(list: skipped) { $1.write(to: &$0) }
    }
  }

  /// Reads the kind of an operation and its values.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1:
      let paths = try reader.readPaths()
      let home = try reader.readString()
      guard !home.contains(0) else { throw .malformed }
      self = .trash(paths, home: home)
    case 2: self = .restore(try reader.readList(TrashedFile.init))
    case 3: self = .rename(try reader.readList(MovedFile.init), isUndo: try reader.readBool())
    case 4:
      let id = try reader.readBool() ? try RecordedOperation.ID(&reader) : nil
      self = .undoRecorded(id, here: try reader.readFolder())
    case 5: self = .move(try reader.readPaths(), into: try FileDestination(&reader))
    case 6: self = .copy(try reader.readPaths(), into: try FileDestination(&reader))
    case 7: self = .removeCopies(try reader.readList(MovedFile.init))
    case 8:
      let path = try reader.readPath()
      let number = Int(try reader.read(UInt8.self))
      guard (1...8).contains(number) else { throw .malformed }
      self = .turn(path, by: Orientation(number: number), isUndo: try reader.readBool())
    case 9:
      self = .findRecorded(
        here: try reader.readFolder(), skipping: try reader.readList(RecordedOperation.ID.init))
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension TrashedFile {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(string: trash)
    payload.write(string: name)
    payload.write(string: originalPath)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      trash: try reader.readPath(), name: try reader.readPath(),
      originalPath: try reader.readPath())
  }
}

extension PayloadReader {
  /// Reads a path that may be empty.
  fileprivate mutating func readFolder() throws(ProtocolError) -> [UInt8] {
    let path = try readString()
    guard !path.contains(0) else { throw .malformed }
    return path
  }
}

extension RecordedOperation.ID {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(string: journal)
    payload.write(number)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(journal: try reader.readPath(), number: try reader.read())
  }
}

extension RecordedOperation {
  fileprivate func write(to payload: inout PayloadWriter) {
    id.write(to: &payload)
    payload.write(kind.rawValue)
    payload.write(UInt32(clamping: count))
    payload.write(string: name)
    payload.write(string: folder)
    payload.write(isHere)
    payload.write(time ?? .min)
    payload.write(age ?? .min)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let id = try RecordedOperation.ID(&reader)
    guard let kind = Kind(rawValue: try reader.read()) else { throw .malformed }
    let count = Int(try reader.read(UInt32.self))
    let (name, folder) = (try reader.readString(), try reader.readString())
    let isHere = try reader.readBool()
    let (time, age): (Int64, Int64) = (try reader.read(), try reader.read())
    self.init(
      id, kind, count: count, name: name, folder: folder, isHere: isHere,
      time: time == .min ? nil : time, age: age == .min ? nil : age)
  }
}

extension FileDestination {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(string: folder)
    payload.write(isCreated)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(folder: try reader.readPath(), isCreated: try reader.readBool())
  }
}

extension MovedFile {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(string: source)
    payload.write(string: target)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(from: try reader.readPath(), to: try reader.readPath())
  }
}

extension FileOutcome {
  /// Writes the kind of the outcome and its values.
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .trashed(let files):
      payload.write(UInt8(1))
      payload.write(list: files) { $1.write(to: &$0) }
    case .done: payload.write(UInt8(2))
    case .refused(let message):
      payload.write(UInt8(3))
      payload.write(string: message.utf8)
    case .lost: payload.write(UInt8(4))
    case .unknown(let message):
      payload.write(UInt8(5))
      payload.write(string: message.utf8)
    case .undone(let undo):
      payload.write(UInt8(6))
      undo.write(to: &payload)
    case .moved(let files):
      payload.write(UInt8(7))
      payload.write(list: files) { $1.write(to: &$0) }
    case .found(let operation):
      payload.write(UInt8(8))
      payload.write(optional: operation) { $0.write(to: &$1) }
    }
  }

  /// Reads the kind of an outcome and its values.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .trashed(try reader.readList(TrashedFile.init))
    case 2: self = .done
    case 3: self = .refused(String(decoding: try reader.readString(), as: UTF8.self))
    case 4: self = .lost
    case 5: self = .unknown(String(decoding: try reader.readString(), as: UTF8.self))
    case 6: self = .undone(try RecordedUndo(&reader))
    case 7: self = .moved(try reader.readList(MovedFile.init))
    case 8: self = .found(try reader.readBool() ? try RecordedOperation(&reader) : nil)
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension RecordedUndo {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(kind?.rawValue ?? 0)
    payload.write(isHere)
    payload.write(UInt32(clamping: count))
    payload.write(string: name)
    payload.write(string: folder)
    payload.write(UInt32(clamping: failureCount))
    payload.write(string: reason.utf8)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      kind: RecordedOperation.Kind(rawValue: try reader.read()), isHere: try reader.readBool(),
      count: Int(try reader.read(UInt32.self)), name: try reader.readString(),
      folder: try reader.readString(), failureCount: Int(try reader.read(UInt32.self)),
      reason: String(decoding: try reader.readString(), as: UTF8.self))
  }
}
