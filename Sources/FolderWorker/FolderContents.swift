import CLinux
import Geometry
import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// The names in a folder, by kind.
struct FolderContents {
  /// The names of images, except those passed to `early`.
  private(set) var images = NameList()
  /// The names of subfolders, without slashes.
  private(set) var subfolders = NameList()
  /// The number of other files, apart from videos and from what belongs to an image.
  private(set) var skipped = 0
  /// The number of videos that are not shown.
  private(set) var videos = 0
  /// Whether the folder has images, including those passed to `early`.
  private(set) var hasImages = false
  /// Whether reading failed before all names were read.
  private(set) var endedEarly = false

  /// Reads the names of an open folder.
  ///
  /// - Parameters:
  ///   - stream: The open folder, a `DIR *`.
  ///   - includesHidden: Whether names that begin with a dot are read.
  ///   - limit: The most names to read.
  ///   - interval: The interval in seconds at which images found so far are passed to `early`, so
  ///     that part of a folder on a slow disk appears soon.
  ///   - early: A closure that receives images in the order in which the disk returns them.
  init(
    _ stream: OpaquePointer, includesHidden: Bool, limit: Int = .max, interval: Double = .infinity,
    early: (NameList) -> Void = { _ in }
  ) {
    var lastReport = Self.now
    var (count, readCount) = (0, 0)
    // Those of images that were passed to `early`.
    var stems: Set<Int> = []
    var sidecars: [[UInt8]] = []
    errno = 0
    while readCount < limit, let entry = readdir(stream) {
      defer { errno = 0 }
      readCount += 1
      let start = folder_entry_name(entry)
      let name = UnsafeRawBufferPointer(start: start, count: strlen(start)).bindMemory(
        to: UInt8.self)
      if name[0] == 0x2e, !includesHidden || EntryKind.isSelfOrParent(name) { continue }
      switch EntryKind.kind(of: name, type: entry.pointee.d_type, in: dirfd(stream)) {
      case .folder: subfolders.append(name)
      case .image:
        images.append(name)
        hasImages = true
      case .other where Sidecar.isSidecar(name): sidecars.append(Array(name))
      case .other where Video.isVideo(name): videos += 1
      case .other: skipped += 1
      }
      count += 1
      if count & 0xff == 0, !images.isEmpty, Self.now > lastReport + images.delay(interval) {
        early(images)
        stems.formUnion(Self.stems(of: images))
        images.removeAll()
        lastReport = Self.now
      }
    }
    endedEarly = errno != 0
    guard !sidecars.isEmpty else { return }
    stems.formUnion(Self.stems(of: images))
    skipped += sidecars.count { name in
      // "a.jpg.xmp" belongs to "a.jpg", "a.xmp" to any image "a".
      Sidecar.stem(of: name).withUnsafeBufferPointer {
        !stems.contains(Self.hash($0)) && !stems.contains(Self.hash(ofStem: $0))
      }
    }
  }

  private static func stems(of images: NameList) -> [Int] {
    var stems: [Int] = []
    images.forEach(0..<images.count) { _, name in stems.append(hash(ofStem: name)) }
    return stems
  }

  /// The hash of a name without its extension.
  private static func hash(ofStem name: UnsafeBufferPointer<UInt8>) -> Int {
    let end = name.lastIndex(of: 0x2e) ?? 0
    return hash(end > 0 ? UnsafeBufferPointer(rebasing: name[..<end]) : name)
  }

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }

  private static var now: Double { Double(monotonic_nanoseconds()) / 1e9 }
}

extension NameList {
  /// The number of names from which on a list is long, for a short interval.
  private static let longCount = 50_000

  /// Returns the time after which the names read so far are reported, in seconds.
  ///
  /// A long list waits longer: the disk is fast and will soon have returned the rest, and names
  /// that are reported in order cost less.
  fileprivate func delay(_ interval: Double) -> Double {
    count > Self.longCount ? 5 * interval : interval
  }
}

/// Completes a path that the user is typing.
enum FolderNames {
  /// Returns the folders that complete a typed path, and whether the path itself is a folder.
  static func response(to typed: [UInt8]) -> LibraryProtocol.Response {
    let path = TypedPath.existing(typed)
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let folder = start == 0 ? [UInt8(ascii: ".")] : Array(path[..<start])
    return .names(
      names(in: folder, beginningWith: path[start...]), isFolder: isFolder(path))
  }

  /// Returns the names of subfolders that begin with `beginning`; names of hidden folders only if
  /// `beginning` starts with a dot.
  private static func names(
    in folder: [UInt8], beginningWith beginning: ArraySlice<UInt8>
  ) -> [[UInt8]] {
    guard let stream = opendir(folder.map { CChar(bitPattern: $0) } + [0]) else { return [] }
    defer { closedir(stream) }
    let dot = UInt8(ascii: ".")
    let beginning = ComposedText.of(Array(beginning))
    var names: [[UInt8]] = []
    while names.count < LibraryProtocol.maxNames, let entry = readdir(stream) {
      let name = Array(cString: folder_entry_name(entry))
      guard ComposedText.of(name).starts(with: beginning), name != [dot], name != [dot, dot],
        name.first != dot || beginning.first == dot
      else { continue }
      switch Int(entry.pointee.d_type) {
      case Int(DT_DIR): names.append(name)
      case Int(DT_LNK), Int(DT_UNKNOWN):
        if isFolder((folder.last == UInt8(ascii: "/") ? folder : folder + [0x2F]) + name) {
          names.append(name)
        }
      default: break
      }
    }
    return names
  }

  private static func isFolder(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension FolderSamples {
  /// The most names to read in a folder; a larger one is sampled in the order in which the disk
  /// returns names.
  private static let maxNames = 1024
  /// The most folders to read for a preview.
  private static let maxFolders = 12
  /// The most levels of subfolders to read for a preview.
  private static let maxLevels = 4

  /// Finds the first photos of a folder, in a bounded time whatever the folder's size.
  ///
  /// - Parameters:
  ///   - folder: A path that ends with a slash.
  ///   - includesHidden: Whether names that begin with a dot are read.
  init(reading folder: [UInt8], includesHidden: Bool) {
    self.init(folder: folder)
    var pending = [(path: folder, level: 1)]
    var visits = 0
    while let next = pending.popLast(), visits < Self.maxFolders, samples.count < Self.maxCount {
      visits += 1
      guard let stream = opendir(FolderWalk.cString(next.path)) else {
        if next.level == 1 { failure = FailureReason(errno: errno) }
        continue
      }
      defer { closedir(stream) }
      let contents = FolderContents(
        stream, includesHidden: includesHidden, limit: Self.maxNames)
      contents.images.forEachInOrder { _, name in
        if samples.count < Self.maxCount { samples.append(next.path + name) }
      }
      guard !contents.hasImages, next.level < Self.maxLevels else { continue }
      var below: [(path: [UInt8], level: Int)] = []
      contents.subfolders.forEachInOrder { _, name in
        guard below.count < Self.maxFolders else { return }
        below.append((next.path + name + [0x2f], next.level + 1))
      }
      // Reversed, so that the first subfolder is read next. A loop, because the compiler's code for
      // `reversed()` here differs between builds, and packages must be reproducible.
      while let last = below.popLast() { pending.append(last) }
    }
  }
}
