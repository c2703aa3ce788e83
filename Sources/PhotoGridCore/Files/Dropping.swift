import Geometry
import Photos

/// Files of another program that are copied into a folder if the user agrees.
struct Dropping: Equatable, Sendable {
  var files: DroppedFiles
  /// The absolute path of the folder, without a slash at its end.
  var folder: [UInt8]

  var question: String {
    let count = files.paths.count
    let what =
      count == 1 ? FileOperation.label(of: files.paths[0].lastPathComponent) : "\(count) files"
    let name = folder.lastPathComponent
    let place = name.isEmpty ? "the root folder" : FileOperation.label(of: name)
    let leftOut = files.leftOut.map { " (\($0))" } ?? ""
    return "Copy \(what) into \(place)\(leftOut)? y, Enter: yes · Esc: no"
  }
}

extension DroppedFiles {
  /// What is not copied, in words; nil if everything can be.
  fileprivate var leftOut: String? {
    let parts = [
      remoteCount > 0 ? "\(remoteCount) on other computers" : nil,
      otherCount == 1 ? "1 that is no file" : nil,
      otherCount > 1 ? "\(otherCount) that are no files" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "not \(parts.joined(separator: ", nor "))"
  }
}

extension Gallery {
  /// Returns the question about files that were dropped: whether to copy them into the folder that is
  /// shown, whose absolute path is given, or into the folder whose tile they were dropped on.
  func ask(about files: DroppedFiles, in shown: [UInt8], onto tile: Photo.ID?) -> ScreenOutcome {
    if let refusal = options.refusal(of: Command.FileCommand.copy.label) { return refusal }
    guard !files.paths.isEmpty else {
      let words = files.leftOut.map { ": \($0)" } ?? ""
      return .notice("Nothing was copied\(words)", seconds: 3)
    }
    let slash = UInt8(ascii: "/")
    var folder = shown
    if let name = tile.flatMap({ album.names.name(of: $0) }) {
      folder += (folder.last == slash ? [] : [slash]) + name
    }
    while folder.count > 1, folder.last == slash { folder.removeLast() }
    return .present(.confirmation(.drop(Dropping(files: files, folder: folder))))
  }
}
