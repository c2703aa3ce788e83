import CLinux
import Glibc
import WorkerProtocol
import WorkerRuntime

/// Reads requests with the files that were opened for them.
struct DeliveryReader {
  private let socket: Int32
  private var reader = MessageReader<FileDelivery>()
  /// The delivery that has arrived for the next request.
  private var delivery: FileDelivery?
  /// The descriptors that have arrived for requests that have not.
  private var descriptors: [Int32] = []

  /// Creates a reader of a socket, whose reads block.
  init(_ socket: Int32) { self.socket = socket }

  /// Returns the next request; exits with status 1 after invalid bytes.
  ///
  /// - Parameter wait: Called before each wait for more requests.
  /// - Returns: The request, its token and its files; nil at the end.
  mutating func next(beforeWaiting wait: () -> Void) -> (
    DecodeProtocol.Request, UInt32, DeliveredFile
  )? {
    while true {
      do throws(ProtocolError) {
        if delivery == nil { delivery = try reader.next() }
        if let found = delivery, let request = try reader.next(as: DecodeProtocol.Request.self) {
          delivery = nil
          guard found.descriptorCount <= descriptors.count else { throw .malformed }
          defer { descriptors.removeFirst(found.descriptorCount) }
          return (
            request, reader.token,
            DeliveredFile(
              found, descriptors.prefix(found.descriptorCount), name: request.path ?? [])
          )
        }
      } catch {
        exit(1)
      }
      wait()
      guard receive() else { return nil }
    }
  }

  /// Blocks until bytes arrive.
  ///
  /// - Returns: Whether bytes have arrived; false at the end of the connection.
  private mutating func receive() -> Bool {
    var arrived = [Int32](repeating: -1, count: Int(SOCKET_MOST_DESCRIPTORS))
    var arrivedCount: Int32 = 0
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { piece in
      var count = 0
      repeat {
        count = socket_receive(socket, piece.baseAddress, piece.count, &arrived, &arrivedCount)
      } while count < 0 && errno == EINTR
      if count > 0 { reader.feed(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
      return count
    }
    descriptors += arrived.prefix(Int(arrivedCount))
    return count > 0
  }
}

/// The decoder's end of the connection over which thumbnails are stored.
struct StorageClient {
  private let channel: Channel
  private var reader = MessageReader<StorageResponse>()

  init(_ channel: Channel) { self.channel = channel }

  /// Sends a request to the opener, and waits for its response.
  ///
  /// - Returns: The outcome; nil if the connection is closed.
  @discardableResult
  mutating func store(_ request: StorageRequest) -> ThumbnailOutcome? {
    guard channel.offer(request) else { return nil }
    var piece = [UInt8](repeating: 0, count: 64)
    while true {
      if let response = try? reader.next() { return response.outcome }
      let count = channel.receive(into: &piece)
      guard count > 0 else { return nil }
      piece.withUnsafeBytes { reader.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}

extension DecodeProtocol.Request {
  var path: [UInt8]? {
    if case .photo(let path, _, _) = self { path } else { nil }
  }
}

/// Facts on their way to the program, those of many photos together: waking the program for each
/// photo would take longer than reading it.
final class AnswerBuffer {
  private let channel: Channel
  private var bytes: [UInt8] = []
  /// When the first of them was added, in nanoseconds.
  private var start: Int64 = 0

  /// The most bytes after which more are added.
  private static let maxBytes = 8 << 10
  /// The longest time for which an answer waits for others, in nanoseconds.
  private static let maxWait: Int64 = 10_000_000

  init(_ channel: Channel) { self.channel = channel }

  /// Queues an answer, and sends all of them if that is due.
  func queue(_ answer: DecodeProtocol.Response, token: UInt32) {
    let now = monotonic_nanoseconds()
    if bytes.isEmpty { start = now }
    bytes += answer.encoded(token: token)
    if bytes.count > Self.maxBytes || now - start > Self.maxWait { flush() }
  }

  func flush() {
    guard !bytes.isEmpty else { return }
    channel.send(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// The photos of recent deliveries, for which decoders may still send thumbnails.
struct DeliveredPhotos {
  private var photos: [(number: UInt32, photo: ThumbnailCache.Photo)] = []

  /// The most photos that are remembered, which is more than the requests in flight.
  private static let maxCount = 64

  mutating func append(_ photo: ThumbnailCache.Photo, number: UInt32) {
    photos.append((number, photo))
    if photos.count > Self.maxCount { photos.removeFirst() }
  }

  /// Returns the photo of a delivery; nil if the number is unknown.
  func photo(ofDelivery number: UInt32) -> ThumbnailCache.Photo? {
    photos.last { $0.number == number }?.photo
  }
}
