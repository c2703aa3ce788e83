import PhotoGridCore

/// The messages of the process that reads and writes ratings.
package enum RatingProtocol: MessageSet {
  /// The argument by which the worker's executable runs as this process.
  package static let argument = "--ratings"
}

extension RatingProtocol {
  /// A request about a photo's rating.
  package struct Request: SingleKindMessage, Equatable {
    package var token: UInt32
    /// The path of the photo, absolute or from the current folder.
    package var path: [UInt8]
    /// The change to write; nil to read the rating.
    package var edit: RatingEdit?
    /// Whether the change is written into the photo, if its format allows that.
    package var isEmbedded: Bool

    package init(token: UInt32, path: [UInt8], edit: RatingEdit? = nil, isEmbedded: Bool = false) {
      self.token = token
      self.path = path
      self.edit = edit
      self.isEmbedded = isEmbedded
    }

    package static let kind: UInt8 = 1
    /// The longest payload, in bytes.
    package static let longestPayload = 64 << 10

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(token)
      payload.write(string: path)
      payload.write(isEmbedded)
      let (kind, code): (UInt8, UInt8) =
        switch edit {
        case nil: (0, 0)
        case .stars(let stars): (1, Rating(stars: stars).code)
        case .label(let label): (2, Rating(stars: 0, label: label).code)
        }
      payload.write(kind)
      payload.write(code)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      token = try reader.read()
      path = try reader.readPath()
      isEmbedded = try reader.readBool()
      let kind: UInt8 = try reader.read()
      let rating = Rating(code: try reader.read())
      switch (kind, rating) {
      case (0, nil): edit = nil
      case (1, let rating?): edit = .stars(rating.stars)
      case (2, let rating?) where rating.label != .other: edit = .label(rating.label)
      default: throw .malformed
      }
      try reader.finish()
    }
  }

  /// The outcome of a request.
  package struct Response: ResponseMessage, SingleKindMessage, Equatable {
    private let requestToken: UInt32
    /// The rating that was read, or that the photo had before the change; nil if it could not be
    /// read.
    package var rating: Rating?
    /// The `RatingStamp` of the files that the rating was read from.
    package var stamp: UInt64
    /// Why the change was not written, in printable ASCII; nil if it was, or if none was requested.
    package var failure: String?
    /// Whether nothing was done, because this process cannot write in the photo's folder.
    ///
    /// The process answers all later requests in the same way.
    package private(set) var isDeclined = false

    package var token: UInt32? { requestToken }

    package init(token: UInt32, rating: Rating?, stamp: UInt64 = 0, failure: String? = nil) {
      requestToken = token
      self.rating = rating
      self.stamp = stamp
      self.failure = failure
    }

    /// Returns the response to a request that another process must carry out.
    package static func declined(token: UInt32) -> Response {
      var response = Response(token: token, rating: nil)
      response.isDeclined = true
      return response
    }

    package static let kind: UInt8 = 1
    /// The longest payload, in bytes.
    package static let longestPayload = 512
    private static let longestText = 200

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      payload.write(rating?.code ?? 0)
      payload.write(stamp)
      payload.write(isDeclined)
      payload.write(string: (failure ?? "").utf8.prefix(Self.longestText))
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      let code: UInt8 = try reader.read()
      rating = Rating(code: code)
      guard code == 0 || rating != nil else { throw .malformed }
      stamp = try reader.read()
      isDeclined = try reader.readBool()
      let text = try reader.readText(limit: Self.longestText)
      failure = text.isEmpty ? nil : text
      try reader.finish()
    }
  }
}
