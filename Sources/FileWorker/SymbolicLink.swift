import Geometry
import Glibc
import Photos
import WorkerRuntime

/// A symbolic link, and its text for another folder, in which it must lead to the same file.
struct SymbolicLink {
  /// The absolute path of the link.
  let path: [UInt8]
  /// The path in the link, relative to the link's folder unless it begins with a slash.
  let text: [UInt8]

  /// Reads the link at a path; nil if the path is not that of a link.
  init?(at path: [UInt8]) {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path.terminated, &text, Int(PATH_MAX))
    guard count > 0 else { return nil }
    self.init(path: path, text: text[..<count].map { UInt8(bitPattern: $0) })
  }

  init(path: [UInt8], text: [UInt8]) { (self.path, self.text) = (path, text) }

  /// The file that the link resolves to, through other links; nil if the link is broken.
  var file: FileIdentity? {
    var status = stat()
    return stat(path.terminated, &status) == 0 ? FileIdentity(status) : nil
  }

  /// The absolute path to which the link leads, whether there is a file or not; nil if there is not
  /// even a folder.
  ///
  /// A link at that path is not followed, so that a link to a link remains one.
  var destination: [UInt8]? {
    let whole = text.first == UInt8(ascii: "/") ? text : path.split.folder + text
    let (folder, name) = whole.split
    let isFolder = name.isEmpty || name == [0x2E] || name == [0x2E, 0x2E]
    let resolved = try? Trash.resolved(isFolder ? whole : folder)
    return isFolder ? resolved : resolved?.adding(name)
  }

  /// Returns the text with which the link leads to the same file from another path.
  ///
  /// A broken link keeps its text, since its target may be moved next. A link to another disk
  /// becomes absolute, since disks are mounted at different places.
  ///
  /// - Parameters:
  ///   - target: The other path, absolute.
  ///   - moved: The new paths of files that have moved together with the link, by their old paths.
  /// - Returns: The text; the present one if it leads to the same file.
  func text(at target: [UInt8], moved: [[UInt8]: [UInt8]] = [:]) -> [UInt8] {
    guard text.first != UInt8(ascii: "/"), path.split.folder != target.split.folder,
      let old = destination, let folder = try? Trash.resolved(target.split.folder)
    else { return text }
    guard let new = moved[old] ?? (file == nil ? nil : old) else { return text }
    return SymbolicLink(path: folder.adding(target.split.name), text: text).text(leadingTo: new)
  }

  /// Returns the text with which the link leads to an absolute path: its own, if it does already.
  func text(leadingTo destination: [UInt8]) -> [UInt8] {
    let folder = path.split.folder
    if self.destination == destination { return text }
    guard Self.device(of: folder) == Self.device(of: destination.split.folder) else {
      return destination
    }
    return Self.relativePath(from: folder, to: destination)
  }

  /// Returns the path of a file as seen from a folder; both paths are absolute, without links.
  static func relativePath(from folder: [UInt8], to file: [UInt8]) -> [UInt8] {
    let (start, end) = (parts(of: folder), parts(of: file))
    let shared = zip(start, end).prefix { $0 == $1 }.count
    let up = Array(repeating: Array("..".utf8), count: start.count - shared)
    return Array((up + end[shared...].map { Array($0) }).joined(separator: [UInt8(ascii: "/")]))
  }

  private static func parts(of path: [UInt8]) -> [ArraySlice<UInt8>] {
    path.split(separator: UInt8(ascii: "/"))
  }

  private static func device(of folder: [UInt8]) -> dev_t? {
    var status = stat()
    return stat(folder.terminated, &status) == 0 ? status.st_dev : nil
  }
}

/// The texts of a link before and after it moved to another folder.
struct LinkTexts: Equatable {
  var before: [UInt8]
  var after: [UInt8]
}

/// The files that a batch has moved so far, and the links among them.
///
/// A photo may follow a link to it into another folder, or come before it: the link leads to the photo
/// in both cases.
struct MovedTogether {
  /// The number of the batch.
  let batch: UInt32
  /// The new paths of files, by their old paths.
  private(set) var paths: [[UInt8]: [UInt8]] = [:]
  /// The links whose texts have changed, by the old paths of the files that they lead to.
  private var links: [[UInt8]: [Link]] = [:]

  private struct Link {
    var path: [UInt8]
    /// Before it moved.
    var text: [UInt8]
  }

  init(batch: UInt32) { self.batch = batch }

  mutating func add(_ move: JournalEntry) {
    paths[move.source] = move.target
    // A link that changes in its folder was moved before, with the text that counts.
    guard let text = move.link?.before, move.source.split.folder != move.target.split.folder,
      let destination = SymbolicLink(path: move.source, text: text).destination
    else { return }
    links[destination, default: []].append(Link(path: move.target, text: text))
  }

  /// Removes and returns the links to a file that has moved since they did, with the texts by which
  /// they lead to it now.
  mutating func takeLinks(to file: FileStep) -> [SymbolicLink] {
    (links.removeValue(forKey: file.source) ?? []).map { link in
      let old = SymbolicLink(path: link.path, text: link.text)
      return SymbolicLink(path: link.path, text: old.text(leadingTo: file.target))
    }
  }
}
