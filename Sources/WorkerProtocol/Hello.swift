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

  private static let magic = Array("photogrid-worker".utf8)

  package static let kind: UInt8 = 0x10
  package static let longestPayload = 256

  package func encoded() -> [UInt8] {
    var payload = PayloadWriter()
    payload.write(Self.kind)
    payload.write(raw: Self.magic)
    payload.write(wireFormat)
    payload.write(string: programVersion.utf8)
    return Self.frame(payload)
  }

  package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = PayloadReader(payload.dropFirst())
    guard Array(try reader.read(count: Self.magic.count)) == Self.magic else { throw .malformed }
    wireFormat = try reader.read()
    programVersion = try reader.readText(limit: 64)
    try reader.finish()
  }
}

/// The versions of the program and of its wire format.
package enum ProgramVersion {
  /// The version that `--version` prints; both executables of a build have the same.
  package static let current = "0.1.0"

  /// The number of the wire format; every change to the bytes of a message increments it.
  package static let wireFormat: UInt16 = 9
}
