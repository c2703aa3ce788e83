import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// The process that decodes photos, which may crash.
struct DecodeWorker {
  private typealias Response = DecodeProtocol.Response

  private let channel: Channel
  private var decoder = CachedDecoder()
  private let encoder = PictureEncoder()
  private var cleaner: ThumbnailCleaner?
  private let mode: SandboxMode
  private var confinement: Confinement
  private var isConfined = false
  /// The folder of thumbnails, if new ones may be kept there.
  private var writableFolder: [UInt8]?
  /// Processor time for the next request, in seconds.
  private var secondsForNext = ProcessLimits.secondsPerRequest

  /// A process that answers the requests of a channel, and gives up its rights on the way.
  init(_ channel: Channel, _ mode: SandboxMode) {
    self.channel = channel
    self.mode = mode
    confinement = Confinement()
    confinement.limitResources(leavesNetwork: mode != .off)
  }

  /// Answers requests until the program closes the connection, and exits.
  mutating func run() -> Never {
    var requests = RequestLoop<DecodeProtocol.Request>(channel)
    requests.run { answer($0) }
  }

  private mutating func answer(_ request: DecodeProtocol.Request) {
    switch request {
    case .useThumbnails(let access):
      if access.mayWrite { writableFolder = access.folder }
      decoder.use(access)
      cleaner = ThumbnailCleaner(access)
    case .allowTime(let seconds): secondsForNext = seconds
    case .allowMemory(let bytes): decoder.memory = bytes
    default:
      confine()
      ProcessLimits.grantTime(seconds: secondsForNext)
      secondsForNext = ProcessLimits.secondsPerRequest
      answerAboutFile(request)
      decoder.memory = DecodeProtocol.Request.plainMemory
    }
  }

  /// Gives up everything that no further request needs, before the first byte of a file is read.
  private mutating func confine() {
    guard !isConfined else { return }
    isConfined = true
    if let writableFolder {
      ProcessLimits.allowFiles()
      ThumbnailCache.makeFolder(writableFolder)
    }
    guard mode != .off else { return }
    confinement.finish(.decoding(writesBelow: writableFolder))
    if mode == .require, !confinement.isComplete { exit(1) }
  }

  private mutating func answerAboutFile(_ request: DecodeProtocol.Request) {
    switch request {
    case .useThumbnails, .allowTime, .allowMemory: break
    case .describe(let token, let path):
      Self.answer(token, on: channel) { () throws(FailureReason) in
        .described(token: token, try decoder.describe(path))
      }
    case .decode(let token, let path, let size, let mode):
      decode(token, path, Frame(size: size, mode: mode))
    case .preview(let token, let path, let size, let mode):
      preview(token, path, Frame(size: size, mode: mode))
    case .decodeRegion(let token, let path, let region):
      decodeRegion(token, path, region)
    case .frames(let token, let path, let size, let mode, let range):
      Self.answer(token, on: channel) { () throws(FailureReason) in
        let (info, run) = try decoder.decode(range, of: path, Frame(size: size, mode: mode))
        return .frames(token: token, info, run)
      }
    case .cacheThumbnail(let token, let path, let size):
      Self.answer(token, on: channel) { () throws(FailureReason) in
        .thumbnailCached(token: token, try decoder.fillCache(path, size))
      }
    case .clean: clean()
    case .inspect(let token, let path):
      Self.answer(token, on: channel) { () throws(FailureReason) in
        .inspected(token: token, try MetadataReader().read(path))
      }
    case .encode(let token, let bitmap, let format):
      Self.answer(token, on: channel) { () throws(FailureReason) in
        .encoded(token: token, try encoder.encode(bitmap, as: format))
      }
    }
  }

  /// Sends a response, or the reason that there is none.
  private static func answer(
    _ token: UInt32, on channel: Channel, _ response: () throws(FailureReason) -> Response
  ) {
    do throws(FailureReason) {
      channel.send(try response())
    } catch {
      channel.send(Response.failed(token: token, error))
    }
  }

  private mutating func decode(_ token: UInt32, _ path: [UInt8], _ frame: Frame) {
    do throws(FailureReason) {
      let photo = try decoder.decode(path, frame)
      send(photo.info, photo.picture, token)
      decoder.cacheThumbnail(of: photo, path)
    } catch {
      channel.send(Response.failed(token: token, error))
      decoder.cacheFailure(error, path)
    }
  }

  private mutating func preview(_ token: UInt32, _ path: [UInt8], _ frame: Frame) {
    do throws(FailureReason) {
      switch try decoder.preview(path, frame) {
      case let preview? where preview.isFinal: send(preview.info, preview.picture, token)
      case let preview?:
        channel.send(Response.previewed(token: token, preview.info, preview.picture))
      case nil: channel.send(Response.noPreview(token: token))
      }
    } catch {
      channel.send(Response.failed(token: token, error))
      decoder.cacheFailure(error, path)
    }
  }

  private func decodeRegion(_ token: UInt32, _ path: [UInt8], _ region: PhotoRegion) {
    do throws(FailureReason) {
      let (covered, bitmap) = try decoder.decode(path, region)
      channel.send(Response.decodedRegionHead(token: token, region: covered, bitmap: bitmap))
      channel.send(bitmap.pixels)
    } catch {
      channel.send(Response.failed(token: token, error))
    }
  }

  /// Sends a picture without copying its pixels.
  private func send(_ info: PhotoInfo, _ picture: Bitmap, _ token: UInt32) {
    channel.send(Response.decodedHead(token: token, info: info, bitmap: picture))
    channel.send(picture.pixels)
  }

  /// Removes the thumbnails of files that no longer exist, and reports the progress.
  private mutating func clean() {
    let done = cleaner?.run { [channel] cleaning in
      channel.send(Response.cleaned(cleaning, isOver: false))
      ProcessLimits.grantTime()
    }
    channel.send(Response.cleaned(done ?? ThumbnailCleaning(), isOver: true))
  }
}
