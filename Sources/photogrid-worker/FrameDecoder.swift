import CLinux
import Glibc
import Photos
import WorkerProtocol

/// The frames of an open video, one after another.
protocol FrameSource: AnyObject {
  /// The number of times that the video plays; nil for endlessly.
  var loopCount: Int? { get }

  /// Decodes the next frame at a size in pixels, the same for all frames.
  ///
  /// - Returns: Nil if there is none, or it cannot be decoded.
  func next(_ size: (width: Int, height: Int)) throws(FailureReason) -> FrameRun.Frame?
}

/// Decodes videos in runs of frames: animated images, films, and the films of live photos.
///
/// A frame may depend on all frames before it, and opening a video takes time. So it stays open at the
/// end of the last run, and each frame is decoded only once if the next run starts there.
final class FrameDecoder {
  private var open: OpenVideo?

  /// A video, open at a frame.
  struct OpenVideo {
    let path: [UInt8]
    let info: PhotoInfo
    let frameCount: Int
    /// The size of the frames, in pixels.
    let size: (width: Int, height: Int)
    let source: any FrameSource
    /// The index of the next frame of the source.
    var next: Int
    /// The most frames that are decoded and left out, rather than opening the video again.
    var skippedCount = 0
    /// Whether it is a film beside or inside a photo.
    var isLive = false
  }

  /// The time in seconds after which a run ends, so that the first frames do not wait for the last.
  private static let maxTime = 0.08

  /// Decodes the first frames of a range, as many as a run has room and time for.
  ///
  /// - Returns: The facts of the video, and at least one frame unless the first cannot be decoded.
  /// - Throws: `FailureReason` if the photo cannot be opened, or is not a video.
  func decode(
    _ range: FrameRange, of photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    let start = monotonic_nanoseconds()
    var video = try openVideo(photo, frame, at: range.start)
    open = nil
    let (source, size) = (video.source, video.size)
    let room = max(1, FrameRun.byteLimit / (size.width * size.height * 4))
    let count = min(range.count, video.frameCount - range.start, room)
    var run = FrameRun(
      start: range.start, loopCount: source.loopCount, frames: [], endsEarly: false)
    while run.frames.count < count {
      let seconds = Double(monotonic_nanoseconds() - start) / 1e9
      if !run.frames.isEmpty, seconds > Self.maxTime { break }
      guard let next = try source.next(size) else {
        run.endsEarly = true
        return (video.info, run)
      }
      video.next += 1
      if video.next > range.start { run.frames.append(next) }
    }
    if video.next < video.frameCount { open = video }
    return (video.info, run)
  }

  /// Returns the video open at a frame, or before it: still open from the last run, or opened now.
  private func openVideo(
    _ photo: DeliveredFile, _ frame: DecodeTarget, at start: Int
  ) throws(FailureReason) -> OpenVideo {
    let stamp = try photo.stamp()
    // Most frames are decoded without a look at the file.
    if let open, open.path == photo.name, open.info.stamp.matches(stamp),
      (0...open.skippedCount).contains(start - open.next),
      open.size == Self.size(of: open.info, in: frame, isLive: open.isLive)
    {
      return open
    }
    open = nil
    let file = try PhotoFile(photo)
    try PhotoDecoder.checkHeader(of: file)
    if file.format == .gif || file.format == .webp {
      return try OpenVideo(image: file, photo, frame, at: start)
    }
    guard let film = try photo.film() else { throw .notAnImage }
    return try OpenVideo(film, of: photo, frame, at: start)
  }

  /// Returns the size of the frames of a video, in pixels.
  ///
  /// The film of a live photo is cropped to the shape of the photo, which the frame on the screen has.
  static func size(
    of info: PhotoInfo, in frame: DecodeTarget, isLive: Bool
  ) -> (width: Int, height: Int) {
    guard isLive else { return targetSize(of: info.size, in: frame.size, mode: frame.mode) }
    func side(_ length: Double) -> Int { Int(max(1, min(length.rounded(), 16_384))) }
    return (side(frame.size.width), side(frame.size.height))
  }
}
