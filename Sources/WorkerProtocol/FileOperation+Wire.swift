import Geometry
import Photos

extension FileOperation: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(kind, isUndo, photos, steps, destination, UInt8(turning.number), recorded)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let (kind, isUndo): (Kind, Bool) = (try reader.read(), try reader.read())
    self.init(
      kind, try reader.read(), try reader.read(), isUndo: isUndo, to: try reader.read())
    let number: UInt8 = try reader.read()
    guard (1...8).contains(number) else { throw .malformed }
    turning = Orientation(number: Int(number))
    recorded = try reader.read()
  }
}

extension FileOperation.Kind: WireValue {}

extension Photo.ID: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(number) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(Int(try reader.read(Int32.self)))
  }
}

extension FileStep: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(source, target, record) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      from: try reader.readPath(), to: try reader.readFolder(), record: try reader.read())
  }
}

extension FileDestination: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(folder, path, isCreated) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(
      folder: try reader.readPath(), path: try reader.readPath(), isCreated: try reader.read())
  }
}

extension RecordedOperation.ID: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(journal, number) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    self.init(journal: try reader.readPath(), number: try reader.read())
  }
}

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
    case .done(let steps): payload.write(UInt8(1), steps)
    case .refused(let message): payload.write(UInt8(2), message)
    case .lost: payload.write(UInt8(3))
    case .unknown(let message): payload.write(UInt8(4), message)
    case .found(let operation): payload.write(UInt8(5), operation)
    case .undone(let undo): payload.write(UInt8(6), undo)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 1: self = .done(try reader.read())
    case 2: self = .refused(try reader.read())
    case 3: self = .lost
    case 4: self = .unknown(try reader.read())
    case 5: self = .found(try reader.read())
    case 6: self = .undone(try reader.read())
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
