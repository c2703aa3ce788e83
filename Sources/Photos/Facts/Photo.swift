import Geometry

/// A namespace for the identity of photos; their data is in the library.
package enum Photo {
  /// A photo's identity while the program runs: its number in listing order.
  ///
  /// Sorting and filtering change the display order, never the identity.
  package struct ID: Hashable, Comparable, Sendable {
    /// The number, in the order in which items were first listed; -1 for a placeholder.
    package let number: Int32

    package init(_ number: Int) { self.number = Int32(number) }

    /// The identity of a placeholder tile, while the listing has no photos yet.
    package static let unlisted = ID(-1)

    package var index: Int { Int(number) }

    package static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }
}

/// The facts of a photo's file: the one record that has all of them.
///
/// A worker reads it from the file (`JPEGFacts`, `PhotoDecoder`). `PackedInfo` is the same as plain
/// numbers; an `InfoBlock` of those, with their texts, is what processes send each other, what the
/// index stores, and what the album keeps in its `InfoTable`.
package struct PhotoInfo: Equatable, Sendable {
  /// In pixels, after orientation.
  package var size: PixelSize
  /// The EXIF orientation, 1 to 8; 1 if the file has none.
  package var orientation: Int
  /// According to the file's first bytes.
  package var format: ImageFormat
  package var stamp: FileStamp
  package var taken: TakenTime?
  /// Whether the file is truncated and only a part of the picture is available.
  package var isIncomplete: Bool
  /// The number of frames that the file declares, at most `maxFrameCount`; 1 for a still photo.
  package var frameCount: Int
  /// The length of a film, in seconds; nil for a photo, or if the film does not say.
  package var length: Double?
  /// Whether the file holds the film of a live photo.
  package var holdsFilm = false
  /// The frames of a film per second, in hundredths, on average; nil for a photo, or if the film
  /// does not say.
  package var frameRate: Double?
  /// The hash of the picture that was decoded with this; nil without a picture, or if the picture has
  /// only one color.
  package var hash: DifferenceHash?
  /// The camera metadata; nil if it has not been read from the file.
  package var metadata: PhotoMetadata?

  package static let maxFrameCount = Int(UInt16.max)

  package init(
    size: PixelSize, orientation: Int, format: ImageFormat, stamp: FileStamp, taken: TakenTime?,
    isIncomplete: Bool = false, frameCount: Int = 1, metadata: PhotoMetadata? = nil
  ) {
    self.size = size
    self.orientation = orientation
    self.format = format
    self.stamp = stamp
    self.taken = taken
    self.isIncomplete = isIncomplete
    self.frameCount = min(frameCount, Self.maxFrameCount)
    self.metadata = metadata
  }
}

/// The properties of a file by which a change is recognized.
package struct FileStamp: Equatable, Sendable, BitwiseCopyable {
  /// In bytes.
  package var byteCount: Int64
  /// The time of the last modification, in nanoseconds since 1970; the first or last possible value
  /// for a time more than 292 years from then.
  package var modified: Int64
  /// The inode number and the time of the last change of its status, mixed: they tell a file from one
  /// that has replaced it, and from itself before a program changed it and set the time back; 0 if the
  /// file had changed less than `settlingTime` before, so that a further change might not alter the
  /// time, and in the stamp of no file.
  package var identity: UInt32

  /// In seconds.
  package static let settlingTime = 2

  package init(byteCount: Int64, modified: Int64, identity: UInt32 = 0) {
    self.byteCount = byteCount
    self.modified = modified
    self.identity = identity
  }

  /// Creates a stamp from a file's status.
  ///
  /// - `changed`: The time of the last change of the status, in nanoseconds, as a number of any range.
  /// - `now`: The time of the system's clock, in seconds since 1970.
  package init(
    inode: UInt64, byteCount: Int, seconds: Int, nanoseconds: Int, changed: UInt64, now: Int
  ) {
    let (whole, isFar) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isFarther) = whole.addingReportingOverflow(Int64(nanoseconds))
    self.init(
      byteCount: Int64(byteCount), modified: isFar || isFarther ? (seconds < 0 ? .min : .max) : sum)
    // Not by their difference, which overflows for the times of some files.
    guard seconds <= now - Self.settlingTime || seconds >= now + Self.settlingTime else { return }
    identity = Self.mixed([inode, changed])
  }

  private static func mixed(_ numbers: [UInt64]) -> UInt32 {
    let mixed = numbers.reduce(UInt64(0)) { (($0 ^ $1) &+ .mixingStep).mixed }
    return max(UInt32(truncatingIfNeeded: mixed), 1)
  }

  /// Includes the sidecar beside a file, so that a change of either is recognized.
  package mutating func include(_ sidecar: FileStamp) {
    guard isSettled, sidecar.isSettled else {
      identity = 0
      return
    }
    identity = Self.mixed([
      UInt64(identity), UInt64(sidecar.identity), UInt64(bitPattern: sidecar.modified),
      UInt64(bitPattern: sidecar.byteCount),
    ])
  }

  /// Whether this may be the stamp of the same state of a file as another one.
  package func matches(_ other: FileStamp) -> Bool {
    byteCount == other.byteCount && modified == other.modified
      && (identity == other.identity || !isSettled || !other.isSettled)
  }

  /// Whether a file in a later state would have another stamp.
  package var isSettled: Bool { identity != 0 }

  /// The time of the last modification in seconds since 1970, rounded down.
  package var seconds: Int {
    let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(rest < 0 ? seconds - 1 : seconds)
  }
}
