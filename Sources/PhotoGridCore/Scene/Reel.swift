/// What can be shown at the moment of an animated photo's frames.
///
/// A long animation is never there as a whole: frames come ahead of time, and go when they have been
/// shown.
package struct Reel: Equatable, Sendable {
  /// How many frames can be shown at all; fewer than the file has if one cannot be decoded.
  package var frameCount: Int
  /// How often all frames are shown, one after the other; nil is for ever.
  package var loopCount: Int?
  /// The frames that are there, by their numbers from 0, and for how many seconds each is shown.
  package var durations: [Int: Double]

  /// A reel of which some frames are there.
  package init(frameCount: Int, loopCount: Int?, durations: [Int: Double]) {
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.durations = durations
  }
}

/// A wish for the frames of the photo that plays.
package struct ReelDemand: Equatable, Sendable {
  /// The photo, and how large its frames have to be.
  package var picture: Demand
  /// The frame on show; it and those after it are wanted.
  package var page: Int

  /// A wish for frames from one on.
  package init(picture: Demand, page: Int) {
    self.picture = picture
    self.page = page
  }
}
