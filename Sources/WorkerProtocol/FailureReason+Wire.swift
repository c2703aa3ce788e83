import PhotoGridCore

extension FailureReason: WireValue {
  /// The reason as bytes, for thumbnail files that store failures.
  package var encoded: [UInt8] {
    var payload = PayloadWriter()
    write(to: &payload)
    return payload.bytes
  }

  /// Reads the bytes of `encoded`; nil if they are anything else.
  ///
  /// - Parameter bytes: Any bytes, since any program can write into the thumbnail cache.
  package init?(encoded bytes: [UInt8]) {
    var reader = PayloadReader(bytes)
    do throws(ProtocolError) {
      self = try FailureReason(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  /// Writes a code, then the values that belong to the reason.
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .tooLarge(let width, let height):
      payload.write(UInt8(100), UInt64(clamping: width), UInt64(clamping: height))
    case .unreadable(let code): payload.write(UInt8(101), code)
    case .decoder(let message): payload.write(UInt8(102), message)
    case .tooManyFrames(let count, let width, let height):
      payload.write(UInt8(103), count, width, height)
    case .needsMemory(let bytes): payload.write(UInt8(104), UInt64(clamping: bytes))
    case .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
      .emptyFile, .truncated, .fileTooLong, .needsOtherDecoder, .isVideo, .soundOnly,
      .needsFFmpeg:
      payload.write(UInt8(Self.plainReasons.firstIndex(of: self) ?? 0))
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let code: UInt8 = try reader.read()
    switch code {
    case 100:
      self = .tooLarge(
        width: Int(clamping: try reader.read(UInt64.self)),
        height: Int(clamping: try reader.read(UInt64.self)))
    case 101: self = .unreadable(try reader.read())
    case 102: self = .decoder(try reader.readText(limit: Self.maxDecoderMessageLength))
    case 103:
      self = .tooManyFrames(
        try reader.read(), width: try reader.read(), height: try reader.read())
    case 104: self = .needsMemory(Int(clamping: try reader.read(UInt64.self)))
    default:
      guard Self.plainReasons.indices.contains(Int(code)) else { throw .malformed }
      self = Self.plainReasons[Int(code)]
    }
  }

  /// The reasons without values; the index of a reason is its code in a message.
  private static let plainReasons: [FailureReason] = [
    .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
    .emptyFile, .truncated, .fileTooLong, .needsOtherDecoder, .isVideo, .soundOnly,
    .needsFFmpeg,
  ]
}
