import PhotoGridCore

/// The placements on the screen, and the commands that change them into those of the next frame.
///
/// A placement that moves keeps its number, which moves it without a flicker; numbers are unique
/// over all images, because iTerm2 removes every placement that has the number.
struct KittyPlacements {
  /// The identity of a placement from frame to frame.
  struct Slot: Hashable {
    var image: UInt32
    /// The photo, or another number for what has none.
    var owner: Int32
    /// Which of several with the same image and owner.
    var part: Int32
  }

  private struct Shown {
    var placement: UInt32
    var put: KittyPut
  }

  private var shown: [Slot: Shown] = [:]
  private var next: [Slot: Shown] = [:]
  private var taken: Set<UInt32> = []
  private var lastPlacement: UInt32 = 0

  private static let placementLimit: UInt32 = 0xFF_FFFF

  /// Whether nothing is shown.
  var isEmpty: Bool { shown.isEmpty }

  /// Begins a frame.
  mutating func begin() { next.removeAll(keepingCapacity: true) }

  /// Puts an image where the next frame has it; writes only what the terminal does not show yet.
  mutating func put(_ put: KittyPut, owner: Int32, to writer: inout KittyWriter) {
    var slot = Slot(image: put.image, owner: owner, part: 0)
    while next[slot] != nil { slot.part += 1 }
    if let old = shown[slot] {
      if old.put != put { writer.put(put, placement: old.placement, answer: .never) }
      next[slot] = Shown(placement: old.placement, put: put)
    } else {
      let placement = takePlacement()
      // The image may have been lost meanwhile: then this fails, and it is sent again.
      writer.put(put, placement: placement, answer: .failure)
      next[slot] = Shown(placement: placement, put: put)
    }
  }

  /// Ends the frame: takes away what it does not have.
  mutating func end(to writer: inout KittyWriter) {
    let gone = shown.filter { next[$0.key] == nil }
    for (slot, shown) in gone.sorted(by: { $0.value.placement < $1.value.placement }) {
      writer.delete(placement: shown.placement, of: slot.image)
      taken.remove(shown.placement)
    }
    swap(&shown, &next)
  }

  /// Forgets the placements of an image, which went with it.
  mutating func forget(_ image: UInt32) {
    for (slot, shown) in shown where slot.image == image {
      taken.remove(shown.placement)
      self.shown[slot] = nil
    }
  }

  /// Forgets all placements.
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
