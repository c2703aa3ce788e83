/// The kind of motion in a photo.
package enum PhotoMotion: Equatable, Sendable {
  /// The frames of an animated image.
  case frames
  /// The photo is a film.
  case film
  /// A live photo's film.
  case live
}
