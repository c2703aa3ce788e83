import CLinux
import CVips
import Glibc
import ImageFormats
import Photos
import WorkerProtocol
import WorkerRuntime

/// A decoding worker of the program, which consists of three processes.
///
/// The opener (`FileOpener`) opens photos and stores thumbnails. The starter (`DecoderStarter`)
/// starts decoders with the libraries that a format needs. The decoder (`DecoderProcess`) decodes,
/// and opens nothing itself.
///
///     program ── requests ──► opener ── orders ──► starter ── starts ──► decoder
///                             opener ── requests, open files ──────────► decoder
///                             opener ◄── thumbnails to store ─────────── decoder
///     program ◄── responses ──────────────────────────────────────────── decoder
enum DecodeWorker {
  /// Splits the process into opener and starter, which run until the program closes the connection.
  static func run(_ channel: Channel, _ mode: SandboxMode) -> Never {
    var confinement = Confinement(mode)
    guard let orders = SocketPair() else { exit(1) }
    // All three processes leave the namespaces here: a decoder could not leave them by itself.
    confinement.isolate(processes: true)
    let process = process_fork()
    guard process >= 0 else { exit(1) }
    if process == 0 {
      close(orders.near)
      process_set_name("photogrid-start")
      var starter = DecoderStarter(channel, orders: orders.far, mode, confinement)
      starter.run()
    }
    channel.greet()
    close(orders.far)
    confinement.limitOpener()
    var opener = FileOpener(channel, starter: process, orders: orders.near, mode, confinement)
    opener.run()
  }

  static func report(_ purpose: Confinement.Purpose) -> Never {
    var confinement = Confinement(endsWithProgram: false)
    confinement.isolate(processes: true)
    let process = process_fork()
    guard process >= 0 else { exit(1) }
    let isDecoding = if case .opening = purpose { false } else { true }
    if (process == 0) == isDecoding {
      if isDecoding { confinement.enterStarter() } else { confinement.limitOpener() }
      // The report itself may go to a file.
      ProcessLimits.allowFiles()
      confinement.finish(purpose)
      for layer in confinement.layers { print(layer.line) }
      fflush(nil)
    }
    if process != 0 {
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    exit(0)
  }
}

/// The libraries and files that decoders of some formats need beyond what the worker links.
///
/// A decoder loads them before it gives up opening files, and so before it reads any photo.
struct DecoderLibraries: OptionSet, Sendable {
  let rawValue: UInt8

  /// The modules of libvips: HEIF, JPEG XL, ImageMagick.
  static let modules = DecoderLibraries(rawValue: 1)
  /// The plug-ins of libheif.
  static let heif: DecoderLibraries = [DecoderLibraries(rawValue: 2), .modules]
  /// The coders and settings of ImageMagick.
  static let magick: DecoderLibraries = [DecoderLibraries(rawValue: 4), .modules]
  /// The system's fonts.
  static let fonts = DecoderLibraries(rawValue: 8)
  /// The command that decodes films, which a decoder with other libraries cannot start: it decodes
  /// nothing itself.
  static let films = DecoderLibraries(rawValue: 32)
  /// Names by which open files can be opened again, for loaders that take only names.
  static let names = DecoderLibraries(rawValue: 16)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the set that a format needs; empty for files that are not photos.
  ///
  /// The format is nil if it is unknown. If others are allowed, since the decoder for the format has
  /// failed, ImageMagick may be used.
  init(for format: ImageFormat?, allowsOther: Bool = false) {
    switch format {
    case let format? where allowsOther && VipsLoader.hasMagickFallback(format): self = .magick
    case .film: self = .films
    case .heic, .avif: self = .heif
    case .jxl: self = .modules
    case .svg: self = .fonts
    case .fits, .exr: self = .names
    case let format? where VipsLoader.isMagick(format): self = .magick
    default: self = []
    }
  }

  /// Whether a decoder with these libraries decodes files that need others.
  ///
  /// The one that starts a command for films has other rights, and decodes nothing else.
  func serve(_ others: DecoderLibraries) -> Bool {
    isSuperset(of: others) && contains(.films) == others.contains(.films)
  }

  /// Loads the libraries into this process.
  ///
  /// Most libraries load further files with the first picture, so each gets an empty one here.
  func load() {
    guard contains(.modules), VipsDecoder.start() else { return }
    if contains(.heif) { VipsLoader.loadHEIFPlugins() }
    if contains(.magick) { VipsLoader.loadMagickCoders() }
  }
}

/// An estimate of the memory that decoding a picture takes, from its header.
struct MemoryEstimate {
  private let bytes: Int

  /// Returns an estimate for libvips and its loaders.
  static func ofDecoding(_ file: borrowing PhotoFile, _ image: Image) -> MemoryEstimate {
    let pixels = image.width * image.height
    switch file.format {
    case _ where file.isLoadedByMagick: return MemoryEstimate(bytes: pixels * 16)
    // The planes, and the picture converted from them, as measured with 51 megapixels.
    // With more than 8 bits a channel, libheif has several copies of twice the size at a time.
    case .heic, .avif: return MemoryEstimate(bytes: pixels * (image.isDeep ? 26 : 12))
    case .png:
      let size = HeaderSize(of: .png, firstBytes: file.firstBytes)
      return MemoryEstimate(bytes: size?.needsWholePicture ?? false ? pixels * 8 : 0)
    case .pnm where PAMPicture.isSigned(file.firstBytes): return MemoryEstimate(bytes: pixels * 8)
    case .tiff, .pnm, .hdr, .fits: return MemoryEstimate(bytes: 0)
    default: return MemoryEstimate(bytes: pixels * 8)
    }
  }

  /// Returns an estimate for libjpeg: the file, and all coefficients of a progressive JPEG.
  static func ofDecoding(_ header: JPEGHeader, fileLength: Int) -> MemoryEstimate {
    MemoryEstimate(
      bytes: fileLength + (header.isProgressive ? header.width * header.height * 6 : 0))
  }

  /// Throws `FailureReason.needsMemory` if decoding takes more than a limit in bytes.
  func check(_ limit: Int) throws(FailureReason) {
    guard bytes <= limit else { throw .needsMemory(bytes) }
  }
}

/// The process that starts decoders, one after another, each with the libraries that its photos
/// need.
///
/// It never receives a photo, so it may open libraries where a decoder may open nothing. It also reaps the
/// commands of decoders that have ended.
struct DecoderStarter {
  private let channel: Channel
  private let orders: Int32
  private let mode: SandboxMode
  private var confinement: Confinement

  /// Creates a starter that takes orders from a socket, and whose decoders answer on the channel to
  /// the program.
  init(_ channel: Channel, orders: Int32, _ mode: SandboxMode, _ confinement: Confinement) {
    self.channel = channel
    self.orders = orders
    self.mode = mode
    self.confinement = confinement
  }

  /// Starts a decoder for each order, once the previous one has ended, and exits with the status of
  /// a decoder that fails.
  mutating func run() -> Never {
    // In a namespace of processes it is that anyway.
    _ = process_adopts_descendants()
    confinement.enterStarter()
    while let libraries = nextOrder() {
      guard let requests = SocketPair(), let storage = SocketPair() else { exit(1) }
      let decoder = process_fork()
      guard decoder >= 0 else { exit(1) }
      if decoder == 0 {
        for end in [orders, requests.near, storage.near] { close(end) }
        decode(libraries, requests.far, storage.far)
      }
      let isTaken = socket_send(orders, [0], 1, [requests.near, storage.near], 2) == 1
      for end in [requests.near, requests.far, storage.near, storage.far] { close(end) }
      guard isTaken else { exit(0) }
      var status: Int32 = 0
      // The commands of earlier decoders may end meanwhile.
      while case let ended = waitpid(-1, &status, 0), ended != decoder {
        guard ended > 0 || errno == EINTR else { exit(1) }
      }
      // The first process of a namespace cannot kill itself by a signal, so it exits as a shell
      // would: with 128 and the number of the signal.
      if status != 0 { exit(status & 0x7f != 0 ? 128 + status & 0x7f : status >> 8 & 0xff) }
    }
    exit(0)
  }

  private func nextOrder() -> DecoderLibraries? {
    var order: UInt8 = 0
    while true {
      // The command of a decoder that has ended is killed, and is this process's to reap.
      guard reap() else { continue }
      let count = read(orders, &order, 1)
      if count == 1 { return DecoderLibraries(rawValue: order) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  /// Reaps the processes that have ended, and waits a moment for an order if any have not.
  ///
  /// - Returns: Whether there may be an order.
  private func reap() -> Bool {
    var ended: pid_t = 0
    repeat { ended = waitpid(-1, nil, WNOHANG) } while ended > 0
    guard ended == 0 else { return true }
    var polled = pollfd(fd: orders, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Self.reapInterval) > 0
  }

  /// How often processes are reaped that take time to end, in milliseconds.
  private static let reapInterval: Int32 = 100

  private mutating func decode(
    _ libraries: DecoderLibraries, _ requests: Int32, _ storage: Int32
  ) -> Never {
    _ = process_dies_with_parent()
    process_set_name("photogrid-decod")
    if mode != .off {
      libraries.load()
      confinement.finish(
        libraries.contains(.films) ? .filming : .decoding(libraries.readableFiles))
    }
    var decoder = DecoderProcess(channel, requests: requests, storage: storage)
    decoder.run()
  }
}

extension DecoderLibraries {
  /// The files that a decoder with these libraries opens by name.
  fileprivate var readableFiles: Confinement.ReadableFiles {
    contains(.fonts) ? .fonts : contains(.names) ? .ownDescriptors : .none
  }
}

/// Both ends of a connection between two processes.
struct SocketPair {
  /// The end for the process that creates the pair.
  let near: Int32
  /// The end for the other process.
  let far: Int32

  /// Creates a connection; nil if the system has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { return nil }
    (near, far) = (ends[0], ends[1])
  }
}
