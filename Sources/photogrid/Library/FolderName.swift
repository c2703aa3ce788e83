import Glibc
import PhotoGridCore
import PhotoLibrary

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
    let isAbsolute = folder.first == Self.slash
    guard isAbsolute || current != nil else { return PrintableText.from(folder) }
    var parts: [ArraySlice<UInt8>] = []
    let path = isAbsolute ? folder : (current ?? []) + [Self.slash] + folder
    for part in path.split(separator: Self.slash) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
    }
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
