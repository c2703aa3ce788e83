import CLinux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// Decodes the frames of a film in runs, at a constant rate (`FilmTiming`).
///
/// The `ffmpeg` command writes one frame after another into a pipe, and waits while nobody reads: a
/// film that is paused costs no time. The next run goes on where the last one ended; for a frame before
/// that, or more than a moment after it, the command is started again.
final class FilmPlayer {
  private var open: OpenFilm?

  private struct OpenFilm {
    var path: [UInt8]
    var info: PhotoInfo
    var timing: FilmTiming
    /// In pixels.
    var size: (width: Int, height: Int)
    var command: FilmCommand
    /// The index of the frame that the command writes next.
    var next: Int
    /// Whether the film is beside or inside a photo.
    var isLive: Bool

    var frameByteCount: Int { size.width * size.height * 4 }
  }

  /// The time in seconds after which a run ends.
  private static let maxTime = 0.08
  /// The most frames that are read and left out, in seconds of the film, rather than starting again.
  private static let skippedSeconds = 1.0

  /// Decodes the first frames of a range of the film that is open; nil if another photo's film is, or
  /// it must be opened again for these frames.
  ///
  /// Most frames are decoded here, without a look at the file.
  func decodeOpenFilm(
    _ range: FrameRange, of photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun)? {
    let stamp = try photo.stamp()
    guard let film = open, film.path == photo.name, film.info.stamp.matches(stamp),
      film.next <= range.start,
      Double(range.start - film.next) <= Self.skippedSeconds * film.timing.rate,
      Self.size(of: film.info, in: frame, isLive: film.isLive) == film.size
    else { return nil }
    return try read(range, from: film)
  }

  /// Opens a film, and decodes the first frames of a range.
  ///
  /// - `part`: The film, which is the photo's file, inside it, or beside it.
  /// - Throws: `FailureReason` if the film cannot be played at all.
  func decode(
    _ range: FrameRange, of photo: DeliveredFile, _ part: FilmPart, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    open = nil
    let isLive = part.bytes.lowerBound > 0 || photo.delivery.filmByteCount != nil
    let facts = try FilmFacts(part.source)
    let info = PhotoInfo(
      facts, stamp: try photo.stamp(), sidecar: photo.sidecar, latest: PhotoFile.latestDay)
    let timing = FilmTiming(length: info.length, frameRate: info.frameRate)
    let size = Self.size(of: info, in: frame, isLive: isLive)
    guard size.width * size.height <= FrameRun.maxPixels else {
      throw .tooLarge(width: size.width, height: size.height)
    }
    guard range.start < timing.frameCount else { throw .truncated }
    ProcessLimits.keepMemory()
    guard access(Confinement.filmCommand, X_OK) == 0 else { throw .needsFFmpeg }
    let command = try FilmCommand(
      Confinement.filmCommand, Self.arguments(facts, part, timing, size, from: range.start),
      reading: part.descriptor)
    let film = OpenFilm(
      path: photo.name, info: info, timing: timing, size: size, command: command,
      next: range.start, isLive: isLive)
    return try read(range, from: film)
  }

  /// Reads the first frames of a range, as many as a run has room and time for.
  ///
  /// - Returns: The facts of the film, and at least one frame unless it ends before the first.
  private func read(
    _ range: FrameRange, from openFilm: OpenFilm
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    var film = openFilm
    open = nil
    var run = FrameRun(start: range.start, loopCount: nil, frames: [], endsEarly: false)
    let room = max(1, FrameRun.byteLimit / film.frameByteCount)
    let count = min(range.count, film.timing.frameCount - range.start, room)
    let start = monotonic_nanoseconds()
    let deadline = start + Int64(FilmCommand.maxTime * 1e9)
    while run.frames.count < count {
      let elapsed = Double(monotonic_nanoseconds() - start) / 1e9
      if !run.frames.isEmpty, elapsed > Self.maxTime { break }
      guard let pixels = try film.command.read(film.frameByteCount, by: deadline) else {
        run.endsEarly = true
        return (film.info, run)
      }
      film.next += 1
      guard film.next > range.start else { continue }
      run.frames.append(
        FrameRun.Frame(
          milliseconds: max(Int(1000 / film.timing.rate), 11),
          bitmap: Bitmap(
            width: film.size.width, height: film.size.height, pixels: pixels, isOpaque: true)))
    }
    open = film
    return (film.info, run)
  }

  /// Returns the size of the frames in pixels.
  ///
  /// The frame of a live photo has the shape of the photo, to which its film is cropped.
  private static func size(
    of info: PhotoInfo, in frame: DecodeTarget, isLive: Bool
  ) -> (width: Int, height: Int) {
    guard isLive else { return targetSize(of: info.size, in: frame.size, mode: frame.mode) }
    func side(_ length: Double) -> Int { Int(max(1, min(length.rounded(), 16_384))) }
    return (side(frame.size.width), side(frame.size.height))
  }

  private static func arguments(
    _ film: FilmFacts, _ part: FilmPart, _ timing: FilmTiming, _ size: (width: Int, height: Int),
    from start: Int
  ) -> [String] {
    var words = FilmDecoder.input(film, protocols: part.input.protocols, threads: 2)
    if start > 0 { words += ["-ss", text(timing.seconds(at: start), decimals: 1_000_000)] }
    let rate = text(timing.rate, decimals: 100_000)
    return words + FilmDecoder.pictures(of: part.input.name)
      + FilmDecoder.output("fps=\(rate):start_time=0,\(filters(film, covering: size))")
  }

  /// The filters that scale the pictures of a film until they cover a size, and crop them to it.
  private static func filters(_ film: FilmFacts, covering size: (width: Int, height: Int)) -> String
  {
    let scale = max(
      Double(size.width) / Double(film.width), Double(size.height) / Double(film.height))
    func side(_ length: Int) -> Int { Int((Double(length) * scale).rounded()) }
    let (width, height) = (side(film.width), side(film.height))
    // A film that is played as it is differs only by rounding.
    guard width > size.width + 1 || height > size.height + 1 else {
      return film.filters(size, scaling: "bilinear")
    }
    return film.filters((width, height), scaling: "bilinear")
      + ",crop=\(size.width):\(size.height)"
  }

  /// A positive number without an exponent, as the command reads it.
  private static func text(_ number: Double, decimals: Int) -> String {
    let scaled = Int((number * Double(decimals)).rounded())
    let fraction = String(decimals + scaled % decimals).dropFirst()
    return "\(scaled / decimals).\(fraction)"
  }
}
