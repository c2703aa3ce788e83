import Geometry
import Photos

/// The badges in the corners of a photo's tile.
package struct Badges: Hashable, Sendable {
  package var stars = 0
  package var isRejected = false
  /// The color of the label; nil for none.
  package var label: RGB?
  package var count = 1
  /// A note in a few characters, such as `RAW`, `COPY`, `LIVE`, or the length of a film; empty for
  /// none.
  package var note = ""
  /// Whether the photo's name is in the last row of text of its tile.
  package var isAboveName = false

  /// The share of a rejected photo's brightness that its tile lacks.
  package static let rejectedShade = 2.0 / 3

  /// Creates the badges of a photo; nil if there are none.
  package init?(_ rating: Rating?, count: Int = 1, note: String = "") {
    stars = max(rating?.stars ?? 0, 0)
    isRejected = rating?.isRejected ?? false
    label = rating?.label.map { $0.color ?? Self.otherLabel }
    self.count = count
    self.note = note
    guard stars > 0 || isRejected || label != nil || count > 1 || !note.isEmpty else { return nil }
  }

  /// The color of a label that another program wrote, whatever its text.
  private static let otherLabel = RGB(0xd0, 0xd0, 0xd0)

  /// The count as text, at most five characters; empty for a single photo.
  package var countText: String {
    switch count {
    case ..<2: ""
    case ..<10_000: "×\(count)"
    default: "×\(min(count / 1000, 999))k"
    }
  }
}

extension Placement {
  /// Shows the badges of a photo's tile, and fades it if the photo is rejected.
  ///
  /// `opacity` is how far they have faded in, 0 to 1.
  package mutating func show(_ badges: Badges?, opacity: Double = 1) {
    guard opacity > 0 else { return }
    self.badges = badges
    badgeOpacity = opacity
    shade = badges?.isRejected == true ? opacity * Badges.rejectedShade : 0
  }
}

extension PixelRect {
  /// Returns the opacity of badges, which fade in over the last quarter of the way from this frame
  /// to another one.
  package func badgeOpacity(at frame: PixelRect, onWayTo end: PixelRect) -> Double {
    func distance(_ other: PixelRect) -> Double {
      max(
        abs(other.minX - end.minX), abs(other.minY - end.minY), abs(other.maxX - end.maxX),
        abs(other.maxY - end.maxY))
    }
    let whole = distance(self)
    guard whole > 0 else { return 1 }
    return min(max(1 - 4 * distance(frame) / whole, 0), 1)
  }
}
