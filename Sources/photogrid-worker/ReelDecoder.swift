import CLinux
import Glibc
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// What gives the frames of an animated photo, one after the other.
protocol FrameSource: AnyObject {
  /// How often all frames are to be shown; nil is for ever.
  var loopCount: Int? { get }

  /// The next frame as stored, with what earlier ones have left of themselves, and for how long the
  /// file asks it to be shown, in milliseconds.
  func next() throws(FailureReason) -> (image: Image, milliseconds: Int)
}

/// Decodes animated photos run by run.
///
/// A frame may need all those before it. So the photo stays open where the last run ended, and
/// frames are decoded once each as long as runs follow each other.
final class ReelDecoder {
  private var open: OpenReel?

  /// An animated photo, open at a frame.
  private struct OpenReel {
    var path: [UInt8]
    var info: PhotoInfo
    var source: any FrameSource
    /// The number of the frame that the source gives next.
    var next: Int
  }

  /// No more frames go into a run after so many seconds: photos that are waited for come between.
  private static let seconds = 0.08

  /// Frames from the range's start on: those in it, or as many as a run has room and time for.
  func decode(
    _ range: FrameRange, of path: [UInt8], _ file: borrowing PhotoFile, _ frame: Frame
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    let start = Self.now
    var reel = try reel(path, file, at: range.start)
    open = nil
    let target = targetSize(of: reel.info.size, in: frame.size, mode: frame.mode)
    let room = max(1, FrameRun.byteLimit / (target.width * target.height * 4))
    let count = min(range.count, reel.info.frameCount - range.start, room)
    var run = FrameRun(
      start: range.start, loopCount: reel.source.loopCount, frames: [], endsEarly: false)
    while run.frames.count < count, run.frames.isEmpty || Self.now - start < Self.seconds {
      guard let (image, milliseconds) = try? reel.source.next(),
        let bitmap = try? VipsDecoder.bitmap(of: image, target)
      else {
        run.endsEarly = true
        return (reel.info, run)
      }
      reel.next += 1
      run.frames.append(
        FrameRun.Frame(milliseconds: FrameRun.duration(requested: milliseconds), bitmap: bitmap))
    }
    if reel.next < reel.info.frameCount { open = reel }
    return (reel.info, run)
  }

  /// The photo open at a frame: as the last run left it, or anew.
  private func reel(
    _ path: [UInt8], _ file: borrowing PhotoFile, at frame: Int
  ) throws(FailureReason) -> OpenReel {
    if let open, open.path == path, open.next == frame, open.info.byteCount == file.byteCount,
      open.info.modified == file.modified
    {
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
      case .jpeg, .png, .tiff, .heic, .avif, .raw: throw .notAnImage
      }
    return OpenReel(path: path, info: info, source: source, next: frame)
  }

  /// Seconds on the monotonic clock.
  private static var now: Double { Double(monotonic_nanoseconds()) / 1e9 }
}
