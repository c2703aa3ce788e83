/// The fade-out of an open photo whose file was removed.
struct RemovalFade: Equatable, Sendable {
  /// The photo that is gone.
  var photo: Photo.ID
  /// How it is seen until then.
  var way: Animated<Pose>
}
