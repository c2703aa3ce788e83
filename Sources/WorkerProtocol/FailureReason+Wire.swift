import PhotoGridCore

/// A failure as bytes of a message.
extension FailureReason {
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
    var reader = PayloadReader(bytes[...])
    do throws(ProtocolError) {
      self = try FailureReason(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  /// Writes a code, then the values that belong to the reason.
  func write(to payload: inout PayloadWriter) {
    let plain = Self.plainReasons
    switch self {
    case .tooLarge(let width, let height):
      payload.write(UInt8(100))
      payload.write(UInt64(clamping: width))
      payload.write(UInt64(clamping: height))
    case .unreadable(let code):
      payload.write(UInt8(101))
      payload.write(code)
    case .decoder(let message):
      payload.write(UInt8(102))
      payload.write(string: message.utf8)
    case .tooManyFrames(let count, let width, let height):
      payload.write(UInt8(103))
      for number in [count, width, height] { payload.write(UInt32(clamping: number)) }
    case .needsMemory(let bytes):
      payload.write(UInt8(104))
      payload.write(UInt64(clamping: bytes))
    case .notAnImage, .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice,
      .emptyFile, .truncated, .fileTooLong, .needsOtherDecoder, .isVideo, .soundOnly,
      .needsFFmpeg:
      payload.write(UInt8(plain.firstIndex(of: self) ?? 0))
    }
  }

  /// Reads a code, and the values that belong to the reason.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    let code: UInt8 = try reader.read()
    switch code {
    case 100:
      let width: UInt64 = try reader.read()
      let height: UInt64 = try reader.read()
      self = .tooLarge(width: Int(clamping: width), height: Int(clamping: height))
    case 101:
      self = .unreadable(try reader.read())
    case 102:
      self = .decoder(try reader.readText(limit: Self.longestDecoderMessage))
    case 103:
      let count: UInt32 = try reader.read()
      let width: UInt32 = try reader.read()
      let height: UInt32 = try reader.read()
      self = .tooManyFrames(Int(count), width: Int(width), height: Int(height))
    case 104:
      let bytes: UInt64 = try reader.read()
      self = .needsMemory(Int(clamping: bytes))
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
