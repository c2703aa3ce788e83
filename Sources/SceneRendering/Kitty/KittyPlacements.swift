import Geometry

/// The placements on the screen, and the commands that change them to those of the next frame.
///
/// A placement that moves keeps its number, so that it does not flicker. Numbers are unique over
/// all images, because iTerm2 removes placements by their number alone.
struct KittyPlacements {
  /// The identity of a placement from frame to frame.
  struct Slot: Hashable {
    var image: UInt32
    /// The number of the photo; a negative number if there is none.
    var owner: Int32
    /// The index among placements with the same image and owner.
    var part: Int32
  }

  private struct Shown {
    var placement: UInt32
    var put: KittyPlacement
  }

  private var shown: [Slot: Shown] = [:]
  private var next: [Slot: Shown] = [:]
  private var taken: Set<UInt32> = []
  private var lastPlacement: UInt32 = 0

  private static let placementLimit: UInt32 = 0xFF_FFFF

  var isEmpty: Bool { shown.isEmpty }

  mutating func begin() { next.removeAll(keepingCapacity: true) }

  /// Adds a placement to the next frame, and writes its command if the screen does not show it yet.
  mutating func put(_ put: KittyPlacement, owner: Int32, to writer: inout KittyWriter) {
    var slot = Slot(image: put.image, owner: owner, part: 0)
    while next[slot] != nil { slot.part += 1 }
    if let old = shown[slot] {
      if old.put != put { writer.put(put, placement: old.placement, answer: .never) }
      next[slot] = Shown(placement: old.placement, put: put)
    } else {
      let placement = takePlacement()
      // If the terminal has lost the image, this fails, and the image is sent again.
      writer.put(put, placement: placement, answer: .failure)
      next[slot] = Shown(placement: placement, put: put)
    }
  }

  /// Ends the frame, and deletes the placements that are not in it.
  mutating func end(to writer: inout KittyWriter) {
    let gone = shown.filter { next[$0.key] == nil }
    for (slot, shown) in gone.sorted(by: { $0.value.placement < $1.value.placement }) {
      writer.delete(placement: shown.placement, of: slot.image)
      taken.remove(shown.placement)
    }
    swap(&shown, &next)
  }

  mutating func forget(_ image: UInt32) {
    for (slot, shown) in shown where slot.image == image {
      taken.remove(shown.placement)
      self.shown[slot] = nil
    }
  }

  mutating func forgetAll() {
    shown.removeAll(keepingCapacity: true)
    taken.removeAll(keepingCapacity: true)
  }

  private mutating func takePlacement() -> UInt32 {
    repeat {
      lastPlacement = lastPlacement >= Self.placementLimit ? 1 : lastPlacement + 1
    } while taken.contains(lastPlacement)
    taken.insert(lastPlacement)
    return lastPlacement
  }
}
