import PhotoGridCore

/// An operation on a file.
package enum FileChange: Equatable, Sendable {
  /// Moves the file at `path` into the trash of its disk.
  ///
  /// `home` is the absolute path of the trash in the user's home; empty if there is none.
  case trash(path: [UInt8], home: [UInt8])
  /// Moves a file from a trash to a path.
  case restore(TrashedFile, path: [UInt8])
  /// Moves a file from one path to another.
  case rename(path: [UInt8], to: [UInt8])
  /// Undoes the last operation in the journals of this session and of those that have ended.
  case undoRecorded

  /// The folders that files are moved from and to, but for the trash that a file's disk has; nil for
  /// any.
  package var folders: Set<[UInt8]>? {
    switch self {
    case .trash(let path, _): [Self.folder(of: path)]
    case .restore(let file, let path): [file.trash, Self.folder(of: path)]
    case .rename(let old, let new): [Self.folder(of: old), Self.folder(of: new)]
    case .undoRecorded: nil
    }
  }

  private static func folder(of path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    guard let end = path.lastIndex(of: slash) else { return [UInt8(ascii: ".")] }
    return end == 0 ? [slash] : Array(path[..<end])
  }

  func write(to payload: inout PayloadWriter) {
    switch self {
    case .trash(let path, let home):
      payload.write(UInt8(1))
      payload.write(string: path)
      payload.write(string: home)
    case .restore(let file, let path):
      payload.write(UInt8(2))
      file.write(to: &payload)
      payload.write(string: path)
    case .rename(let old, let new):
      payload.write(UInt8(3))
      payload.write(string: old)
      payload.write(string: new)
    case .undoRecorded: payload.write(UInt8(4))
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1:
      let path = try reader.readPath()
      let home = try reader.readString()
      guard !home.contains(0) else { throw .malformed }
      self = .trash(path: path, home: home)
    case 2: self = .restore(try TrashedFile(&reader), path: try reader.readPath())
    case 3: self = .rename(path: try reader.readPath(), to: try reader.readPath())
    case 4: self = .undoRecorded
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension TrashedFile {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(string: trash)
    payload.write(string: name)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(trash: try reader.readPath(), name: try reader.readPath())
  }
}

extension FileOutcome {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .trashed(let file):
      payload.write(UInt8(1))
      file.write(to: &payload)
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
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .trashed(try TrashedFile(&reader))
    case 2: self = .done
    case 3: self = .refused(String(decoding: try reader.readString(), as: UTF8.self))
    case 4: self = .lost
    case 5: self = .unknown(String(decoding: try reader.readString(), as: UTF8.self))
    case 6: self = .undone(try RecordedUndo(&reader))
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension RecordedUndo {
  fileprivate func write(to payload: inout PayloadWriter) {
    payload.write(UInt32(clamping: count))
    payload.write(string: name)
    payload.write(string: folder)
    payload.write(UInt32(clamping: failureCount))
    payload.write(string: reason.utf8)
  }

  fileprivate init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      count: Int(try reader.read(UInt32.self)), name: try reader.readString(),
      folder: try reader.readString(), failureCount: Int(try reader.read(UInt32.self)),
      reason: String(decoding: try reader.readString(), as: UTF8.self))
  }
}
