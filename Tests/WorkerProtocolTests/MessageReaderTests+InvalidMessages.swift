import Geometry
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// Invalid messages: impossible lengths, kinds and fields, and random bytes.
extension MessageReaderTests {
  @Test(arguments: [
    // A picture of 4 GiB.
    ([0xff, 0xff, 0xff, 0xff, 0x13], ProtocolError.oversized(length: 0xffff_ffff)),
    ([0, 0, 0, 0, 0x13], .oversized(length: 0)),
    ([1, 0, 0, 0, 0x77], .unknownKind(0x77)),
    ([1, 0, 0, 0, 1], .unknownKind(1)),
    ([1, 0, 0, 0, 0x13], .malformed),
  ])
  func `a frame with an impossible length or kind is refused`(
    bytes: [UInt8], error: ProtocolError
  ) throws {
    #expect(throws: error) { try Self.read(Response.self, [bytes[...]]) }
  }

  @Test(arguments: [
    // An event of 256 KiB and one byte; names of which one is empty, or does not end; an unknown
    // kind.
    ([0x01, 0x00, 0x04, 0x00, 1], ProtocolError.oversized(length: 0x4_0001)),
    ([19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0x61, 0, 0, 0], .malformed),
    ([17, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x61, 0], .malformed),
    ([1, 0, 0, 0, 11], .unknownKind(11)),
  ])
  func `impossible folder events are refused`(bytes: [UInt8], error: ProtocolError) throws {
    #expect(throws: error) { try Self.read(ListingEvent.self, [bytes[...]]) }
  }

  @Test func `a request above 64 KiB is refused by its length`() {
    #expect(throws: ProtocolError.oversized(length: 0x1_0001)) {
      try Self.read(Request.self, [[0x01, 0x00, 0x01, 0x00, 2][...]])
    }
  }

  @Test func `a payload that is longer or shorter than its fields is malformed`() {
    for response in Self.responses {
      let frame = response.encoded()
      let payload = frame[4...]

      #expect(throws: ProtocolError.self) { try Response(payload: payload + [0]) }
      for count in 0..<payload.count {
        #expect(throws: ProtocolError.self) { try Response(payload: payload.prefix(count)) }
      }
    }
  }

  @Test func `a picture whose number of bytes does not match its size is malformed`() {
    let bitmap = Bitmap(width: 2, height: 1, pixels: Array(0..<8), isOpaque: true)
    let frame = Response.decoded(Self.info, bitmap).encoded()
    // The width is 13 bytes before the end: width, height, flag, pixels.
    let width = frame.count - 8 - 1 - 8

    for lie: [UInt8] in [[0, 0, 0, 0], [3, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [1, 0, 0, 0]] {
      var payload = frame[4...]
      payload.replaceSubrange(width..<(width + 4), with: lie)

      #expect(throws: ProtocolError.malformed) { try Response(payload: payload) }
    }
  }

  @Test func `facts whose sides no message can repeat are malformed`() throws {
    let payload = Response.described(Self.plainInfo).encoded()[4...]
    // The width follows the kind and the token.
    for lie: [UInt8] in [[0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff]] {
      var changed = payload
      changed.replaceSubrange(9..<13, with: lie)

      #expect(throws: ProtocolError.malformed) { try Response(payload: changed) }
    }
  }

  @Test func `a frame without a valid duration and a request for no frames are malformed`() {
    let dot = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false)
    func run(_ seconds: Double) -> ArraySlice<UInt8> {
      let frame = FrameRun.Frame(seconds: seconds, bitmap: dot)
      let run = FrameRun(start: 0, loopCount: nil, frames: [frame], endsEarly: false)
      return Response.frames(Self.plainInfo, run).encoded()[4...]
    }
    let request = Request.photo(
      path: [0x61],
      .frames(PixelSize(width: 1, height: 1), .fit, FrameRange(start: 0, count: 0)))

    for seconds in [0.011, 1e6] {
      #expect(throws: Never.self) { try Response(payload: run(seconds)) }
    }
    for seconds in [0.01, 0, -1, .nan, .infinity, 1e6.nextUp, .greatestFiniteMagnitude] {
      #expect(throws: ProtocolError.malformed) { try Response(payload: run(seconds)) }
    }
    #expect(throws: ProtocolError.malformed) { try Request(payload: request.encoded()[4...]) }
  }

  @Test func `random bytes give an error or wait for more, and never trap`() {
    let seed: UInt64 = 0x5eed
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      var bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      // Half of them have a valid length, so that the fields are read.
      if bytes.count > 5, Bool.random(using: &random) {
        bytes.replaceSubrange(0..<4, with: [UInt8(bytes.count - 4), 0, 0, 0])
        bytes[4] = UInt8.random(in: 0...0x23, using: &random)
      }

      _ = try? Self.read(Response.self, [bytes[...]])
      _ = try? Self.read(Request.self, [bytes[...]])
      _ = try? Self.read(LibraryProtocol.Response.self, [bytes[...]])
      _ = try? Self.read(LibraryProtocol.Request.self, [bytes[...]])
      _ = try? Self.read(FileProtocol.Request.self, [bytes[...]])
      _ = try? Self.read(FileProtocol.Response.self, [bytes[...]])
      _ = try? Self.read(Hello.self, [bytes[...]])
    }
  }

  @Test func `a changed byte in a message is refused or gives another valid message`() {
    let seed: UInt64 = 0xb17
    var random = SeededGenerator(seed: seed)
    for response in Self.responses {
      let payload = Array(response.encoded()[4...])
      for place in payload.indices {
        var changed = payload
        changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        guard let message = try? Response(payload: changed[...]) else { continue }

        #expect((try? Response(payload: message.encoded()[4...])) == message)
      }
    }
  }
}
