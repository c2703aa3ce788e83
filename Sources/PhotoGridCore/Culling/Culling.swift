import Photos
import SceneModel

/// Culling mode: single keys rate the photos one after the other.
///
/// The mode applies to the grid, to the open photo and to compared photos. Keys that it does not
/// use keep their meaning.
package struct Culling: Equatable, Sendable {
  /// The effect of a key.
  enum Action: Equatable, Sendable {
    case rate(AnnotationEdit)
    /// Goes on to the next photo.
    case pass
    case end
  }

  /// Returns the action of a key; nil for a key with its usual meaning.
  func action(of key: Key) -> Action? {
    switch key {
    case .character("x"): return .rate(.stars(Rating.rejected))
    case .character(" "): return .pass
    case .character("C"), .escape: return .end
    case .character(let character):
      guard character.isASCII, let digit = character.wholeNumberValue else { return nil }
      switch digit {
      case 0...5: return .rate(.stars(digit))
      // Lightroom and Bridge use these digits for their labels.
      case 6...9: return .rate(.label(Rating.Label.colors[digit - 6]))
      default: return nil
      }
    default: return nil
    }
  }

  /// Returns the text for the bar, given the number of photos that are not rated.
  func status(left: Int) -> String {
    left == 0 ? "culling: all rated" : "culling: \(left) left"
  }
}
