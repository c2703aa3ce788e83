import Geometry
import ImageFormats
import Photos
import WorkerProtocol

/// Photos whose sidecars say how they are to be shown: a sidecar's orientation takes the place of the
/// one in the file, relative to the picture as it is stored.
///
/// Everything is decoded with the orientation in the file, and turned afterwards.
extension PhotoDecoder {
  /// Returns how a photo is turned beyond the orientation in its file; upright for most.
  func turn(of photo: DeliveredFile) throws(FailureReason) -> Orientation {
    guard photo.sidecar.orientation(ofPhoto: photo.name) != nil else { return .upright }
    return turn(of: photo, try describeFile(photo))
  }

  /// Returns how a photo is turned beyond the orientation in its file, which these facts have.
  func turn(of photo: DeliveredFile, _ info: PhotoInfo) -> Orientation {
    guard let wanted = photo.sidecar.orientation(ofPhoto: photo.name), info.format != .film else {
      return .upright
    }
    return own(of: photo, info).inverse.followed(by: wanted)
  }

  /// The orientation in a file.
  private func own(of photo: DeliveredFile, _ info: PhotoInfo) -> Orientation {
    // The decoder of these formats turns pictures itself, and does not say how.
    guard info.format == .heic || info.format == .avif else {
      return Orientation(number: info.orientation)
    }
    do throws(FailureReason) {
      return HEIFOrientation.read(MetadataReader.source(of: try PhotoFile(photo)))
    } catch {
      return .upright
    }
  }
}

extension DecodeTarget {
  /// The target of a picture that will fit or fill this one's frame once it is turned.
  func turned(_ turn: Orientation) -> DecodeTarget {
    var target = self
    target.size = turn.turned(size)
    return target
  }
}

extension DecodedPhoto {
  func turned(_ turn: Orientation) -> DecodedPhoto {
    guard turn != .upright else { return self }
    return DecodedPhoto(
      info: info.turned(turn), picture: picture.turned(turn), thumbnail: thumbnail, turn: turn)
  }
}

extension PhotoDecoder.Preview {
  func turned(_ turn: Orientation) -> Self {
    guard turn != .upright else { return self }
    return Self(info: info.turned(turn), picture: picture.turned(turn), isFinal: isFinal)
  }
}

extension PhotoInfo {
  func turned(_ turn: Orientation) -> PhotoInfo {
    var info = self
    info.size = turn.turned(size)
    info.orientation = Orientation(number: orientation).followed(by: turn).number
    return info
  }
}
