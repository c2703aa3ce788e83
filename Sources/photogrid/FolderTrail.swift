import Glibc
import WorkerProtocol

/// Where one is among the folders, and where up leads to.
///
/// By names alone, for asking the disk may take any time: up from `a/b/` is `a/`, also where that is a
/// link; up from the current folder is `../`, and from there back into it is the current folder
/// again, so that a photo has one path however one came to it.
struct FolderTrail: Equatable {
  /// The folder with its slash, empty for the current one; nil where several are shown at once.
  private(set) var folder: [UInt8]?
  /// Whether it is not as the command line had it.
  private(set) var hasMoved = false
  /// What the command line named.
  private let start: [[UInt8]]
  /// The photo that is shown alone at first.
  private var photo: [UInt8]?
  /// The folder that was entered where several were shown: up from it leads there again.
  private var gate: [UInt8]?
  /// The parts of the current folder's path; nil where that is not known.
  private let current: [ArraySlice<UInt8>]?

  private static let slash = UInt8(ascii: "/")
  private static let up = Array("..".utf8)

  /// The start of a trail.
  ///
  /// - Parameters:
  ///   - roots: What the command line named.
  ///   - isOnePhoto: Whether that is a single photo.
  ///   - current: The path of the current folder.
  init(_ roots: [[UInt8]], isOnePhoto: Bool, current: [UInt8]? = Self.currentFolder) {
    start = roots
    self.current = current?.split(separator: Self.slash)
    guard roots.count == 1, let root = roots.first else { return }
    if isOnePhoto {
      photo = root
    } else {
      folder = root.isEmpty || root.last == Self.slash ? root : root + [Self.slash]
    }
  }

  /// The name of the place, unlike that of any other.
  var place: [UInt8] { folder ?? [0] }

  /// What is listed there.
  var roots: [[UInt8]] { folder.map { [$0] } ?? start }

  /// Goes into a folder, given with its slash.
  mutating func enter(_ path: [UInt8]) {
    let path = withoutDetour(path)
    if folder == nil { gate = path }
    folder = path
    hasMoved = true
  }

  /// Goes up.
  ///
  /// - Returns: The path of what was left, as it is found there, a folder's with its slash, empty if
  ///   its name is not known; nil where there is nothing above, and one stays.
  mutating func goUp() -> [UInt8]? {
    if let folder, folder == gate {
      (self.folder, gate) = (nil, nil)
      return folder
    }
    if folder == nil, let photo {
      // Up from there is no way back: the photo is in its folder now.
      self.photo = nil
      folder = Array(photo[..<PhotoPath.nameStart(in: photo)])
      hasMoved = true
      return photo
    }
    guard let folder, let (above, name) = step(up: folder) else { return nil }
    self.folder = above
    hasMoved = true
    return name.isEmpty ? [] : above + name + [Self.slash]
  }

  /// The folder above one, and the name that leads back; nil where there is none.
  private func step(up folder: [UInt8]) -> (above: [UInt8], name: ArraySlice<UInt8>)? {
    let parts = folder.split(separator: Self.slash).filter { $0 != [UInt8(ascii: ".")] }
    if let last = parts.last, !last.elementsEqual(Self.up) {
      // What is behind it are slashes and single dots, which mean nothing.
      return (Array(folder[..<last.startIndex]), last)
    }
    guard parts.allSatisfy({ $0.elementsEqual(Self.up) }) else {
      return (folder + Self.up + [Self.slash], [])
    }
    guard folder.first != Self.slash, let current, parts.count < current.count else { return nil }
    let above = Array(repeatElement(Self.up + [Self.slash], count: parts.count + 1).joined())
    return (above, current[current.count - 1 - parts.count])
  }

  /// A path without going up and down again through the current folder and those above it.
  private func withoutDetour(_ path: [UInt8]) -> [UInt8] {
    guard let current, path.first != Self.slash else { return path }
    var parts = path.split(separator: Self.slash)[...]
    let count = parts.prefix { $0.elementsEqual(Self.up) }.count
    var ups = count
    parts = parts.dropFirst(count)
    while ups > 0, ups <= current.count, let next = parts.first,
      next == current[current.count - ups]
    {
      parts = parts.dropFirst()
      ups -= 1
    }
    guard ups < count else { return path }
    let names = repeatElement(Self.up[...], count: ups) + parts
    return names.flatMap { $0 + [Self.slash] }
  }

  /// The path of the current folder, as the system keeps it, which takes no look at a disk.
  static var currentFolder: [UInt8]? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
  }
}
