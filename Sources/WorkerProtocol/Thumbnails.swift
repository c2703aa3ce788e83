/// The sizes of thumbnails in the cache (freedesktop.org, Thumbnail Managing Standard 0.9).
package enum ThumbnailSize: UInt8, CaseIterable, Comparable, Sendable {
  case normal = 1
  case large
  case extraLarge
  case doubleExtraLarge

  /// The side of the square that a thumbnail of this size fits into, in pixels.
  package var side: Int {
    switch self {
    case .normal: 128
    case .large: 256
    case .extraLarge: 512
    case .doubleExtraLarge: 1024
    }
  }

  package var folder: String {
    switch self {
    case .normal: "normal"
    case .large: "large"
    case .extraLarge: "x-large"
    case .doubleExtraLarge: "xx-large"
    }
  }

  /// Returns the smallest size that holds a picture without scaling it down; nil for larger
  /// pictures.
  ///
  /// - Parameter picture: The sides of the picture in pixels.
  package init?(holding picture: (width: Int, height: Int)) {
    let side = max(picture.width, picture.height)
    guard let size = Self.allCases.first(where: { $0.side >= side }) else { return nil }
    self = size
  }

  package static func < (left: ThumbnailSize, right: ThumbnailSize) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The location of the thumbnail cache, and whether thumbnails may be added to it.
package struct ThumbnailAccess: Equatable, Sendable {
  /// The absolute path of the folder that has a subfolder for each size.
  package var folder: [UInt8]
  /// Whether workers may write thumbnails.
  package var mayWrite: Bool

  package init(folder: [UInt8], mayWrite: Bool) {
    self.folder = folder
    self.mayWrite = mayWrite
  }
}

package enum ThumbnailOutcome: Equatable, Sendable {
  /// A thumbnail was written.
  case made
  /// The cache has a valid thumbnail already.
  case wasThere
  /// The photo changed in the last seconds and may still be changing.
  case tooNew
  /// The photo is itself a file of the cache.
  case isThumbnail
  /// The thumbnail cannot be written; the value is the `errno`.
  case refused(Int32)
}

extension ThumbnailOutcome: WireValue {
  func write(to payload: inout PayloadWriter) {
    switch self {
    case .made: payload.write(UInt8(0))
    case .wasThere: payload.write(UInt8(1))
    case .tooNew: payload.write(UInt8(2))
    case .refused(let code): payload.write(UInt8(3), code)
    case .isThumbnail: payload.write(UInt8(4))
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
