import Glibc
import PhotoGridCore
import WorkerProtocol

/// How many workers, bytes and seconds a photo store may use.
package struct StoreLimits: Sendable {
  /// How many workers decode at the same time.
  package var workerCount = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// For cached pictures, in bytes.
  package var memoryBudget = 256 << 20
  /// For frames of the animation that plays, in bytes.
  package var frameBudget = 64 << 20
  /// Time for a picture of up to `quickSide`, or for facts, in seconds.
  package var quickSeconds = 5.0
  /// Time for a larger picture, in seconds.
  package var slowSeconds = 15.0
  /// The memory that all workers together may take for decoding, in bytes, as far as the headers of
  /// photos announce it.
  package var decodeMemory = 576 << 20
  /// How many times longer a photo may take that timed out, once it is opened.
  package var retryFactor = 4.0
  /// The longest side of a picture that has to be decoded in `quickSeconds`, in pixels.
  package var quickSide = 512.0
  /// The pause before the second replacement of a worker in a row, in seconds; it doubles with
  /// each.
  package var firstPause = 0.1
  /// The longest pause before a replacement, in seconds.
  package var longestPause = 2.0
  /// No worker is started while so many killed ones have not ended.
  package var maxZombies = 16
  /// After so many launches in a row without a greeting, nothing more is tried.
  package var maxLaunchFailures = 5

  /// The limits for everyday use.
  package init() {}

  /// What a decode of so many announced bytes counts, so that one that is larger than all fits
  /// beside small ones.
  func share(of bytes: Int) -> Int {
    let small = DecodeProtocol.Request.plainMemory
    return min(max(bytes, small), max(small, decodeMemory - (workerCount - 1) * small))
  }

  /// Time for a demand, in seconds.
  func seconds(for demand: Demand) -> Double {
    max(demand.size.width, demand.size.height) <= quickSide ? quickSeconds : slowSeconds
  }

  /// Time for a request, in seconds.
  func seconds(for request: DecodeRequest) -> Double {
    switch request {
    case .describe, .preview: quickSeconds
    case .decode(let demand), .frames(let demand, _): seconds(for: demand)
    case .cacheThumbnail: slowSeconds
    }
  }

  /// The limits of a pool of decoding workers.
  var pool: WorkerPoolLimits {
    var limits = WorkerPoolLimits()
    limits.slotCount = workerCount
    limits.firstPause = firstPause
    limits.longestPause = longestPause
    limits.maxZombies = maxZombies
    limits.maxLaunchFailures = maxLaunchFailures
    return limits
  }
}
