import PhotoGridCore
import WorkerProtocol

extension PhotoSource {
  /// An event of a source.
  enum Event {
    /// Photos were found.
    case found(PhotoBatch)
    /// The listing is complete, with problems for standard error.
    case finished(ListingNotes, problems: [String])
    /// The listing ended early, for this reason.
    case failed(String)
    /// All photos of a folder follow, up to `relisted`.
    case relisting(ListedPlace)
    /// All photos of that folder have been reported, or not all of them could be read.
    case relisted(isComplete: Bool)
    /// Files were added, removed or changed.
    case changed([PhotoChange])
    /// The requested preview of a folder has arrived.
    case previewed(FolderSamples)
    /// A root was removed; the value is its printable name.
    case lost(String)
    /// Facts of a list's photos; `root` is the number of the first photo, by `lookUp(_:from:at:)`.
    case known(PhotoBatch)
    /// The current state of the paths given to `check(_:at:)`.
    case checked([PhotoChange])
  }
}
