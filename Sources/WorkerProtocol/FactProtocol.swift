import PhotoGridCore

/// The messages of a reader that reads the facts of photos from the headers of their files.
package enum FactProtocol {}

extension FactProtocol {
  /// A request for the facts of photos in one folder.
  package struct Request: SingleKindMessage, Equatable {
    /// Identifies the request; the response has the same.
    package var token: UInt32
    /// The photos.
    package var photos: PhotoBatch

    /// Creates a request for the facts of photos, at most `mostPhotos`.
    package init(token: UInt32, _ photos: PhotoBatch) {
      self.token = token
      self.photos = photos
    }

    /// The most photos in a request.
    package static let mostPhotos = 256
    package static let kind: UInt8 = 0x21
    package static let longestPayload = mostPhotos * 256 + (8 << 10)

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(token)
      photos.write(to: &payload)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      token = try reader.read()
      photos = try PhotoBatch(&reader)
      guard (1...Self.mostPhotos).contains(photos.count), photos.facts == nil else {
        throw .malformed
      }
      try reader.finish()
    }
  }

  /// The facts of the first photos of a request.
  package struct Response: ResponseMessage, SingleKindMessage, Equatable {
    private let requestToken: UInt32
    /// The facts of at least one photo; those that need a decoder are not `isKnown`.
    package var facts: FactBlock
    /// What else identifies the state in which each file was read.
    package var stamps: [InodeStamp]

    package var token: UInt32? { requestToken }

    /// Creates the response to the request with a token.
    package init(token: UInt32, _ facts: FactBlock, _ stamps: [InodeStamp]) {
      requestToken = token
      self.facts = facts
      self.stamps = stamps
    }

    package static let kind: UInt8 = 0x21
    package static let longestPayload = 512 << 10

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      facts.write(to: &payload, stamps)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      (facts, stamps) = try reader.readFacts(mostPhotos: Request.mostPhotos)
      guard !stamps.isEmpty else { throw .malformed }
      try reader.finish()
    }
  }
}

/// What identifies the state of a file, besides its size and the second of its last modification.
package struct InodeStamp: Equatable, Sendable, BitwiseCopyable {
  /// The inode number; 0 where the state is not known, or was too recent to be identified.
  package var inode: UInt64 = 0
  /// The nanoseconds of the last modification since the last whole second.
  package var nanoseconds: UInt32 = 0
  /// Fills the memory, so that none is sent that was never set.
  private var padding: UInt32 = 0

  /// Creates the stamp of no known state.
  package init() {}

  /// Creates the stamp of a file.
  package init(inode: UInt64, nanoseconds: UInt32) {
    self.inode = inode
    self.nanoseconds = nanoseconds
  }
}

extension FactBlock {
  /// Writes facts with a stamp for each of them.
  func write(to payload: inout PayloadWriter, _ stamps: [InodeStamp]) {
    payload.write(UInt16(clamping: stamps.count))
    stamps.withUnsafeBytes { payload.write(raw: $0) }
    write(to: &payload)
  }
}

extension PayloadReader {
  /// Reads facts with their stamps, of at most `mostPhotos` photos.
  mutating func readFacts(
    mostPhotos: Int
  ) throws(ProtocolError) -> (facts: FactBlock, stamps: [InodeStamp]) {
    let count = Int(try read(UInt16.self))
    guard count <= mostPhotos else { throw .malformed }
    let bytes = try read(count: count * MemoryLayout<InodeStamp>.stride)
    let stamps = [InodeStamp](unsafeUninitializedCapacity: count) { buffer, filled in
      UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
      filled = count
    }
    return (try FactBlock(&self, count: count), stamps)
  }
}
