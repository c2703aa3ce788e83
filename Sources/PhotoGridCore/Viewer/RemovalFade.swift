/// The fade-out of an open photo whose file was removed.
struct RemovalFade: Equatable, Sendable {
  /// The removed photo.
  var photo: Photo.ID
  /// The pose, which fades out.
  var animatedPose: Animated<Pose>
}
