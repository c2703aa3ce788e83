import CLinux
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// Decodes one picture of a film by the system's `ffmpeg` command.
///
/// A command rather than the libraries of FFmpeg: their versions differ from system to system, so that no
/// package could link those of all, and a command has a process of its own, with fewer rights than a
/// decoder. It starts in a process that decodes nothing itself, and that can open one film and the system's
/// libraries (`Confinement.Purpose.filming`); so can the command, which can start nothing else.
struct FilmDecoder {
  /// The command to start.
  var path = Confinement.filmCommand
  /// The most processor time for one start of the command, in seconds.
  var processorSeconds = 4
  /// The most time for one film, in seconds: long, as the program itself ends a decoder that takes too
  /// long.
  var maxTime = FilmCommand.maxTime
  /// The most pictures among which one is chosen.
  private static let maxPictures = 5
  /// The detail of a picture that is neither black nor of one color; see `detail(of:)`.
  private static let plainDetail = 12.0
  /// The codecs of films, as FFmpeg names their decoders.
  private static let decoders =
    "h264,hevc,vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg4,msmpeg4,msmpeg4v2,mjpeg,prores,"
    + "h263,mpeg1video,mpeg2video,theora,rawvideo,dvvideo"

  /// The facts of a film.
  static func describe(_ file: borrowing PhotoFile) throws(FailureReason) -> PhotoInfo {
    PhotoInfo(
      try FilmFacts(MetadataReader.source(of: file)), stamp: file.stamp, sidecar: file.sidecar,
      latest: PhotoFile.latestDay)
  }

  /// Decodes a picture of a film, scaled for a frame and turned upright.
  func decode(
    _ file: borrowing PhotoFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> DecodedPhoto {
    let film = try FilmFacts(MetadataReader.source(of: file))
    let info = PhotoInfo(
      film, stamp: file.stamp, sidecar: file.sidecar, latest: PhotoFile.latestDay)
    guard access(path, X_OK) == 0 else { throw .needsFFmpeg }
    let (picture, thumbnail) = frame.targets(for: info.size)
    let larger = thumbnail.map { $0.target.width > picture.width ? $0.target : picture } ?? picture
    let bitmap = try poster(of: film, file.descriptor, larger)
    return DecodedPhoto(
      info: info, picture: bitmap.reduced(to: picture),
      thumbnail: thumbnail.map { ($0.size, bitmap.reduced(to: $0.target)) })
  }

  /// Decodes the first of some key frames that has any detail, or else the one with most.
  func poster(
    of film: FilmFacts, _ descriptor: Int32, _ size: (width: Int, height: Int)
  ) throws(FailureReason) -> Bitmap {
    let deadline = monotonic_nanoseconds() + Int64(maxTime * 1e9)
    var best: (pixels: [UInt8], detail: Double)?
    // What comes first is often black, or a title.
    let length = film.length ?? 0
    // Films whose key frames are not marked as such, or that are shorter than they say, are decoded
    // from their beginning on.
    let starts: [Double?] = length < 2 ? [0, nil] : [min(length / 10, 60), length / 2, nil]
    for start in starts where best?.detail ?? -1 < Self.plainDetail {
      if start == nil, best != nil { break }
      let arguments = Self.arguments(film, size, fromKeyFrameAt: start)
      let run = try FilmCommand(
        path, arguments, reading: descriptor, processorSeconds: processorSeconds)
      for _ in 0..<Self.maxPictures {
        guard let pixels = try run.read(size.width * size.height * 4, by: deadline) else {
          if run.end(), best == nil { throw .unreadable(ETIMEDOUT) }
          break
        }
        let detail = Self.detail(of: pixels, size)
        if detail > best?.detail ?? -1 { best = (pixels, detail) }
        if detail >= Self.plainDetail { break }
      }
    }
    guard let best else { throw Self.noPicture }
    return Bitmap(width: size.width, height: size.height, pixels: best.pixels, isOpaque: true)
  }

  private static func arguments(
    _ film: FilmFacts, _ size: (width: Int, height: Int), fromKeyFrameAt start: Double?
  ) -> [String] {
    var words = input(film)
    if let start {
      words += ["-skip_frame", "nokey", "-discard", "nokey", "-noaccurate_seek"]
      words += ["-ss", "\((start * 100).rounded() / 100)"]
    }
    words += pictures(of: file)
    words += ["-frames:v", "\(start == nil ? 1 : maxPictures)"]
    return words + output(film.filters(size, scaling: "area"))
  }

  /// The name of the file that is the command's standard input.
  private static let file = "file:/proc/self/fd/0"

  /// The arguments about the container, before those about the file.
  static func input(
    _ film: FilmFacts, protocols: String = "file", threads: Int = 1
  ) -> [String] {
    let format =
      switch film.container {
      case .mp4: "mov"
      case .matroska: "matroska"
      case .avi: "avi"
      }
    // Containers can name other files, and playlists do nothing else: no other format is recognized,
    // and the only file that can be opened is the one that is open.
    return [
      "ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "quiet", "-protocol_whitelist", protocols,
      "-format_whitelist", format == "matroska" ? "matroska,webm" : format, "-codec_whitelist",
      decoders, "-f", format, "-threads", "\(threads)",
    ]
  }

  /// The arguments about the file, of which only the pictures are decoded.
  static func pictures(of file: String) -> [String] {
    ["-i", file, "-map", "0:V:0", "-an", "-sn", "-dn"]
  }

  /// The arguments that write the pixels that some filters make, four bytes each.
  static func output(_ filters: String) -> [String] {
    [
      "-filter_threads", "1", "-vf", filters, "-fps_mode", "passthrough", "-f", "rawvideo",
      "pipe:1",
    ]
  }

  /// The standard deviation of the brightness of some pixels, from 0 to 127: a black picture has none.
  private static func detail(of pixels: [UInt8], _ size: (width: Int, height: Int)) -> Double {
    let (across, down) = (max(size.width / 48, 1), max(size.height / 48, 1))
    var (count, sum, squares) = (0.0, 0.0, 0.0)
    for y in stride(from: 0, to: size.height, by: down) {
      for x in stride(from: 0, to: size.width, by: across) {
        let offset = (y * size.width + x) * 4
        let brightness =
          (Double(pixels[offset]) + 2 * Double(pixels[offset + 1]) + Double(pixels[offset + 2])) / 4
        (count, sum, squares) = (count + 1, sum + brightness, squares + brightness * brightness)
      }
    }
    let mean = sum / max(count, 1)
    return max(squares / max(count, 1) - mean * mean, 0).squareRoot()
  }
}

extension FilmDecoder {
  /// The failure of a film that the command cannot decode; another version of it may.
  static let noPicture = FailureReason.decoder("no picture")

  /// Printable bytes that tell the installed command from other versions of it.
  static var commandStamp: [UInt8] {
    guard let stamp = try? PhotoOpening.stamp(of: Array(Confinement.filmCommand.utf8)) else {
      return Array("none".utf8)
    }
    return Array("\(stamp.byteCount) \(stamp.modified)".utf8)
  }
}
