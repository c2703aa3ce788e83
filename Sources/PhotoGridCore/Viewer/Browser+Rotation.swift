/// Rotation of photos on the screen only, beyond the orientation in their files.
extension Browser {
  /// Returns a photo's size as displayed: upright, and then rotated; nil if it is unknown.
  func size(of photo: Photo.ID) -> PixelSize? { collection.size(of: photo) }

  /// Returns a photo's rotation for this session, beyond the orientation in its file.
  func orientation(of photo: Photo.ID) -> Orientation { collection.orientation(of: photo) }

  /// A label for the open photo's rotation; nil if it is not rotated.
  package var rotationLabel: String? {
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
