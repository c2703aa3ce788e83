import PhotoGridCore

/// A record of earlier attempts to decode photos, by which futile ones are not repeated.
struct DecodeHistory {
  /// Sizes for which a preview was requested, by photo.
  private var previewAttempts: [Photo.ID: [PreviewAttempt]] = [:]
  /// Photos whose regions cannot be decoded separately, so the whole picture is shown.
  private var regionUnsupported: Set<Photo.ID> = []
  /// Photos whose decoding timed out.
  private var timedOut: Set<Photo.ID> = []
  /// The memory in bytes that decoding takes according to the headers, for photos that need much.
  private(set) var neededMemory: [Photo.ID: Int] = [:]
  /// Photos that the decoder for their format cannot decode.
  private var undecodable: Set<Photo.ID> = []
  /// Photos that timed out, and that are decoded with a longer timeout while they are open.
  private var retried: Set<Photo.ID> = []

  /// The size and mode of a demand whose preview was requested.
  private struct PreviewAttempt: Equatable {
    var size: PixelSize
    var mode: ContentMode

    init(_ demand: Demand) { (size, mode) = (demand.size, demand.mode) }
  }

  /// Records that a preview was requested for a demand, with or without success.
  mutating func didTryPreview(_ demand: Demand) {
    previewAttempts[demand.photo, default: []].append(PreviewAttempt(demand))
  }

  /// Whether a preview was requested for a demand of this size and mode.
  func hasTriedPreview(_ demand: Demand) -> Bool {
    previewAttempts[demand.photo]?.contains(PreviewAttempt(demand)) ?? false
  }

  /// Records that no region of a photo can be decoded.
  mutating func didFailRegion(of photo: Photo.ID) { regionUnsupported.insert(photo) }

  /// Whether regions of a photo can be decoded; true until one failed.
  func supportsRegions(of photo: Photo.ID) -> Bool { !regionUnsupported.contains(photo) }

  /// Records how much memory decoding a photo takes, in bytes.
  ///
  /// - Returns: Whether that was not known before.
  mutating func didNeedMemory(_ bytes: Int, for photo: Photo.ID) -> Bool {
    neededMemory.updateValue(bytes, forKey: photo) == nil
  }

  /// Records that the decoder for a photo's format fails.
  ///
  /// - Returns: Whether that was not known before.
  mutating func didNeedOtherDecoder(for photo: Photo.ID) -> Bool {
    undecodable.insert(photo).inserted
  }

  /// Whether a photo needs another decoder than the one for its format.
  func needsOtherDecoder(_ photo: Photo.ID) -> Bool { undecodable.contains(photo) }

  /// Records that a photo's decoding timed out.
  mutating func didTimeOut(_ photo: Photo.ID) { timedOut.insert(photo) }

  /// Whether a photo is decoded again, with a longer timeout.
  func isRetried(_ photo: Photo.ID) -> Bool { retried.contains(photo) }

  /// Records which photos are open.
  ///
  /// - Returns: The photos to decode again because they timed out; a photo is returned once each
  ///   time it is opened.
  mutating func didOpen(_ photos: @autoclosure () -> Set<Photo.ID>) -> Set<Photo.ID> {
    guard !timedOut.isEmpty else { return [] }
    let open = photos()
    let new = open.intersection(timedOut).subtracting(retried)
    retried = retried.intersection(open).union(new)
    return new
  }

  /// Drops all timeouts, so that the photos are decoded as if for the first time.
  mutating func forgetTimeouts() { (timedOut, retried) = ([], []) }

  /// Forgets the preview attempts of a photo that has been decoded or cannot be shown.
  mutating func forgetPreviews(of photo: Photo.ID) { previewAttempts[photo] = nil }

  /// Drops everything about a photo whose file may have changed.
  mutating func forget(_ photo: Photo.ID) {
    previewAttempts[photo] = nil
    regionUnsupported.remove(photo)
    timedOut.remove(photo)
    neededMemory[photo] = nil
    undecodable.remove(photo)
  }
}
