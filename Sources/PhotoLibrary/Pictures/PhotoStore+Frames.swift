import Geometry
import Photos
import SceneModel
import WorkerProtocol

/// The frames of the video that plays; at most one plays at a time.
extension PhotoStore {
  /// Sets the video that plays and its frame on the screen; the frames of others are dropped.
  ///
  /// A photo that has one frame, and no film, does not play.
  package func play(_ demand: FrameDemand?, at now: Instant) {
    guard demand != frames?.demand else { return }
    if let demand, frames?.photo == demand.picture.photo {
      frames?.demand = demand
    } else {
      frames = demand.flatMap { demand in
        guard let info = info(of: demand.picture.photo), problem == nil,
          info.frameCount > 1 || demand.motion != .frames
        else { return nil }
        return FrameBuffer(demand, of: info, budget: limits.frameBudget)
      }
    }
    advance(at: now)
  }

  /// Whether a film plays, or is paused.
  package var playsFilm: Bool { frames?.isFilm ?? false }

  /// The frames of a photo in memory; nil before the first have arrived.
  package func decodedFrames(of photo: Photo.ID) -> DecodedFrames? {
    frames.flatMap { $0.photo == photo ? $0.decoded : nil }
  }

  /// The picture of a frame; the content of the photo without an index, and if the frame is not decoded.
  package func content(
    of photo: Photo.ID, frameIndex: Int?, covering size: PixelSize? = nil
  ) -> TileContent {
    if let frameIndex, let frames, frames.photo == photo,
      let picture = frames.picture(at: frameIndex)
    {
      return .picture(picture)
    }
    return content(of: photo, covering: size)
  }

  /// The request for the next frames.
  var missingFrames: DecodeRequest? {
    frames.flatMap { frames in frames.missing.map(frames.request) }
  }

  /// Stores a run of frames, unless another photo plays now.
  ///
  /// - Returns: Whether the run answers the request.
  func accept(
    _ run: FrameRun, of info: PhotoInfo, answering range: FrameRange, at picture: Demand
  ) -> Bool {
    guard frames?.photo == picture.photo, var known = self.info(of: picture.photo) else {
      return true
    }
    // It was opened again before its worker was ended.
    closing = nil
    known.isIncomplete = info.isIncomplete
    // The first frame may have been read too soon after a change for a complete stamp.
    if known.stamp.matches(info.stamp) { known.stamp = info.stamp }
    // What is known of a live photo is not what its film says.
    guard known == info || info.format == .film else {
      // The file has changed, and its frames may have another size.
      endFrames(of: picture.photo, at: range.start)
      return true
    }
    guard frames?.put(run, of: info, answering: range, at: picture) ?? false else { return false }
    events.append(.framesChanged(picture.photo))
    return true
  }

  /// Requests the next frames, one run at a time, and ends the worker of a video that was closed.
  func advanceFrames(at now: Instant) {
    if let openVideo, openVideo != frames?.photo { closing = closing ?? now }
    if let closedVideoEnd, closedVideoEnd <= now {
      // Its decoder may wait for a command that was stopped, or for a disk that does not respond.
      framePool.release(0)
      (openVideo, closing) = (nil, nil)
    }
    guard framePool.isIdle, let request = missingFrames else { return }
    (openVideo, closing) = (request.photo, nil)
    if case .unavailable(let error) = send(request, to: 0, of: framePool, at: now) {
      fail(request, error.message)
    }
  }

  /// When the worker of the closed video is ended; nil if none is open.
  var closedVideoEnd: Instant? {
    closing?.advanced(bySeconds: framePool.isIdle ? Self.idleSeconds : Self.runSeconds)
  }

  /// How long a worker without a video waits for the next one, in seconds.
  private static let idleSeconds = 1.0
  /// How long the worker of a closed video may take for the frames that were requested last, in seconds.
  private static let runSeconds = 0.25

  /// Ends a video before a frame that cannot be decoded; the photo itself stays.
  func endFrames(of photo: Photo.ID, at frameIndex: Int) {
    guard frames?.photo == photo else { return }
    frames?.end(at: frameIndex)
    events.append(.framesChanged(photo))
  }

  /// Ends a video before frames that could not be requested, or whose request has failed.
  func failFrames(of photo: Photo.ID, at frameIndex: Int, _ message: String) {
    guard frames?.photo == photo else { return }
    if playsFilm { events.append(.filmFailed(photo, message)) }
    endFrames(of: photo, at: frameIndex)
  }
}
