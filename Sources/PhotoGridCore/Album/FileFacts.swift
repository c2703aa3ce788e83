/// The properties of a photo's file, besides its name, by which photos are sorted and filtered.
package struct FileFacts: Equatable, Sendable {
  /// The time when the photo was taken, as `TakenTime.digits`; 0 if it is unknown.
  var takenDigits: Int64
  /// The time of the last modification, in seconds since 1970.
  package var modified: Int64
  /// The file's size, in bytes.
  package var byteCount: Int64
  /// The width after orientation, in pixels; 0 if the file cannot be read.
  package var width: UInt32
  /// The height after orientation, in pixels; 0 if the file cannot be read.
  package var height: UInt32
  /// The number of frames; 1 for a still image.
  package var frameCount: Int
  /// The orientation in the file, from 1 to 8; 0 if the file cannot be read.
  package var orientation: UInt8
  /// The format, determined by the first bytes; nil if the file cannot be read.
  package var kind: ImageFormat?
  /// The metadata about how the photo was taken; nil if that part of the file has not been read.
  package var metadata: PhotoMetadata?

  /// Creates the facts from what a worker has read.
  package init(_ info: PhotoInfo) {
    takenDigits = info.taken.flatMap { TakenTime(iso8601: $0) }?.digits ?? 0
    modified = Int64(info.modified)
    byteCount = Int64(info.byteCount)
    width = UInt32(max(0, min(info.size.width, 4e9)))
    height = UInt32(max(0, min(info.size.height, 4e9)))
    frameCount = info.frameCount
    orientation = UInt8(clamping: info.orientation)
    kind = info.format
    metadata = info.metadata
  }

  /// Creates the facts of a photo whose header was read.
  ///
  /// - Parameters:
  ///   - size: The size of the stored picture, in pixels.
  ///   - orientation: Its orientation.
  ///   - format: The format, determined by the first bytes.
  ///   - byteCount: The file's size, in bytes.
  ///   - modified: The time of the last modification, in seconds since 1970.
  ///   - taken: When the photo was taken; nil if the file does not say.
  ///   - metadata: How it was taken.
  package init(
    size: (width: Int, height: Int), orientation: Orientation, format: ImageFormat,
    byteCount: Int, modified: Int, taken: TakenTime?, metadata: PhotoMetadata
  ) {
    let upright = orientation.turned(width: size.width, height: size.height)
    (width, height) = (UInt32(clamping: upright.width), UInt32(clamping: upright.height))
    self.orientation = UInt8(clamping: orientation.number)
    kind = format
    self.byteCount = Int64(byteCount)
    self.modified = Int64(modified)
    takenDigits = taken?.digits ?? 0
    frameCount = 1
    self.metadata = metadata
  }

  private init() {
    (takenDigits, modified, byteCount, width, height) = (0, 0, 0, 0, 0)
    (frameCount, orientation) = (1, 0)
    metadata = PhotoMetadata()
  }

  /// The facts of a file that cannot be read.
  package static let unreadable = FileFacts()
}
