import Geometry
import Photos
import SceneModel
import WorkerProtocol

/// The decoded frames of the video that plays.
///
/// Frames are fetched in runs, ahead of the current one and around the loop. Above the budget, the
/// frames that are shown last, counted from the current one, are evicted. If frame 4 of six is on
/// the screen, frame 3 goes first:
///
///     frame index    0  1  2  3  4  5
///     distance       2  3  4  5  0  1
struct FrameBuffer {
  /// The current frame and its size; always of the same photo.
  var demand: FrameDemand
  /// The memory of the frames, in bytes.
  private(set) var byteCount = 0
  /// The number of frames that can be shown: the video ends before one that cannot be decoded.
  private var frameCount: Int
  private var loopCount: Int?
  /// The timing of a film; nil for an animated image.
  private var film: FilmTiming?
  /// The size of the photo or film after orientation, in pixels; the film of a live photo is cropped to
  /// the photo's shape.
  private var size: PixelSize
  /// Whether the film is beside or inside a photo.
  private let isLive: Bool
  /// The budget in bytes, which the current frame and the next one may exceed.
  private let budget: Int
  private var frames: [Int: Entry] = [:]

  private struct Entry {
    var picture: Mipmap
    var seconds: Double
    /// The size that was requested, in pixels.
    var target: (width: Int, height: Int)
  }

  /// How far ahead of the current frame a film's frames are replaced by larger ones, in seconds.
  private static let leadSeconds = 0.2
  /// How far ahead of the current frame a film is decoded, in seconds.
  private static let storedSeconds = 1.0
  /// The pixels above which frames of a film have no smaller levels.
  private static let largeFrame = 1 << 18
  /// The most frames in a run, so that not too many small ones arrive together.
  private static let maxRunLength = 256

  /// Creates an empty buffer for the frames of a photo, or of the film that belongs to it.
  init(_ demand: FrameDemand, of info: PhotoInfo, budget: Int) {
    self.demand = demand
    size = info.size
    // What the film of a live photo says is known with its first frames.
    isLive = demand.motion == .live
    film =
      demand.motion == .frames
      ? nil : FilmTiming(length: info.length, frameRate: info.frameRate)
    frameCount = film?.frameCount ?? info.frameCount
    self.budget = budget
  }

  /// The photo that plays.
  var photo: Photo.ID { demand.picture.photo }

  /// Whether a film plays, which is decoded by a process that decodes nothing else.
  var isFilm: Bool { film != nil }

  /// The picture of a frame; nil if it is not in the buffer.
  func picture(at frameIndex: Int) -> Mipmap? { frames[frameIndex]?.picture }

  /// The frames that can be shown now; nil until the first run has arrived.
  var decoded: DecodedFrames? {
    guard !frames.isEmpty || frameCount == 1 else { return nil }
    return DecodedFrames(
      frameCount: frameCount, loopCount: loopCount, durations: frames.mapValues(\.seconds),
      film: film)
  }

  /// The frames to request next; nil if none are missing, or there is no room until some were
  /// shown.
  var missing: FrameRange? {
    guard frameCount > 1 else { return nil }
    let target = target(of: demand.picture)
    // By the time that larger ones arrive, the next frames of a film have been shown as they are.
    let lead = demand.isPlaying ? film.map { Int($0.rate * Self.leadSeconds) } ?? 0 : 0
    func isMissing(_ distance: Int) -> Bool {
      guard let frame = frames[frameIndex(at: distance)] else { return true }
      return distance >= lead
        && (frame.target.width < target.width || frame.target.height < target.height)
    }
    // What comes later may never be shown; a film that has half a second in store is left alone.
    let ahead = film.map { max(Int($0.rate * Self.storedSeconds), 2) } ?? frameCount
    guard let distance = (0..<min(frameCount, ahead)).first(where: isMissing),
      film == nil || distance < max(ahead / 2, 2)
    else { return nil }
    // The smaller levels of a mipmap together take a third of the full one.
    let bytes = target.width * target.height * 4 * 4 / 3
    let room = max(budget / bytes - distance, 0)
    let isRunWorthwhile =
      room >= frameCount - distance || room * bytes >= FrameRun.byteLimit * 4 / 3
    guard distance < 2 || isRunWorthwhile else { return nil }
    let start = frameIndex(at: distance)
    let longest = min(frameCount - start, max(room, 1), max(ahead - distance, 1), Self.maxRunLength)
    let count = (0..<longest).first { !isMissing(distance + $0) } ?? longest
    return FrameRange(start: start, count: count)
  }

  /// The request for the frames in a range.
  func request(_ range: FrameRange) -> DecodeRequest {
    var picture = demand.picture
    if isLive {
      let (width, height) = target(of: picture)
      picture.size = PixelSize(width: Double(width), height: Double(height))
      picture.mode = .fit
    }
    return .frames(picture, range)
  }

  /// Stores a run of frames.
  ///
  /// - Parameters:
  ///   - run: The frames.
  ///   - info: What the file says that they are from.
  ///   - range: The frames that were requested.
  ///   - picture: The demand with the requested size.
  /// - Returns: Whether the run answers the request; if not, no frame is stored.
  mutating func put(
    _ run: FrameRun, of info: PhotoInfo, answering range: FrameRange, at picture: Demand
  ) -> Bool {
    if let film = FilmTiming(info), self.film?.rate != film.rate || frames.isEmpty {
      // Indices stand for other times now.
      (self.film, frameCount) = (film, film.frameCount)
    }
    if !isLive { size = info.size }
    let target = target(of: picture)
    guard run.start == range.start, run.frames.count <= range.count,
      !run.frames.isEmpty || run.endsEarly,
      run.frames.allSatisfy({
        $0.bitmap.width <= target.width && $0.bitmap.height <= target.height
      })
    else { return false }
    loopCount = run.loopCount
    for (frameIndex, frame) in zip(run.start..., run.frames) {
      drop(frameIndex)
      let isLarge = film != nil && frame.bitmap.width * frame.bitmap.height > Self.largeFrame
      let picture = Mipmap(frame.bitmap, levels: isLarge ? 1 : .max)
      frames[frameIndex] = Entry(picture: picture, seconds: frame.seconds, target: target)
      byteCount += picture.byteCount
    }
    if run.endsEarly { end(at: run.start + run.frames.count) }
    evict()
    return true
  }

  /// Ends the video before a frame that cannot be decoded.
  mutating func end(at frameIndex: Int) {
    frameCount = max(min(frameCount, frameIndex), 1)
    film?.end(at: frameIndex)
  }

  // MARK: The loop

  /// The index of the frame that is shown `distance` frames after the current one.
  private func frameIndex(at distance: Int) -> Int {
    // The current frame may be after the end, if it arrived before a worker failed there.
    let first = demand.frameIndex < frameCount ? demand.frameIndex : 0
    return (first + distance) % frameCount
  }

  /// Returns the number of frames from the current one until a frame is shown.
  private func distance(of frameIndex: Int) -> Int {
    if frameIndex == demand.frameIndex { return 0 }
    guard frameIndex < frameCount else { return .max }
    let first = demand.frameIndex < frameCount ? demand.frameIndex : 0
    return (frameIndex - first + frameCount) % frameCount
  }

  private func target(of picture: Demand) -> (width: Int, height: Int) {
    targetSize(of: size, in: picture.size, mode: picture.mode)
  }

  /// Evicts frames until the budget is kept.
  private mutating func evict() {
    guard byteCount > budget else { return }
    for frameIndex in frames.keys.sorted(by: { distance(of: $0) > distance(of: $1) }) {
      guard byteCount > budget, distance(of: frameIndex) > 1 else { return }
      // It is on the screen until the current frame is decoded.
      if frameIndex != demand.shownIndex { drop(frameIndex) }
    }
  }

  private mutating func drop(_ frameIndex: Int) {
    guard let old = frames.removeValue(forKey: frameIndex) else { return }
    byteCount -= old.picture.byteCount
  }
}
