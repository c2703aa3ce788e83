import Glibc
import PhotoGridCore

/// How much a store may use, and how long it waits.
package struct StoreLimits: Sendable {
  /// How many workers decode at the same time.
  package var workerCount = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// For pictures that are held, in bytes.
  package var memoryBudget = 256 << 20
  /// For frames of the animated photo that plays, in bytes.
  package var reelBudget = 64 << 20
  /// For a picture of up to `quickSide`, or a photo's head, in seconds on the wall's clock.
  package var quickSeconds = 5.0
  /// For a larger picture, in seconds on the wall's clock.
  package var slowSeconds = 15.0
  /// How many times longer a photo may take that took too long, once it is opened.
  package var patience = 4.0
  /// The longest side, in pixels, of what is expected quickly.
  package var quickSide = 512.0
  /// The wait before the second replacement of a worker in a row, in seconds; it doubles with each.
  package var firstPause = 0.1
  /// The longest wait before a replacement, in seconds.
  package var longestPause = 2.0
  /// While so many killed workers have not ended, no others are started.
  package var mostHanging = 16
  /// After so many replacements in a row, none of which did anything, nothing more is tried.
  package var mostFutileStarts = 5

  /// The limits for everyday use.
  package init() {}

  /// The time a wish may take, in seconds.
  func seconds(for demand: Demand) -> Double {
    max(demand.size.width, demand.size.height) <= quickSide ? quickSeconds : slowSeconds
  }

  /// The pause before the next start of a worker, in seconds, when so many ended since one did
  /// something.
  func pause(after failures: Int) -> Double {
    failures <= 1 ? 0 : min(firstPause * Double(1 << min(failures - 2, 20)), longestPause)
  }
}
