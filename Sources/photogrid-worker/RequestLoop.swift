import Glibc
import PhotoGridCore
import WorkerProtocol

/// Reads requests and answers them, one after the other, until the program closes its end.
struct RequestLoop {
  private let channel: Channel
  private let decoder = PhotoDecoder()
  private let encoder = PictureEncoder()
  private var reader = MessageReader<Request>()
  private var walk = FolderWalk()

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
    case .list(let listing):
      let summary = walk.list(listing) { [channel] batch in
        channel.send(Response.found(batch).encoded())
        Confinement.grantTime()
      }
      channel.send(Response.listed(summary).encoded())
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

/// The worker's end of the socket pair; blocking, since there is nothing else to do.
private struct Channel {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Sends everything, or ends the process if nobody is there to take it.
  func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count > 0 {
          sent += count
        } else if errno != EINTR {
          exit(0)
        }
      }
    }
  }

  /// How many bytes came; 0 or less at the end.
  func receive(into piece: inout [UInt8]) -> Int {
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
