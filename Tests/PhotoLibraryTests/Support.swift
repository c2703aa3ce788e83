import Glibc
import PhotoGridCore
import PhotoLibrary
import Testing
import WorkerProtocol

/// A folder that is removed with everything in it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/photogrid-test-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template))
  }

  deinit { Self.remove(Array(path.utf8)) }

  /// The path of a name inside, in bytes.
  func path(_ name: String) -> [UInt8] { Array("\(path)/\(name)".utf8) }

  /// Writes a file, folders on the way included, and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8] = [], to name: [UInt8], mode: mode_t = 0o644) -> [UInt8] {
    let full = Array("\(path)/".utf8) + name
    for (index, byte) in full.enumerated() where byte == 0x2f && index > 0 {
      mkdir(cString(full[..<index]), 0o755)
    }
    let descriptor = open(cString(full[...]), O_WRONLY | O_CREAT | O_TRUNC, mode)
    precondition(descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    fchmod(descriptor, mode)
    close(descriptor)
    return full
  }

  @discardableResult
  func write(_ bytes: [UInt8] = [], to name: String, mode: mode_t = 0o644) -> [UInt8] {
    write(bytes, to: Array(name.utf8), mode: mode)
  }

  private static func remove(_ path: [UInt8]) {
    if let stream = opendir(cString(path[...])) {
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        guard name != [0x2e], name != [0x2e, 0x2e] else { continue }
        let child = path + [0x2f] + name
        if Int(entry.pointee.d_type) == DT_DIR {
          remove(child)
        } else {
          unlink(cString(child[...]))
        }
      }
      closedir(stream)
    }
    rmdir(cString(path[...]))
  }
}

func cString(_ bytes: ArraySlice<UInt8>) -> [CChar] {
  bytes.map { CChar(bitPattern: $0) } + [0]
}

func contents(of path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  precondition(descriptor >= 0, "\(path) cannot be opened")
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &piece, piece.count)
    guard count > 0 else { return bytes }
    bytes += piece[..<count]
  }
}

/// The bytes of a file in `Images`.
func image(_ name: String) -> [UInt8] {
  let folder = #filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex)
  return contents(of: "\(folder)Images/\(name)")
}

/// The moment that the library is told it is.
func now() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}

func wait(
  for descriptors: [(descriptor: Int32, wantsWrite: Bool)], until deadline: Instant?
) {
  var polled = descriptors.map {
    pollfd(
      fd: $0.descriptor, events: Int16(POLLIN) | ($0.wantsWrite ? Int16(POLLOUT) : 0), revents: 0)
  }
  let seconds = max(0, min(deadline?.seconds(since: now()) ?? 10, 10))
  poll(&polled, nfds_t(polled.count), Int32((seconds * 1000).rounded(.up)))
}

extension PhotoStore {
  /// Runs the loop until nothing is left to do, and returns all events.
  ///
  /// `each` is called after every round.
  @discardableResult
  func run(_ each: (PhotoStore) -> Void = { _ in }) -> [StoreEvent] {
    var events: [StoreEvent] = []
    let start = now()
    while !isIdle {
      guard now().seconds(since: start) < 60 else {
        Issue.record("not idle after a minute, \(remaining) wishes left")
        break
      }
      wait(for: pollDescriptors, until: nextDeadline)
      events += service(at: now())
      each(self)
    }
    return events
  }

  /// A store of these photos whose workers are real unless told otherwise.
  static func of(
    _ paths: [[UInt8]], worker: WorkerExecutable? = nil, limits: StoreLimits? = nil
  ) throws -> PhotoStore {
    var few = StoreLimits()
    few.workerCount = 2
    let store = PhotoStore(worker: try worker ?? .find(), limits: limits ?? few)
    store.append(paths)
    return store
  }

  /// Wants all photos to fit in a square, and runs until they are there or failed.
  @discardableResult
  func fetchAll(side: Double = 1000) -> [StoreEvent] {
    setDemands(photos.map { .fitting($0, side) }, at: now())
    return run()
  }

  /// Wants the first photo alone, then all.
  func fetchFirstThenAll() {
    setDemands([.fitting(Photo.ID(0), 1000)], at: now())
    run()
    fetchAll()
  }

  var photos: [Photo.ID] { (0..<paths.count).map { Photo.ID($0) } }

  func picture(_ number: Int) -> Bitmap? {
    guard case .picture(let picture) = content(of: Photo.ID(number)) else { return nil }
    return picture.full
  }
}

extension Demand {
  static func fitting(_ photo: Photo.ID, _ side: Double) -> Demand {
    Demand(photo: photo, size: PixelSize(width: side, height: side), mode: .fit)
  }
}

extension Bitmap {
  /// Red, green, blue and alpha of a pixel.
  func pixel(_ x: Int, _ y: Int) -> [Int] {
    pixels[((y * width + x) * 4)..<((y * width + x) * 4 + 4)].map(Int.init)
  }

  /// The middles of the four quarters, left to right, top to bottom.
  var quarters: [[Int]] {
    [height / 4, height * 3 / 4].flatMap { y in
      [width / 4, width * 3 / 4].map { x in pixel(x, y) }
    }
  }
}

/// Whether all channels are alike to within what a lossy format does to them.
func areAlike(_ left: [[Int]], _ right: [[Int]], tolerance: Int = 12) -> Bool {
  left.count == right.count
    && zip(left.joined(), right.joined()).allSatisfy { abs($0 - $1) <= tolerance }
}

extension WorkerExecutable {
  /// The program that was built with the tests, as a lister.
  static func program() throws -> WorkerExecutable {
    let worker = try WorkerExecutable.find().path
    return WorkerExecutable(
      path: String(worker.dropLast("-worker".count)), arguments: [listerArgument])
  }
}
