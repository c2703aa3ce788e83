import PhotoGridCore
import Glibc
import WorkerProtocol

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
