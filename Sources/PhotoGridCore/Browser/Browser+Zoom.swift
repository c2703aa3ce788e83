/// How photos are turned for the eye alone, beyond what their files say.
extension Browser {
  /// A photo's size as it is seen: upright, and then turned.
  func size(of photo: Photo.ID) -> PixelSize? { collection.size(of: photo) }

  /// How a photo is turned for the time of the session, beyond what its file says.
  func orientation(of photo: Photo.ID) -> Orientation { collection.orientation(of: photo) }

  /// How the photo on the screen is turned, in words; nil where it is as its file says.
  package var turnedWords: String? {
    guard isInDetail, let photo = current else { return nil }
    return switch orientation(of: photo).number {
    case 2: "mirrored"
    case 3: "turned 180°"
    case 4: "flipped"
    case 5: "turned 270°, flipped"
    case 6: "turned 90°"
    case 7: "turned 90°, flipped"
    case 8: "turned 270°"
    default: nil
    }
  }
}
