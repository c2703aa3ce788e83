import Glibc
import PhotoGridCore
import WorkerEnd
import WorkerProtocol

/// Reads requests and answers them, one after the other, until the program closes its end.
struct RequestLoop {
  private let channel: Channel
  private let decoder = PhotoDecoder()
  private let encoder = PictureEncoder()
  private var reader = MessageReader<Request>()

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
    case .list:
      // Only a lister is asked for that.
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
        let (info, bitmap) = try decoder.decode(path, Frame(size: size, mode: mode))
        channel.send(Response.decodedHead(token: token, info: info, bitmap: bitmap))
        channel.send(bitmap.pixels)
      } catch {
        channel.send(Response.failed(token: token, error).encoded())
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
