import Photos

/// The messages of the process that reads and writes ratings.
package enum AnnotationProtocol: MessageSet {
  /// The argument by which the worker's executable runs as this process.
  package static let argument = "--ratings"
}

/// The bytes that an edit replaced in a file, kept to undo it.
package struct FileReversal: Equatable, Sendable {
  /// Bytes of the file after the change, and what was in their place before.
  package struct Piece: Equatable, Sendable {
    /// The number of bytes before it, in the file after the change.
    package var start: UInt64
    package var count: UInt64
    package var replaced: [UInt8]

    package init(start: Int, count: Int, replaced: [UInt8]) {
      self.start = UInt64(clamping: start)
      self.count = UInt64(clamping: count)
      self.replaced = replaced
    }

    /// The bytes in the file after the change; nil if there can be no such bytes.
    package var range: Range<Int>? {
      let (end, isTooLarge) = start.addingReportingOverflow(count)
      return isTooLarge || end > UInt64(Int32.max) << 20 ? nil : Int(start)..<Int(end)
    }
  }

  /// Which of the sidecars that the photo and its films may have, in a fixed order; `photo` stands for
  /// the photo itself.
  package var index: UInt8
  /// A hash of the file after the change: of a sidecar's bytes; of a photo, see its writer.
  package var fingerprint: UInt64
  package var isCreated: Bool
  /// The parts that were replaced, in the order of the file.
  package var pieces: [Piece]

  /// The index of the photo itself.
  package static let photo: UInt8 = 6
  /// The most bytes that are recorded of a file; a larger change is not undone byte for byte.
  package static let maxReplacedCount = 120 << 10
  /// The most pieces that are recorded of a file.
  package static let maxPieces = 64
  /// The sidecars of a photo and two films, and the photo itself.
  static let maxFiles = 4

  package init(index: UInt8, fingerprint: UInt64, isCreated: Bool = false, pieces: [Piece]) {
    self.index = index
    self.fingerprint = fingerprint
    self.isCreated = isCreated
    self.pieces = pieces
  }

  /// Creates the reversal of a change of a sidecar; nil if too much was changed.
  ///
  /// `old` are the contents before; nil if there was no sidecar.
  package init?(index: Int, of new: [UInt8], from old: [UInt8]?) {
    let bytes = old ?? []
    let start = zip(bytes, new).prefix { $0 == $1 }.count
    let most = min(bytes.count, new.count) - start
    let end = zip(bytes.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
    let replaced = bytes[start..<(bytes.count - end)]
    guard replaced.count <= Self.maxReplacedCount else { return nil }
    self.init(
      index: UInt8(clamping: index), fingerprint: Self.hash(new), isCreated: old == nil,
      pieces: [
        Piece(start: start, count: new.count - start - end, replaced: Array(replaced))
      ])
  }

  /// Returns the contents of a sidecar before the change; nil if these are not the ones after it.
  package func old(from new: [UInt8]) -> [UInt8]? {
    guard Self.hash(new) == fingerprint else { return nil }
    var (old, offset): ([UInt8], Int) = ([], 0)
    for piece in pieces {
      guard let range = piece.range, range.lowerBound >= offset, range.upperBound <= new.count
      else { return nil }
      old += new[offset..<range.lowerBound] + piece.replaced
      offset = range.upperBound
    }
    return old + new[offset...]
  }

  package var byteCount: Int { pieces.reduce(0) { $0 + $1.replaced.count } }

  /// The hash of no bytes.
  package static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Returns the 64-bit FNV-1a hash of bytes, after that of those before them.
  package static func hash(
    _ bytes: some Sequence<UInt8>, after hash: UInt64 = emptyHash
  ) -> UInt64 {
    bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension FileReversal: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(index, fingerprint, isCreated, pieces)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    index = try reader.read()
    fingerprint = try reader.read()
    isCreated = try reader.read()
    pieces = try reader.readList(limit: Self.maxPieces)
    guard byteCount <= Self.maxReplacedCount else { throw .malformed }
  }
}

extension FileReversal.Piece: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(start, count, LongBytes(replaced)) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    (start, count) = (try reader.read(), try reader.read())
    replaced = try reader.read(LongBytes.self).bytes
    guard range != nil else { throw .malformed }
  }
}

extension AnnotationProtocol {
  package struct Request: SingleKindMessage, Equatable {
    /// The path of the photo, absolute or from the current folder.
    package var path: [UInt8]
    /// The change to write; nil to read the rating.
    package var edit: AnnotationEdit?
    /// Whether the change is written into the photo, if its format allows that.
    package var isEmbedded: Bool
    /// The bytes that an earlier change replaced, which this one undoes; empty for any other
    /// change.
    package var reversals: [FileReversal]

    package init(
      path: [UInt8], edit: AnnotationEdit? = nil, isEmbedded: Bool = false,
      reversals: [FileReversal] = []
    ) {
      self.path = path
      self.edit = edit
      self.isEmbedded = isEmbedded
      self.reversals = reversals
    }

    package static let kind: UInt8 = 1
    package static let maxPayloadLength = 512 << 10

    package var parts: MessageParts {
      var change: [UInt8] = []
      var words: [[UInt8]] = []
      switch edit {
      case nil: change = [0, 0]
      case .stars(let stars): change = [1, Rating(stars: stars).code]
      case .label(let label): change = [2, Rating(stars: 0, label: label).code]
      case .keywords(let edit):
        change = [3, 0]
        words = [edit.added, edit.removed].map { PhotoWords(keywords: $0)?.record ?? [] }
      case .text(let edit):
        change = [edit.field == .title ? 4 : 5, 0]
        words = [edit.before, edit.after].map { Array($0.utf8) }
      }
      return MessageParts(Self.kind, path, isEmbedded, change, words, reversals)
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      path = try reader.readPath()
      isEmbedded = try reader.read()
      let change: [UInt8] = try reader.read()
      let words: [[UInt8]] = try reader.read()
      guard change.count == 2, words.count == (change[0] >= 3 ? 2 : 0) else { throw .malformed }
      switch (change[0], Rating(code: change[1])) {
      case (0, nil): edit = nil
      case (1, let rating?): edit = .stars(rating.stars)
      case (2, let rating?) where rating.label != .other: edit = .label(rating.label)
      case (3, nil):
        let keywords = words.map { PhotoWords(record: $0)?.keywords ?? [] }
        guard let change = KeywordEdit(adding: keywords[0], removing: keywords[1]) else {
          throw .malformed
        }
        edit = .keywords(change)
      case (4, nil), (5, nil):
        let texts = words.map { String(decoding: $0, as: UTF8.self) }
        guard
          let change = TextEdit(change[0] == 4 ? .title : .caption, from: texts[0], to: texts[1])
        else { throw .malformed }
        edit = .text(change)
      default: throw .malformed
      }
      reversals = try reader.readList(limit: FileReversal.maxFiles)
    }
  }

  package struct Response: SingleKindMessage, Equatable {
    /// The rating that was read, or that the photo had before the change; nil if it could not be
    /// read.
    package var rating: Rating?
    /// The `RatingStamp` of the files that the rating was read from.
    package var stamp: UInt64
    /// Why the change was not written, in printable ASCII; nil if it was, or if none was requested.
    package var failure: String?
    /// Why a sidecar was written rather than the photo, in printable ASCII; nil if the photo was, or was
    /// not to be.
    package var sidecarReason: String?
    /// Whether nothing was done, because this process cannot write in the photo's folder.
    ///
    /// The process answers all later requests in the same way.
    package private(set) var isDeclined = false
    /// The bytes that the change replaced, by which it can be undone.
    package var reversals: [FileReversal]

    package init(
      rating: Rating?, stamp: UInt64 = 0, failure: String? = nil, sidecarReason: String? = nil,
      reversals: [FileReversal] = []
    ) {
      self.rating = rating
      self.stamp = stamp
      self.failure = failure
      self.sidecarReason = sidecarReason
      self.reversals = reversals
    }

    /// The response to a request that another process must carry out.
    package static var declined: Response {
      var response = Response(rating: nil)
      response.isDeclined = true
      return response
    }

    package static let kind: UInt8 = 1
    package static let maxPayloadLength = 512 << 10
    private static let maxTextLength = 200

    package var parts: MessageParts {
      MessageParts(
        Self.kind, rating?.code ?? UInt8(0), stamp, isDeclined,
        Array((failure ?? "").utf8.prefix(Self.maxTextLength)),
        Array((sidecarReason ?? "").utf8.prefix(Self.maxTextLength)), reversals)
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      let code: UInt8 = try reader.read()
      rating = Rating(code: code)
      guard code == 0 || rating != nil else { throw .malformed }
      stamp = try reader.read()
      isDeclined = try reader.read()
      let text = try reader.readText(limit: Self.maxTextLength)
      failure = text.isEmpty ? nil : text
      let reason = try reader.readText(limit: Self.maxTextLength)
      sidecarReason = reason.isEmpty ? nil : reason
      reversals = try reader.readList(limit: FileReversal.maxFiles)
    }
  }
}
