import Geometry

/// The messages of the process that writes the index of facts.
package enum IndexProtocol: MessageSet {}

extension IndexProtocol {
  package enum Request: WireMessage, Equatable {
    /// Use the index in a folder, an absolute path; sent once, first, and not answered.
    case use(folder: [UInt8])
    /// Record what is known of photos in a folder: facts and hashes that were read from files in a
    /// state that can be identified, and ratings with stamps.
    case record(PhotoBatch)
    /// Close the index and end; not answered.
    case finish

    private enum Kind: UInt8 { case use = 1, record, finish }

    package static let maxPayloadLength = 4 << 20
    /// The most photos in one message: a number that fits with the longest names and texts.
    package static let maxPhotos = 256

    package static func payloadLimit(kind: UInt8) -> Int? {
      Kind(rawValue: kind).map { _ in maxPayloadLength }
    }

    package var parts: MessageParts {
      switch self {
      case .use(let folder): MessageParts(Kind.use, folder)
      case .record(let photos): MessageParts(Kind.record, photos)
      case .finish: MessageParts(Kind.finish)
      }
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      switch Kind(rawValue: kind) {
      case .use: self = .use(folder: try reader.readPath())
      case .record:
        let photos: PhotoBatch = try reader.read()
        guard photos.count <= Self.maxPhotos, photos.facts != nil else { throw .malformed }
        self = .record(photos)
      case .finish: self = .finish
      case nil: throw .unknownKind(kind)
      }
    }
  }

  package struct Response: SingleKindMessage, Equatable {
    /// The number of files whose facts were recorded.
    package var count: Int
    /// Why the request was not carried out, printable; nil if it was.
    package var failure: String?

    package init(count: Int, failure: String? = nil) {
      self.count = count
      self.failure = failure
    }

    package static let kind: UInt8 = 1
    package static let maxPayloadLength = 1024
    private static let maxTextLength = 200

    package var parts: MessageParts {
      MessageParts(Self.kind, count, Array((failure ?? "").utf8.prefix(Self.maxTextLength)))
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      count = try reader.read()
      let text = try reader.readText(limit: Self.maxTextLength)
      failure = text.isEmpty ? nil : text
    }
  }
}
