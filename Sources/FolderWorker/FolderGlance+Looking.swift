import PhotoGridCore
import Glibc
import WorkerProtocol

extension FolderGlance {
  /// So many names of a folder are read, of a larger one those that the disk has first.
  private static let mostNames = 1024
  /// So many folders are looked into for one.
  private static let mostFolders = 12
  /// So deep is looked for photos where a folder has none of its own.
  private static let mostLevels = 4

  /// Looks into a folder, given with its slash, for its first photos; how much there is in it does
  /// not matter for the time that takes.
  init(into folder: [UInt8], includesHidden: Bool) {
    self.init(folder: folder)
    var pending = [(path: folder, level: 1)]
    var visits = 0
    while let next = pending.popLast(), visits < Self.mostFolders, samples.count < Self.mostSamples
    {
      visits += 1
      guard let stream = opendir(FolderWalk.cString(next.path)) else {
        if next.level == 1 { failure = FailureReason(errno: errno) }
        continue
      }
      defer { closedir(stream) }
      let contents = FolderContents(
        stream, includesHidden: includesHidden, limit: Self.mostNames)
      contents.images.forEachInOrder { name in
        if samples.count < Self.mostSamples { samples.append(next.path + name) }
      }
      guard !contents.hasImages, next.level < Self.mostLevels else { continue }
      var below: [(path: [UInt8], level: Int)] = []
      contents.subfolders.forEachInOrder { name in
        guard below.count < Self.mostFolders else { return }
        below.append((next.path + name + [0x2f], next.level + 1))
      }
      pending += below.reversed()
    }
  }
}
