import Geometry
import Photos

extension FileTask: WireValue {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .trash(let photos): payload.write(UInt8(1), photos)
    case .restore(let photos, let files): payload.write(UInt8(2), photos, files)
    case .rename(let renamings): payload.write(UInt8(3), renamings)
    case .undoRecorded(let id): payload.write(UInt8(4), id)
    case .move(let photos, let destination): payload.write(UInt8(5), photos, destination)
    case .copy(let photos, let destination): payload.write(UInt8(6), photos, destination)
    case .removeCopies(let photos, let files): payload.write(UInt8(7), photos, files)
    case .turn(let photos, let orientation):
      payload.write(UInt8(8), photos, UInt8(orientation.number))
    case .findRecorded(let skipped): payload.write(UInt8(9), skipped)
    case .moveBack(let photos, let files): payload.write(UInt8(10), photos, files)
    case .turnBack(let photos, let files): payload.write(UInt8(11), photos, files)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .trash(try reader.read())
    case 2: self = .restore(try reader.read(), try reader.read())
    case 3: self = .rename(try reader.read())
    case 4: self = .undoRecorded(try reader.read())
    case 5: self = .move(try reader.read(), to: try reader.read())
    case 6: self = .copy(try reader.read(), to: try reader.read())
    case 7: self = .removeCopies(try reader.read(), try reader.read())
    case 8:
      let (photos, number): ([Photo.ID], UInt8) = (try reader.read(), try reader.read())
      guard (1...8).contains(number) else { throw .malformed }
      self = .turn(photos, by: Orientation(number: Int(number)))
    case 9: self = .findRecorded(skipping: try reader.read())
    case 10: self = .moveBack(try reader.read(), try reader.read())
    case 11: self = .turnBack(try reader.read(), try reader.read())
    case let kind: throw .unknownKind(kind)
    }
  }
}

extension Photo.ID: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(number) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(Int(try reader.read(Int32.self)))
  }
}

extension Renaming: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(photo, name) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(try reader.read(), to: try reader.readPath())
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

extension TurnedFile: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(path, isSidecar, record) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      path: try reader.readPath(), isSidecar: try reader.read(), record: try reader.read())
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
    case .turned(let files): payload.write(UInt8(9), files)
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
    case 9: self = .turned(try reader.read())
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
