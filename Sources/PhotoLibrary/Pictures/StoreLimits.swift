import Glibc
import SceneModel
import WorkerProtocol

/// The limits of a photo store: workers, memory and time.
package struct StoreLimits: Sendable {
  /// The number of workers that decode pictures at the same time.
  package var workerCount = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// The memory of cached pictures, in bytes.
  package var memoryBudget = 256 << 20
  /// The memory of frames of the video that plays, in bytes.
  package var frameBudget = 64 << 20
  /// The processor time for a picture of up to `quickSide`, or for facts, in seconds.
  package var quickSeconds = 5.0
  /// The processor time for a larger picture, in seconds.
  package var slowSeconds = 15.0
  /// The time on the clock after which a worker is given up, as a multiple of its processor time.
  ///
  /// A busy machine may slow a worker down; one that hangs uses no processor time.
  package static let clockFactor = 6.0
  /// The time on the clock after which a tile says that it waits, in seconds.
  package var lateSeconds = 5.0
  /// The memory in bytes that all decodes together may take, according to the photos' headers.
  package var decodeMemory = 576 << 20
  /// The factor for the times of a photo that timed out before and has been opened.
  package var retryFactor = 4.0
  /// The longest side of a picture with `quickSeconds`, in pixels.
  package var quickSide = 512.0
  /// The time without requests after which all of these workers but one end, in seconds.
  package var idleSeconds = 5.0
  /// Whether photos are waited for whose workers are given up, as for disks that do not respond.
  package var waitsForDisks = false
  /// The pause before the second replacement of a worker in a row, in seconds; it doubles with
  /// each.
  package var firstPause = 0.1
  /// The longest pause before a replacement, in seconds.
  package var maxPause = 2.0
  /// The number of killed workers that have not ended at which no more are started.
  package var maxZombies = 16
  /// The number of launches in a row without a greeting after which the store gives up.
  package var maxLaunchFailures = 5

  /// Creates the default limits.
  package init() {}

  /// Returns the part of `decodeMemory` that a decode reserves, in bytes.
  ///
  /// A decode beside which small decodes in the other workers would not fit reserves everything, so
  /// that it runs alone.
  func share(of bytes: Int) -> Int {
    let plain = DecodeProtocol.Request.plainMemory
    let small = min(plain, decodeMemory / max(1, workerCount))
    if bytes <= plain { return small }
    return bytes <= decodeMemory - (workerCount - 1) * small ? bytes : decodeMemory
  }

  /// Returns the processor time for a demand, in seconds.
  func seconds(for demand: Demand) -> Double {
    max(demand.size.width, demand.size.height) <= quickSide ? quickSeconds : slowSeconds
  }

  /// Returns the processor time for a request, in seconds.
  func seconds(for request: DecodeRequest) -> Double {
    switch request {
    case .describe, .preview, .hash: quickSeconds
    case .decode(let demand), .frames(let demand, _): seconds(for: demand)
    case .cacheThumbnail: slowSeconds
    }
  }

  /// The limits of the workers that decode pictures.
  var pool: WorkerPoolLimits {
    var limits = WorkerPoolLimits()
    limits.slotCount = workerCount
    limits.lateSeconds = waitsForDisks ? lateSeconds : nil
    limits.firstPause = firstPause
    limits.maxPause = maxPause
    limits.maxZombies = maxZombies
    limits.maxLaunchFailures = maxLaunchFailures
    return limits
  }

  /// The limits of the worker that decodes frames.
  var framePool: WorkerPoolLimits {
    var limits = pool
    limits.slotCount = 1
    return limits
  }
}
