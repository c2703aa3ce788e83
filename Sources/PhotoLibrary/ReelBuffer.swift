import PhotoGridCore
import WorkerProtocol

/// The frames that are held of the photo that plays.
///
/// They are fetched in runs, ahead of the one on show, in a circle. Beyond the budget those are
/// dropped that come last: they were shown a while ago.
struct ReelBuffer {
  /// What is wanted; always of the same photo.
  var demand: ReelDemand
  private(set) var byteCount = 0
  /// How many frames can be shown: fewer than there are from where one could not be had.
  private var frameCount: Int
  private var loopCount: Int?
  /// The photo's size after orientation, in pixels.
  private let size: PixelSize
  /// In bytes; the frame on show and the next one are held whatever they take.
  private let budget: Int
  private var held: [Int: Held] = [:]

  private struct Held {
    var picture: Mipmap
    var seconds: Double
    /// The size that was asked for.
    var target: (width: Int, height: Int)
  }

  /// A run is no longer than this, so that small frames do not come in too large a number at once.
  private static let longestRun = 256

  /// A buffer without frames, for those of a photo.
  init(_ demand: ReelDemand, of info: PhotoInfo, budget: Int) {
    self.demand = demand
    size = info.size
    frameCount = info.frameCount
    self.budget = budget
  }

  var photo: Photo.ID { demand.picture.photo }

  /// A frame's picture; nil if it is not held.
  subscript(page: Int) -> Mipmap? { held[page]?.picture }

  /// What the browser is told; nil until a worker has answered.
  var reel: Reel? {
    guard !held.isEmpty || frameCount == 1 else { return nil }
    return Reel(
      frameCount: frameCount, loopCount: loopCount, durations: held.mapValues(\.seconds))
  }

  /// The frames to ask for next; nil if there are none, or none before some have been shown.
  var missing: FrameRange? {
    guard frameCount > 1 else { return nil }
    let target = target(of: demand.picture)
    func isMissing(_ page: Int) -> Bool {
      guard let held = held[page] else { return true }
      return held.target.width < target.width || held.target.height < target.height
    }
    guard let distance = (0..<frameCount).first(where: { isMissing(page(at: $0)) }) else {
      return nil
    }
    // With its halves a picture is larger by a third.
    let bytes = target.width * target.height * 4 * 4 / 3
    let room = max(budget / bytes - distance, 0)
    let isRunWorthwhile =
      room >= frameCount - distance || room * bytes >= FrameRun.byteLimit * 4 / 3
    guard distance < 2 || isRunWorthwhile else { return nil }
    let start = page(at: distance)
    let longest = min(frameCount - start, max(room, 1), Self.longestRun)
    let count = (0..<longest).first { !isMissing(start + $0) } ?? longest
    return FrameRange(start: start, count: count)
  }

  /// Takes in a run that was asked for.
  ///
  /// - Returns: whether it is what was asked for.
  mutating func put(_ run: FrameRun, answering range: FrameRange, at picture: Demand) -> Bool {
    let target = target(of: picture)
    guard run.start == range.start, run.frames.count <= range.count,
      !run.frames.isEmpty || run.endsEarly,
      run.frames.allSatisfy({
        $0.bitmap.width <= target.width && $0.bitmap.height <= target.height
      })
    else { return false }
    loopCount = run.loopCount
    for (page, frame) in zip(run.start..., run.frames) {
      drop(page)
      let picture = Mipmap(frame.bitmap)
      held[page] = Held(
        picture: picture, seconds: Double(frame.milliseconds) / 1000, target: target)
      byteCount += picture.byteCount
    }
    if run.endsEarly { end(at: run.start + run.frames.count) }
    tidy()
    return true
  }

  /// Notes that a frame cannot be had: those before it are what there is.
  mutating func end(at page: Int) { frameCount = max(min(frameCount, page), 1) }

  // MARK: The circle

  /// The frame so many places behind the one on show.
  private func page(at distance: Int) -> Int {
    // What is on show may be beyond the end, if it came before a worker failed there.
    let first = demand.page < frameCount ? demand.page : 0
    return (first + distance) % frameCount
  }

  private func distance(of page: Int) -> Int {
    if page == demand.page { return 0 }
    guard page < frameCount else { return .max }
    let first = demand.page < frameCount ? demand.page : 0
    return (page - first + frameCount) % frameCount
  }

  private func target(of picture: Demand) -> (width: Int, height: Int) {
    targetSize(of: size, in: picture.size, mode: picture.mode)
  }

  /// Brings the frames back within the budget.
  private mutating func tidy() {
    guard byteCount > budget else { return }
    for page in held.keys.sorted(by: { distance(of: $0) > distance(of: $1) }) {
      guard byteCount > budget, distance(of: page) > 1 else { return }
      drop(page)
    }
  }

  private mutating func drop(_ page: Int) {
    guard let old = held.removeValue(forKey: page) else { return }
    byteCount -= old.picture.byteCount
  }
}
