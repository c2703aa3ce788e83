import CLinux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// The frames of a film, at a constant rate (`FilmTiming`).
///
/// The `ffmpeg` command writes one frame after another into a pipe, and waits while nobody reads: a
/// film that is paused costs no time.
final class FilmFrames: FrameSource {
  let loopCount: Int? = nil
  private let command: FilmCommand
  private let seconds: Double

  /// Opens a film at a frame, by starting the command.
  fileprivate init(
    _ part: FilmPart, _ film: FilmFacts, _ timing: FilmTiming, _ size: (width: Int, height: Int),
    from start: Int
  ) throws(FailureReason) {
    seconds = 1 / timing.rate
    ProcessLimits.keepMemory()
    guard access(Confinement.filmCommand, X_OK) == 0 else { throw .needsFFmpeg }
    command = try FilmCommand(
      Confinement.filmCommand, Self.arguments(film, part, timing, size, from: start),
      reading: part.descriptor)
  }

  func next(_ size: (width: Int, height: Int)) throws(FailureReason) -> FrameRun.Frame? {
    let deadline = monotonic_nanoseconds() + Int64(FilmCommand.maxTime * 1e9)
    return try command.read(size.width * size.height * 4, by: deadline).map {
      FrameRun.Frame(
        seconds: seconds,
        bitmap: Bitmap(width: size.width, height: size.height, pixels: $0, isOpaque: true))
    }
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

extension FrameDecoder.OpenVideo {
  /// The most frames that are left out, in seconds of a film: starting the command again takes longer.
  private static let skippedSeconds = 1.0

  /// Opens a film at a frame.
  ///
  /// - `part`: The film, which is the photo's file, inside it, or beside it.
  /// - Throws: `FailureReason` if the film cannot be played at all.
  init(
    _ part: FilmPart, of photo: DeliveredFile, _ frame: DecodeTarget, at start: Int
  ) throws(FailureReason) {
    let isLive = part.bytes.lowerBound > 0 || photo.delivery.filmByteCount != nil
    let film = try FilmFacts(part.source)
    let info = PhotoInfo(
      film, stamp: try photo.stamp(), sidecar: photo.sidecar, latest: PhotoFile.latestDay)
    let timing = FilmTiming(length: info.length, frameRate: info.frameRate)
    let size = FrameDecoder.size(of: info, in: frame, isLive: isLive)
    guard size.width * size.height <= FrameRun.maxPixels else {
      throw .tooLarge(width: size.width, height: size.height)
    }
    guard start < timing.frameCount else { throw .truncated }
    self.init(
      path: photo.name, info: info, frameCount: timing.frameCount, size: size,
      source: try FilmFrames(part, film, timing, size, from: start), next: start,
      skippedCount: Int(Self.skippedSeconds * timing.rate), isLive: isLive)
  }
}
