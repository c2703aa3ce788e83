import ImageFormats
import PhotoGridCore
import WorkerRuntime

extension FilmFacts {
  /// The filters of `ffmpeg` that scale the pictures of the film to a size, by one of its ways of scaling,
  /// and convert them to RGBA.
  ///
  /// The command turns the pictures upright before. With a high dynamic range they are scaled in linear
  /// light, in which 203 cd/m² are white (ITU-R BT.2408), and what is brighter is compressed.
  func filters(_ size: (width: Int, height: Int), scaling: String) -> String {
    guard let transfer else {
      return "scale=\(size.width):\(size.height):flags=\(scaling),format=rgba"
    }
    let name =
      switch transfer {
      case .perceptual: "smpte2084"
      case .hybrid: "arib-std-b67"
      }
    let input = "tin=\(name):pin=bt2020:min=bt2020nc"
    return "zscale=w=\(size.width):h=\(size.height):\(input):t=linear:npl=203,format=gbrpf32le,"
      + "zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:m=bt709:r=tv,format=rgba"
  }
}

extension FilmDecoder {
  /// The failure of a film that the command cannot decode; another version of it may.
  static let noPicture = FailureReason.decoder("no picture")

  /// What tells the installed command from other versions of it, in printable bytes.
  static var commandStamp: [UInt8] {
    guard let stamp = try? PhotoOpening.stamp(of: Array(Confinement.filmCommand.utf8)) else {
      return Array("none".utf8)
    }
    return Array("\(stamp.byteCount) \(stamp.modified)".utf8)
  }
}
