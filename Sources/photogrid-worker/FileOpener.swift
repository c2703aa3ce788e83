import CLinux
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// The process that opens photos for those that decode, and stores thumbnails; it decodes nothing.
///
/// Requests pass through it, each with the files that it is about: to the one decoder of photos, or to
/// one that can open a film by a name, and is started for it. Responses do not.
struct FileOpener {
  private let channel: Channel
  /// The confinement from which that of decoders goes on.
  private let decoderConfinement: Confinement
  private var confinement: Confinement
  private var isConfined = false
  private var reader = MessageReader<DecodeProtocol.Request>()
  /// The decoder of all but films, then those of films, of which all but the last are finished.
  private var decoders: [RunningDecoder]
  /// Decoders of films that have closed their connections, and that remain to be reaped.
  private var ending: [pid_t] = []
  private var hasEnded = false
  private var lastNumber: UInt32 = 0
  private var photos = DeliveredPhotos()
  private var cache: ThumbnailCache?
  /// The folder of thumbnails, if new ones may be stored there.
  private var writableFolder: [UInt8]?
  /// How often ended decoders are reaped that take time to end, in milliseconds.
  private static let reapInterval: Int32 = 100

  /// A process that takes requests from the program, for a decoder that was started already.
  init(_ channel: Channel, _ decoder: RunningDecoder, _ confinement: Confinement) {
    self.channel = channel
    decoderConfinement = confinement
    self.confinement = confinement
    decoders = [decoder]
  }

  /// Passes requests on until the decoder ends, and ends as that did.
  mutating func run() -> Never {
    confinement.limitOpener()
    while true {
      let isBusy = hasEnded || decoders.contains { !$0.outgoing.isEmpty }
      var polled = decoders.flatMap(\.pollRequests)
      polled.append(pollfd(fd: isBusy ? -1 : channel.descriptor, events: Int16(POLLIN), revents: 0))
      poll(&polled, nfds_t(polled.count), timeout)
      for index in decoders.indices.reversed() where polled[2 * index].revents != 0 {
        receiveStorage(from: index)
      }
      if polled.last?.revents != 0 { receiveRequests() }
      passOn()
      reap()
    }
  }

  /// How long to wait if nothing arrives, in milliseconds.
  private var timeout: Int32 {
    // Too many descriptors may be under way in the whole system, which no poll reports.
    if decoders.contains(where: \.outgoing.isHeldBack) { return 5 }
    return !ending.isEmpty ? Self.reapInterval : -1
  }

  // MARK: Requests

  private mutating func receiveRequests() {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = channel.receive(into: &piece)
    guard count > 0 else {
      hasEnded = true
      return
    }
    piece.withUnsafeBytes { reader.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Sends what the decoders take, and opens files for one request after the other meanwhile.
  private mutating func passOn() {
    var hasRequest = true
    while hasRequest {
      for index in decoders.indices where !decoders[index].flush() { return }
      hasRequest = collect()
    }
    guard hasEnded else { return }
    // With the first decoder the others end.
    finishFilms()
    if decoders.count == 1 { decoders[0].finish() }
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
      while decoders.allSatisfy(\.outgoing.hasRoom), let request = try reader.next() {
        hasRequest = true
        deliver(request, reader.token)
        if monotonic_nanoseconds() - start > Self.maxCollectionTime { break }
      }
    } catch {
      exit(1)
    }
    return hasRequest
  }

  private mutating func deliver(_ request: DecodeProtocol.Request, _ token: UInt32) {
    if case .useThumbnails(let access) = request {
      if access.mayWrite { writableFolder = access.folder }
      cache = ThumbnailCache(access)
      return
    }
    lastNumber &+= 1
    var delivery = FileDelivery(number: lastNumber)
    var descriptors: [Int32] = []
    var film: Int32?
    if case .photo(let path, let work, _) = request {
      confine()
      film = open(path, for: work, &delivery, &descriptors)
    }
    let index = if let film { decoder(ofFilm: film) } else { 0 }
    if index == 0 { finishFilms() }
    decoders[index].send(
      OutgoingDelivery(delivery.encoded() + request.encoded(token: token), descriptors))
  }

  /// Returns the index of the decoder of a film, which is started for its first request.
  private mutating func decoder(ofFilm film: Int32) -> Int {
    if let index = decoders.lastIndex(where: { $0.decodes(film: film) }) { return index }
    finishFilms()
    guard let decoder = RunningDecoder(channel, decoderConfinement, film: film) else { exit(1) }
    decoders.append(decoder)
    return decoders.count - 1
  }

  /// Ends the decoders of films once they have answered; their commands end with them.
  private mutating func finishFilms() {
    for index in decoders.indices.dropFirst() { decoders[index].finish() }
  }

  /// Opens a photo and its thumbnails.
  ///
  /// - Returns: The descriptor of the film to decode; nil for any other work.
  private mutating func open(
    _ path: [UInt8], for work: DecodeProtocol.Request.Work, _ delivery: inout FileDelivery,
    _ descriptors: inout [Int32]
  ) -> Int32? {
    let opening = PhotoOpening(path)
    var film: Int32?
    delivery.stamp = opening.stamp
    delivery.failure = opening.failure
    if let descriptor = opening.descriptor {
      delivery.hasPhoto = true
      descriptors.append(descriptor)
      if work.playsFilm(of: opening.format) || opening.format == .film && work.decodesPicture {
        film = descriptor
      }
      if let sidecar = SidecarFile(ofPhoto: path) {
        delivery.hasSidecar = true
        delivery.stamp?.include(sidecar.stamp)
        descriptors.append(sidecar.descriptor)
      }
      if work == .inspect, let film = LivePhoto.existingFilms(beside: path).first {
        delivery.film = LivePhoto.filmExtension(film.suffix(3))
      }
      if work.playsFilm(of: opening.format), let other = PhotoOpening(filmBeside: path),
        let file = other.descriptor
      {
        delivery.filmByteCount = other.stamp?.byteCount
        descriptors.append(file)
        film = file
      }
    }
    guard let cache, let stamp = opening.stamp, let photo = ThumbnailCache.Photo(path, stamp)
    else {
      delivery.knownOutcome = .refused(0)
      return film
    }
    delivery.acceptsThumbnail = cache.isWritable
    photos.append(photo, number: delivery.number)
    let thumbnails = openThumbnails(in: cache, of: photo, work, &delivery)
    delivery.thumbnailCount = thumbnails.count
    descriptors += thumbnails
    return film
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

  private mutating func receiveStorage(from index: Int) {
    do throws(ProtocolError) {
      if let requests = try decoders[index].receive() {
        for request in requests { store(request, decoders[index].storage) }
        return
      }
    } catch {
      // Decoders end with this process.
      exit(1)
    }
    let decoder = decoders[index]
    guard decoder.isFinished, index > 0 else { end(as: decoder.process) }
    decoder.closeSockets()
    decoders.remove(at: index)
    ending.append(decoder.process)
  }

  /// Reaps the decoders of films that have ended; a dead disk may hold one.
  private mutating func reap() { ending.removeAll { waitpid($0, nil, WNOHANG) != 0 } }

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

  /// Ends as a decoder has ended, so that the program learns of its limits and crashes.
  private func end(as decoder: pid_t) -> Never {
    var status: Int32 = 0
    while waitpid(decoder, &status, 0) < 0, errno == EINTR {}
    // The first process of a namespace cannot kill itself by a signal, so it exits as a shell would:
    // with 128 and the number of the signal.
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
