import Glibc
import WorkerProtocol

/// The current folder of the browser, and the paths to the folders above it.
///
/// Paths are computed without asking the disk, which may take any time. Above `a/b/` is `a/`, even
/// if that is a link; above the current folder is `../`. The way back into the current folder leads
/// to the current folder, so that a photo has the same path however its folder was reached.
///
///     var location = FolderLocation([[]], isOnePhoto: false)  // "", the current folder, /home/ann
///     location.goUp()                                         // "../"
///     location.enter(Array("../ann/".utf8))                   // ""
struct FolderLocation: Equatable {
  /// The folder's path with a slash, empty for the current folder; nil if several roots are shown.
  private(set) var folder: [UInt8]?
  /// Whether another folder than at the start is shown.
  private(set) var hasMoved = false
  /// The paths on the command line.
  private let start: [[UInt8]]
  /// The only photo that is shown, at the start.
  private var photo: [UInt8]?
  /// The folder that was entered while several roots were shown: above it are the roots again.
  private var entry: [UInt8]?
  /// The components of the current folder's path; nil if it is unknown.
  private let current: [ArraySlice<UInt8>]?

  private static let slash = UInt8(ascii: "/")
  private static let parent = Array("..".utf8)

  /// Creates the location at the start.
  ///
  /// - Parameters:
  ///   - roots: The paths on the command line.
  ///   - isOnePhoto: Whether it is a single photo.
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

  /// Identifies the location.
  var id: [UInt8] { folder ?? [0] }

  /// The paths to list.
  var roots: [[UInt8]] { folder.map { [$0] } ?? start }

  /// Enters a folder, whose path ends with a slash.
  mutating func enter(_ path: [UInt8]) {
    let path = withoutDetour(path)
    if folder == nil { entry = path }
    folder = path
    hasMoved = true
  }

  /// Moves to the folder above.
  ///
  /// - Returns: The path of the folder or photo that was left, as it is listed there; empty if its
  ///   name is unknown; nil if there is nothing above.
  mutating func goUp() -> [UInt8]? {
    if let folder, folder == entry {
      (self.folder, entry) = (nil, nil)
      return folder
    }
    if folder == nil, let photo {
      // From now on the photo is shown in its folder.
      self.photo = nil
      folder = Array(photo[..<photo.nameStart])
      hasMoved = true
      return photo
    }
    guard let folder, let (above, name) = step(up: folder) else { return nil }
    self.folder = above
    hasMoved = true
    return name.isEmpty ? [] : above + name + [Self.slash]
  }

  /// Returns the folder above a folder, and the name of that folder in it; nil if there is none.
  private func step(up folder: [UInt8]) -> (above: [UInt8], name: ArraySlice<UInt8>)? {
    let parts = folder.split(separator: Self.slash).filter { $0 != [UInt8(ascii: ".")] }
    if let last = parts.last, !last.elementsEqual(Self.parent) {
      // After the last part there are only slashes and single dots.
      return (Array(folder[..<last.startIndex]), last)
    }
    guard parts.allSatisfy({ $0.elementsEqual(Self.parent) }) else {
      return (folder + Self.parent + [Self.slash], [])
    }
    guard folder.first != Self.slash, let current, parts.count < current.count else { return nil }
    let above = Array(repeatElement(Self.parent + [Self.slash], count: parts.count + 1).joined())
    return (above, current[current.count - 1 - parts.count])
  }

  /// Shortens a path that leads up and down again through the current folder or those above it.
  private func withoutDetour(_ path: [UInt8]) -> [UInt8] {
    guard let current, path.first != Self.slash else { return path }
    var parts = path.split(separator: Self.slash)[...]
    let count = parts.prefix { $0.elementsEqual(Self.parent) }.count
    var ups = count
    parts = parts.dropFirst(count)
    while ups > 0, ups <= current.count, let next = parts.first,
      next == current[current.count - ups]
    {
      parts = parts.dropFirst()
      ups -= 1
    }
    guard ups < count else { return path }
    let names = repeatElement(Self.parent[...], count: ups) + parts
    return names.flatMap { $0 + [Self.slash] }
  }

  /// The path of the current folder, which the system knows without asking the disk.
  static var currentFolder: [UInt8]? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return Array(cString: path)
  }
}
