/// What a photo is sorted and filtered by besides its name.
package struct FileFacts: Equatable, Sendable {
  var takenDigits: Int64
  /// Time of the last change, in seconds since 1970.
  package var modified: Int64
  /// The file's size, in bytes.
  package var byteCount: Int64
  /// After orientation, in pixels; 0 where the file cannot be read.
  package var width: UInt32
  /// After orientation, in pixels; 0 where the file cannot be read.
  package var height: UInt32
  /// How many frames an animation has.
  package var frameCount: Int
  /// By the first bytes; nil where the file cannot be read.
  package var kind: PhotoKind?
  /// How the photo was taken; nil where the file was not read for that.
  package var metadata: PhotoMetadata?

  /// The facts that a worker found out.
  package init(_ info: PhotoInfo) {
    takenDigits = info.taken.flatMap { TakenTime(iso8601: $0) }?.digits ?? 0
    modified = Int64(info.modified)
    byteCount = Int64(info.byteCount)
    width = UInt32(max(0, min(info.size.width, 4e9)))
    height = UInt32(max(0, min(info.size.height, 4e9)))
    frameCount = info.frameCount
    kind = PhotoKind(rawValue: info.format)
    metadata = info.metadata
  }

  private init() {
    (takenDigits, modified, byteCount, width, height, frameCount) = (0, 0, 0, 0, 0, 1)
    metadata = PhotoMetadata()
  }

  /// What there is to know of a file that cannot be read.
  package static let unreadable = FileFacts()
}

/// The kinds of photo files that are told apart.
package enum PhotoKind: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp, tiff, heic, avif, raw

  /// The kind of a name or of a file name's extension, in small letters.
  package init?(word: some StringProtocol) {
    guard let kind = Self.allCases.first(where: { $0.spellings.contains(String(word)) }) else {
      return nil
    }
    self = kind
  }

  private var spellings: [String] {
    switch self {
    case .jpeg: ["jpeg", "jpg", "jpe", "jfif"]
    case .png, .gif, .webp, .avif: [rawValue]
    case .tiff: ["tiff", "tif"]
    case .heic: ["heic", "heif", "hif"]
    case .raw: ["raw", "cr2", "cr3", "nef", "arw", "dng", "orf", "rw2", "raf"]
    }
  }
}
