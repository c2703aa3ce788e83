import Glibc
import PhotoGridCore
import WorkerEnd
import WorkerProtocol

/// Reads requests and answers them, one after the other, until the program closes its end.
struct RequestLoop {
  private let channel: Channel
  private var decoder = CachedDecoder()
  private let encoder = PictureEncoder()
  private var reader = MessageReader<Request>()
  private var cleaner: ThumbnailCleaner?

  init(_ descriptor: Int32) { channel = Channel(descriptor) }

  /// Never returns: the end of the requests is the end of the process.
  mutating func run() -> Never {
    channel.send(Response.hello(.current).encoded())
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = channel.receive(into: &piece)
      guard count > 0 else { exit(0) }
      piece.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      do throws(ProtocolError) {
        while let request = try reader.next() { answer(request) }
      } catch {
        exit(1)
      }
    }
  }

  private mutating func answer(_ request: Request) {
    Confinement.grantTime()
    switch request {
    case .list, .glance, .change:
      // Only a lister and a keeper of files are asked for that.
      exit(1)
    case .describe(let token, let path):
      do throws(FailureReason) {
        let info = try decoder.describe(path)
        channel.send(Response.described(token: token, info).encoded())
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
      }
    case .decode(let token, let path, let size, let mode):
      do throws(FailureReason) {
        let photo = try decoder.decode(path, Frame(size: size, mode: mode))
        send(photo.info, photo.picture, token)
        decoder.keep(photo, path)
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
        decoder.keep(error, path)
      }
    case .preview(let token, let path, let size, let mode):
      do throws(FailureReason) {
        let glimpse = try decoder.glimpse(path, Frame(size: size, mode: mode))
        switch glimpse {
        case let glimpse? where glimpse.isFinal: send(glimpse.info, glimpse.picture, token)
        case let glimpse?:
          channel.send(
            Response.previewed(token: token, glimpse.info, glimpse.picture).encoded())
        case nil: channel.send(Response.noPreview(token: token).encoded())
        }
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
        decoder.keep(error, path)
      }
    case .decodeRegion(let token, let path, let region):
      do throws(FailureReason) {
        let (covered, bitmap) = try decoder.decode(path, region)
        channel.send(Response.decodedRegionHead(token: token, region: covered, bitmap: bitmap))
        channel.send(bitmap.pixels)
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
      }
    case .frames(let token, let path, let size, let mode, let range):
      do throws(FailureReason) {
        let (info, run) = try decoder.decode(range, of: path, Frame(size: size, mode: mode))
        channel.send(Response.frames(token: token, info, run).encoded())
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
      }
    case .useThumbnails(let access):
      if access.mayWrite { Confinement.allowFiles() }
      decoder.use(access)
      cleaner = ThumbnailCleaner(access)
    case .keep(let token, let path, let size):
      do throws(FailureReason) {
        let outcome = try decoder.fill(path, size)
        channel.send(Response.kept(token: token, outcome).encoded())
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
      }
    case .clean:
      let done = cleaner?.run { [channel] cleaning in
        channel.send(Response.cleaned(cleaning, isOver: false).encoded())
        Confinement.grantTime()
      }
      channel.send(Response.cleaned(done ?? ThumbnailCleaning(), isOver: true).encoded())
    case .inspect(let token, let path):
      do throws(FailureReason) {
        let metadata = try MetadataReader().read(path)
        channel.send(Response.inspected(token: token, metadata).encoded())
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
      }
    case .encode(let token, let bitmap, let format):
      do throws(FailureReason) {
        let file = try encoder.encode(bitmap, as: format)
        channel.send(Response.encoded(token: token, file).encoded())
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
      }
    }
  }
}

extension RequestLoop {
  private func send(_ info: PhotoInfo, _ picture: Bitmap, _ token: UInt32) {
    channel.send(Response.decodedHead(token: token, info: info, bitmap: picture))
    channel.send(picture.pixels)
  }
}
