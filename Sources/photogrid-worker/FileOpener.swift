import CLinux
import Glibc
import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// The process that opens photos for the one that decodes, and stores thumbnails; it decodes
/// nothing.
///
/// Requests pass through it, each with the files that it is about. Responses do not.
struct FileOpener {
  private let channel: Channel
  private let decoder: pid_t
  private let requests: Int32
  private let storage: Channel
  private let mode: SandboxMode
  private var confinement: Confinement
  private var isConfined = false
  private var reader = MessageReader<DecodeProtocol.Request>()
  private var storageReader = MessageReader<StorageRequest>()
  /// Whether the program has closed the connection.
  private var hasEnded = false
  /// A request that the decoder has not taken yet, with the files for it.
  private var outgoing = OutgoingDelivery()
  private var lastNumber: UInt32 = 0
  /// The photos of deliveries whose thumbnails may still come.
  private var photos: [(number: UInt32, photo: ThumbnailCache.Photo)] = []
  private var cache: ThumbnailCache?
  private var cleaner: ThumbnailCleaner?
  /// The folder of thumbnails, if new ones may be stored there.
  private var writableFolder: [UInt8]?

  /// The most photos that are remembered for their thumbnails: more than requests are under way.
  private static let mostPhotos = 64

  /// The process beside a decoder, to which requests are sent over one socket, and which has
  /// thumbnails stored over another.
  init(
    _ channel: Channel, decoder: pid_t, requests: Int32, storage: Int32, _ mode: SandboxMode,
    _ confinement: Confinement
  ) {
    self.channel = channel
    self.decoder = decoder
    self.requests = requests
    self.storage = Channel(storage)
    self.mode = mode
    self.confinement = confinement
    _ = fcntl(requests, F_SETFL, O_NONBLOCK)
  }

  /// Passes requests on until the decoder ends, and ends as that did.
  mutating func run() -> Never {
    while true {
      var polled = [
        pollfd(fd: storage.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: outgoing.isEmpty ? -1 : requests, events: Int16(POLLOUT), revents: 0),
        pollfd(
          fd: hasEnded || !outgoing.isEmpty ? -1 : channel.descriptor, events: Int16(POLLIN),
          revents: 0),
      ]
      // Too many descriptors may be under way in the whole system, which no poll reports.
      poll(&polled, nfds_t(polled.count), outgoing.isHeldBack ? 5 : -1)
      if polled[0].revents != 0 { receiveStorage() }
      if polled[2].revents != 0 { receiveRequests() }
      passOn()
    }
  }

  // MARK: Requests

  private mutating func receiveRequests() {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = channel.receive(into: &piece)
    guard count > 0 else {
      hasEnded = true
      return
    }
    piece.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Sends what the decoder takes, and opens files for one request after the other meanwhile.
  private mutating func passOn() {
    while outgoing.flush(to: requests) {
      do throws(ProtocolError) {
        guard let request = try reader.next() else { break }
        deliver(request)
      } catch {
        exit(1)
      }
    }
    // The decoder finishes what it has, and ends.
    if hasEnded, outgoing.isEmpty { shutdown(requests, Int32(SHUT_WR)) }
  }

  private mutating func deliver(_ request: DecodeProtocol.Request) {
    switch request {
    case .useThumbnails(let access):
      if access.mayWrite { writableFolder = access.folder }
      cache = ThumbnailCache(access)
      cleaner = ThumbnailCleaner(access)
      return
    case .clean:
      confine()
      return clean()
    default: break
    }
    lastNumber &+= 1
    var delivery = FileDelivery(number: lastNumber)
    var descriptors: [Int32] = []
    if let path = request.path {
      confine()
      open(path, for: request, &delivery, &descriptors)
    }
    outgoing = OutgoingDelivery(delivery.encoded() + request.encoded(), descriptors)
  }

  private mutating func open(
    _ path: [UInt8], for request: DecodeProtocol.Request, _ delivery: inout FileDelivery,
    _ descriptors: inout [Int32]
  ) {
    let opening = PhotoOpening(path)
    delivery.status = opening.status
    delivery.failure = opening.failure
    if let descriptor = opening.descriptor {
      delivery.hasPhoto = true
      descriptors.append(descriptor)
    }
    guard let cache, let status = opening.status, let photo = ThumbnailCache.Photo(path, status)
    else {
      delivery.knownOutcome = .refused(0)
      return
    }
    delivery.wantsThumbnail = cache.isWritable
    photos.append((delivery.number, photo))
    if photos.count > Self.mostPhotos { photos.removeFirst() }
    switch request {
    case .preview(_, _, let size, let mode):
      delivery.knownFailure = cache.failure(of: photo)
      let thumbnails = cache.openThumbnails(of: photo, for: Frame(size: size, mode: mode))
      delivery.thumbnailCount = thumbnails.count
      descriptors += thumbnails
    case .cacheThumbnail(_, _, let size):
      if cache.thumbnail(of: photo, size) != nil {
        delivery.knownOutcome = .wasThere
      } else {
        delivery.knownFailure = cache.failure(of: photo)
        if delivery.knownFailure == nil { delivery.knownOutcome = cache.refusal(of: photo) }
      }
    default: break
    }
  }

  /// Gives up everything that no further request needs, before the first file is opened.
  private mutating func confine() {
    guard !isConfined else { return }
    isConfined = true
    if let writableFolder { ThumbnailCache.makeFolder(writableFolder) }
    guard mode != .off else { return }
    confinement.finish(.opening(writesBelow: writableFolder))
    if mode == .require, !confinement.isComplete { exit(1) }
  }

  /// Removes the thumbnails of files that no longer exist, and reports the progress.
  private mutating func clean() {
    let done = cleaner?.run { [channel] cleaning in
      channel.send(DecodeProtocol.Response.cleaned(cleaning, isOver: false))
    }
    channel.send(DecodeProtocol.Response.cleaned(done ?? ThumbnailCleaning(), isOver: true))
  }

  // MARK: Thumbnails

  private mutating func receiveStorage() {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = storage.receive(into: &piece)
    guard count > 0 else { endAsDecoder() }
    piece.withUnsafeBytes {
      storageReader.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    do throws(ProtocolError) {
      while let request = try storageReader.next() { store(request) }
    } catch {
      // The decoder ends with this process.
      exit(1)
    }
  }

  private mutating func store(_ request: StorageRequest) {
    switch request {
    case .thumbnail(let number, let info, let bitmap, let size, let replacing):
      var outcome = ThumbnailOutcome.refused(EBADF)
      if let photo = photo(number) {
        let isThere = !replacing && cache?.thumbnail(of: photo, size) != nil
        outcome =
          isThere ? .wasThere : cache?.store(bitmap, of: photo, info, size) ?? .refused(EROFS)
      }
      _ = storage.offer(StorageResponse(outcome).encoded())
    case .failure(let number, let reason):
      // The reason may have come from the cache.
      guard let photo = photo(number), cache?.failure(of: photo) == nil else { return }
      cache?.store(reason, of: photo)
    }
  }

  /// The photo of a delivery; those before it are over.
  private mutating func photo(_ number: UInt32) -> ThumbnailCache.Photo? {
    guard let index = photos.firstIndex(where: { $0.number == number }) else { return nil }
    photos.removeFirst(index)
    return photos.first?.photo
  }

  /// Ends as the decoder has ended, so that the program learns of its limits and crashes.
  private func endAsDecoder() -> Never {
    var status: Int32 = 0
    while waitpid(decoder, &status, 0) < 0, errno == EINTR {}
    let code = status >> 8 & 0xff
    let signalNumber = status & 0x7f != 0 ? status & 0x7f : code > 128 ? code - 128 : 0
    if signalNumber != 0 {
      signal(signalNumber, SIG_DFL)
      raise(signalNumber)
    }
    exit(code)
  }
}

/// Bytes of a delivery on their way, and the descriptors that go with the first of them.
private struct OutgoingDelivery {
  private var bytes: [UInt8] = []
  private var sentCount = 0
  private var descriptors: [Int32] = []
  /// Whether the system refuses more descriptors for now.
  private(set) var isHeldBack = false

  /// Nothing.
  init() {}

  /// A delivery whose descriptors are closed once they are sent.
  init(_ bytes: [UInt8], _ descriptors: [Int32]) {
    self.bytes = bytes
    self.descriptors = descriptors
  }

  /// Whether everything was sent.
  var isEmpty: Bool { sentCount == bytes.count }

  /// Sends as much as a socket takes.
  ///
  /// - Returns: Whether everything was sent.
  mutating func flush(to socket: Int32) -> Bool {
    isHeldBack = false
    while !isEmpty {
      let count = bytes.withUnsafeBytes {
        socket_sends(
          socket, $0.baseAddress?.advanced(by: sentCount), $0.count - sentCount, descriptors,
          Int32(descriptors.count))
      }
      guard count > 0 else {
        if errno == EINTR { continue }
        isHeldBack = errno == ETOOMANYREFS
        // Of a decoder that has ended, the other socket tells.
        if errno == EPIPE || errno == ECONNRESET { drop() }
        return false
      }
      for descriptor in descriptors { close(descriptor) }
      descriptors = []
      sentCount += count
    }
    drop()
    return true
  }

  private mutating func drop() {
    for descriptor in descriptors { close(descriptor) }
    self = OutgoingDelivery()
  }
}
