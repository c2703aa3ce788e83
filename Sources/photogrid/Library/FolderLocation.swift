import Geometry
import Glibc
import PhotoLibrary
import WorkerProtocol

/// The folder that the browser shows, and the way to the folders above it.
///
/// Paths are computed without accessing the disk, which may hang. The folder above `a/b/` is `a/`,
/// even if `b` is a link. The folder above the process's current folder is `../`, and entering the
/// current folder from there leads to the empty path again, so that a photo has the same path
/// however its folder was reached.
///
///     var location = FolderLocation([[]], isOnePhoto: false)  // "", the current folder, /home/ann
///     location.goUp()                                         // "../"
///     location.enter(Array("../ann/".utf8))                   // ""
struct FolderLocation: Equatable {
  /// The path of the folder, which ends with a slash; empty for the process's current folder.
  ///
  /// Nil if several roots or a single photo are shown.
  private(set) var folder: [UInt8]?
  /// Whether the user has moved to another folder since the start.
  private(set) var hasMoved = false
  private let start: [[UInt8]]
  /// The path of the single photo that is shown at the start; nil otherwise, and after moving.
  private var photo: [UInt8]?
  /// The folder that was entered while several roots were shown; going up from it leads back.
  private var entry: [UInt8]?
  /// The components of the path of the process's current folder; nil if it is unknown.
  private let current: [ArraySlice<UInt8>]?

  private static let slash = UInt8(ascii: "/")
  private static let parent = Array("..".utf8)

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

  /// An identifier of the location: the folder's path, or a zero byte if that is nil.
  var id: [UInt8] { folder ?? [0] }

  /// The folder that all paths of the command line are in, or the one that was entered since; with a
  /// slash at its end, and empty for the process's current folder.
  var base: [UInt8] {
    if let folder { return folder }
    guard var common = start.first else { return [] }
    for path in start { common = Array(zip(common, path).prefix { $0 == $1 }.map { $0.0 }) }
    return Array(common[..<((common.lastIndex(of: Self.slash) ?? -1) + 1)])
  }

  var roots: [[UInt8]] { folder.map { [$0] } ?? start }

  mutating func enter(_ path: [UInt8]) {
    let path = withoutDetour(path)
    if folder == nil { entry = path }
    folder = path
    hasMoved = true
  }

  /// Moves to the folder of an absolute path.
  ///
  /// Among folders with relative paths it gets one too, so that a photo has the same path however its
  /// folder was reached.
  mutating func go(to path: [UInt8]) {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.split(separator: Self.slash) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual(Self.parent) { _ = parts.popLast() } else { parts.append(part) }
    }
    guard let current, roots.allSatisfy({ $0.first != Self.slash }) else {
      return enter([Self.slash] + parts.flatMap { $0 + [Self.slash] })
    }
    let shared = zip(parts, current).prefix { $0.elementsEqual($1) }.count
    let ups = repeatElement(Self.parent[...], count: current.count - shared)
    enter((ups + parts.dropFirst(shared)).flatMap { $0 + [Self.slash] })
  }

  /// Moves to the folder above.
  ///
  /// - Returns: The path of the folder or photo that was left, as the folder above lists it; empty
  ///   if its name is unknown; nil if there is no folder above.
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

  /// Shortens a path that leads up from the current folder and back down the same way.
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

  /// The path of the process's current folder, which is found without accessing the disk.
  static var currentFolder: [UInt8]? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return Array(cString: path)
  }
}

extension FolderLocation {
  /// Converts a folder that the user typed to an absolute path, which ends with a slash if the text
  /// does.
  ///
  /// A relative path begins at the folder that is shown, or at the process's current folder if
  /// several roots are shown.
  ///
  /// - Parameters:
  ///   - text: The text; "~" at its beginning stands for the home folder.
  ///   - home: The home folder, without a slash at its end.
  /// - Returns: The path.
  func path(typed text: String, home: String?) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let bytes = Array(text.utf8)
    if let home, text == "~" || text.hasPrefix("~/") {
      return Array(home.utf8) + bytes.dropFirst()
    }
    if bytes.first == slash { return bytes }
    let path = AbsolutePath.of((folder ?? []) + bytes)
    return path.isEmpty ? [UInt8(ascii: "."), slash] : path
  }
}

struct FolderName {
  /// The absolute path of the current folder; nil if it is unknown.
  private let current: [UInt8]?
  /// The absolute path of the home folder, which is shown as `~`.
  private let home: [UInt8]?

  private static let slash = UInt8(ascii: "/")

  init(current: [UInt8]?, home: [UInt8]?) {
    (self.current, self.home) = (current, home.flatMap { $0.count > 1 ? $0 : nil })
  }

  /// Returns a folder's absolute path, printable, with `~` for the home and without a final slash.
  ///
  /// It is computed without accessing the disk, which may hang.
  func text(_ folder: [UInt8]) -> String {
    guard folder.first == Self.slash || current != nil else { return PrintableText.from(folder) }
    let parts = AbsolutePath.components(of: folder, in: current ?? [])
    let homeParts = home?.split(separator: Self.slash) ?? []
    if !homeParts.isEmpty, parts.starts(with: homeParts) {
      let rest = parts.dropFirst(homeParts.count).flatMap { [Self.slash] + $0 }
      return "~" + PrintableText.from(rest)
    }
    return parts.isEmpty ? "/" : PrintableText.from(parts.flatMap { [Self.slash] + $0 })
  }
}

enum PhotoName {
  /// Returns the last component of a path, printable; a folder's name ends with a slash.
  static func printable(_ path: some BidirectionalCollection<UInt8>) -> String {
    PrintableText.from(path[path.nameStart...])
  }
}

extension PathIndex {
  /// Checks that no paths were left out, for commands that must process all photos.
  ///
  /// - Throws: `CommandFailure` if paths were left out.
  func checkOverflow() throws(CommandFailure) {
    guard takeOverflow() else { return }
    throw CommandFailure("too many photos: only \(count) can be listed", status: .nothingShown)
  }
}
