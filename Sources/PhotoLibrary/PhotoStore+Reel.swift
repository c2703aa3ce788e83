import PhotoGridCore
import WorkerProtocol

/// The frames of the animated photo that plays; there is one at most.
extension PhotoStore {
  /// Says which photo's frames are wanted, and from which on; those of others are dropped.
  ///
  /// A photo that is not known to have several frames has none to play.
  package func play(_ demand: ReelDemand?, at now: Instant) {
    guard demand != reel?.demand else { return }
    if let demand, reel?.photo == demand.picture.photo {
      reel?.demand = demand
    } else {
      reel = demand.flatMap { demand in
        guard let info = info(of: demand.picture.photo), info.frameCount > 1, problem == nil else {
          return nil
        }
        return ReelBuffer(demand, of: info, budget: limits.reelBudget)
      }
    }
    advance(at: now)
  }

  /// What there is of the frames of the photo that plays; nil before the first ones came.
  package func reel(of photo: Photo.ID) -> Reel? {
    reel.flatMap { $0.photo == photo ? $0.reel : nil }
  }

  /// What there is to show of a frame of a photo at the moment; of a frame that is not there, what
  /// there is of the photo.
  package func content(of photo: Photo.ID, page: Int) -> TileContent {
    if let reel, reel.photo == photo, let picture = reel[page] { return .picture(picture) }
    return content(of: photo)
  }

  /// The memory that the held frames take, in bytes.
  package var heldFrameByteCount: Int { reel?.byteCount ?? 0 }

  /// The run to ask for next.
  var missingRun: WishList.Wish? {
    reel.flatMap { reel in reel.missing.map { .run(reel.demand.picture, $0) } }
  }

  /// Takes in a run of frames, unless another photo plays by now.
  ///
  /// - Returns: whether it is what was asked for.
  func accept(
    _ run: FrameRun, of info: PhotoInfo, answering range: FrameRange, at picture: Demand
  ) -> Bool {
    guard reel?.photo == picture.photo, var known = self.info(of: picture.photo) else {
      return true
    }
    known.isIncomplete = info.isIncomplete
    guard known == info else {
      // Frames of another file by now, which may have another size.
      endReel(of: picture.photo, at: range.start)
      return true
    }
    guard reel?.put(run, answering: range, at: picture) ?? false else { return false }
    pending.append(.framesChanged(picture.photo))
    return true
  }

  /// Notes that a frame of a photo cannot be had; the photo itself is as good as before.
  func endReel(of photo: Photo.ID, at page: Int) {
    guard reel?.photo == photo else { return }
    reel?.end(at: page)
    pending.append(.framesChanged(photo))
  }
}
