/// The greeting that every worker sends first; its layout is the same in all versions.
package struct Hello: SingleKindMessage, Equatable {
  /// The number of the wire format that the worker speaks.
  package var wireFormat: UInt16
  /// The version of the program that the worker was built with.
  package var programVersion: String

  /// The greeting of a worker built from these sources.
  package static let current = Hello(
    wireFormat: ProgramVersion.wireFormat, programVersion: ProgramVersion.current)

  package init(wireFormat: UInt16, programVersion: String) {
    self.wireFormat = wireFormat
    self.programVersion = programVersion
  }

  package static let kind: UInt8 = 0x10
  package static let maxPayloadLength = 256

  package static let hasToken = false

  package var parts: MessageParts {
    MessageParts(Self.kind, Magic(), wireFormat, programVersion)
  }

  package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
    _ = try reader.read(Magic.self)
    wireFormat = try reader.read()
    programVersion = try reader.readText(limit: 64)
  }

  /// Bytes that no other program greets with.
  private struct Magic: WireValue {
    private static let bytes = Array("photogrid-worker".utf8)

    init() {}

    init(_ reader: inout PayloadReader) throws(ProtocolError) {
      guard try reader.read(count: Self.bytes.count) == Self.bytes[...] else { throw .malformed }
    }

    func write(to payload: inout PayloadWriter) {
      Self.bytes.withUnsafeBytes { payload.write(raw: $0) }
    }
  }
}

/// The versions of the program and of its wire format.
package enum ProgramVersion {
  /// The version that `--version` prints; both executables of a build have the same.
  package static let current = "0.1.0"

  /// The number of the wire format; every change to the bytes of a message increments it.
  package static let wireFormat: UInt16 = 13
}
