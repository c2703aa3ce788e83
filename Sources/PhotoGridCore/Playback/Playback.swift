/// An animated photo that plays: which of its frames is on show, and until when.
///
/// A frame that is not there when its time comes is waited for, and then shown for all of its time;
/// none is left out to make up for it.
package struct Playback: Equatable, Sendable {
  /// The animated photo.
  package let photo: Photo.ID
  /// The frame on show, from 0.
  package private(set) var page = 0
  /// Whether time leads on to the next frame.
  package private(set) var isPlaying: Bool
  /// Whether it plays or was told to; until then the first frame is all that is needed.
  package private(set) var hasBegun: Bool
  /// What there is of the frames; nil until the first ones have come.
  package private(set) var reel: Animation?
  /// When the time of the frame on show is up; nil while it is not counted.
  private var end: Instant?
  /// How often all frames have been shown.
  private var finishedLoops = 0
  /// Frames to go on by, once they are there.
  private var openSteps = 0

  /// Frames whose time has been up for longer, in seconds, are not made up for: the program was
  /// stopped, or the photo out of sight.
  private static let mostLateness = 0.25

  /// A photo at its first frame.
  package init(of photo: Photo.ID, isPlaying: Bool) {
    self.photo = photo
    self.isPlaying = isPlaying
    hasBegun = isPlaying
  }

  /// When the next frame is to be shown; nil if none is, or if it is not there yet.
  package var nextChange: Instant? {
    isPlaying && nextPage.map(isThere) ?? false ? end : nil
  }

  /// Learns what there is of the frames.
  package mutating func take(_ reel: Animation, at now: Instant) {
    // What was waited for is shown from now on.
    if let end, end < now, nextChange == nil { self.end = now }
    self.reel = reel
  }

  /// Stops at the frame on show, or goes on from there; after the last one it starts over.
  package mutating func toggle() {
    let isOver = reel != nil && nextPage == nil
    isPlaying = !isPlaying || isOver
    hasBegun = true
    openSteps = 0
    end = nil
    guard isOver else { return }
    page = 0
    finishedLoops = 0
  }

  /// Stops, and goes on by a number of frames.
  package mutating func step(by count: Int) {
    isPlaying = false
    hasBegun = true
    openSteps = min(openSteps + count, 1000)
    end = nil
  }

  /// Shows the frame whose time has come.
  package mutating func advance(to now: Instant) {
    while openSteps > 0, isThere(following) {
      page = following
      openSteps -= 1
    }
    guard isPlaying, let duration = reel?.durations[page] else { return }
    var end = end ?? now.advanced(bySeconds: duration)
    while end <= now, let next = nextPage, let duration = reel?.durations[next] {
      if next <= page { finishedLoops += 1 }
      page = next
      let isLate = now.seconds(since: end) > Self.mostLateness
      end = (isLate ? now : end).advanced(bySeconds: duration)
    }
    self.end = end
  }

  /// The frame behind the one on show, whatever the loops; the first behind the last.
  private var following: Int { page + 1 < (reel?.frameCount ?? 1) ? page + 1 : 0 }

  /// The frame that time leads on to; nil at the end, and where there is only one.
  private var nextPage: Int? {
    guard let reel, reel.frameCount > 1 else { return nil }
    if following == 0, let loops = reel.loopCount, finishedLoops + 1 >= loops { return nil }
    return following
  }

  private func isThere(_ page: Int) -> Bool { reel?.durations[page] != nil }
}
