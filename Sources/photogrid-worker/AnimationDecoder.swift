import CLinux
import Glibc
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// A decoder that returns the frames of an animated photo one after another.
protocol FrameSource: AnyObject {
  /// The number of times that the animation plays; nil for endlessly.
  var loopCount: Int? { get }

  /// Decodes the next frame, composed over the frames before it.
  ///
  /// - Returns: The frame before orientation, and its duration in the file, in milliseconds.
  func next() throws(FailureReason) -> (image: Image, milliseconds: Int)
}

/// Decodes animated photos in runs of frames.
///
/// A frame may depend on all frames before it. The photo therefore stays open at the end of the
/// last run, and each frame is decoded only once if the next run starts there.
final class AnimationDecoder {
  private var open: OpenAnimation?

  /// An animated photo, open at a frame.
  private struct OpenAnimation {
    var path: [UInt8]
    var info: PhotoInfo
    var source: any FrameSource
    /// The index of the next frame of the source.
    var next: Int
  }

  /// The time in seconds after which a run ends, so that requests for photos do not wait long.
  private static let maxTime = 0.08

  /// Decodes the first frames of a range, as many as a run has room and time for.
  ///
  /// A photo that is still open is recognized by its path.
  ///
  /// - Returns: The facts of the photo, and at least one frame unless the first cannot be decoded.
  /// - Throws: `FailureReason` if the photo cannot be opened, or is not an animation.
  func decode(
    _ range: FrameRange, of path: [UInt8], _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    let start = Self.now
    var animation = try animation(path, file, at: range.start)
    open = nil
    let target = targetSize(of: animation.info.size, in: frame.size, mode: frame.mode)
    let room = max(1, FrameRun.byteLimit / (target.width * target.height * 4))
    let count = min(range.count, animation.info.frameCount - range.start, room)
    var run = FrameRun(
      start: range.start, loopCount: animation.source.loopCount, frames: [], endsEarly: false)
    while run.frames.count < count, run.frames.isEmpty || Self.now - start < Self.maxTime {
      guard let (image, milliseconds) = try? animation.source.next(),
        let bitmap = try? VipsDecoder.bitmap(of: image, target)
      else {
        run.endsEarly = true
        return (animation.info, run)
      }
      animation.next += 1
      run.frames.append(
        FrameRun.Frame(milliseconds: FrameRun.duration(requested: milliseconds), bitmap: bitmap))
    }
    if animation.next < animation.info.frameCount { open = animation }
    return (animation.info, run)
  }

  /// Returns the photo open at a frame: still open from the last run, or opened now.
  private func animation(
    _ path: [UInt8], _ file: borrowing PhotoFile, at frame: Int
  ) throws(FailureReason) -> OpenAnimation {
    if let open, open.path == path, open.next == frame, open.info.stamp.matches(file.stamp) {
      return open
    }
    let header = try VipsDecoder.load(file)
    let info = try VipsDecoder.info(file, header)
    guard header.width * header.height <= FrameRun.maxPixels else {
      throw .tooLarge(width: header.width, height: header.height)
    }
    guard frame < info.frameCount else { throw .truncated }
    let source: any FrameSource =
      switch file.format {
      case .gif: try GIFFrames(file, header, from: frame, of: info.frameCount)
      case .webp: try WebPFrames(file, header, from: frame)
      default: throw .notAnImage
      }
    return OpenAnimation(path: path, info: info, source: source, next: frame)
  }

  /// Seconds on the monotonic clock.
  private static var now: Double { Double(monotonic_nanoseconds()) / 1e9 }
}
