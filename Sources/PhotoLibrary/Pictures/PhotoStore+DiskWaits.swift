import PhotoGridCore
import WorkerProtocol

/// Photos on a disk that does not respond.
///
/// One worker, or a few that were asked at the same time, waits for a folder; no other photo in it is
/// requested meanwhile. A worker waits until its disk responds, unless a photo elsewhere needs it.
extension PhotoStore {
  /// Whether a photo is on a disk for which a worker waits, or has waited in vain.
  func isOnDeadDisk(_ photo: Photo.ID) -> Bool {
    waitingForDisk.contains(photo) || isInWaitingFolder(photo)
  }

  /// Whether a worker waits for the disk of a photo's folder.
  func isInWaitingFolder(_ photo: Photo.ID) -> Bool {
    guard limits.waitsForDisks else { return false }
    return pool.slots.contains { slot in
      guard slot.diskWait?.isWaiting ?? false, let job = slot.jobs.first else { return false }
      return job.task.photo != photo && folder(of: job.task.photo) == folder(of: photo)
    }
  }

  private func folder(of photo: Photo.ID) -> ArraySlice<UInt8> {
    let path = index[photo]
    return path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  /// Reports each photo whose worker has started waiting for the disk.
  func noteDiskWaits() {
    for slot in pool.slots where slot.diskWait?.isWaiting ?? false {
      guard let job = slot.jobs.first, !job.isStale,
        waitingForDisk.insert(job.task.photo).inserted
      else { continue }
      events.append(.waitingForDisk(job.task.photo))
    }
  }
}
