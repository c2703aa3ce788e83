/// The fade-out of an open photo whose file was removed.
struct RemovalFade: Equatable, Sendable {
  /// The removed photo.
  var photo: Photo.ID
  /// The pose of the photo as it fades out.
  var animatedPose: Animated<Pose>
}
