import CLinux
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// The process that opens photos for the one that decodes, and stores thumbnails; it decodes
/// nothing.
///
/// Requests pass through it, each with the files that it is about, to a decoder that has loaded
/// what they take. Responses do not.
struct FileOpener {
  private let channel: Channel
  private let starter: pid_t
  private let orders: Int32
  private let mode: SandboxMode
  private var confinement: Confinement
  private var isConfined = false
  private var reader = MessageReader<DecodeProtocol.Request>()
  private var decoder: RunningDecoder?
  private var hasEnded = false
  /// Requests that the decoder has not taken yet, with the files for them.
  private var outgoing = OutgoingDelivery()
  /// The next one, for which the decoder has to end first, and what its decoder has to load.
  private var waiting: (delivery: OutgoingDelivery, libraries: DecoderLibraries)?
  private var lastNumber: UInt32 = 0
  private var photos = DeliveredPhotos()
  private var cache: ThumbnailCache?
  /// The folder of thumbnails, if new ones may be stored there.
  private var writableFolder: [UInt8]?

  /// The process beside the one that starts decoders, by orders over a socket.
  init(
    _ channel: Channel, starter: pid_t, orders: Int32, _ mode: SandboxMode,
    _ confinement: Confinement
  ) {
    self.channel = channel
    self.starter = starter
    self.orders = orders
    self.mode = mode
    self.confinement = confinement
  }

  /// Passes requests on until the decoder ends, and ends as that did.
  mutating func run() -> Never {
    // Most photos need no more; it is ready when the first one is open.
    start([])
    while true {
      let isBusy = hasEnded || waiting != nil || !outgoing.isEmpty
      var polled = [
        pollfd(fd: decoder?.storage.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: outgoing.isEmpty ? -1 : decoder?.requests ?? -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: isBusy ? -1 : channel.descriptor, events: Int16(POLLIN), revents: 0),
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
    while outgoing.isEmpty || outgoing.flush(to: decoder?.requests ?? -1) {
      guard waiting == nil, collect() else { break }
    }
    guard waiting != nil || hasEnded, outgoing.isEmpty else { return }
    // The decoder finishes what it has, and ends.
    if let decoder { decoder.finish() } else { endAsDecoder() }
  }

  /// The longest time for which files are opened before the first of them is sent, in nanoseconds.
  private static let maxCollectionTime: Int64 = 10_000_000

  /// Opens the files of requests that have arrived, as many as are sent together: waking the
  /// decoder for each would take longer than opening it.
  ///
  /// - Returns: Whether there was a request.
  private mutating func collect() -> Bool {
    let start = monotonic_nanoseconds()
    var hasRequest = false
    do throws(ProtocolError) {
      while waiting == nil, outgoing.hasRoom, let request = try reader.next() {
        hasRequest = true
        deliver(request, reader.token)
        if monotonic_nanoseconds() - start > Self.maxCollectionTime { break }
      }
    } catch {
      exit(1)
    }
    return hasRequest
  }

  /// Sends a delivery to a decoder with some libraries, which takes the place of the present one if
  /// that lacks any of them.
  private mutating func send(_ delivery: OutgoingDelivery, _ libraries: DecoderLibraries) {
    if let decoder, !decoder.libraries.serve(libraries) {
      let isShared = !libraries.union(decoder.libraries).contains(.films)
      waiting = (delivery, isShared ? libraries.union(decoder.libraries) : libraries)
    } else {
      if decoder == nil { start(libraries) }
      outgoing.append(delivery)
    }
  }

  private mutating func start(_ libraries: DecoderLibraries) {
    decoder = RunningDecoder(libraries, from: orders)
    if decoder == nil { endAsDecoder() }
  }

  private mutating func deliver(_ request: DecodeProtocol.Request, _ token: UInt32) {
    switch request {
    case .useThumbnails(let access):
      if access.mayWrite { writableFolder = access.folder }
      cache = ThumbnailCache(access)
      return
    case .closeFilm:
      // Its command ends with the decoder, whose place one for photos takes.
      if decoder?.libraries.contains(.films) ?? false { waiting = (OutgoingDelivery(), []) }
      return
    default: break
    }
    lastNumber &+= 1
    var delivery = FileDelivery(number: lastNumber)
    var descriptors: [Int32] = []
    var libraries: DecoderLibraries = []
    if case .photo(let path, let work, let allowance) = request {
      confine()
      libraries = open(path, for: work, allowance, &delivery, &descriptors)
    }
    send(
      OutgoingDelivery(delivery.encoded() + request.encoded(token: token), descriptors), libraries)
  }

  /// Opens a photo and its thumbnails.
  ///
  /// - Returns: What its decoder has to load.
  private mutating func open(
    _ path: [UInt8], for work: DecodeProtocol.Request.Work,
    _ allowance: DecodeProtocol.Request.Allowance, _ delivery: inout FileDelivery,
    _ descriptors: inout [Int32]
  ) -> DecoderLibraries {
    let opening = PhotoOpening(path)
    delivery.stamp = opening.stamp
    delivery.failure = opening.failure
    if let descriptor = opening.descriptor {
      delivery.hasPhoto = true
      descriptors.append(descriptor)
      if let sidecar = SidecarFile(ofPhoto: path) {
        delivery.hasSidecar = true
        delivery.stamp?.add(sidecar.stamp)
        descriptors.append(sidecar.descriptor)
      }
      if work == .inspect, let film = LivePhoto.existingFilms(beside: path).first {
        delivery.film = LivePhoto.filmExtension(film.suffix(3))
      }
      if work.playsFilm(of: opening.format), let film = PhotoOpening(filmBeside: path) {
        delivery.filmByteCount = film.stamp?.byteCount
        if let file = film.descriptor { descriptors.append(file) }
      }
    }
    // A decoder that is not confined loads what it needs when it needs it.
    let libraries =
      mode == .off || opening.format == .film && !work.decodesPicture
      ? []
      : DecoderLibraries(
        for: work.playsFilm(of: opening.format) ? .film : opening.format,
        allowsOther: allowance.includesOtherDecoder)
    guard let cache, let stamp = opening.stamp, let photo = ThumbnailCache.Photo(path, stamp)
    else {
      delivery.knownOutcome = .refused(0)
      return libraries
    }
    delivery.acceptsThumbnail = cache.isWritable
    photos.append(photo, number: delivery.number)
    let thumbnails = openThumbnails(in: cache, of: photo, work, &delivery)
    delivery.thumbnailCount = thumbnails.count
    descriptors += thumbnails
    // A thumbnail is shown by any decoder.
    let isDecodable = decoder?.libraries.serve(libraries) ?? libraries.isEmpty
    guard !thumbnails.isEmpty, !isDecodable else { return libraries }
    delivery.isDecodable = false
    return []
  }

  /// Adds what the cache has of a photo to a delivery.
  ///
  /// - Returns: The descriptors of its thumbnails, if a preview is requested.
  private func openThumbnails(
    in cache: ThumbnailCache, of photo: ThumbnailCache.Photo, _ work: DecodeProtocol.Request.Work,
    _ delivery: inout FileDelivery
  ) -> [Int32] {
    switch work {
    case .preview(let size, let mode):
      delivery.knownFailure = cache.failure(of: photo)
      return cache.openThumbnails(of: photo, for: DecodeTarget(size: size, mode: mode))
    case .cacheThumbnail(let size):
      if cache.thumbnail(of: photo, size) != nil {
        delivery.knownOutcome = .wasThere
      } else {
        delivery.knownFailure = cache.failure(of: photo)
        if delivery.knownFailure == nil { delivery.knownOutcome = cache.refusal(of: photo) }
      }
    default: break
    }
    return []
  }

  /// Gives up everything that no further request needs, before the first file is opened.
  private mutating func confine() {
    guard !isConfined else { return }
    isConfined = true
    if let writableFolder { ThumbnailCache.makeFolder(writableFolder) }
    confinement.finish(.opening(writesBelow: writableFolder))
  }

  // MARK: Thumbnails

  private mutating func receiveStorage() {
    guard let storage = decoder?.storage else { return }
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = storage.receive(into: &piece)
    guard count > 0 else { return replaceDecoder() }
    piece.withUnsafeBytes {
      decoder?.storageReader.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    do throws(ProtocolError) {
      while let request = try decoder?.storageReader.next() { store(request, storage) }
    } catch {
      // The decoder ends with this process.
      exit(1)
    }
  }

  /// Starts the decoder that a delivery waits for, if one does.
  private mutating func replaceDecoder() {
    guard let (delivery, libraries) = waiting else { endAsDecoder() }
    decoder?.closeSockets()
    waiting = nil
    start(libraries)
    outgoing = delivery
  }

  private mutating func store(_ request: StorageRequest, _ storage: Channel) {
    var outcome = ThumbnailOutcome.refused(EBADF)
    switch request {
    case .thumbnail(let number, let info, let bitmap, let size, let replacing):
      if let photo = photos.photo(ofDelivery: number) {
        let isThere = !replacing && cache?.thumbnail(of: photo, size) != nil
        outcome =
          isThere ? .wasThere : cache?.store(bitmap, of: photo, info, size) ?? .refused(EROFS)
      }
    case .failure(let number, let reason):
      // The reason may have come from the cache.
      if let photo = photos.photo(ofDelivery: number), cache?.failure(of: photo) == nil {
        cache?.store(reason, of: photo)
      }
    }
    storage.offer(StorageResponse(outcome))
  }

  /// Ends as the decoder has ended, so that the program learns of its limits and crashes.
  private func endAsDecoder() -> Never {
    // There are no more orders.
    close(orders)
    var status: Int32 = 0
    while waitpid(starter, &status, 0) < 0, errno == EINTR {}
    let code = status >> 8 & 0xff
    let signalNumber = status & 0x7f != 0 ? status & 0x7f : code > 128 ? code - 128 : 0
    if signalNumber != 0 {
      signal(signalNumber, SIG_DFL)
      raise(signalNumber)
    }
    exit(code)
  }
}

extension DecodeProtocol.Request.Work {
  /// Whether a photo's film is played, which is beside or inside it: the frames of no photo in these
  /// formats are its own.
  fileprivate func playsFilm(of format: ImageFormat?) -> Bool {
    guard case .frames = self else { return false }
    return [.jpeg, .heic, .avif].contains(format)
  }

  /// Whether a picture is decoded, as opposed to facts or what is stored beside the picture.
  fileprivate var decodesPicture: Bool {
    switch self {
    case .describe, .preview, .inspect: false
    case .decode, .decodeRegion, .frames, .cacheThumbnail, .export: true
    }
  }
}

/// The opener's connection to the running decoder.
struct RunningDecoder {
  /// The socket for requests, whose calls do not block.
  let requests: Int32
  /// The socket over which thumbnails arrive.
  let storage: Channel
  let libraries: DecoderLibraries
  var storageReader = MessageReader<StorageRequest>()

  /// Orders a new decoder from the starter, and waits for its sockets; nil if the starter has
  /// ended.
  init?(_ libraries: DecoderLibraries, from orders: Int32) {
    self.libraries = libraries
    guard Channel(orders).offer([libraries.rawValue]) else { return nil }
    var ends = [Int32](repeating: -1, count: Int(SOCKET_MOST_DESCRIPTORS))
    var (answer, endCount, count): (UInt8, Int32, Int) = (0, 0, 0)
    repeat {
      count = socket_receive(orders, &answer, 1, &ends, &endCount)
    } while count < 0 && errno == EINTR
    guard count == 1, endCount == 2 else { return nil }
    requests = ends[0]
    storage = Channel(ends[1])
    _ = fcntl(requests, F_SETFL, O_NONBLOCK)
  }

  /// Lets the decoder finish the requests that it has, and end.
  func finish() { shutdown(requests, Int32(SHUT_WR)) }

  func closeSockets() {
    close(requests)
    close(storage.descriptor)
  }
}

/// Deliveries that are being sent: their bytes, and the descriptors that go with the first bytes.
struct OutgoingDelivery {
  private var bytes: [UInt8] = []
  private var sentCount = 0
  private var descriptors: [Int32] = []
  /// Whether the system refuses to send more descriptors for now, because too many are in flight.
  private(set) var isHeldBack = false

  init() {}

  /// Creates a delivery whose descriptors are closed once they are sent.
  init(_ bytes: [UInt8], _ descriptors: [Int32]) {
    self.bytes = bytes
    self.descriptors = descriptors
  }

  /// The number of descriptors at which no further delivery is added.
  private static let maxDescriptors = Int(SOCKET_MOST_DESCRIPTORS) / 2
  /// The number of bytes at which no further delivery is added.
  private static let maxBytes = 16 << 10

  /// Whether more deliveries can be appended; false after the first byte is sent.
  var hasRoom: Bool {
    sentCount == 0 && descriptors.count < Self.maxDescriptors && bytes.count < Self.maxBytes
  }

  mutating func append(_ other: OutgoingDelivery) {
    bytes += other.bytes
    descriptors += other.descriptors
  }

  var isEmpty: Bool { sentCount == bytes.count }

  mutating func flush(to socket: Int32) -> Bool {
    isHeldBack = false
    while !isEmpty {
      let count = bytes.withUnsafeBytes {
        socket_send(
          socket, $0.baseAddress?.advanced(by: sentCount), $0.count - sentCount, descriptors,
          Int32(descriptors.count))
      }
      guard count > 0 else {
        if errno == EINTR { continue }
        isHeldBack = errno == ETOOMANYREFS
        // The end of the decoder is noticed on its other socket.
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
