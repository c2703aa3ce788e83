import CLinux
import Geometry
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// The process that decodes photos, which may crash, and which a hostile photo may take over.
///
/// It opens no file: photos and thumbnails arrive open, with the requests.
struct DecoderProcess {
  private typealias Response = DecodeProtocol.Response

  private let channel: Channel
  private var requests: DeliveryReader
  private var storage: StorageClient
  private var decoder = PhotoDecoder()
  private let encoder = PictureEncoder()
  /// Facts that have not been sent yet.
  private let answers: AnswerBuffer
  /// The processor time that was granted last, in seconds, and when that was, in nanoseconds.
  private var (grantedSeconds, lastGrant) = (0, Int64(0))
  /// The time within which no more processor time is granted, in nanoseconds.
  private static let grantInterval: Int64 = 200_000_000

  /// A process that takes requests from one socket, answers them on the program's, and has
  /// thumbnails stored over a third.
  init(_ channel: Channel, requests: Int32, storage: Int32) {
    self.channel = channel
    answers = AnswerBuffer(channel)
    self.requests = DeliveryReader(requests)
    self.storage = StorageClient(Channel(storage))
  }

  /// Answers requests until there are no more, and exits.
  mutating func run() -> Never {
    while let (request, token, photo) = requests.next(beforeWaiting: { [answers] in answers.flush()
    }) {
      answer(request, token, photo)
    }
    exit(0)
  }

  private mutating func answer(
    _ request: DecodeProtocol.Request, _ token: UInt32, _ photo: DeliveredFile
  ) {
    switch request {
    case .useThumbnails: break
    case .photo(_, let work, let allowance):
      grantTime(seconds: allowance.seconds)
      if work != .describe { answers.flush() }
      decoder.allowance = allowance
      perform(work, token, photo)
      if allowance.memory > DecodeProtocol.Request.plainMemory { ProcessLimits.returnMemory() }
    case .encode(let bitmap, let format):
      grantTime()
      answers.flush()
      Self.answer(token, on: channel) { () throws(FailureReason) in
        .encoded(try encoder.encode(bitmap, as: format))
      }
    }
  }

  /// Grants processor time for a request.
  ///
  /// It takes three system calls, and facts little time: what many of them take together is no more
  /// than what is left of the last grant.
  ///
  /// - Parameter seconds: Nil for as much as usual.
  private mutating func grantTime(seconds: Int? = nil) {
    let now = monotonic_nanoseconds()
    let granted = seconds ?? ProcessLimits.secondsPerRequest
    if granted == grantedSeconds, now - lastGrant < Self.grantInterval { return }
    ProcessLimits.grantTime(seconds: granted)
    (grantedSeconds, lastGrant) = (granted, now)
  }

  /// Reads the facts of a photo, which are sent together with those of the next ones.
  private func describe(_ token: UInt32, _ photo: DeliveredFile) {
    do throws(FailureReason) {
      answers.queue(.described(try decoder.describe(photo)), token: token)
    } catch {
      answers.queue(.failed(error), token: token)
    }
  }

  private mutating func perform(
    _ work: DecodeProtocol.Request.Work, _ token: UInt32, _ photo: DeliveredFile
  ) {
    switch work {
    case .describe: describe(token, photo)
    case .decode(let size, let mode): decode(token, photo, DecodeTarget(size: size, mode: mode))
    case .preview(let size, let mode): preview(token, photo, DecodeTarget(size: size, mode: mode))
    case .decodeRegion(let region): decodeRegion(token, photo, region)
    case .frames(let size, let mode, let range):
      Self.answer(token, on: channel) { () throws(FailureReason) in
        let (info, run) = try decoder.decode(range, of: photo, DecodeTarget(size: size, mode: mode))
        return .frames(info, run)
      }
    case .cacheThumbnail(let size): cacheThumbnail(token, photo, size)
    case .inspect:
      Self.answer(token, on: channel) { () throws(FailureReason) in
        .inspected(try MetadataReader().read(photo))
      }
    case .export:
      Self.answer(token, on: channel) { () throws(FailureReason) in
        .encoded(try Self.file(of: photo, decoder))
      }
    }
  }

  /// Returns the bytes of a PNG or JPEG, or a PNG of a photo in another format or that its sidecar
  /// turns.
  private static func file(
    of photo: DeliveredFile, _ decoder: borrowing PhotoDecoder
  ) throws(FailureReason) -> [UInt8] {
    let file = try PhotoFile(photo)
    if file.format == .jpeg || file.format == .png, try decoder.turn(of: photo) == .upright {
      guard file.byteCount <= Response.maxFileLength else { throw .fileTooLong }
      return try file.contents()
    }
    // Within what a request to encode a picture may have.
    let side = Double(DecodeProtocol.Request.maxPictureLength / 4).squareRoot()
    let frame = DecodeTarget(size: PixelSize(width: side, height: side), mode: .fit)
    return try VipsDecoder.png(try decoder.decode(photo, frame).picture)
  }

  private static func answer(
    _ token: UInt32, on channel: Channel, _ response: () throws(FailureReason) -> Response
  ) {
    do throws(FailureReason) {
      channel.send(try response(), token: token)
    } catch {
      channel.send(Response.failed(error), token: token)
    }
  }

  private mutating func decode(_ token: UInt32, _ photo: DeliveredFile, _ frame: DecodeTarget) {
    do throws(FailureReason) {
      let decoded = try decoder.decode(photo, frame)
      send(decoded.info, decoded.picture, token)
      if let request = decoder.storage(of: decoded, photo) { storage.store(request) }
    } catch {
      fail(token, error, photo)
    }
  }

  private mutating func fail(_ token: UInt32, _ reason: FailureReason, _ photo: DeliveredFile) {
    channel.send(Response.failed(reason), token: token)
    if let request = decoder.storage(of: reason, photo) { storage.store(request) }
  }

  private mutating func preview(_ token: UInt32, _ photo: DeliveredFile, _ frame: DecodeTarget) {
    do throws(FailureReason) {
      switch try decoder.preview(photo, frame) {
      case let preview? where preview.isFinal: send(preview.info, preview.picture, token)
      case let preview?:
        let info = preview.info.hashed(preview.picture)
        channel.send(Response.previewed(info, preview.picture), token: token)
      case nil: channel.send(Response.noPreview, token: token)
      }
    } catch {
      fail(token, error, photo)
    }
  }

  private mutating func cacheThumbnail(
    _ token: UInt32, _ photo: DeliveredFile, _ size: ThumbnailSize
  ) {
    if let outcome = photo.delivery.knownOutcome {
      return channel.send(Response.thumbnailCached(outcome), token: token)
    }
    do throws(FailureReason) {
      _ = try photo.stamp()
      if let reason = photo.delivery.knownFailure { throw reason }
      let (request, info) = try decoder.decodeThumbnail(photo, size)
      let outcome = storage.store(request) ?? .refused(EIO)
      channel.send(Response.thumbnailCached(outcome, info), token: token)
    } catch {
      fail(token, error, photo)
    }
  }

  private func decodeRegion(_ token: UInt32, _ photo: DeliveredFile, _ region: PhotoRegion) {
    do throws(FailureReason) {
      let (covered, bitmap) = try decoder.decode(photo, region)
      channel.send(Response.decodedRegion(covered, bitmap), token: token)
    } catch {
      channel.send(Response.failed(error), token: token)
    }
  }

  private func send(_ info: PhotoInfo, _ picture: Bitmap, _ token: UInt32) {
    channel.send(Response.decoded(info.hashed(picture), picture), token: token)
  }
}
