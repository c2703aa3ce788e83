/// The sizes in which thumbnails are kept (freedesktop.org, Thumbnail Managing Standard 0.9).
package enum ThumbnailSize: UInt8, CaseIterable, Comparable, Sendable {
  case normal = 1
  case large
  case extraLarge
  case doubleExtraLarge

  /// The side of the square that a thumbnail fits in, in pixels.
  package var side: Int {
    switch self {
    case .normal: 128
    case .large: 256
    case .extraLarge: 512
    case .doubleExtraLarge: 1024
    }
  }

  /// The name of the folder with thumbnails of this size.
  package var folder: String {
    switch self {
    case .normal: "normal"
    case .large: "large"
    case .extraLarge: "x-large"
    case .doubleExtraLarge: "xx-large"
    }
  }

  /// The smallest size whose thumbnails are no smaller than a picture; nil where all are.
  package init?(holding picture: (width: Int, height: Int)) {
    let side = max(picture.width, picture.height)
    guard let size = Self.allCases.first(where: { $0.side >= side }) else { return nil }
    self = size
  }

  package static func < (left: ThumbnailSize, right: ThumbnailSize) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Where thumbnails are kept, and whether new ones may be.
package struct ThumbnailAccess: Equatable, Sendable {
  /// The folder with a folder for each size: an absolute path.
  package var folder: [UInt8]
  package var mayWrite: Bool

  /// Access to a folder of thumbnails.
  package init(folder: [UInt8], mayWrite: Bool) {
    self.folder = folder
    self.mayWrite = mayWrite
  }
}

/// What became of a wish for a thumbnail in the cache.
package enum ThumbnailOutcome: Equatable, Sendable {
  case made
  /// A valid one was there already.
  case wasThere
  /// The file was changed just now, and may be again within the same second.
  case tooNew
  /// The photo is a thumbnail itself.
  case isThumbnail
  /// It cannot be kept; the system's refusal, as an `errno`.
  case refused(Int32)
}

/// What a cleaning of the cache did.
package struct ThumbnailCleaning: Equatable, Sendable {
  /// Thumbnails whose photos are gone, and now they are.
  package var removed = 0
  /// Their bytes together.
  package var removedBytes = 0
  /// Thumbnails that were looked at.
  package var examined = 0
  /// Files that should have been removed and could not be.
  package var stuck = 0

  /// A cleaning that found nothing.
  package init() {}
}

extension ThumbnailOutcome {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .made: payload.write(UInt8(0))
    case .wasThere: payload.write(UInt8(1))
    case .tooNew: payload.write(UInt8(2))
    case .isThumbnail: payload.write(UInt8(4))
    case .refused(let code):
      payload.write(UInt8(3))
      payload.write(code)
    }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    switch try reader.read(UInt8.self) {
    case 0: self = .made
    case 1: self = .wasThere
    case 2: self = .tooNew
    case 3: self = .refused(try reader.read())
    case 4: self = .isThumbnail
    default: throw .malformed
    }
  }
}

extension ThumbnailCleaning {
  func write(to payload: inout PayloadWriter) {
    for count in [removed, removedBytes, examined, stuck] { payload.write(Int64(count)) }
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    var counts: [Int] = []
    for _ in 0..<4 {
      let count: Int64 = try reader.read()
      guard count >= 0 else { throw .malformed }
      counts.append(Int(count))
    }
    (removed, removedBytes, examined, stuck) = (counts[0], counts[1], counts[2], counts[3])
  }
}
